import CBOR

/// Element values as people read them: on pages, in reports and in scenarios.
public enum ValueInWords {
  /// The value in words: text as it is, dates without their tag, bytes by what they are and how many, structures by their
  /// parts.
  /// - Parameter writing: how texts inside are written.
  public static func text(of value: CBORValue, writing: (String) -> String = { $0 }) -> String {
    func words(_ value: CBORValue) -> String {
      switch value {
      case .text(let text): writing(text)
      case .boolean(let flag): flag ? "true" : "false"
      case .unsigned(let number): String(number)
      case .negative(let argument): CBORValue.decimal(ofNegative: argument)
      case .bytes(let bytes): (PictureFormat(of: bytes).map { "\($0.rawValue), " } ?? "") + "\(bytes.count) bytes"
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
    return words(value)
  }
}
