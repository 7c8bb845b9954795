import CBOR
import Checks
import MobileDocument
import Primitives

/// Mistakes in the text of the encryption information.
extension TranscriptMistake {
  func encryptionInfoTranscripts(from inputs: TranscriptInputs) -> [WrongTranscript] {
    let text = inputs.encryptionInfoText
    switch self {
    case .encryptionInfoPadded:
      return [Self.padded(text)].map { textTranscript($0, inputs) }
    case .encryptionInfoStandardBase64:
      let standard = text.replacing("-", with: "+").replacing("_", with: "/")
      // The one that has its padding is what a standard encoder writes; without any of the other characters only padding
      // differs, which is the mistake before this one.
      return [Self.padded(standard), standard].filter { $0 != text && $0 != Self.padded(text) }
        .map { textTranscript($0, inputs) }
    case .encryptionInfoBytes:
      guard let parsed = inputs.parsed else { return [] }
      return [
        itemTranscript(TranscriptParts.byteString(parsed.bytes), "\(parsed.bytes.count) bytes", inputs)
      ]
    case .encryptionInfoItem:
      guard let parsed = inputs.parsed else { return [] }
      return [
        itemTranscript(parsed.bytes, "an array", inputs),
        itemTranscript(TranscriptParts.embedded(parsed.bytes), "\(parsed.bytes.count) bytes in tag 24", inputs),
      ]
    case .encryptionInfoReencoded:
      guard let parsed = inputs.parsed else { return [] }
      return Self.encodings(of: parsed.value).map { textTranscript(Base64URL.encode($0), inputs) }
    default: return []
    }
  }

  private static func padded(_ text: String) -> String {
    text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
  }

  /// Other encodings of the same value: in the order sent with minimal heads, with sorted keys, and in the orders that
  /// programs write who take the value apart.
  private static func encodings(of value: CBORValue) -> [[UInt8]] {
    [
      value, value.deterministic, value.reversingMaps(atDepth: 1), value.reversingMaps(atDepth: 2),
      value.sortingByNumber,
    ]
    .map(\.encoded)
  }

  private func textTranscript(_ text: String, _ inputs: TranscriptInputs) -> WrongTranscript {
    itemTranscript(TranscriptParts.text(text), Self.difference(of: text, from: inputs.encryptionInfoText), inputs)
  }

  private func itemTranscript(
    _ item: [UInt8], _ found: String, _ inputs: TranscriptInputs
  ) -> WrongTranscript {
    let info = TranscriptParts.info(item, TranscriptParts.text(inputs.origin))
    return WrongTranscript(
      self, encoded: TranscriptParts.transcript(handoverInfo: info),
      [
        CheckResult.Evidence(
          "encryption information", expected: "the text as sent, \(inputs.encryptionInfoText.utf8.count) characters",
          found: found)
      ])
  }

  /// A text by its length and where it departs from another.
  private static func difference(of text: String, from other: String) -> String {
    let pair = zip(text.utf8, other.utf8).enumerated().first { $0.element.0 != $0.element.1 }
    let offset = pair?.offset ?? min(text.utf8.count, other.utf8.count)
    let shown = String(decoding: text.utf8.dropFirst(offset).prefix(12), as: UTF8.self)
    return "\(text.utf8.count) characters, another from character \(offset + 1) on: \(shown)…"
  }
}

extension CBORValue {
  /// The value with the entries of every map reversed that is this deep inside arrays and maps, the value itself at 0.
  fileprivate func reversingMaps(atDepth depth: Int) -> CBORValue {
    guard depth >= 0 else { return self }
    switch self {
    case .array(let items): return .array(items.map { $0.reversingMaps(atDepth: depth - 1) })
    case .map(let entries):
      let inner = entries.map { Entry($0.key, $0.value.reversingMaps(atDepth: depth - 1)) }
      return .map(depth == 0 ? inner.reversed() : inner)
    default: return self
    }
  }

  /// The value with the integer keys of every map in numerical order, as a sorted dictionary has them.
  fileprivate var sortingByNumber: CBORValue {
    switch self {
    case .array(let items): .array(items.map(\.sortingByNumber))
    case .map(let entries):
      .map(
        entries.map { Entry($0.key, $0.value.sortingByNumber) }.enumerated().sorted { left, right in
          guard let first = left.element.key.number, let second = right.element.key.number, first != second else {
            return left.offset < right.offset
          }
          return first < second
        }.map(\.element))
    default: self
    }
  }

  private var number: Int? {
    switch self {
    case .unsigned(let value): Int(exactly: value)
    case .negative(let argument): Int(exactly: argument).map { -1 - $0 }
    default: nil
    }
  }
}
