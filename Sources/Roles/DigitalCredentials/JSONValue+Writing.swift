extension JSONValue {
  /// The value as compact JSON in UTF-8.
  package var bytes: [UInt8] {
    var output: [UInt8] = []
    write(to: &output)
    return output
  }

  private func write(to output: inout [UInt8]) {
    switch self {
    case .null: output += "null".utf8
    case .boolean(let value): output += (value ? "true" : "false").utf8
    case .number(let spelling): output += spelling.utf8
    case .string(let text): Self.write(text, to: &output)
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        element.write(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let members):
      output.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        Self.write(member.name, to: &output)
        output.append(UInt8(ascii: ":"))
        member.value.write(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    let bytes = Array(text.utf8)
    var plain = bytes.startIndex
    while let index = bytes[plain...].firstIndex(where: needsEscape) {
      output += bytes[plain..<index]
      plain = index + 1
      switch bytes[index] {
      case UInt8(ascii: "\""): output += "\\\"".utf8
      case UInt8(ascii: "\\"): output += "\\\\".utf8
      case 0x08: output += "\\b".utf8
      case 0x09: output += "\\t".utf8
      case 0x0a: output += "\\n".utf8
      case 0x0c: output += "\\f".utf8
      case 0x0d: output += "\\r".utf8
      case let control:
        let hexadecimal = Array("0123456789abcdef".utf8)
        output += "\\u00".utf8
        output += [hexadecimal[Int(control >> 4)], hexadecimal[Int(control & 15)]]
      }
    }
    output += bytes[plain...]
    output.append(UInt8(ascii: "\""))
  }

  /// Whether a byte may not stand in a string as it is (RFC 8259, clause 7).
  static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }
}
