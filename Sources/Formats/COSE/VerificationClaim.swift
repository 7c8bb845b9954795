/// A verified signature, with everything needed to verify it again by other means.
public struct SignatureClaim: Sendable {
  /// The signed data and the key.
  public enum Subject: Sendable {
    /// A message and its signature in the form of COSE (RFC 9053, 2.1 and 2.2). The key is DER of SubjectPublicKeyInfo
    /// (RFC 5280, 4.1.2.7).
    case message([UInt8], signature: [UInt8], algorithm: COSEAlgorithm, key: [UInt8])
    /// A certificate as DER, with its issuer's certificate.
    case certificate([UInt8], issuer: [UInt8])
    /// A certificate revocation list as DER, with its issuer's certificate (RFC 5280, 5).
    case revocationList([UInt8], issuer: [UInt8])
    /// A certificate request as DER, which contains its own key (RFC 2986).
    case certificateRequest([UInt8])
  }

  /// The signed data and the key.
  public let subject: Subject
  /// True if the signature verifies.
  public let isVerified: Bool

  /// Creates a claim.
  public init(_ subject: Subject, isVerified: Bool) {
    self.subject = subject
    self.isVerified = isVerified
  }
}

/// A validated certificate chain, with everything needed to validate it again by other means.
public struct CertificateChainClaim: Sendable {
  /// The result of the validation.
  public enum Outcome: Sendable, Equatable {
    /// A path leads to an anchor and is accepted: certificates as DER, leaf first.
    case path([[UInt8]])
    /// No path leads to an anchor.
    case untrusted
    /// A path leads to an anchor through a certificate that is not valid at the time.
    case outdated
    /// A rule about keys, purposes or profiles forbids each path to an anchor.
    case forbidden
  }

  /// The certificates as received, as DER, leaf first.
  public let received: [[UInt8]]
  /// The trusted certificates as DER.
  public let anchors: [[UInt8]]
  /// The time of the validation, in seconds since 1970-01-01T00:00:00Z.
  public let secondsSince1970: Int64
  /// The result of the validation.
  public let outcome: Outcome

  /// Creates a claim.
  public init(received: [[UInt8]], anchors: [[UInt8]], secondsSince1970: Int64, outcome: Outcome) {
    self.received = received
    self.anchors = anchors
    self.secondsSince1970 = secondsSince1970
    self.outcome = outcome
  }
}

/// The result of one verification.
public enum VerificationClaim: Sendable {
  case signature(SignatureClaim)
  case chain(CertificateChainClaim)
}

/// Observes every verification of a signature or certificate chain, after its result is decided. It never changes a result.
public struct VerificationWitness: Sendable {
  // Wrapped in a struct: a task-local closure crashes at -O on Swift 6.3.
  /// The witness of this task and its child tasks; nil by default.
  @TaskLocal public static var current: VerificationWitness?

  private let hear: @Sendable (VerificationClaim) -> Void

  /// Creates a witness that calls a function for each claim.
  public init(_ hear: @escaping @Sendable (VerificationClaim) -> Void) { self.hear = hear }

  /// Reports a claim to the witness. The claim is evaluated only if there is a witness.
  public static func report(_ claim: @autoclosure () -> VerificationClaim) { if let current { current.hear(claim()) } }

  /// Reports a verified signature to the witness, and returns whether it verifies.
  package static func reporting(_ isVerified: Bool, _ subject: @autoclosure () -> SignatureClaim.Subject) -> Bool {
    report(.signature(SignatureClaim(subject(), isVerified: isVerified)))
    return isVerified
  }
}
