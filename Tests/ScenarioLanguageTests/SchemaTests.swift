import Foundation
import LocatedYAML
import Testing

@testable import ScenarioLanguage

/// The parts of JSON Schema that the project's schemas use.
private struct Validator {
  /// The first violation of a value, or nil.
  func violation(_ value: YAMLValue, _ schema: [String: Any], _ path: String = "") -> String? {
    if let choices = schema["enum"] as? [String] {
      guard case .text(let text) = value, choices.contains(text) else { return "\(path): not one of the words" }
    }
    if let type = schema["type"] {
      let types = (type as? [String]) ?? [type as? String ?? ""]
      if !types.contains(where: { self.is(value, $0) }) { return "\(path): not \(types.joined(separator: " or "))" }
    }
    if let any = schema["anyOf"] as? [[String: Any]], any.allSatisfy({ violation(value, $0, path) != nil }) {
      return "\(path): none of the alternatives"
    }
    switch value {
    case .mapping(let entries): return violation(entries, schema, path)
    case .list(let items):
      guard let item = schema["items"] as? [String: Any] else { return nil }
      return items.enumerated().lazy.compactMap { violation($1, item, "\(path)[\($0)]") }.first
    case .text, .plain: return nil
    }
  }

  private func violation(_ entries: [YAMLValue.Entry], _ schema: [String: Any], _ path: String) -> String? {
    let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
    let keys = Set(entries.map(\.key))
    for name in schema["required"] as? [String] ?? [] where !keys.contains(name) { return "\(path): without \(name)" }
    if let choices = schema["oneOf"] as? [[String: Any]] {
      let met = choices.count { ($0["required"] as? [String] ?? []).allSatisfy(keys.contains) }
      if met != 1 { return "\(path): \(met) of the choices" }
    }
    for entry in entries {
      let place = "\(path).\(entry.key)"
      if let property = properties[entry.key] {
        if let found = violation(entry.value, property, place) { return found }
      } else if let others = schema["additionalProperties"] as? [String: Any] {
        if let found = violation(entry.value, others, place) { return found }
      } else if schema["additionalProperties"] as? Bool == false {
        return "\(place): unknown"
      }
    }
    return nil
  }

  private func `is`(_ value: YAMLValue, _ type: String) -> Bool {
    switch (value, type) {
    case (.text, "string"), (.list, "array"), (.mapping, "object"): true
    case (.plain(let text), "integer"): Int(text) != nil || UInt64(text) != nil
    case (.plain(let text), "number"): Double(text) != nil
    case (.plain(let text), "boolean"): text == "true" || text == "false"
    case (.plain(let text), "null"): text == "null" || text == "~"
    default: false
    }
  }
}

@Suite("The schema")
struct SchemaTests {
  private static func object(_ json: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  private static func value(_ path: String) throws -> YAMLValue {
    let problems = ProblemCollector()
    return try #require(SourceNode.read(path, problems), "\(problems.rendered())").value
  }

  @Test("the schema accepts every shipped scenario")
  func scenarios() throws {
    let schema = try Self.object(ScenarioSchema.scenario)
    #expect(ShippedSteps.files.count > 100)
    for file in ShippedSteps.files { #expect(Validator().violation(try Self.value(file), schema) == nil, "\(file)") }
  }

  @Test(
    "the schema accepts every shipped world",
    arguments: ["worlds/any-site", "worlds/orbital-hotel", "worlds/spaceport", "language/worlds/one-authority"])
  func worlds(name: String) throws {
    let file = "\(ShippedSteps.folder)/\(name).yaml"
    #expect(Validator().violation(try Self.value(file), try Self.object(ScenarioSchema.world)) == nil)
  }

  @Test(
    "the schema refuses malformed files",
    arguments: [
      "{ scenario: A, world: spaceport, stepz: [] }",
      "{ scenario: A, world: spaceport, steps: [{ person: { jumps: x } }] }",
      "{ scenario: A, world: spaceport, steps: [{ person: { picks: A, taps: B } }] }",
      "{ scenario: A, world: spaceport, seed: one, steps: [] }", "{ world: spaceport, steps: [] }",
    ])
  func refuses(text: String) throws {
    let schema = try Self.object(ScenarioSchema.scenario)
    #expect(Validator().violation(try YAMLValue(parsing: text), schema) != nil)
  }
}
