import Checks
import Crypto
import FoundationEssentials
import JSON
import MobileDocument
import Primitives

/// What a verifier's server keeps of one exchange, from the request to its one answer.
public struct VerifierSession: Sendable {
  /// Identifier towards the page; no secret.
  public let identifier: String
  /// Serialized origin of the website.
  public let origin: String
  /// What was asked for.
  public let requests: [ItemsRequest]
  /// Use cases as they stood in the request; none when it named none.
  public let useCases: [DeviceRequestInfo.UseCase]
  /// Base64url text of `EncryptionInfo` as sent to the page.
  public let encryptionInfoText: String
  /// Private half of the recipient key; never leaves the server.
  public let recipientKey: P256.KeyAgreement.PrivateKey
  /// From when on answers come too late.
  public let expires: DateTime
  /// Whether an answer has come.
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

  /// What the server has to do next.
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
      var list = Checklist(ExchangeCheck.standing, policy: policy)
      list.pass(.sessionKnown)
      guard list.require(!isUsed, .sessionUnused) else { return [.refuse(list.results)] }
      isUsed = true
      guard
        list.require(
          moment < expires, .sessionCurrent, "the session expired on \(expires)",
          [CheckResult.Evidence("answered", expected: "before \(expires)", found: moment.description)])
      else { return [.markUsed, .refuse(list.results)] }
      switch open(identifier, data, context: context, list: &list) {
      case .some(let response): return [.markUsed, .verify(deviceResponse: response, after: list.results)]
      case .none: return [.markUsed, .refuse(list.results)]
      }
    }
  }

  /// The checks for an answer to a session that does not exist.
  public static var unknownSessionChecks: [CheckResult] {
    var list = Checklist(ExchangeCheck.standing)
    list.fail(.sessionKnown)
    return list.results
  }

  /// `response`, or `Response` as an older draft of the standard has it.
  private struct ResponseMember: Decodable {
    let text: String
    let isOlder: Bool

    private enum Name: String, CodingKey {
      case response
      case older = "Response"
    }

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: Name.self)
      let found = try members.decodeIfPresent(String.self, forKey: .response)
      isOlder = found == nil
      text = try found ?? members.decode(String.self, forKey: .older)
    }
  }

  private func open(
    _ identifier: String, _ data: [UInt8], context: ExchangeContext, list: inout Checklist<ExchangeCheck>
  ) -> [UInt8]? {
    if identifier == Self.olderProtocolIdentifier {
      list.deviate(
        ExchangeDeviation.olderProtocol, under: .protocol, nil, [CheckResult.Evidence("protocol", found: identifier)])
      list.pass(.protocol)
    } else {
      list.require(
        identifier == Self.protocolIdentifier, .protocol, nil,
        [CheckResult.Evidence("protocol", expected: Self.protocolIdentifier, found: identifier)])
    }
    guard list.holds else { return nil }
    guard data.count <= EncryptedResponse.maximumLength * 4 / 3 + 64,
      let member = JSONCoding.decode(ResponseMember.self, from: data),
      let bytes = Base64URL.decode(member.text)
    else {
      list.fail(.data)
      return nil
    }
    list.pass(.data)
    if member.isOlder { list.deviate(ExchangeDeviation.olderMember, under: .data) }
    guard list.holds else { return nil }
    let sealed: EncryptedResponse
    do {
      sealed = try EncryptedResponse(encoded: bytes)
      list.pass(.envelope)
    } catch {
      list.fail(.envelope, error.sentence)
      return nil
    }
    do {
      let response = try sealed.open(with: recipientKey, transcript: sessionTranscript)
      list.pass(.decryption)
      return response
    } catch {
      explain(sealed, length: bytes.count, context: context, list: &list)
      return nil
    }
  }

  /// Says why a response does not open, as exactly as can be found by trying.
  private func explain(
    _ sealed: EncryptedResponse, length: Int, context: ExchangeContext, list: inout Checklist<ExchangeCheck>
  ) {
    let others = context.others(than: self)
    let explainer = SealingExplainer(
      inputs: transcriptInputs(surroundings: context.surroundings, others: others), recipientKey: recipientKey,
      others: others)
    let finding = explainer.finding(for: sealed)
    let check = finding?.check ?? .decryption
    list.replace(.decryption, with: check)
    list.fail(
      check, (finding?.explanation).map { "\(check.sentence): \($0.sentence)" },
      (finding?.explanation?.evidence ?? []) + [
        CheckResult.Evidence("origin of the session", expected: origin),
        CheckResult.Evidence("encrypted response", found: "\(length) bytes"),
      ])
  }
}
