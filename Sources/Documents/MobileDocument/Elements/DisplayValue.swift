import CBOR

/// Element values in readable form, for pages, reports and scenarios.
package enum DisplayValue {
  /// Returns a value in readable form: text unchanged, dates without their tag, bytes as their format and number,
  /// structures as their members.
  /// - Parameter writing: A function that formats the texts inside, for example to escape them.
  package static func text(of value: CBORValue, writing: (String) -> String = { $0 }) -> String {
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

/// The formats of a portrait (ISO/IEC 18013-5, 7.2.1), recognized by their first bytes.
package enum PictureFormat: String, Sendable, CaseIterable {
  case jpeg = "JPEG"
  case jpeg2000 = "JPEG 2000"
  case jpeg2000Codestream = "JPEG 2000 codestream"

  /// Recognizes the format of a picture, or returns nil.
  package init?(of bytes: [UInt8]) {
    guard let format = Self.allCases.first(where: { bytes.starts(with: $0.mark) }) else { return nil }
    self = format
  }

  /// The first bytes: the start marker and another (ISO/IEC 10918-1, B.1.1.3), the signature box, or the codestream's
  /// first markers (ISO/IEC 15444-1, I.5.1 and A.4.1).
  private var mark: [UInt8] {
    switch self {
    case .jpeg: [0xff, 0xd8, 0xff]
    case .jpeg2000: [0, 0, 0, 12, 0x6a, 0x50, 0x20, 0x20]
    case .jpeg2000Codestream: [0xff, 0x4f, 0xff, 0x51]
    }
  }
}
