extension SourceNode {
  /// The value as YAML in lines of their own, each with `indentation` spaces before it, which reads as the same value.
  func block(indentation: Int = 0) -> String {
    let margin = String(repeating: " ", count: indentation)
    switch content {
    case .scalar, .sequence([]), .mapping([]): return margin + flow + "\n"
    case .sequence(let items):
      return items.map { item in
        let text = item.block(indentation: indentation + 2)
        return margin + "- " + text.dropFirst(indentation + 2)
      }.joined()
    case .mapping(let entries):
      return entries.map { entry in
        let key = margin + SourceScalar.written(entry.key.value) + ":"
        return entry.value.isNested
          ? key + "\n" + entry.value.block(indentation: indentation + 2) : key + " " + entry.value.flow + "\n"
      }.joined()
    }
  }

  /// The value as YAML in one line, which reads as the same value.
  var flow: String {
    switch content {
    case .scalar(let scalar): scalar.written
    case .sequence(let items): "[" + items.map(\.flow).joined(separator: ", ") + "]"
    case .mapping([]): "{}"
    case .mapping(let entries):
      "{ " + entries.map { "\(SourceScalar.written($0.key.value)): \($0.value.flow)" }.joined(separator: ", ") + " }"
    }
  }

  /// A text as YAML in one line.
  static func written(_ text: String) -> String { SourceScalar.written(text) }

  private var isNested: Bool {
    switch content {
    case .scalar: false
    case .sequence(let items): !items.isEmpty
    case .mapping(let entries): !entries.isEmpty
    }
  }
}

extension SourceScalar {
  /// The scalar as YAML in one line.
  fileprivate var written: String {
    if case .text(let text) = value { return Self.written(text) }
    return text.isEmpty ? "null" : text
  }

  /// Text as YAML in one line: bare where nobody could take it for anything else, in double quotes otherwise.
  fileprivate static func written(_ text: String) -> String {
    let isWord = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "_-./".utf8.contains(byte)
    }
    let startsAsWord = text.utf8.first.map { $0 >= UInt8(ascii: "A") && $0 != UInt8(ascii: "_") } ?? false
    if isWord, startsAsWord, case .text = CoreSchema.value(of: text) { return text }
    return "\"" + text.unicodeScalars.map(escaped).joined() + "\""
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "\n": return "\\n"
    case "\t": return "\\t"
    case "\r": return "\\r"
    default:
      // Anything that ends a line, or that nobody sees, is written by its number.
      let isPlain = scalar.value >= 0x20 && !(0x7f...0xa0).contains(scalar.value) && scalar.value < 0x2028
      guard !isPlain else { return String(scalar) }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
    }
  }
}
