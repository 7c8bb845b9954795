import SwiftASN1
import X509

/// Names of the algorithms of signatures on certificates.
enum CertificateSignatures {
  /// Those that the standard allows (ISO/IEC 18013-5, B.1.1). Keys of EdDSA are for leaves, so no certificate is signed
  /// with one.
  static let ecdsa = ["ecdsa-with-SHA256", "ecdsa-with-SHA384", "ecdsa-with-SHA512"]
  /// Those that the library reads, so that a signature of them that it refuses is malformed.
  static let areRead = Set(ecdsa + ["Ed25519"])

  private static let names: [ASN1ObjectIdentifier: String] = [
    [1, 2, 840, 10045, 4, 3, 2]: "ecdsa-with-SHA256", [1, 2, 840, 10045, 4, 3, 3]: "ecdsa-with-SHA384",
    [1, 2, 840, 10045, 4, 3, 4]: "ecdsa-with-SHA512", [1, 3, 101, 112]: "Ed25519", [1, 3, 101, 113]: "Ed448",
  ]

  /// Name of an algorithm, or its object identifier.
  static func name(of identifier: ASN1ObjectIdentifier) -> String { names[identifier] ?? identifier.description }
}

extension Certificate.SignatureAlgorithm {
  /// Name of the algorithm (RFC 5758), or its object identifier.
  var name: String {
    switch self {
    case .ecdsaWithSHA256: "ecdsa-with-SHA256"
    case .ecdsaWithSHA384: "ecdsa-with-SHA384"
    case .ecdsaWithSHA512: "ecdsa-with-SHA512"
    case .ed25519: "Ed25519"
    default: description.split(separator: ".", maxSplits: 1).last.map(String.init) ?? description
    }
  }

  /// The `AlgorithmIdentifier` of the algorithms that the standard allows; nil for others.
  private var encoded: [UInt8]? {
    switch self {
    case .ecdsaWithSHA256: [0x30, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]
    case .ecdsaWithSHA384: [0x30, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x03]
    case .ecdsaWithSHA512: [0x30, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x04]
    case .ed25519: [0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70]
    default: nil
    }
  }

  /// Whether a `TBSCertificate` names this algorithm. Looks only at what stands before it, since the whole has been read.
  func isNamed(inside signed: ArraySlice<UInt8>) -> Bool {
    guard let encoded else { return true }
    // The head of the sequence, the version in its tag, the serial number.
    var rest = signed.dropHead()
    if rest.first == 0xa0 { rest = rest.dropElement() }
    return rest.dropElement().starts(with: encoded)
  }
}

extension Certificate {
  /// Whether the signature of a certificate, or of a request for one, takes whole octets. The library reads one that says
  /// that some of its last bits do not count, and counts them. Looks only at where it must stand, since the whole has been
  /// read.
  static func hasWholeSignature(_ der: [UInt8]) -> Bool {
    // The head of the whole, what is signed, the algorithm, and the head of the signature.
    der[...].dropHead().dropElement().dropElement().dropHead().first == 0
  }

  /// What is wrong with the names or the times of a certificate; nil when nothing is. The library replaces what is not
  /// UTF-8 and takes fractions of a second for nothing. The whole has been read.
  static func textFault(in der: [UInt8]) -> String? {
    var fields = der[...].dropHead().dropHead()
    if fields.first == 0xa0 { fields = fields.dropElement() }
    // Behind the serial number and the algorithm.
    let issuer = fields.dropElement().dropElement()
    let validity = issuer.dropElement()
    for name in [issuer, validity.dropElement()] where !name.hasReadableText { return "a part of a name is not UTF-8" }
    // `YYYYMMDDHHMMSSZ` (RFC 5280, 4.1.2.5.2); of a UTCTime the library reads no other form.
    let hasFraction = validity.children.contains { $0.first == generalizedTime && $0.dropHead().count != 15 }
    return hasFraction ? "a time is not in whole seconds" : nil
  }

  private static let generalizedTime: UInt8 = 0x18
}

extension ArraySlice<UInt8> {
  /// Length of the head and of the content of the element at the start; nothing remains of what is no element.
  private var sizes: (head: Int, content: Int) {
    guard count >= 2 else { return (count, 0) }
    let first = Int(self[startIndex + 1])
    if first < 0x80 { return (2, first) }
    let digits = self[(startIndex + 2)...].prefix(first & 0x7f)
    guard digits.count == first & 0x7f, digits.count <= 3 else { return (count, 0) }
    return (2 + digits.count, digits.reduce(0) { $0 << 8 | Int($1) })
  }

  fileprivate func dropHead() -> Self { dropFirst(sizes.head) }
  fileprivate func dropElement() -> Self { dropFirst(sizes.head + sizes.content) }

  /// The elements inside the one at the start, each by itself.
  fileprivate var children: [Self] {
    var rest = prefix(sizes.head + sizes.content).dropHead()
    var found: [Self] = []
    while !rest.isEmpty {
      let sizes = rest.sizes
      found.append(rest.prefix(sizes.head + sizes.content))
      rest = rest.dropElement()
    }
    return found
  }

  /// Whether every UTF8String of the name at the start is UTF-8 (RFC 5280, 4.1.2.4).
  fileprivate var hasReadableText: Bool {
    for value in children.flatMap(\.children).flatMap({ $0.children.dropFirst() }) where value.first == 0x0c {
      if String(validating: value.dropHead(), as: UTF8.self) == nil { return false }
    }
    return true
  }
}
