import SandboxProgram

// A request sandbox that misbehaves in the way that its argument names, to show that a system withstands it. Worlds with a
// fault of the sandbox start it in place of presentment-sandbox.

SandboxProgram.confine()
let call = SandboxProgram.receiveCall()
misbehave(CommandLine.arguments.dropFirst().first ?? "", with: call)
SandboxProgram.answer(call)
