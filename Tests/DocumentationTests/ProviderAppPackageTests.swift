import Foundation
import TestSupport
import Testing

@Suite("Documentation: a package with a provider app")
struct ProviderAppPackageTests {
  private static let folder = Programs.package.appendingPathComponent("docs/examples/provider-app")

  @Test("Its command runs its scenarios, with the app of the package")
  func scenarios() async throws {
    let run = try await Programs.run(Programs.built("presentment-with-card"), ["run", "scenarios"], in: Self.folder)
    #expect(run.code == 0, "\(run)")
    #expect(run.output.contains("2 passed, 0 failed"), "\(run)")
  }

  @Test("Its web server knows the app, too, and the command starts it")
  func server() async throws {
    // A world that cannot be served ends the server at once, after its file has been read.
    let arguments = ["serve", "--world", "scenarios/worlds/club.yaml", "--scenarios", "scenarios", "--port", "0"]
    let own = try await Programs.run(
      Programs.built("presentment-with-card"), arguments + ["--address", "192.0.2.1"], in: Self.folder)
    #expect(own.code == 2 && own.errors.contains("cannot serve at 192.0.2.1"), "\(own)")
    let shipped = try await Programs.run(Programs.built("presentment"), arguments, in: Self.folder)
    #expect(shipped.code == 2 && shipped.errors.contains("unknown style 'members-card'"), "\(shipped)")
  }

  @Test(
    "A command without its web server says how to build it",
    arguments: [
      ("presentment", "in a checkout, make serve builds it"),
      ("presentment-with-card", "build one that runs PresentmentServerProgram, with this name"),
    ])
  func withoutServer(_ name: String, _ hint: String) async throws {
    // Beside the program: a link needs its file system. A copy could not be run while another test's new process has it open.
    let program = URL(fileURLWithPath: Programs.built(name))
    let folder = program.deletingLastPathComponent().appendingPathComponent("presentment-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let alone = folder.appendingPathComponent(name).path
    try FileManager.default.linkItem(atPath: program.path, toPath: alone)
    let run = try await Programs.run(alone, ["serve"], in: folder)
    #expect(run.code == 2, "\(run)")
    #expect(run.errors == "cannot start \(alone)-serve: No such file or directory; \(hint)\n", "\(run)")
  }

  @Test("The shipped command does not know the app")
  func shipped() async throws {
    let run = try await Programs.run(Programs.presentment, ["run", "scenarios"], in: Self.folder)
    #expect(run.code == 2 && run.errors.contains("unknown style 'members-card'"), "\(run)")
  }
}
