import FoundationEssentials
import Primitives

/// A JSON text as a value that is written again without a change of meaning.
///
/// Members keep their order, as in a script engine's `JSON.stringify`, and numbers keep their spelling, so the bytes
/// written depend on the bytes read and on nothing else.
package enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A member of an object.
  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: JSONValue

    package init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// An object with members in an order.
  package init(members: [(String, JSONValue)]) {
    self = .object(members.map { Member(name: $0.0, value: $0.1) })
  }

  /// The value of a member, or nil if the value is not an object or has no such member.
  package func member(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.isExactly(name) }?.value
  }

  /// The text of a string value.
  package var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The kind of the value with its article, for messages.
  package var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONValue {
  /// The value as compact JSON in UTF-8.
  package var bytes: [UInt8] {
    var output: [UInt8] = []
    write(to: &output, indent: nil)
    return output
  }

  /// The value as JSON with two spaces for each level and a line feed at the end, in UTF-8.
  package var indented: [UInt8] {
    var output: [UInt8] = []
    write(to: &output, indent: 0)
    output.append(UInt8(ascii: "\n"))
    return output
  }

  /// Writes the value.
  /// - Parameter indent: The current level of indentation, or nil for compact JSON.
  private func write(to output: inout [UInt8], indent: Int?) {
    switch self {
    case .null: output += "null".utf8
    case .boolean(let value): output += (value ? "true" : "false").utf8
    case .number(let spelling): output += spelling.utf8
    case .string(let text): Self.write(text, to: &output)
    case .array(let elements):
      Self.write(elements, between: "[]", to: &output, indent: indent) { element, output, indent in
        element.write(to: &output, indent: indent)
      }
    case .object(let members):
      Self.write(members, between: "{}", to: &output, indent: indent) { member, output, indent in
        Self.write(member.name, to: &output)
        output += (indent == nil ? ":" : ": ").utf8
        member.value.write(to: &output, indent: indent)
      }
    }
  }

  private static func write<Part>(
    _ parts: [Part], between brackets: String, to output: inout [UInt8], indent: Int?,
    writePart: (Part, inout [UInt8], Int?) -> Void
  ) {
    let inner = indent.map { $0 + 1 }
    output += brackets.utf8.prefix(1)
    for (index, part) in parts.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      beginLine(in: &output, indent: inner)
      writePart(part, &output, inner)
    }
    if !parts.isEmpty { beginLine(in: &output, indent: indent) }
    output += brackets.utf8.suffix(1)
  }

  private static func beginLine(in output: inout [UInt8], indent: Int?) {
    guard let indent else { return }
    output.append(UInt8(ascii: "\n"))
    output += repeatElement(UInt8(ascii: " "), count: 2 * indent)
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

  /// Returns whether RFC 8259, clause 7 requires an escape for a byte of a string.
  static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }
}

/// Swift values as JSON in UTF-8 (RFC 8259, 8.1).
///
/// Reading goes through the library's decoder, which maps members to the properties of a type. Use ``JSONReader`` where the
/// order of members, the spelling of numbers or repeated names matter.
package enum JSONCoding {
  /// Decodes a value, or returns nil if the bytes are not JSON of that shape.
  ///
  /// The library's decoder also accepts UTF-16, UTF-32 and a byte order mark, which other readers of the same bytes refuse.
  package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value? {
    // In UTF-16 and UTF-32 every ASCII character has a zero byte, and JSON always contains ASCII characters.
    guard !bytes.contains(0), !bytes.starts(with: [0xef, 0xbb, 0xbf]) else { return nil }
    return try? JSONDecoder().decode(type, from: Data(bytes))
  }

  /// Encodes a value with members in alphabetical order, so that equal values have equal bytes.
  package static func encode(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    // The encoder only fails on non-finite numbers, which are written as texts.
    guard let data = try? encoder.encode(value) else { return Array("null".utf8) }
    return [UInt8](data)
  }

  /// Encodes a value as text, which is YAML too.
  package static func text(_ value: some Encodable) -> String { String(decoding: encode(value), as: UTF8.self) }
}
