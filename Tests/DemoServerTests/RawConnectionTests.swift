import TestSupport
import TestTraits
import Testing

/// The server on a real socket, with malformed HTTP.
@Suite("Raw connections", .requiresPython) struct RawConnectionTests {
  @Test func malformedRequestsAreAnsweredOrClosedAndTheServerContinues() async throws {
    let script = Programs.package.appendingPathComponent("Tests/External/RawConnections/raw.py").path
    let run = try await Programs.run(Programs.python, ["-B", script, Programs.presentment])
    #expect(run.code == 0, "\(run)")
  }
}
