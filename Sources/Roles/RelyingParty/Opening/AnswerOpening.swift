import Checks
import JSON
import MobileDocument
import OpenID4VP
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

  /// Reads the credential as a page posts it: a JSON object with `protocol` and `data`. Other members are ignored.
  /// - Parameter bytes: UTF-8 JSON. Limit its length before you read it.
  /// - Throws: An error that says what is malformed, and where.
  public init(credential bytes: [UInt8]) throws {
    let credential = try JSONReader.item(bytes, limits: .message)
    self.init(protocol: try credential.member("protocol"), data: try credential.item("data").bytes)
  }
}

/// An answer after the checks of the exchange.
package struct OpenedAnswer: Sendable {
  /// The content of an answer by its protocol.
  package enum Content: Sendable {
    /// The encoded `DeviceResponse` of an answer with annex C.
    case deviceResponse([UInt8])
    /// The presentations of an answer with OpenID4VP.
    case presentations(PresentationToken, OpenID4VPSession, isOfDraft: Bool)
  }

  /// The checks in their order.
  package let checks: [CheckResult]
  /// The content; nil if a check failed.
  package let content: Content?
  /// The session transcript that opened an answer with annex C; nil for another one.
  package var transcript: SessionTranscript?

  /// The encoded `DeviceResponse` of an answer with annex C; nil for another one, and if a check failed.
  package var deviceResponse: [UInt8]? { if case .deviceResponse(let response)? = content { response } else { nil } }
}

extension VerifierSession {
  /// Checks an answer and decrypts it. The answer's protocol decides which of the session's requests it answers; without
  /// one, the checks are those of the session's first request, not reached.
  /// - Parameters:
  ///   - isFirst: False if the session has had another answer.
  ///   - moment: The time at which the answer arrived.
  ///   - plan: The checks to make.
  package func open(
    _ answer: SubmittedAnswer, isFirst: Bool = true, at moment: DateTime,
    plan: [ExchangeCheck] = ExchangeCheck.allCases,
    context: ExchangeContext = ExchangeContext(), policy: VerificationPolicy = .standard
  ) -> OpenedAnswer {
    let request = request(in: answer.protocol)
    var opening = AnswerOpening(outcomes: ExchangeCheck.outcomes(isFirst: isFirst, until: expires, at: moment))
    if opening.outcomes[.sessionCurrent].isPassed {
      opening.outcomes[.protocol] = protocolOutcome(of: answer, to: request)
    }
    let isReached = opening.outcomes[.protocol].isAccepted(.protocol, under: policy)
    switch request ?? requests.first {
    case .openID4VP(let asked):
      let run = CheckRun(plan.filter { !ExchangeCheck.ofAnnexC.contains($0) }, policy: policy) { opening.outcomes[$0] }
      var presentations = PresentationOpening()
      if isReached { presentations.open(answer.data, for: asked, in: self, context: context, policy: policy) }
      let token = CheckRun(
        PresentationResponseCheck.ofToken(isEncrypted: asked.encryption != nil), policy: policy,
        presentations.outcome(of:))
      let isOpen = run.isAccepted && token.isAccepted
      return OpenedAnswer(
        checks: run.results + token.results,
        content: isOpen
          ? presentations.token.map {
            .presentations($0, asked, isOfDraft: !asked.kind.rawValue.isExactly(answer.protocol))
          } : nil)
    case .annexC(let asked)?:
      if isReached { opening.open(answer.data, for: asked, in: self, context: context, policy: policy) }
    case nil: break
    }
    let run = CheckRun(plan, policy: policy) { opening.outcomes[$0] }
    return OpenedAnswer(
      checks: run.results, content: run.isAccepted ? opening.response.map { .deviceResponse($0) } : nil,
      transcript: opening.transcript)
  }

  /// Compares the answer's protocol with those that the session asked in.
  private func protocolOutcome(of answer: SubmittedAnswer, to request: SessionRequest?) -> CheckOutcome<ExchangeCheck> {
    guard let request else {
      let asked = requests.map(\.protocol).joined(separator: " or ")
      return .found(.other, nil, .field("protocol", expected: asked, found: answer.protocol))
    }
    let reason: ExchangeCheck.Reason =
      switch request {
      case .annexC: .olderDraft
      case .openID4VP: .draft
      }
    return .require(
      request.protocol.isExactly(answer.protocol), reason, nil, .field("protocol", found: answer.protocol))
  }

  /// The checks of an answer to a session that does not exist.
  package static var unknownSessionChecks: [CheckResult] {
    CheckRun(ExchangeCheck.allCases) { $0 == .sessionKnown ? .found() : .notReached }.results
  }
}

/// The checks of an answer to a session, up to the decrypted device response. Each stops at the first failure.
private struct AnswerOpening {
  var outcomes: CheckOutcomes<ExchangeCheck>
  /// The decrypted device response.
  private(set) var response: [UInt8]?
  /// The session transcript over which the response was sealed.
  private(set) var transcript: SessionTranscript?

  /// Reads and decrypts an answer with annex C.
  mutating func open(
    _ bytes: [UInt8], for request: AnnexCSession, in session: VerifierSession, context: ExchangeContext,
    policy: VerificationPolicy
  ) {
    guard bytes.count <= EncryptedResponse.maximumLength * 4 / 3 + 64,
      let member = try? JSONCoding.decode(ResponseMember.self, from: bytes), let encoded = Base64URL.decode(member.text)
    else {
      outcomes[.data] = .found(.malformed)
      return
    }
    outcomes[.data] = .require(!member.isOlder, .olderDraft)
    guard outcomes[.data].isAccepted(.data, under: policy) else { return }
    let sealed: EncryptedResponse
    do {
      sealed = try EncryptedResponse(encoded: encoded)
      outcomes[.envelope] = .passed
    } catch {
      let isInApp = (try? HPKEEnvelope(encoded: encoded)) != nil
      outcomes[.envelope] =
        .found(nil, isInApp ? "the answer is the HPKE envelope of an app's request" : error.message)
      return
    }
    let expected = request.sessionTranscript(origin: session.origin)
    do {
      response = try sealed.open(with: request.recipientKey, transcript: expected)
      transcript = expected
      outcomes[.decryption] = .passed
    } catch {
      outcomes[.decryption] = Self.explain(sealed, length: encoded.count, of: request, in: session, context: context)
    }
  }

  /// Explains a response that does not decrypt, as exactly as can be found by trying.
  private static func explain(
    _ sealed: EncryptedResponse, length: Int, of request: AnnexCSession, in session: VerifierSession,
    context: ExchangeContext
  ) -> CheckOutcome<ExchangeCheck> {
    let others = context.others(than: session)
    let explainer = SealingExplainer(
      inputs: request.transcriptInputs(in: session, surroundings: context.surroundings, others: others),
      recipientKey: request.recipientKey, others: others)
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
