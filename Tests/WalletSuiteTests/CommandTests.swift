import Foundation
import TestSupport
import TestTraits
import Testing

/// The command with wallets in Python, by a script that writes their targets.
@Suite("The command that tests a wallet", .requiresPython)
struct CommandTests {
  @Test(
    "the example is right, each mistake is found, and bad programs end with a clear error",
    arguments: ["Wallets", "Files", "BadPrograms"])
  func wallets(name: String) async throws {
    let script = Programs.package.appendingPathComponent("Tests/External/Wallets/test_wallets.py").path
    let run = try await Programs.run(Programs.python, ["-B", script, Programs.presentment, name])
    #expect(run.code == 0, "\(run)")
  }
}
