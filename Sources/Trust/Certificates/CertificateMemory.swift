import X509

/// The certificates that a party has read last. It does not parse them again.
///
/// Certificates are compared as DER. Only the parsed form is remembered: every check of a chain is made each time.
public struct CertificateMemory: Sendable {
  /// The largest number of remembered certificates: the chains of several sites in turn. The oldest is forgotten first.
  static let capacity = 16

  private var remembered: [(der: [UInt8], certificate: Certificate)] = []

  /// Makes an empty memory.
  public init() {}

  /// Reads every certificate of a chain, leaf first.
  /// - Throws: ``CertificateRuleError`` for the first certificate that is too large or malformed.
  public mutating func read(_ chain: [[UInt8]]) throws(CertificateRuleError) -> [Certificate] {
    var certificates: [Certificate] = []
    for (position, der) in chain.enumerated() {
      if let known = remembered.first(where: { $0.der == der }) {
        certificates.append(known.certificate)
        continue
      }
      let certificate = try CertificateChain.read(der, at: position)
      certificates.append(certificate)
      if remembered.count == Self.capacity { remembered.removeFirst() }
      remembered.append((der, certificate))
    }
    return certificates
  }
}
