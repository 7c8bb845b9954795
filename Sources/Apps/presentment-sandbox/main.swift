import SandboxProgram

// The request sandbox. A command starts it once, as the template of the processes that parse requests.

SandboxProgram.warmUp()
SandboxProgram.serveAsTemplate()
SandboxProgram.confine()
// Once more in the copy, which gets pages of its own by it before a call waits for the answer.
SandboxProgram.warmUp()
SandboxProgram.answerCalls()
