import Checks
import JSON
import MobileDocument
import Primitives
import WebPresentment

/// An answer as the page submits it: the credential that the browser returned.
public struct SubmittedAnswer: Sendable {
  /// The credential's protocol.
  public let `protocol`: String
  /// The credential's `data` as JSON.
  public let data: [UInt8]

  /// Creates an answer.
  public init(protocol: String, data: [UInt8]) {
    self.protocol = `protocol`
    self.data = data
  }
}

/// An answer after the checks of the exchange.
package struct OpenedAnswer: Sendable {
  /// The checks in their order.
  package let checks: [CheckResult]
  /// The encoded `DeviceResponse`; nil if a check failed.
  package let deviceResponse: [UInt8]?
}

extension VerifierSession {
  /// Checks an answer and decrypts it.
  /// - Parameters:
  ///   - transcript: The session's transcript, if the caller has it.
  ///   - isFirst: False if the session has had another answer.
  ///   - moment: The time at which the answer arrived.
  ///   - plan: The checks to make.
  package func open(
    _ answer: SubmittedAnswer, over transcript: SessionTranscript? = nil, isFirst: Bool = true, at moment: DateTime,
    plan: [ExchangeCheck] = ExchangeCheck.allCases,
    context: ExchangeContext = ExchangeContext(), policy: VerificationPolicy = .standard
  ) -> OpenedAnswer {
    var opening = AnswerOpening()
    opening.known = .passed
    opening.unused = .require(isFirst)
    if isFirst { opening.current = ExchangeCheck.current(until: expires, at: moment) }
    if opening.current.isPassed {
      opening.open(answer, for: self, over: transcript ?? sessionTranscript, context: context, policy: policy)
    }
    let run = CheckRun(plan, policy: policy, opening.outcome(of:))
    return OpenedAnswer(checks: run.results, deviceResponse: run.isAccepted ? opening.response : nil)
  }

  /// The checks of an answer to a session that does not exist.
  package static var unknownSessionChecks: [CheckResult] {
    CheckRun(ExchangeCheck.allCases, AnswerOpening().outcome(of:)).results
  }
}

/// The checks of an answer to a session, up to the decrypted device response. Each stops at the first failure.
private struct AnswerOpening {
  typealias Outcome = CheckOutcome<ExchangeCheck>

  var known = Outcome.found()
  var unused = Outcome.notReached
  var current = Outcome.notReached
  private var protocolName = Outcome.notReached
  private var data = Outcome.notReached
  private var envelope = Outcome.notReached
  private var decryption = Outcome.notReached
  /// The decrypted device response.
  private(set) var response: [UInt8]?

  /// The outcome of one check.
  func outcome(of check: ExchangeCheck) -> Outcome {
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

  /// Reads and decrypts an answer.
  mutating func open(
    _ answer: SubmittedAnswer, for session: VerifierSession, over transcript: SessionTranscript,
    context: ExchangeContext, policy: VerificationPolicy
  ) {
    let (identifier, bytes) = (answer.protocol, answer.data)
    protocolName =
      identifier == RequestData.olderProtocolIdentifier
      ? .found(.olderDraft, nil, [CheckResult.Evidence("protocol", found: identifier)])
      : .require(
        identifier == RequestData.protocolIdentifier, .other, nil,
        [CheckResult.Evidence("protocol", expected: RequestData.protocolIdentifier, found: identifier)])
    guard protocolName.isAccepted(.protocol, under: policy) else { return }
    guard bytes.count <= EncryptedResponse.maximumLength * 4 / 3 + 64,
      let member = try? JSONCoding.decode(ResponseMember.self, from: bytes), let encoded = Base64URL.decode(member.text)
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
      let isInApp = (try? HPKEEnvelope(encoded: encoded)) != nil
      envelope = .found(nil, isInApp ? "the answer is the HPKE envelope of an app's request" : error.message)
      return
    }
    do {
      response = try sealed.open(with: session.recipientKey, transcript: transcript)
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
  private struct ResponseMember: JSONReadable {
    let text: String
    let isOlder: Bool

    init(json: JSONItem) throws(JSONError) {
      let found: String? = try json.optionalMember("response")
      isOlder = found == nil
      text = if let found { found } else { try json.member("Response") }
    }
  }
}
