import Foundation
import TestSupport
import Testing

/// The TypeScript compiler, which nothing else needs.
private enum TypeScript {
  static let compiler = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { "\($0)/tsc" }.first(where: FileManager.default.isExecutableFile)
}

@Suite(
  "Documentation: the fixture for Playwright Test",
  .enabled(if: TypeScript.compiler != nil, "requires tsc, of the Debian package node-typescript"))
struct PlaywrightTypesTests {
  private static let site = Programs.package.appendingPathComponent("docs/your-site")
  private static let types = Programs.package.appendingPathComponent("Tests/External/Types")

  /// Compiles the files of the page and of the test, and others.
  private static func compiled(_ others: [String: String], changing change: (String) -> String = { $0 }) async throws
    -> Programs.Run
  {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("presentment-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files =
      ["presentment-playwright.ts", "presentment.d.ts"].map(site.appendingPathComponent)
      + ["playwright.d.ts", "tsconfig.json", "wrong.ts"].map(types.appendingPathComponent)
    for file in files {
      let text = change(try String(contentsOf: file, encoding: .utf8))
      try Data(text.utf8).write(to: folder.appendingPathComponent(file.lastPathComponent))
    }
    for (name, text) in others { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
    return try await Programs.run(try #require(TypeScript.compiler), ["-p", "."], in: folder)
  }

  /// The example at the head of the fixture.
  private static func example() throws -> String {
    let text = try String(contentsOf: site.appendingPathComponent("presentment-playwright.ts"), encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("//") }
    return lines.filter { $0.hasPrefix("//   ") }.map { $0.dropFirst("//   ".count) }.joined(separator: "\n")
  }

  @Test("The fixture and its example have the types that they say")
  func types() async throws {
    let example = try Self.example()
    #expect(example.contains("phone.accept()"))
    let run = try await Self.compiled(["example.ts": example])
    #expect(run.code == 0, "\(run)")
  }

  @Test("A type that does not fit is an error")
  func wrongTypes() async throws {
    let changed = try await Self.compiled([:]) { $0.replacing("import type { PresentmentCall,", with: "import type {") }
    #expect(changed.code != 0 && changed.output.contains("presentment-playwright.ts("), "\(changed)")
    let allowed = try await Self.compiled([:]) { $0.replacing("setFaults(7)", with: "setFaults()") }
    #expect(allowed.code != 0 && allowed.output.contains("Unused '@ts-expect-error' directive"), "\(allowed)")
  }
}
