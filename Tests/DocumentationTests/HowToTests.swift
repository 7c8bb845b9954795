import Foundation
import TestSupport
import Testing

/// The worked examples of docs/howto are diffs against the sources as they are.
@Suite("How-to pages")
struct HowToTests {
  /// A place in a file that an example changes.
  struct Hunk: Sendable, CustomTestStringConvertible {
    var page: String
    /// The file; nil for a new one.
    var file: String?
    var newFile: String
    var lines: [Substring]

    var testDescription: String { "\(page): \(newFile)" }

    /// The lines that the example finds in the file, which it keeps or removes.
    var before: String { lines.filter { !$0.hasPrefix("+") }.map { $0.dropFirst() }.joined(separator: "\n") }
  }

  static let folder = Programs.package.appendingPathComponent("docs/howto")

  static let hunks: [Hunk] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().filter { $0.hasSuffix(".md") }.flatMap { name in
      (try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)).map {
        hunks(of: $0, on: name)
      } ?? []
    }
  }()

  private static func hunks(of text: String, on page: String) -> [Hunk] {
    var hunks: [Hunk] = []
    var isInDiff = false
    var file: String?
    var newFile = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInDiff = line == "```diff"
      } else if !isInDiff {
        continue
      } else if line.hasPrefix("--- ") {
        file = line == "--- /dev/null" ? nil : String(line.dropFirst(6))
      } else if line.hasPrefix("+++ ") {
        newFile = String(line.dropFirst(6))
      } else if line.hasPrefix("@@ ") {
        hunks.append(Hunk(page: page, file: file, newFile: newFile, lines: []))
      } else {
        // Editors strip the space of an empty line.
        hunks[hunks.count - 1].lines.append(line.isEmpty ? " " : line)
      }
    }
    return hunks
  }

  @Test("an example fits the sources", arguments: hunks)
  func fits(_ hunk: Hunk) throws {
    guard let file = hunk.file else {
      let path = Programs.package.appendingPathComponent(hunk.newFile).path
      #expect(!FileManager.default.fileExists(atPath: path), "\(hunk.newFile) exists")
      return
    }
    let text = try String(contentsOf: Programs.package.appendingPathComponent(file), encoding: .utf8)
    #expect(text.contains(hunk.before), "\(file) no longer has:\n\(hunk.before)")
  }

  @Test("every page but the first has an example")
  func pages() throws {
    let pages = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { $0 != "README.md" }
    #expect(Set(Self.hunks.map(\.page)) == Set(pages))
  }
}
