import TestSupport
import TestTraits
import Testing

/// The demonstration on a real pseudo-terminal.
@Suite("A terminal", .requiresPython, .serialized) struct TerminalTests {
  @Test(arguments: [
    "accept", "decline", "cancel", "resize", "stop", "terminate", "interrupt", "hang-up", "trap", "user", "alarm",
    "last", "small", "play", "dumb",
  ])
  func isLeftAsItWas(_ story: String) async throws {
    let script = Programs.package.appendingPathComponent("Tests/External/Terminal/demo.py").path
    let run = try await Programs.run(Programs.python, ["-B", script, Programs.presentment, story])
    #expect(run.code == 0, "\(run)")
  }
}
