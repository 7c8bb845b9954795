import CBOR
import MobileDocument

/// Values of strangers as texts that are safe to print.
public enum Printable {
  /// A text whose control characters, line ends and marks that turn the direction of writing are written out.
  public static func text(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  /// A value in words: text as it is, dates without their tag, bytes by their number, structures by their parts.
  static func words(_ value: CBORValue) -> String {
    switch value {
    case .text(let text): self.text(text)
    case .boolean(let flag): flag ? "true" : "false"
    case .unsigned(let number): String(number)
    case .negative(let argument): negative(argument)
    case .bytes(let bytes): kind(of: bytes) + "\(bytes.count) bytes"
    case .tagged(_, let content): words(content)
    case .array(let items): items.isEmpty ? "none" : items.map(words).joined(separator: ", ")
    case .map(let entries):
      "{" + entries.map { "\(words($0.key)): \(words($0.value))" }.joined(separator: ", ") + "}"
    case .float(let number): String(number)
    case .null: "null"
    case .undefined: "undefined"
    case .simple(let number): "simple(\(number))"
    }
  }

  /// -1 - argument, which need not fit into any integer.
  static func negative(_ argument: UInt64) -> String {
    argument == .max ? "-18446744073709551616" : "-\(argument + 1)"
  }

  private static func kind(of bytes: [UInt8]) -> String {
    if bytes.starts(with: [0xff, 0xd8, 0xff]) { return "JPEG, " }
    let isJPEG2000 =
      bytes.starts(with: [0xff, 0x4f, 0xff, 0x51]) || bytes.starts(with: [0, 0, 0, 12, 0x6a, 0x50, 0x20, 0x20])
    return isJPEG2000 ? "JPEG 2000, " : ""
  }
}
