import DigitalCredentials

extension JSONValue {
  /// The value as JSON for people to read: two spaces for each level, and a line end at the end.
  var indented: [UInt8] { Array((lines(indent: "").joined(separator: "\n") + "\n").utf8) }

  private func lines(indent: String) -> [String] {
    switch self {
    case .array(let elements) where !elements.isEmpty:
      return enclosed("[", elements.map { ("", $0) }, "]", indent: indent)
    case .object(let members) where !members.isEmpty:
      let named = members.map { (String(decoding: JSONValue.string($0.name).bytes, as: UTF8.self) + ": ", $0.value) }
      return enclosed("{", named, "}", indent: indent)
    default:
      return [String(decoding: bytes, as: UTF8.self)]
    }
  }

  private func enclosed(_ open: String, _ parts: [(String, JSONValue)], _ close: String, indent: String) -> [String] {
    let inner = indent + "  "
    var result = [open]
    for (place, part) in parts.enumerated() {
      var lines = part.1.lines(indent: inner)
      lines[0] = inner + part.0 + lines[0]
      if place + 1 < parts.count { lines[lines.count - 1] += "," }
      result += lines
    }
    result.append(indent + close)
    return result
  }
}
