import Foundation
import TestSupport
import Testing

/// The codes of suites in docs/checks.md. A code's meaning is the comment of its declaration.
@Suite("The codes of the suites")
struct SuiteCodesReferencePageTests {
  /// The sources with declarations of codes.
  private static let sources = [
    "Sources/Apps/CaseSuites/SuiteResult.swift", "Sources/Apps/CaseSuites/SuiteFolder.swift",
    "Sources/Roles/OwnServers/HTTPExchange.swift", "Sources/Roles/OwnWallets/OwnWalletLink.swift",
  ]

  private static func table() throws -> String {
    var rows: [String] = []
    for source in sources {
      let text = try String(contentsOf: Programs.package.appendingPathComponent(source), encoding: .utf8)
      let declared = text.matches(of: /\/\/\/ (.+)\.\n *case \w+ = "([a-z-]+\.[a-z-]+)"/)
      try #require(!declared.isEmpty, "\(source)")
      for found in declared {
        let meaning = found.1.prefix(1).lowercased() + found.1.dropFirst()
        rows.append("| `\(found.2)` | \(meaning) |")
      }
    }
    return (["", "| code | meaning |", "| --- | --- |"] + rows + ["", ""]).joined(separator: "\n")
  }

  @Test("the page has each code; make reference writes it")
  func rows() throws {
    let page = GeneratedPage("docs/checks.md")
    try page.check(between: "<!-- codes: suites -->\n", and: "<!-- end codes -->", is: Self.table())
    let text = try page.text()
    for code in ["suite.clock", "suite-folder.content", "target.tls", "wallet.timeout"] {
      #expect(text.contains("| `\(code)` | "), "\(code)")
    }
  }

  @Test("no other source declares a code of a suite")
  func elsewhere() throws {
    let folder = Programs.package.appendingPathComponent("Sources")
    let paths = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
    for path in paths.sorted() where path.hasSuffix(".swift") && !Self.sources.contains("Sources/\(path)") {
      let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      #expect(
        text.firstMatch(of: /case \w+ = "(suite|suite-folder|target|wallet)\.[a-z-]+"/) == nil, "\(path)")
    }
  }
}
