import SandboxProgram

// The request sandbox. A command starts it once, as the template of a process for each request.

SandboxProgram.warmUp()
SandboxProgram.serveAsTemplate()
SandboxProgram.confine()
SandboxProgram.answer(SandboxProgram.receiveCall())
