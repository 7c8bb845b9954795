import X509

/// Reads certificate chains as `x5chain` carries them.
public enum CertificateChain {
  /// Why a chain cannot be read.
  public struct Problem: Error, Sendable, CustomStringConvertible {
    /// What is wrong, for a person to read.
    public let description: String
  }

  /// Reads every certificate of a chain, leaf first.
  /// - Throws: ``Problem`` naming the first certificate that is too large or malformed.
  public static func read(_ chain: [[UInt8]]) throws(Problem) -> [Certificate] {
    var certificates: [Certificate] = []
    for (position, der) in chain.enumerated() {
      guard der.count <= CertificateLimits.bytes else {
        throw Problem(
          description: "certificate \(position) has \(der.count) bytes, more than \(CertificateLimits.bytes)")
      }
      do {
        certificates.append(try Certificate(derEncoded: der))
      } catch {
        throw Problem(description: "certificate \(position) is malformed: \(error)")
      }
    }
    return certificates
  }
}
