/// Forms of an ECDSA signature that no verifier may take for two numbers of the curve P-256 (RFC 9053, 2.1). All others than
/// the truncated one and those with zeros pass where numbers are read without a look at their length or their range.
enum SignatureForm: String, CaseIterable, Sendable {
  case secondHalfZero = "signature-second-half-zero"
  case order = "signature-order"
  case der = "signature-der"
  case longerHalves = "signature-longer-halves"

  /// What is wrong with a signature, as a sentence.
  func title(of signature: String) -> String {
    switch self {
    case .secondHalfZero: "The second half of \(signature) is zero"
    case .order: "The first half of \(signature) is the order of the curve"
    case .der: "\(signature.prefix(1).uppercased() + signature.dropFirst()) is in DER instead of two numbers"
    case .longerHalves: "Each half of \(signature) begins with a zero byte too many"
    }
  }

  /// The signature in this form.
  /// - Parameter signature: Two numbers of 32 bytes.
  func changed(_ signature: [UInt8]) -> [UInt8] {
    let half = signature.count / 2
    let (r, s) = (Array(signature.prefix(half)), Array(signature.suffix(half)))
    switch self {
    case .secondHalfZero: return r + [UInt8](repeating: 0, count: half)
    case .order: return Self.orderOfP256 + s
    case .der: return Self.element(0x30, Self.integer(r) + Self.integer(s))
    case .longerHalves: return [0] + r + [0] + s
    }
  }

  /// The order of the base point (FIPS 186-4, D.1.2.3).
  private static let orderOfP256: [UInt8] = [
    0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6, 0xfa,
    0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
  ]

  private static func integer(_ number: [UInt8]) -> [UInt8] {
    let digits = Array(number.drop { $0 == 0 })
    return element(0x02, (digits.first ?? 0xff) & 0x80 == 0 ? digits : [0] + digits)
  }

  /// An element whose length fits into one byte.
  private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag, UInt8(content.count)] + content }
}
