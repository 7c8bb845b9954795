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
  /// The options of a call with the fetched requests.
  package var usualOptions: JSONValue {
    let requests = requests.map { request in
      JSONValue(members: [("data", request.data), ("protocol", .string(request.protocol))])
    }
    return JSONValue(members: [
      ("digital", JSONValue(members: [("requests", .array(requests))])), ("mediation", .string("required")),
    ])
  }

  /// A part of the first request by its name; null for another name.
  fileprivate func part(_ name: String) -> JSONValue {
    guard let request = requests.first else { return .null }
    return switch name {
    case "request": JSONValue(members: [("protocol", .string(request.protocol)), ("data", request.data)])
    case "data": request.data
    case "protocol": .string(request.protocol)
    default: request.data.member(name) ?? .null
    }
  }
}
