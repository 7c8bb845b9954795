import Primitives
import X509

/// The certificates that a party has read last. It does not parse them again, nor verify a signature twice.
///
/// Certificates are compared as DER. What is remembered follows from a certificate's bytes alone, or from them and one
/// key: the decoded fields, and which key verified the signature. Every other check of a chain is made each time.
public struct CertificateMemory: Sendable {
  /// The largest number of remembered certificates: the chains of several sites in turn. The oldest is forgotten first.
  static let capacity = 16

  private var remembered: [(der: [UInt8], fields: CertificateFields)] = []

  /// Creates an empty memory.
  public init() {}

  /// Reads every certificate of a chain, leaf first.
  /// - Throws: ``CertificateRuleError`` for the first certificate that is too large or malformed.
  public mutating func read(_ chain: [[UInt8]]) throws(CertificateRuleError) -> [Certificate] {
    try fields(of: chain).compactMap(\.certificate)
  }

  /// Reads every certificate of a chain, leaf first, and decodes its fields.
  /// - Throws: ``CertificateRuleError`` for the first certificate that is too large or malformed.
  package mutating func fields(of chain: [[UInt8]]) throws(CertificateRuleError) -> [CertificateFields] {
    var found: [CertificateFields] = []
    found.reserveCapacity(chain.count)
    for (position, der) in chain.enumerated() {
      if let known = fields(of: der) {
        found.append(known)
        continue
      }
      let fields = CertificateFields(try CertificateChain.read(der, at: position))
      found.append(fields)
      if remembered.count == Self.capacity { remembered.removeFirst() }
      remembered.append((der, fields))
    }
    return found
  }

  /// Returns the fields of certificates, which are not decoded again if they are remembered.
  package func fields(of certificates: [Certificate]) -> [CertificateFields] {
    certificates.map { certificate in
      remembered.first { $0.fields.certificate == certificate }?.fields ?? CertificateFields(certificate)
    }
  }

  /// Returns the fields of a remembered certificate.
  func fields(of der: [UInt8]) -> CertificateFields? { remembered.first { $0.der.span.isEqual(to: der.span) }?.fields }
}
