import CBOR

/// Element values in readable form, for pages, reports and scenarios.
public enum DisplayValue {
  /// Returns a value in readable form: text unchanged, dates without their tag, bytes as their format and number,
  /// structures as their members.
  /// - Parameter writing: A function that formats the texts inside, for example to escape them.
  public static func text(of value: CBORValue, writing: (String) -> String = { $0 }) -> String {
    func display(_ value: CBORValue) -> String {
      switch value {
      case .text(let text): writing(text)
      case .boolean(let flag): flag ? "true" : "false"
      case .unsigned(let number): String(number)
      case .negative(let argument): CBORValue.decimal(ofNegative: argument)
      case .bytes(let bytes): (PictureFormat(of: bytes).map { "\($0.rawValue), " } ?? "") + "\(bytes.count) bytes"
      case .tagged(_, let content): display(content)
      case .array(let items): items.isEmpty ? "none" : items.map(display).joined(separator: ", ")
      case .map(let entries):
        "{" + entries.map { "\(display($0.key)): \(display($0.value))" }.joined(separator: ", ") + "}"
      case .float(let number): String(number)
      case .null: "null"
      case .undefined: "undefined"
      case .simple(let number): "simple(\(number))"
      }
    }
    return display(value)
  }
}
