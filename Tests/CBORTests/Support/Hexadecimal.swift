/// Bytes written as hexadecimal digits; spaces may group them.
func hex(_ digits: String) throws -> [UInt8] {
  let nibbles = try digits.filter { $0 != " " }.map { digit in
    guard let nibble = digit.hexDigitValue else { throw BadHexadecimal(digits: digits) }
    return UInt8(nibble)
  }
  guard nibbles.count.isMultiple(of: 2) else { throw BadHexadecimal(digits: digits) }
  return stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
}

struct BadHexadecimal: Error {
  let digits: String
}

/// Bytes as hexadecimal digits, for messages and for comparing with what a table prints.
func digits(_ bytes: some Collection<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
