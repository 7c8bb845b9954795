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
  func wallets(name: String) async throws { try await Self.run("test_wallets.py", name) }

  @Test(
    "a program is an app of a world, gets what it may see, and a recording repeats the world without it",
    arguments: ["Worlds", "BadApps"])
  func worlds(name: String) async throws { try await Self.run("test_worlds.py", name) }

  private static func run(_ script: String, _ name: String) async throws {
    let path = Programs.package.appendingPathComponent("Tests/External/Wallets/\(script)").path
    let run = try await Programs.run(Programs.python, ["-B", path, Programs.presentment, name])
    #expect(run.code == 0, "\(run)")
  }
}
