import JSON

/// A JSON pointer (RFC 6901): the place of a value in a JSON text.
public struct JSONPointer: Sendable, Equatable, CustomStringConvertible {
  private let names: [String]

  /// Reads a pointer; nil for any other text.
  public init?(_ text: String) {
    guard text.isEmpty || text.hasPrefix("/") else { return nil }
    var names: [String] = []
    for token in text.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      // A tilde is escaped as ~0 and a slash as ~1, and nothing else follows a tilde.
      var rest = token[...]
      while let tilde = rest.firstIndex(of: "~") {
        rest = rest[rest.index(after: tilde)...]
        guard rest.first == "0" || rest.first == "1" else { return nil }
      }
      names.append(String(token).replacing("~1", with: "/").replacing("~0", with: "~"))
    }
    self.names = names
  }

  /// The pointer as text.
  public var description: String {
    names.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
  }

  /// The value at the place; nil if the text has nothing there.
  package func value(in json: JSONValue) -> JSONValue? {
    names.reduce(Optional(json)) { value, name in
      switch value {
      case .object: value?.member(name)
      case .array(let elements):
        // An index has no sign and no leading zero (RFC 6901, 4).
        Int(name).flatMap { index in "\(index)" == name && elements.indices.contains(index) ? elements[index] : nil }
      default: nil
      }
    }
  }
}

extension JSONValue {
  /// The deepest nesting of an answer in which elements are looked for.
  private static let deepest = 12

  /// The results of a function for the members of this value, wherever they are, by their names; of each name the first.
  package func namedValues<Found>(_ reading: (JSONValue) -> Found?) -> [String: Found] {
    var found: [String: Found] = [:]
    func collect(_ json: JSONValue, depth: Int) {
      guard depth < Self.deepest else { return }
      switch json {
      case .object(let members):
        for member in members {
          if found[member.name] == nil { found[member.name] = reading(member.value) }
          collect(member.value, depth: depth + 1)
        }
      case .array(let items): for item in items { collect(item, depth: depth + 1) }
      default: break
      }
    }
    collect(self, depth: 0)
    return found
  }
}
