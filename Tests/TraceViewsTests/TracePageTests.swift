import Crypto
import Foundation
import Inspection
import JSON
import Messaging
import TestSupport
import Testing
import Vocabulary

@testable import TraceViews

/// The page of a run.
@Suite("Trace pages") struct TracePageTests {
  private func page(title: String = "x") throws -> String {
    try TracePage.html(of: try Runs.entries(), result: TracePage.Result(title: title))
  }

  private func text(_ id: String, in page: String) throws -> Substring {
    let start = try #require(page.range(of: "id=\"\(id)\">"))
    let end = try #require(page.range(of: "</script>", range: start.upperBound..<page.endIndex))
    return page[start.upperBound..<end.lowerBound]
  }

  private func object(_ text: Substring) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func block(_ id: String, in page: String) throws -> [String: Any] { try object(text(id, in: page)) }

  /// The contents of all blocks; each block but the last has the number of contents that the page's script divides by.
  private func contents(in page: String) throws -> [[String: Any]] {
    let length = try #require(try block("run", in: page)["contentsInBlock"] as? Int)
    var contents: [[String: Any]] = []
    var number = 0
    while contents.count == number * length, page.contains("id=\"contents:\(number)\"") {
      contents += try text("contents:\(number)", in: page).split(separator: "\n").map(object)
      number += 1
    }
    return contents
  }

  @Test("Loads nothing: the policy allows its own style and script only, by their digests") func policy() throws {
    let page = try page()
    let policy = try #require(page.firstMatch(of: /Content-Security-Policy" content="([^"]*)"/)).1
    #expect(policy.hasPrefix("default-src 'none'; "))
    for (start, end) in [("<style>", "</style>"), ("<script type=\"module\">", "</script>")] {
      let from = try #require(page.range(of: start))
      let to = try #require(page.range(of: end, range: from.upperBound..<page.endIndex))
      let digest = Data(SHA256.hash(data: Data(page[from.upperBound..<to.lowerBound].utf8))).base64EncodedString()
      #expect(policy.contains("'sha256-\(digest)'"))
    }
    #expect(page.firstMatch(of: /(?:src|href)="(?:https?:)?\/\//) == nil)
    #expect(!page.contains("import {"))
  }

  @Test("Shows a consent sheet as the stage does: in the website's order, with who certified the name")
  func consentSheet() throws {
    let result = try Runs.result(of: "headline")
    let page = try TracePage.html(of: result.journal.entries, result: TracePage.Result(result))
    let askers = try contents(in: page).compactMap { $0["a"] as? [String: Any] }
    let asker = try #require(askers.first)
    #expect(asker["certifiedBy"] as? String == "Apple Business Connect")
    let view = result.journal.entries.lazy.compactMap(\.event.message)
      .first { $0.kind == .show }?.body(AuthorizationScreen.self)
    let elements = try #require(view?.elements)
    let order = try #require(asker["order"] as? [Int])
    #expect(
      order.map { elements[$0].identifier }
        == ["given_name", "family_name", "age_over_21", "portrait", "driving_privileges"])
    #expect(try contents(in: self.page()).allSatisfy { $0["a"] == nil })
  }

  @Test("Has the words of screens in another language, and none in English") func words() throws {
    let spanish = try Runs.result(of: "consent/a-phone-in-spanish").journal.entries
    let page = try TracePage.html(of: spanish, result: TracePage.Result(title: "x"))
    let words = try #require(try block("run", in: page)["words"] as? [String: [String: String]])
    #expect(Array(words.keys) == ["es"] && words["es"]?["App selector"] == "Selector de apps")
    #expect(try block("run", in: self.page())["words"] == nil)
  }

  @Test("Has every line, and every message with a content") func complete() throws {
    let page = try page()
    let entries = try #require(try block("run", in: page)["entries"] as? [[String: Any]])
    let journal = try Runs.entries()
    #expect(entries.count == journal.count)
    let contents = try contents(in: page)
    for (entry, line) in zip(entries, journal) {
      #expect(entry["line"] as? Int == line.number)
      guard let message = line.event.message else { continue }
      let number = try #require(entry["content"] as? Int)
      try #require(contents.indices.contains(number))
      let sources = try #require(contents[number]["s"] as? [[String: Any]])
      #expect(sources[0]["bytes"] as? String == Data(message.bytes).base64EncodedString())
    }
  }

  @Test("Text from outside cannot end its element", arguments: ["</script><script>alert(1)</script>", "<!--", "\"'&"])
  func escapes(title: String) throws {
    let page = try page(title: title)
    #expect(!page.contains("<script>alert"))
    #expect(try block("run", in: page)["title"] as? String == title)
  }

  @Test("Of a failed case the line with the failure's code is selected, and its text is that of the run") func failure()
    throws
  {
    var result = TracePage.Result(title: "x")
    result.verdict = .failed
    result.headline = "expected another element"
    result.code = "selector.reader/untrusted"
    let page = try TracePage.html(of: try Runs.entries(), result: result)
    let first = try #require(try block("run", in: page)["first"] as? Int)
    let line = try #require(try Runs.entries().first { $0.number == first })
    #expect(line.event.code == "selector.reader/untrusted")
    result.code = nil
    let last = try block("run", in: try TracePage.html(of: try Runs.entries(), result: result))["first"] as? Int
    #expect(try last == Runs.entries().last?.number)
  }

  @Test("A check reads the message that its party answers at the same time") func reading() throws {
    let journal = try Runs.entries()
    let reading = Reading(journal)
    let kinds = Dictionary(
      journal.compactMap { $0.event.message }.map { ($0.number, $0.kind) }, uniquingKeysWith: { $1 })
    var found: [String: MessageKind] = [:]
    for (position, entry) in journal.enumerated() {
      if let check = entry.event.check?.check, let number = reading.messages[position] { found[check] = kinds[number] }
    }
    #expect(found["issuer.signature"] == .submitResponse)
    #expect(found["sandbox.reader-signature"] == .requestData, "\(found.keys.sorted())")
  }

  @Test("A module with an import or an export in another form is refused") func modules() throws {
    func bundle(_ text: String) throws -> String {
      try ScriptBundle(entry: "a.js") { (name) throws(TraceViewError) in
        name == "a.js" ? text : "export const one = 1;\nconst two = 2;\n"
      }.text
    }
    let joined = try bundle("import { one } from \"/b.js\";\none();\n")
    #expect(joined.contains("const { one } = module0;") && joined.contains("return { one };"))
    #expect(try bundle("import { one } from \"./b.js\";\none();\n") == joined)
    #expect(throws: TraceViewError.self) { try bundle("import one from \"b.js\";\n") }
    #expect(throws: TraceViewError.self) { try bundle("export let two = 2;\n") }
    #expect(throws: TraceViewError.self) { try bundle("import { one } from \"/a.js\";\n") }
  }
}

/// The bytes of lines, and what protects them.
@Suite("Explanations of messages") struct ExplanationTests {
  private func explanations(_ kind: MessageKind) throws -> [Explanation] {
    let found = try Runs.entries().compactMap(\.event.message).filter { $0.kind == kind }
    return try #require(found.isEmpty ? nil : found).map(Inspector.explanation)
  }

  @Test("Ranges are inside their sources, and inside the range of the line above them") func nested() throws {
    for message in try Runs.entries().compactMap(\.event.message) {
      let explanation = Inspector.explanation(of: message)
      #expect(explanation.sources.first?.bytes == message.bytes)
      var above: [Explanation.Line] = []
      for line in explanation.lines {
        above = above.filter { $0.level < line.level }
        guard let source = line.source, let range = line.range else { continue }
        #expect(range.upperBound <= explanation.sources[source].bytes.count, "\(line.text)")
        if let outer = above.last(where: { $0.source == source && $0.range != nil })?.range {
          #expect(outer.lowerBound <= range.lowerBound && range.upperBound <= outer.upperBound, "\(line.text)")
        }
        above.append(line)
      }
    }
  }

  @Test("The bytes of a field are those that say it") func fields() throws {
    let explanation = try #require(try explanations(.document).first)
    let bytes = explanation.sources[0].bytes
    let line = try #require(explanation.lines.first { $0.text.hasPrefix("docType: ") })
    let content = String(decoding: bytes[try #require(line.range)], as: UTF8.self)
    #expect(content.contains("docType") && content.contains("org.iso.18013.5.1.mDL"))
    #expect(explanation.elements.contains("family_name"))
  }

  @Test("Bytes in base64url are found in the text that has them") func encoded() throws {
    let explanation = try #require(try explanations(.submitResponse).first)
    let inner = try #require(explanation.sources.dropFirst().first { $0.origin?.encoding == .base64URL })
    let origin = try #require(inner.origin)
    let text = String(decoding: explanation.sources[origin.source].bytes[origin.range], as: UTF8.self)
    let standard = text.replacing("-", with: "+").replacing("_", with: "/")
    let padded = standard + String(repeating: "=", count: (4 - standard.count % 4) % 4)
    #expect(Data(base64Encoded: padded).map { [UInt8]($0) } == inner.bytes)
    let seal = try #require(explanation.protections.first { $0.kind == .seal })
    #expect(seal.covered.first.map { $0.count > inner.bytes.count / 2 } == true)
  }

  @Test("Each digest is that of the bytes that it covers") func digests() throws {
    let explanation = try #require(try explanations(.document).first)
    let digests = explanation.protections.filter { $0.kind == .digest }
    #expect(digests.count > 5)
    for digest in digests {
      let bytes = explanation.sources[digest.source].bytes
      #expect(
        Array(SHA256.hash(data: bytes[digest.covered[0]])) == Array(bytes[digest.mark].suffix(32)), "\(digest.name)")
    }
    let issuer = try #require(explanation.protections.first { $0.name == "issuerAuth" })
    #expect(
      issuer.covered.contains {
        $0.lowerBound <= digests[0].mark.lowerBound && digests[0].mark.upperBound <= $0.upperBound
      })
  }

  @Test("Every reader signature of a request covers its items request, and the transcript elsewhere") func readers()
    throws
  {
    let explanation = try #require(try explanations(.rawRequest).first)
    let signatures = explanation.protections.filter { $0.name.hasPrefix("readerAuth") }
    #expect(signatures.count == 2 && signatures.allSatisfy { $0.elsewhere == "the session transcript" })
    for signature in signatures {
      let covered = signature.covered.map { explanation.sources[signature.source].bytes[$0] }
      #expect(covered.contains { String(decoding: $0, as: UTF8.self).contains("family_name") })
    }
  }
}
