/// A signature that was checked, with all that it takes to check it again by other means.
public struct SignatureClaim: Sendable {
  /// What was signed, and with which key.
  public enum Subject: Sendable {
    /// A message with its signature beside it, of the form that COSE gives it (RFC 9053, 2.1 and 2.2). The
    /// key is DER of SubjectPublicKeyInfo (RFC 5280, 4.1.2.7).
    case message([UInt8], signature: [UInt8], algorithm: COSEAlgorithm, key: [UInt8])
    /// A certificate as DER, with the one of its issuer.
    case certificate([UInt8], issuer: [UInt8])
    /// A list of revoked certificates as DER, with the certificate of its issuer (RFC 5280, 5).
    case revocationList([UInt8], issuer: [UInt8])
    /// A certificate request as DER, which names its own key (RFC 2986).
    case certificateRequest([UInt8])
  }

  /// What was signed, and with which key.
  public let subject: Subject
  /// Whether it was found to verify.
  public let isVerified: Bool

  /// A claim from its parts.
  public init(_ subject: Subject, isVerified: Bool) {
    self.subject = subject
    self.isVerified = isVerified
  }
}

/// A certificate chain that was checked, with all that it takes to check it again by other means.
public struct CertificateChainClaim: Sendable {
  /// What was found.
  public enum Outcome: Sendable, Equatable {
    /// A path leads to an anchor and is accepted: certificates as DER, leaf first.
    case path([[UInt8]])
    /// No path leads to an anchor.
    case untrusted
    /// A path leads to an anchor through a certificate that is not valid at the moment.
    case outdated
    /// Each path to an anchor is forbidden by a rule about keys, purposes or profiles.
    case forbidden
  }

  /// The certificates as received, as DER, leaf first.
  public let received: [[UInt8]]
  /// The trusted certificates as DER.
  public let anchors: [[UInt8]]
  /// For when it was checked, in seconds since 1970-01-01T00:00:00Z.
  public let secondsSince1970: Int64
  /// What was found.
  public let outcome: Outcome

  /// A claim from its parts.
  public init(received: [[UInt8]], anchors: [[UInt8]], secondsSince1970: Int64, outcome: Outcome) {
    self.received = received
    self.anchors = anchors
    self.secondsSince1970 = secondsSince1970
    self.outcome = outcome
  }
}

/// Something that was found out by checking signatures.
public enum VerificationClaim: Sendable {
  case signature(SignatureClaim)
  case chain(CertificateChainClaim)
}

/// Who is told of every signature and every certificate chain that is checked. It hears of each after it was decided, and
/// changes nothing.
public struct VerificationWitness: Sendable {
  // Never a bare function: bound to one, a task-local value ends the program where the compiler (6.3) optimizes.
  /// The witness of this task and of the tasks that it starts; nobody by default.
  @TaskLocal public static var current: VerificationWitness?

  private let hear: @Sendable (VerificationClaim) -> Void

  /// A witness that is told by calling a function.
  public init(_ hear: @escaping @Sendable (VerificationClaim) -> Void) { self.hear = hear }

  /// Tells the witness. What it takes to make the claim is spent only when there is one.
  public static func report(_ claim: @autoclosure () -> VerificationClaim) {
    if let current { current.hear(claim()) }
  }
}
