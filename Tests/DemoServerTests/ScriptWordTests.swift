import Foundation
import Testing

@testable import Vocabulary

/// The scripts of the stage and of the trace page have the texts of screens in English; a device with another language finds
/// them in the table of words.
@Suite("The words in the scripts of screens")
struct ScriptWordTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let scripts = [
    "Sources/Tools/TraceViews/Web/phone-views.js", "Sources/Tools/TraceViews/Web/code-view.js",
    "Sources/Tools/TraceViews/Web/read-through.js", "Sources/Apps/DemoServer/Web/Assets/phone.js",
    "Sources/Apps/DemoServer/Web/Assets/desktop.js", "Sources/Apps/DemoServer/Web/Assets/hand.js",
  ]
  private static let table = Set(ScreenWord.allCases.map(\.english))

  private static func text(of script: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(script), encoding: .utf8)
  }

  @Test("every text that a script says is in the table", arguments: scripts)
  func said(script: String) throws {
    let texts = Self.said(in: try Self.text(of: script))
    #expect(!texts.isEmpty)
    for text in texts { #expect(Self.table.contains(text), "\(text)") }
  }

  @Test(
    "every text of a list that a script says from is in the table",
    arguments: [
      (scripts[0], "GESTURES", 3), (scripts[0], "OUTCOMES", 6), (scripts[5], "TITLES", 2), (scripts[5], "EMPTY", 3),
    ])
  func listed(script: String, list: String, count: Int) throws {
    let text = try Self.text(of: script)
    let start = try #require(text.range(of: "const \(list) = {"))
    let end = try #require(text[start.upperBound...].range(of: "};"))
    let values = Set(Self.literals(in: String(text[start.upperBound..<end.lowerBound])).filter { $0.contains(/[A-Z]/) })
    #expect(values.count == count)
    #expect(values.isSubset(of: Self.table), "\(values.subtracting(Self.table))")
  }

  @Test("the table for pages has every text once")
  func tableForPages() {
    #expect(WordTable(of: .english) == nil && WordTables(of: [.english]) == nil)
    #expect(Set(WordTable(of: .spanish)?.rows.map(\.english) ?? []) == Self.table)
    #expect(WordTable(of: .spanish)?.rows.count == Self.table.count)
  }

  /// The literals in the first argument of each call of `say`.
  private static func said(in script: String) -> Set<String> {
    var texts: Set<String> = []
    var rest = script[...]
    while let call = rest.firstMatch(of: /\bsay\(/.wordBoundaryKind(.simple)) {
      rest = rest[call.range.upperBound...]
      var depth = 1
      let end = rest.firstIndex { letter in
        if "([{".contains(letter) { depth += 1 }
        if ")]}".contains(letter) { depth -= 1 }
        return depth == 0
      }
      guard let end else { break }
      texts.formUnion(literals(in: String(rest[..<end])))
    }
    return texts
  }

  /// The texts in quotation marks that are not names of members or of values, each asker in a template.
  private static func literals(in code: String) -> [String] {
    code.matches(of: /"((?:[^"\\]|\\.)*)"(\s*:)?|`([^`]*)`/).flatMap { match -> [String] in
      if let template = match.output.3 {
        let texts = ["The website", "The reader"].map { asker in
          template.replacing("${asker}", with: asker).replacing("${device}", with: "phone")
        }
        return Set(texts.map { String($0) }).sorted()
      }
      guard match.output.2 == nil, let text = match.output.1, text.contains(where: \.isLetter),
        text.contains(/[A-Z ]/) || text.count > 12
      else { return [] }
      return [String(text)]
    }
  }
}
