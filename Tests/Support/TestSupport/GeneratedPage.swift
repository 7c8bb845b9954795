import Foundation
import Testing

/// A page of the package with parts that are made from declarations: a test compares them, `make reference` writes them.
public struct GeneratedPage: Sendable {
  /// Whether the tests write the pages: the environment has `PRESENTMENT_WRITE_REFERENCE=1`.
  public static let isWriting = ProcessInfo.processInfo.environment["PRESENTMENT_WRITE_REFERENCE"] == "1"

  /// Tests run side by side, and several write parts of the same page.
  private static let writing = NSLock()

  private let url: URL

  /// Creates a page of a path in the package.
  public init(_ path: String) {
    url = Programs.package.appendingPathComponent(path)
  }

  /// Returns the text of the page.
  ///
  /// - Throws: An error if the page cannot be read.
  public func text() throws -> String {
    try String(contentsOf: url, encoding: .utf8)
  }

  /// Compares the page with what the declarations say, or writes that into the page.
  ///
  /// - Parameter updated: Returns the page with its generated parts as the declarations say.
  public func check(_ updated: (String) throws -> String) throws {
    try Self.writing.withLock {
      let page = try text()
      let result = try updated(page)
      guard Self.isWriting else {
        #expect(page == result, "run: make reference")
        return
      }
      try result.write(to: url, atomically: true, encoding: .utf8)
    }
  }

  /// Compares the part between two markers with a text, or writes the text between them.
  public func check(between begin: String, and end: String, is part: String) throws {
    try check { page in
      let first = try #require(page.range(of: begin)?.upperBound, "\(begin)")
      let last = try #require(page.range(of: end, range: first..<page.endIndex)?.lowerBound, "\(end)")
      return page[..<first] + part + page[last...]
    }
  }
}
