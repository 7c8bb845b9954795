import SandboxProgram

// A request sandbox with the fault that its argument names, to show that a system withstands it. Worlds with a sandbox
// fault start it in place of presentment-sandbox.

SandboxProgram.warmUp()
SandboxProgram.confine()
guard let call = SandboxProgram.receiveCall() else { SandboxProgram.end(.unreadableCall) }
misbehave(CommandLine.arguments.dropFirst().first ?? "", with: call)
SandboxProgram.answer(call)
SandboxProgram.end(.answered)
