import SandboxProgram

// A request sandbox with the fault that its argument names, to show that a system withstands it. Worlds with a sandbox
// fault start it in place of presentment-sandbox.

SandboxProgram.warmUp()
SandboxProgram.confine()
let call = SandboxProgram.receiveCall()
misbehave(CommandLine.arguments.dropFirst().first ?? "", with: call)
SandboxProgram.answer(call)
