import Foundation
import TestSupport
import Testing

/// The codes of suites in docs/checks.md. A code's meaning is the comment of its declaration. With
/// `PRESENTMENT_WRITE_REFERENCE=1` the table is written into the page.
@Suite("The codes of the suites")
struct SuiteCodesTests {
  private static let page = Programs.package.appendingPathComponent("docs/checks.md")

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
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    let (begin, end) = ("<!-- codes: suites -->\n", "<!-- end codes -->")
    let first = try #require(page.firstRange(of: begin))
    let last = try #require(page[first.upperBound...].firstRange(of: end))
    let updated = page[..<first.upperBound] + (try Self.table()) + page[last.lowerBound...]
    if ProcessInfo.processInfo.environment["PRESENTMENT_WRITE_REFERENCE"] == "1" {
      try String(updated).write(to: Self.page, atomically: true, encoding: .utf8)
    } else {
      #expect(page == updated, "run: make reference")
      for code in ["suite.clock", "suite-folder.content", "target.tls", "wallet.timeout"] {
        #expect(page.contains("| `\(code)` | "), "\(code)")
      }
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
