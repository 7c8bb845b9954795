import Foundation
import TestSupport
import TestTraits
import Testing

/// The commands with servers of others, by a script that starts them.
@Suite("The commands that test a verifier", .requiresPython)
struct CommandTests {
  @Test(
    "servers and files on this machine are tested, and bad ones end with a clear error",
    arguments: ["OwnSite", "Files", "BadServers", "OwnServer"])
  func servers(name: String) async throws {
    let script = Programs.package.appendingPathComponent("Tests/External/Verifiers/test_command.py").path
    let run = try await Programs.run(Programs.python, ["-B", script, Programs.presentment, name])
    #expect(run.code == 0, "\(run)")
  }

  @Test("the example server verifies each answer once, whatever becomes of its process")
  func exampleServer() async throws {
    let script = Programs.package.appendingPathComponent("Tests/External/Verifiers/test_example_server.py").path
    let server = Programs.built("RelyingPartyServer")
    let run = try await Programs.run(Programs.python, ["-B", script, Programs.presentment, server])
    #expect(run.code == 0, "\(run)")
  }
}
