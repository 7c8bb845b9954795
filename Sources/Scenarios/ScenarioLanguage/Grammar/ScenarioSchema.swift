import JSON
import LocatedYAML
import Vocabulary

/// The JSON Schema (draft 2020-12) of scenario and world files, for editors.
public enum ScenarioSchema {
  /// The schema of scenario files, as JSON.
  public static var scenario: String { document("A presentment scenario", ScenarioFile.form.type) }

  /// The schema of world files, as JSON.
  public static var world: String { document("A presentment world", Form<WorldDescription>.worldType) }

  private static func document(_ title: String, _ type: FormType) -> String {
    var schema = [
      YAMLValue.Entry("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
      YAMLValue.Entry("title", .text(title)),
    ]
    schema += value(type)
    return String(decoding: JSONValue(.mapping(schema)).indented, as: UTF8.self)
  }

  /// The schema of a mapping, as members of an object.
  private static func mapping(_ type: MappingType) -> [YAMLValue.Entry] {
    let properties = type.keys.map { key -> YAMLValue.Entry in
      var members = value(key.type)
      let usual = key.usual.map { "; default: \($0)" } ?? ""
      members.append(YAMLValue.Entry("description", .text(key.meaning + usual)))
      return YAMLValue.Entry(key.name, .mapping(members))
    }
    var members = [
      YAMLValue.Entry("type", .text("object")), YAMLValue.Entry("properties", .mapping(properties)),
      YAMLValue.Entry("additionalProperties", .boolean(false)),
    ]
    let required = type.keys.filter { $0.isRequired && !isCompanion($0, of: type) }.map { YAMLValue.text($0.name) }
    if !required.isEmpty { members.append(YAMLValue.Entry("required", .list(required))) }
    if !type.choice.isEmpty {
      let choices = type.choice.map { YAMLValue.one("required", .list([.text($0)])) }
      members.append(YAMLValue.Entry("oneOf", .list(choices)))
    }
    return members
  }

  /// A required companion of one alternative is not required with the others.
  private static func isCompanion(_ key: KeyType, of type: MappingType) -> Bool {
    guard let lastChoice = type.keys.lastIndex(where: { type.choice.contains($0.name) }) else { return false }
    return type.keys.lastIndex { $0.name == key.name } ?? 0 > lastChoice
  }

  /// The schema of a value, as members of an object.
  private static func value(_ type: FormType) -> [YAMLValue.Entry] {
    func of(_ name: String) -> [YAMLValue.Entry] { [YAMLValue.Entry("type", .text(name))] }
    switch type {
    case .text, .date, .duration, .name: return of("string")
    case .scalar: return [YAMLValue.Entry("type", .list(["string", "number", "boolean", "null"].map(YAMLValue.text)))]
    case .boolean: return of("boolean")
    case .integer(let range):
      return of("integer")
        + [
          YAMLValue.Entry("minimum", .number(range.lowerBound)), YAMLValue.Entry("maximum", .number(range.upperBound)),
        ]
    case .unsigned:
      return of("integer")
        + [YAMLValue.Entry("minimum", .number(0)), YAMLValue.Entry("maximum", .plain("\(UInt64.max)"))]
    case .words(let words), .code(let words, _):
      return [YAMLValue.Entry("enum", .list(words.map(YAMLValue.text)))]
    case .list(let item): return of("array") + [YAMLValue.Entry("items", .mapping(value(item)))]
    case .named(_, let item): return of("object") + [YAMLValue.Entry("additionalProperties", .mapping(value(item)))]
    case .mapping(let type): return mapping(type)
    case .either(let types): return [YAMLValue.Entry("anyOf", .list(types.map { .mapping(value($0)) }))]
    case .partial(let key): return of("object") + [YAMLValue.Entry("required", .list([.text(key)]))]
    case .other: return [YAMLValue.Entry("type", .list([.text("object"), .text("null")]))]
    }
  }
}
