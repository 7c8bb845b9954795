import JSON

/// A placeholder in the options of a scripted call, for something that a scenario file cannot hold: an object with one
/// member.
public enum RequestPlaceholder: String, Sendable, CaseIterable {
  /// A part of the fetched request: `request`, `data`, `deviceRequest`, `encryptionInfo` or `protocol`.
  case fetched = "$fetched"
  /// A text of a number of letters, at most two million.
  case letters = "$letters"

  private static let maximumLetters = 2_000_000

  /// Returns options with the values in place of their placeholders. An unknown part of the request is null.
  package static func filled(_ value: JSONValue, from begun: BegunPresentment) -> JSONValue {
    switch value {
    case .null, .boolean, .number, .string: return value
    case .array(let elements): return .array(elements.map { filled($0, from: begun) })
    case .object(let members):
      if members.count == 1, let member = members.first, let placeholder = RequestPlaceholder(rawValue: member.name) {
        switch (placeholder, member.value) {
        case (.fetched, let part): return begun.part(part.text ?? "")
        case (.letters, .number(let count)):
          return .string(String(repeating: "a", count: min(max(Int(count) ?? 0, 0), maximumLetters)))
        case (.letters, _): return .null
        }
      }
      return .object(members.map { .init(name: $0.name, value: filled($0.value, from: begun)) })
    }
  }
}

extension BegunPresentment {
  private var members: JSONValue {
    JSONValue(members: [
      ("deviceRequest", .string(data.deviceRequest)), ("encryptionInfo", .string(data.encryptionInfo)),
    ])
  }

  /// The options of a call with the fetched request.
  package var usualOptions: JSONValue {
    let request = JSONValue(members: [("data", members), ("protocol", .string(`protocol`))])
    return JSONValue(members: [
      ("digital", JSONValue(members: [("requests", .array([request]))])), ("mediation", .string("required")),
    ])
  }

  /// A part of the request by its name; null for another name.
  fileprivate func part(_ name: String) -> JSONValue {
    switch name {
    case "request": JSONValue(members: [("protocol", .string(`protocol`)), ("data", members)])
    case "data": members
    case "protocol": .string(`protocol`)
    default: members.member(name) ?? .null
    }
  }
}
