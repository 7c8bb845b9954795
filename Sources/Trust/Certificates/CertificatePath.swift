import Checks
import Primitives
import X509

/// A certificate chain that ends in a trusted certificate and fits its profile. Only ``TrustedCertificates`` makes one.
public struct ValidatedCertificatePath: Sendable {
  /// The certificates from the leaf to the trusted one.
  public let certificates: [Certificate]
  /// Accepted deviations from the profile, and notes on the chain.
  public let findings: [CheckResult]

  /// The leaf certificate.
  public var leaf: Certificate { certificates[0] }
  /// The trusted certificate at the end of the path.
  public var anchor: Certificate { certificates[certificates.count - 1] }
}

/// An error that a certificate chain is not accepted.
///
/// ``place`` tells whether a trusted issuer vouches for the leaf; the code tells what is wrong.
public struct CertificatePathError: CodedError {
  /// The rule that was broken.
  public enum Code: String, Sendable, CaseIterable {
    /// The chain does not lead to a trusted certificate.
    case untrusted = "certificate-path.untrusted"
    /// A trusted certificate has the issuer's name and key identifier, but its key does not verify the signature.
    case signature = "certificate-path.signature"
    /// The list that names the trusted certificate does not trust it for documents of this type.
    case documentType = "certificate-path.document-type"
    /// A certificate on the path has expired.
    case expired = "certificate-path.expired"
    /// A certificate on the path is not yet valid.
    case notYetValid = "certificate-path.not-yet-valid"
    /// A key on the path has a kind that is not allowed or not supported.
    case key = "certificate-path.key"
    /// The leaf is for another purpose, for example a reader certificate in place of a document signer certificate.
    case purpose = "certificate-path.purpose"
    /// The leaf or another certificate on the path breaks another rule of its profile.
    case profile = "certificate-path.profile"
  }

  /// The place of a broken rule.
  public enum Place: Sendable, CaseIterable {
    /// On the path to a trusted certificate, so that trust is not established: no trusted issuer, a wrong signature, or
    /// an issuer that has expired or may not issue.
    case path
    /// In the leaf alone: a path leads from it to a trusted certificate, and every rule of that path holds.
    case leaf
  }

  /// The rule that was broken.
  public let code: Code
  /// The place of the broken rule.
  public let place: Place
  // Made on demand: an app reads none of them for a chain of another authority's reader.
  private let describe: @Sendable () -> String
  private let collectFields: @Sendable () -> [CheckResult.Evidence]
  private var collectFindings: @Sendable () -> [CheckResult] = { [] }

  /// A human-readable description of the error.
  public var message: String { describe() }
  /// The certificates and fields at fault.
  public var fields: [CheckResult.Evidence] { collectFields() }
  /// All other findings: the rules of its profile that the leaf breaks, even if no path leads from it.
  public var findings: [CheckResult] { collectFindings() }

  /// Creates an error without findings.
  init(
    code: Code, place: Place, message: @autoclosure @escaping @Sendable () -> String,
    fields: @autoclosure @escaping @Sendable () -> [CheckResult.Evidence]
  ) {
    self.code = code
    self.place = place
    describe = message
    collectFields = fields
  }

  /// Returns the error with findings.
  func with(_ findings: @autoclosure @escaping @Sendable () -> [CheckResult]) -> CertificatePathError {
    var error = self
    error.collectFindings = findings
    return error
  }
}
