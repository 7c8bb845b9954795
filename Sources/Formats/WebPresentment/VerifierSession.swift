import Checks
import Crypto
import FoundationEssentials
import MobileDocument
import Primitives

/// The state of a verifier server for one exchange, from the request to its only answer.
public struct VerifierSession: Sendable {
  /// Identifier towards the page; no secret.
  public let identifier: String
  /// Serialized origin of the website.
  public let origin: String
  /// The requested items.
  public let requests: [ItemsRequest]
  /// The use cases of the request; empty if it has none.
  public let useCases: [DeviceRequestInfo.UseCase]
  /// Base64url text of `EncryptionInfo` as sent to the page.
  public let encryptionInfoText: String
  /// Private half of the recipient key; never leaves the server.
  public let recipientKey: P256.KeyAgreement.PrivateKey
  /// From when on answers come too late.
  public let expires: DateTime
  /// True after an answer has been received.
  public private(set) var isUsed: Bool

  /// A session from what was stored of it.
  public init(
    identifier: String, origin: String, requests: [ItemsRequest], useCases: [DeviceRequestInfo.UseCase] = [],
    encryptionInfoText: String, recipientKey: P256.KeyAgreement.PrivateKey, expires: DateTime, isUsed: Bool = false
  ) {
    self.identifier = identifier
    self.origin = origin
    self.requests = requests
    self.useCases = useCases
    self.encryptionInfoText = encryptionInfoText
    self.recipientKey = recipientKey
    self.expires = expires
    self.isUsed = isUsed
  }

  /// The transcript that both ends must agree on.
  public var sessionTranscript: SessionTranscript {
    EncryptionInfo.sessionTranscript(encryptionInfoText: encryptionInfoText, origin: origin)
  }

  /// Something that happens to the session.
  public enum Event: Sendable {
    /// The page sent what the browser gave it: the protocol and the JSON of `data`.
    case answered(protocol: String, data: [UInt8])
  }

  /// An output of the session.
  public enum Effect: Sendable {
    /// Remember that the session has had its answer, before anything else.
    case markUsed
    /// Verify the decrypted device response and put its checks behind these.
    case verify(deviceResponse: [UInt8], after: [CheckResult])
    /// Refuse: these checks say why, and nothing more is to be done.
    case refuse([CheckResult])
  }

  /// The identifier of the protocol in requests and answers.
  public static let protocolIdentifier = "org-iso-mdoc"
  /// An older identifier that some platforms answer with.
  package static let olderProtocolIdentifier = "org.iso.mdoc"

  /// Takes an event at a time and says what to do.
  /// - Parameters:
  ///   - context: what helps to explain an answer that does not open.
  ///   - policy: whether departures from the standard refuse too.
  public mutating func receive(
    _ event: Event, at moment: DateTime, context: ExchangeContext = ExchangeContext(),
    policy: VerificationPolicy = .standard
  ) -> [Effect] {
    switch event {
    case .answered(let identifier, let data):
      var opening = ResponseOpening(known: true)
      let effects: [Effect]
      if isUsed {
        opening.unused = .found()
        effects = []
      } else {
        isUsed = true
        opening.unused = .passed
        opening.current = .require(
          moment < expires, .expired, "the session expired on \(expires)",
          [CheckResult.Evidence("answered", expected: "before \(expires)", found: moment.description)])
        effects = [.markUsed]
      }
      if opening.current.isPassed {
        opening.open(identifier, data, for: self, context: context, policy: policy)
      }
      let run = opening.run(policy)
      guard run.isAccepted, let response = opening.response else { return effects + [.refuse(run.results)] }
      return effects + [.verify(deviceResponse: response, after: run.results)]
    }
  }

  /// The checks for an answer to a session that does not exist.
  public static var unknownSessionChecks: [CheckResult] { ResponseOpening(known: false).run(.standard).results }
}
