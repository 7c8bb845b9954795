import Checks
import FoundationEssentials
import JSON
import MobileDocument
import Primitives

/// The checks of an answer to a session, up to the decrypted device response. Each stops at the first failure.
struct ResponseOpening {
  private typealias Outcome = CheckOutcome<ExchangeCheck>

  private let known: CheckOutcome<ExchangeCheck>
  var unused = CheckOutcome<ExchangeCheck>.notReached
  var current = CheckOutcome<ExchangeCheck>.notReached
  private var protocolName = Outcome.notReached
  private var data = Outcome.notReached
  private var envelope = Outcome.notReached
  private var decryption = Outcome.notReached
  /// The decrypted device response.
  private(set) var response: [UInt8]?

  init(known isKnown: Bool) { known = isKnown ? .passed : .found() }

  /// Every check in its order.
  func run(_ policy: VerificationPolicy) -> CheckRun<ExchangeCheck> {
    CheckRun(ExchangeCheck.allCases, policy: policy) { check in
      switch check {
      case .sessionKnown: known
      case .sessionUnused: unused
      case .sessionCurrent: current
      case .protocol: protocolName
      case .data: data
      case .envelope: envelope
      case .decryption: decryption
      }
    }
  }

  /// Reads and decrypts an answer.
  mutating func open(
    _ identifier: String, _ bytes: [UInt8], for session: VerifierSession, context: ExchangeContext,
    policy: VerificationPolicy
  ) {
    protocolName =
      identifier == VerifierSession.olderProtocolIdentifier
      ? .found(.olderDraft, nil, [CheckResult.Evidence("protocol", found: identifier)])
      : .require(
        identifier == VerifierSession.protocolIdentifier, .other, nil,
        [CheckResult.Evidence("protocol", expected: VerifierSession.protocolIdentifier, found: identifier)])
    guard protocolName.isAccepted(.protocol, under: policy) else { return }
    guard bytes.count <= EncryptedResponse.maximumLength * 4 / 3 + 64,
      let member = JSONCoding.decode(ResponseMember.self, from: bytes), let encoded = Base64URL.decode(member.text)
    else {
      data = .found(.malformed)
      return
    }
    data = .require(!member.isOlder, .olderDraft)
    guard data.isAccepted(.data, under: policy) else { return }
    let sealed: EncryptedResponse
    do {
      sealed = try EncryptedResponse(encoded: encoded)
      envelope = .passed
    } catch {
      envelope = .found(nil, error.message)
      return
    }
    do {
      response = try sealed.open(with: session.recipientKey, transcript: session.sessionTranscript)
      decryption = .passed
    } catch {
      decryption = Self.explain(sealed, length: encoded.count, session: session, context: context)
    }
  }

  /// Explains a response that does not decrypt, as exactly as can be found by trying.
  private static func explain(
    _ sealed: EncryptedResponse, length: Int, session: VerifierSession, context: ExchangeContext
  ) -> CheckOutcome<ExchangeCheck> {
    let others = context.others(than: session)
    let explainer = SealingExplainer(
      inputs: session.transcriptInputs(surroundings: context.surroundings, others: others),
      recipientKey: session.recipientKey, others: others)
    let finding = explainer.finding(for: sealed)
    let reason = finding?.reason ?? .unexplained
    let message = ExchangeCheck.decryption.definition.reason(reason.rawValue)?.message ?? ""
    return .found(
      reason, (finding?.explanation).map { "\(message): \($0.message)" },
      (finding?.explanation?.evidence ?? []) + [
        CheckResult.Evidence("origin of the session", expected: session.origin),
        CheckResult.Evidence("encrypted response", found: "\(length) bytes"),
      ])
  }

  /// `response`, or `Response` as in an older draft of the standard.
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
}
