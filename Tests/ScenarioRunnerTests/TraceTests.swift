import Foundation
import JSON
import Messaging
import ScenarioRunner
import ShippedScenarios
import Telling
import Testing

/// The parts of JSON Schema that the schema of a trace uses.
private enum TraceSchema {
  /// Returns the first violation of a value, or nil.
  static func violation(_ value: Any, _ schema: [String: Any], _ path: String = "") -> String? {
    if let words = schema["enum"] as? [String] {
      guard let text = value as? String, words.contains(text) else { return "\(path): not one of the words" }
      return nil
    }
    switch schema["type"] as? String {
    case "string": return value is String ? nil : "\(path): not a text"
    case "integer": return value is Int ? nil : "\(path): not a number"
    case "boolean": return value is Bool ? nil : "\(path): not true or false"
    case "array":
      guard let items = value as? [Any], let item = schema["items"] as? [String: Any] else {
        return "\(path): not a list"
      }
      return items.lazy.compactMap { violation($0, item, "\(path)[]") }.first
    default: break
    }
    guard let members = value as? [String: Any] else { return "\(path): not an object" }
    let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
    for name in schema["required"] as? [String] ?? [] where members[name] == nil { return "\(path): without \(name)" }
    if let choices = schema["oneOf"] as? [[String: [String]]] {
      let met = choices.flatMap { $0["required"] ?? [] }.count { members[$0] != nil }
      if met != 1 { return "\(path): \(met) of the choices" }
    }
    for (name, member) in members {
      guard let property = properties[name] else { return "\(path).\(name): unknown" }
      if let found = violation(member, property, "\(path).\(name)") { return found }
    }
    return nil
  }
}

@Suite("Traces of shipped scenarios")
struct TraceTests {
  @Test("Every line conforms to the schema and is read back as the same entry", arguments: ShippedScenarios.files)
  func lines(file: String) async throws {
    let schema = try #require(
      try JSONSerialization.jsonObject(with: Data(TraceFormat.schema.utf8)) as? [String: Any])
    for result in try await ShippedScenarios.results(of: file) {
      let lines = result.journal.trace().split(separator: 0x0a)
      for (line, entry) in zip(lines, result.journal.entries) {
        let data = Data(line)
        #expect(TraceSchema.violation(try JSONSerialization.jsonObject(with: data), schema) == nil)
        #expect(try JSONCoding.decode(JournalEntry.self, from: Array(line), limits: .traceLine) == entry)
      }
      #expect(lines.count == result.journal.entries.count)
    }
  }

  @Test("A line without an event, with an unknown kind of message or a party without a role is not read")
  func malformed() {
    for text in [
      #"{"by":"page:site","line":1,"time":0}"#, #"{"by":"site","line":1,"step":{"action":"waits"},"time":0}"#,
      #"{"by":"page:site","line":1,"message":{"bytes":"","kind":"x","number":1,"to":"page:b","type":"a/b"},"time":0}"#,
    ] {
      #expect(throws: JSONError.self) { try JSONCoding.decode(JournalEntry.self, from: Array(text.utf8)) }
    }
  }
}
