import Checks
import X509

/// A certificate chain that ends in a trusted certificate and fits its profile. Only ``TrustedCertificates`` makes one.
public struct ValidatedCertificatePath: Sendable {
  /// Certificates from the leaf to the trusted one.
  public let certificates: [Certificate]
  /// Departures from the profile that were let pass, and what else there is to say about the chain.
  public let findings: [CheckResult]

  /// The certificate at the start.
  public var leaf: Certificate { certificates[0] }
  /// The trusted certificate at the end.
  public var anchor: Certificate { certificates[certificates.count - 1] }
}

/// Why a certificate chain was not accepted.
///
/// Whoever asks whether an issuer vouches for the leaf at all looks at ``place``; the code says what is wrong.
public struct CertificatePathError: Error, Sendable {
  /// The rule that was broken.
  public enum Code: Sendable, CaseIterable {
    /// No path leads to a trusted certificate.
    case untrusted
    /// A trusted certificate has the issuer's name and key identifier, and its key did not make the signature.
    case signature
    /// A certificate on the path is past its end.
    case expired
    /// A certificate on the path is before its start.
    case notYetValid
    /// A key on the path is of a kind that is not allowed, or that has no implementation here.
    case key
    /// The leaf is for another purpose: a reader's certificate where a document signer's belongs.
    case purpose
    /// The leaf or another certificate on the path is in another way not of the profile that its use demands.
    case profile
  }

  /// Where a rule was broken.
  public enum Place: Sendable, CaseIterable {
    /// On the way to what is trusted, so that nothing establishes trust: no trusted issuer, a signature that is not the
    /// issuer's, an issuer that is expired or may not issue.
    case path
    /// In the leaf alone: from it a path leads to a trusted certificate, and every rule of that path holds.
    case leaf
  }

  /// The rule that was broken.
  public let code: Code
  /// Where it was broken.
  public let place: Place
  /// What is wrong, for a person to read.
  public let sentence: String
  /// What to look at.
  public let evidence: [CheckResult.Evidence]
  /// Everything else that was found: what the leaf breaks of its profile, also when no path leads from it anywhere.
  public var findings: [CheckResult] = []
}
