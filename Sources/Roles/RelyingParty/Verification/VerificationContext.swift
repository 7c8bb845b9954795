import Certificates
import Checks
import MobileDocument
import Primitives
import SDJWT
import StatusLists

/// A relying party's configuration for the verification of answers.
public struct VerificationContext: Sendable {
  /// The trusted certificates of issuing authorities.
  public var trustedIssuers: TrustedCertificates
  /// The policy for the revocation status of documents.
  public var revocation: RevocationPolicy
  /// The policy for departures from the standards.
  public var policy: VerificationPolicy
  /// False for a relying party in production, which refuses the documents of test programmes.
  public var acceptsTestDocuments = true

  /// The most trusted certificates that are read from PEM.
  public static let maximumTrustedIssuers = 256

  /// The verifier of SD-JWT credentials. No text gives the certificates of their signers a purpose: one without a purpose is
  /// judged as one that signs statements, and every other as a document signer.
  var credentialVerifier: SDJWTVerifier {
    var verifier = SDJWTVerifier(trustedIssuers: trustedIssuers, policy: policy)
    verifier.profileWithoutPurpose = .statusListSigner
    return verifier
  }

  /// Creates a configuration.
  /// - Parameters:
  ///   - trustedIssuers: Certificates that are trusted for `CertificateProfile.documentSigner`.
  ///   - revocation: The policy for the revocation status of documents.
  ///   - policy: The policy for departures from the standards.
  public init(
    trustedIssuers: TrustedCertificates, revocation: RevocationPolicy = .standard,
    policy: VerificationPolicy = .standard
  ) {
    self.trustedIssuers = trustedIssuers
    self.revocation = revocation
    self.policy = policy
  }

  /// Creates a configuration with the issuing authorities of a PEM file.
  /// - Throws: `CertificateRuleError`.
  public init(
    trustedIssuersPEM pem: [UInt8], revocation: RevocationPolicy = .standard, policy: VerificationPolicy = .standard
  ) throws(CertificateRuleError) {
    let blocks = try CertificateChain.blocks(ofFile: pem, atMost: Self.maximumTrustedIssuers)
    self.init(
      trustedIssuers: try TrustedCertificates(reading: blocks, for: .documentSigner), revocation: revocation,
      policy: policy)
  }

  /// Verifies an answer to a session: runs a ``VerificationMachine`` to its verdict.
  /// - Parameters:
  ///   - answer: The credential that the page posts.
  ///   - session: The stored session that the page names; nil if the store does not have it.
  ///   - explaining: Further knowledge, to explain a failure.
  ///   - copies: Copies of lists from earlier verifications.
  ///   - now: The server's clock.
  ///   - markUsed: Marks a session as used in the store, in one step, and returns false if it was used already.
  ///   - fetch: Fetches a status list over HTTPS, with a limit on its length and its time.
  ///   - keep: Keeps the copy of a list.
  /// - Returns: The verdict.
  /// - Throws: The error of `markUsed`. The answer is then not verified.
  public func verdict(
    on answer: SubmittedAnswer, to session: VerifierSession?, explaining: ExchangeContext = ExchangeContext(),
    copies: StatusListCopies = StatusListCopies(), now: () -> DateTime,
    markUsed: (String) async throws -> Bool, fetch: (StatusListLocation) async -> StatusListAnswer,
    keep: (StatusListCopies.Copy, String) -> Void = { _, _ in }
  ) async rethrows -> VerificationVerdict {
    var machine = VerificationMachine(of: .session(session), in: self, explaining: explaining, copies: copies)
    return try await machine.run(.submitted(answer), now: now, markUsed: markUsed, fetch: fetch, keep: keep)
  }
}

extension VerificationMachine {
  /// Runs the machine from its first event to the verdict.
  package mutating func run(
    _ event: Event, now: () -> DateTime, markUsed: (String) async throws -> Bool,
    fetch: (StatusListLocation) async -> StatusListAnswer, keep: (StatusListCopies.Copy, String) -> Void = { _, _ in }
  ) async rethrows -> VerificationVerdict {
    var effects = await receive(event, at: now())
    while !effects.isEmpty {
      switch effects.removeFirst() {
      case .markUsed(let identifier):
        effects += await receive(.marked(isFirst: try await markUsed(identifier)), at: now())
      case .fetch(let list): effects += await receive(.fetched(list, await fetch(list)), at: now())
      case .reuse: break
      case .keep(let copy, let list): keep(copy, list)
      case .conclude(let verdict): return verdict
      }
    }
    // An event that does not fit has no effect: nothing was verified.
    return VerificationVerdict()
  }
}

/// Status lists that a server fetched before and may use again.
public struct StatusListCopies: Sendable {
  /// The most copies that are kept. An issuer may name a URI for each document, and a copy may have two megabytes.
  public static let maximumCount = 64

  /// A fetched list.
  public struct Copy: Sendable, Equatable {
    /// The token as fetched.
    public let bytes: [UInt8]
    /// The time at which it was fetched.
    public let fetched: DateTime
    /// The last time at which it may be used.
    public let until: DateTime

    /// Creates a copy.
    public init(bytes: [UInt8], fetched: DateTime, until: DateTime) {
      self.bytes = bytes
      self.fetched = fetched
      self.until = until
    }
  }

  private var copies: [String: Copy] = [:]

  /// Creates an empty store.
  public init() {}

  /// The number of copies.
  public var count: Int { copies.count }

  /// The copy of a list by its `StatusListLocation.name`.
  public subscript(list: String) -> Copy? { copies[list] }

  /// Keeps a copy. If there are too many, the one that expires first is dropped.
  public mutating func keep(_ copy: Copy, of list: String) {
    copies[list] = copy
    guard copies.count > Self.maximumCount else { return }
    let first = copies.min { ($0.value.until, $0.key) < ($1.value.until, $1.key) }
    if let first { copies[first.key] = nil }
  }
}
