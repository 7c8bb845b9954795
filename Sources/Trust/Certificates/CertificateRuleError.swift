import Primitives

/// An error of reading or issuing a certificate, a chain or a revocation list, with the rule that is broken.
///
/// A chain that can be read and is not accepted is a ``CertificatePathError``.
public struct CertificateRuleError: CodedError {
  /// The kinds of error.
  public enum Code: String, Sendable, CaseIterable {
    /// A certificate or a chain cannot be read; ``CertificateRuleError/rule`` says why.
    case unreadable = "certificate.unreadable"
    /// A revocation list cannot be read.
    case revocationListUnreadable = "certificate.revocation-list-unreadable"
    /// A path length constraint does not allow another authority (RFC 5280, 4.2.1.9).
    case pathLength = "certificate.path-length"
  }

  /// The kind of error.
  public let code: Code
  /// The broken rule.
  public let rule: CertificateRule
  /// A human-readable description of the error.
  public let message: String
  /// The certificate's fields, if only its key, serial number or signature algorithm is unsupported.
  public let certificate: CertificateFields?

  init(_ code: Code, _ rule: CertificateRule, _ message: String, certificate: CertificateFields? = nil) {
    self.code = code
    self.rule = rule
    self.message = message
    self.certificate = certificate
  }

  /// A Boolean value that indicates whether only the kind of key or signature is unsupported. The certificate is
  /// otherwise well-formed, and what it signed cannot be verified.
  public var isOfUnknownKind: Bool { rule == .keySupport || rule == .key || rule == .signatureAlgorithm }
}
