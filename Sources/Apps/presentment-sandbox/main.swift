import SandboxProgram

// The request sandbox. The operating system of a world starts it; without one it waits for a call on descriptor 0.

SandboxProgram.confine()
SandboxProgram.answer(SandboxProgram.receiveCall())
