/// Bytes as decimal digits (CTAP, hybrid transport, QR code): each 7 bytes are a little-endian number of 17 digits, and
/// fewer bytes at the end have fewer digits.
package enum DecimalDigits {
  /// The bytes of a whole group.
  private static let groupBytes = 7
  /// The number of digits for each number of bytes in a group.
  private static let widths = [0, 3, 5, 8, 10, 13, 15, 17]

  /// Returns bytes as digits.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: groupBytes) {
      let group = bytes[start..<min(start + groupBytes, bytes.count)]
      let number = String(group.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
      text += String(repeating: "0", count: widths[group.count] - number.utf8.count) + number
    }
    return text
  }

  /// Returns the bytes of a text of digits.
  /// - Throws: ``HybridError`` with `qrDigit`, `qrLength` or `qrRange`.
  package static func decode(_ text: some StringProtocol) throws(HybridError) -> [UInt8] {
    let characters = Array(text.utf8)
    guard characters.count <= HybridLimits.digits else {
      throw HybridError(
        .qrLength, "more digits than a QR code holds", evidence: "more than \(HybridLimits.digits)")
    }
    if let place = characters.firstIndex(where: { !$0.isDigit }) {
      throw HybridError(.qrDigit, "not a decimal digit", at: "digit \(place + 1)")
    }
    guard let last = widths.firstIndex(of: characters.count % widths[groupBytes]) else {
      throw HybridError(.qrLength, "no number of bytes has this number of digits", evidence: "\(characters.count)")
    }
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: characters.count, by: widths[groupBytes]) {
      let isWhole = start + widths[groupBytes] <= characters.count
      let count = isWhole ? groupBytes : last
      // 17 digits are below 2^57.
      var number = characters[start..<start + widths[count]].reduce(0 as UInt64) { $0 * 10 + UInt64($1 - 0x30) }
      for _ in 0..<count {
        bytes.append(UInt8(truncatingIfNeeded: number))
        number >>= 8
      }
      guard number == 0 else {
        throw HybridError(
          .qrRange, "the number does not fit its \(count) bytes", at: "digits \(start + 1) to \(start + widths[count])")
      }
    }
    return bytes
  }
}
