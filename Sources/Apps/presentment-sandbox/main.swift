import SandboxProgram

// The request sandbox. The operating system of a world starts it; started by hand it waits for a call.

SandboxProgram.confine()
SandboxProgram.answer(SandboxProgram.receiveCall())
