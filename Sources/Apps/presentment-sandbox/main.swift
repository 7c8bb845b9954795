import SandboxProgram

// The request sandbox. A command starts it once, as the template of a process for each request.

SandboxProgram.warmUp()
SandboxProgram.serveAsTemplate()
SandboxProgram.confine()
// Once more in the copy, which gets pages of its own by it before a call waits for the answer.
SandboxProgram.warmUp()
SandboxProgram.answer(SandboxProgram.receiveCall())
