import Certificates
import Checks
import Crypto
import MobileDocument
import OpenID4VP
import Primitives
import StatusLists
import TranscriptDiagnosis

/// A relying party's verification of one answer, as a pure machine.
///
/// ```
/// page --submitted--> marking --marked--> decrypt, verify --> looking --fetched--> concluded
///                        |                      |                |
///              the store marks the      a check failed, or      status lists that the documents name:
///              session as used, first   no list is needed       each fetched, or a copy used again
///                                               |
///                                           concluded
/// ```
///
/// The session is marked as used before anything of the answer is read, so that no answer gets a second attempt. A list
/// is fetched only for a response that verified, because a URI in any other response is untrusted input.
///
/// ``receive(_:at:)`` is asynchronous only because the validation of certificate paths is: it has no clock and no I/O.
public struct VerificationMachine: Sendable {
  /// The expectations that an answer is verified against.
  public enum Subject: Sendable {
    /// A session of a server; nil if the page names a session that does not exist.
    case session(VerifierSession?)
    /// The request of an exchange whose session is not kept. The checks of the session are left out.
    case exchange(VerifierSession)
    /// A session of an app's server; nil if the app names a session that does not exist.
    case inApp(InAppSession?)
    /// The request of an app whose session is not kept. The checks of the session are left out.
    case inAppExchange(InAppSession)
    /// The expectations of an unencrypted device response. All checks of the exchange are left out.
    case response(ExpectedResponse)
    /// No presentation: an SD-JWT credential as its issuer signed it.
    case issuedCredential
  }

  /// An input of the machine.
  public enum Event: Sendable {
    /// The page submitted an answer.
    case submitted(SubmittedAnswer)
    /// The app submitted the `HPKEEnvelope` of its request.
    case submittedEnvelope([UInt8])
    /// An unencrypted `DeviceResponse` takes the place of an answer.
    case submittedUnencrypted([UInt8])
    /// An SD-JWT takes the place of an answer. A key binding in it is left out, because nobody knows what it is bound to.
    case submittedCredential(String)
    /// The store marked the session as used; `isFirst` is false if it was used already.
    case marked(isFirst: Bool)
    /// A list was fetched, or could not be fetched.
    case fetched(StatusListLocation, StatusListAnswer)
  }

  /// An output of the machine.
  public enum Effect: Sendable {
    /// Mark the session as used in the store, in one step, before anything else.
    case markUsed(String)
    /// Fetch a status list.
    case fetch(StatusListLocation)
    /// A copy takes the place of a fetched list. Nothing is to be done; a journal may note it.
    case reuse(StatusListCopies.Copy, of: StatusListLocation)
    /// Keep the copy of the list at a URI.
    case keep(StatusListCopies.Copy, of: String)
    /// The verdict. No effect follows it.
    case conclude(VerificationVerdict)
  }

  /// The state of the verification.
  private enum State: Sendable {
    case awaiting(Subject)
    case marking(VerifierSession, SubmittedAnswer, arrived: DateTime)
    case markingInApp(InAppSession, [UInt8], arrived: DateTime)
    case looking(Lookup)
    case concluded
  }

  /// A verified response whose status lists are being fetched.
  private struct Lookup: Sendable {
    let exchange: [CheckResult]
    var report: VerificationReport
    var presentations: [VerifiedPresentation] = []
    var awaited: [StatusListLocation] = []
    var answers: [String: StatusListAnswer] = [:]
  }

  private let context: VerificationContext
  private let explaining: ExchangeContext
  private let copies: StatusListCopies
  private var state: State
  /// The certificates of document signers that the server has read last, those of the answer included.
  public private(set) var certificates: CertificateMemory
  /// The decrypted device response of an answer with annex C; nil if the answer did not open.
  package private(set) var deviceResponse: [UInt8]?
  /// The presentations of an answer with OpenID4VP, none of them verified; nil if the answer did not open.
  package private(set) var presentations: PresentationToken?

  /// Creates the machine of one answer.
  /// - Parameters:
  ///   - subject: What is verified: an answer to a session, or a response alone.
  ///   - context: The relying party's configuration.
  ///   - explaining: Further knowledge, to explain a failure.
  ///   - copies: Copies of lists from earlier verifications.
  ///   - certificates: The ``certificates`` of the verification before.
  public init(
    of subject: Subject, in context: VerificationContext, explaining: ExchangeContext = ExchangeContext(),
    copies: StatusListCopies = StatusListCopies(), certificates: CertificateMemory = CertificateMemory()
  ) {
    self.context = context
    self.explaining = explaining
    self.copies = copies
    self.certificates = certificates
    state = .awaiting(subject)
  }

  /// Returns the effects of an event, to be performed in their order. An event that does not fit the state has no effect.
  public mutating func receive(_ event: Event, at moment: DateTime) async -> [Effect] {
    switch (state, event) {
    case (.awaiting(.session(nil)), .submitted): return conclude(VerifierSession.unknownSessionChecks)
    case (.awaiting(.session(let session?)), .submitted(let answer)):
      guard !session.isUsed else { return await open(answer, to: session, isFirst: false, arrived: moment, at: moment) }
      state = .marking(session, answer, arrived: moment)
      return [.markUsed(session.identifier)]
    case (.awaiting(.exchange(let session)), .submitted(let answer)):
      return await open(answer, to: session, plan: ExchangeCheck.ofAnswer, arrived: moment, at: moment)
    case (.awaiting(.inApp(nil)), .submittedEnvelope): return conclude(InAppSession.unknownSessionChecks)
    case (.awaiting(.inApp(let session?)), .submittedEnvelope(let envelope)):
      guard !session.isUsed else {
        return await verify(
          session.open(envelope, isFirst: false, at: moment, policy: context.policy),
          against: ExpectedResponse(to: session), at: moment)
      }
      state = .markingInApp(session, envelope, arrived: moment)
      return [.markUsed(session.identifier)]
    case (.awaiting(.inAppExchange(let session)), .submittedEnvelope(let envelope)):
      return await verify(
        session.open(envelope, at: moment, checksSession: false, policy: context.policy),
        against: ExpectedResponse(to: session), at: moment)
    case (.markingInApp(let session, let envelope, let arrived), .marked(let isFirst)):
      return await verify(
        session.open(
          envelope, isFirst: isFirst, at: arrived, others: explaining.otherInAppSessions(), policy: context.policy),
        against: ExpectedResponse(to: session), at: moment)
    case (.awaiting(.response(let expected)), .submittedUnencrypted(let response)):
      return await verify(response, after: [], against: expected, at: moment)
    case (.awaiting(.issuedCredential), .submittedCredential(let text)):
      let report = await context.verify(issued: text, at: moment)
      return await look(Lookup(exchange: [], report: report), at: moment)
    case (.marking(let session, let answer, let arrived), .marked(let isFirst)):
      return await open(answer, to: session, isFirst: isFirst, arrived: arrived, at: moment)
    case (.looking(var lookup), .fetched(let list, let answer)):
      guard let position = lookup.awaited.firstIndex(of: list) else { return [] }
      lookup.awaited.remove(at: position)
      lookup.answers[list.name] = outcome(of: answer, for: list)
      return await proceed(lookup, at: moment)
    case (.awaiting, _), (.marking, _), (.markingInApp, _), (.looking, _), (.concluded, _): return []
    }
  }

  /// Decrypts the answer to a session.
  private mutating func open(
    _ answer: SubmittedAnswer, to session: VerifierSession, isFirst: Bool = true,
    plan: [ExchangeCheck] = ExchangeCheck.allCases, arrived: DateTime, at moment: DateTime
  ) async -> [Effect] {
    let opened = session.open(
      answer, isFirst: isFirst, at: arrived, plan: plan, context: explaining, policy: context.policy)
    switch opened.content {
    case .presentations(let token, let request, let isOfDraft)?:
      presentations = token
      var verifier = PresentationVerifier(
        context: context, request: request, origin: session.origin, isOfDraft: isOfDraft,
        explainer: request.explainer(in: session, context: explaining))
      let (report, verified) = await verifier.verify(token, at: moment, remembering: &certificates)
      return await look(Lookup(exchange: opened.checks, report: report, presentations: verified), at: moment)
    case .deviceResponse?, nil:
      guard let request = session.annexC else { return conclude(opened.checks) }
      return await verify(
        opened,
        against: ExpectedResponse(to: request, in: session, over: opened.transcript, explaining: explaining),
        at: moment)
    }
  }

  /// Verifies an opened answer; concludes if it did not open.
  private mutating func verify(
    _ opened: OpenedAnswer, against expected: ExpectedResponse, at moment: DateTime
  ) async -> [Effect] {
    guard let response = opened.deviceResponse else { return conclude(opened.checks) }
    return await verify(response, after: opened.checks, against: expected, at: moment)
  }

  /// Verifies a device response.
  private mutating func verify(
    _ response: [UInt8], after exchange: [CheckResult], against expected: ExpectedResponse, at moment: DateTime
  ) async -> [Effect] {
    deviceResponse = response
    let verifier = DeviceResponseVerifier(
      trustedIssuers: context.trustedIssuers, ephemeralReaderKey: expected.readerKey, policy: context.policy)
    let report = await verifier.verify(
      response, over: expected.transcript, requests: expected.requests, useCases: expected.useCases, at: moment,
      explainer: expected.explainer, remembering: &certificates)
    return await look(Lookup(exchange: exchange, report: report), at: moment)
  }

  /// Asks for the status lists that verified documents name, after the check of test programmes.
  private mutating func look(_ verified: Lookup, at moment: DateTime) async -> [Effect] {
    var lookup = verified
    if !context.acceptsTestDocuments { lookup.report = lookup.report.checkingProduction() }
    var effects: [Effect] = []
    for list in lookup.report.statusLists(under: context.revocation) {
      if let copy = copies[list.name], moment <= copy.until {
        lookup.answers[list.name] = .token(copy.bytes, fetched: copy.fetched)
        effects.append(.reuse(copy, of: list))
      } else {
        lookup.awaited.append(list)
        effects.append(.fetch(list))
      }
    }
    return effects + (await proceed(lookup, at: moment))
  }

  /// The outcome of fetching a list. An expired copy is better than no list: it counts as out of date, and its entries for
  /// revoked documents are still true.
  private func outcome(of answer: StatusListAnswer, for list: StatusListLocation) -> StatusListAnswer {
    guard case .unreachable = answer, let copy = copies[list.name] else { return answer }
    return .token(copy.bytes, fetched: copy.fetched)
  }

  /// Concludes when no list is awaited any more.
  private mutating func proceed(_ lookup: Lookup, at moment: DateTime) async -> [Effect] {
    guard lookup.awaited.isEmpty else {
      state = .looking(lookup)
      return []
    }
    let outcome = await lookup.report.checkingStatus(
      lookup.answers, under: context.revocation, formPolicy: context.policy, at: moment)
    var effects: [Effect] = []
    for (list, until) in outcome.lifetimes {
      guard case .token(let bytes, let fetched)? = lookup.answers[list] else { continue }
      effects.append(.keep(StatusListCopies.Copy(bytes: bytes, fetched: fetched, until: until), of: list))
    }
    let report = outcome.report
    return effects
      + conclude(
        VerificationVerdict(
          exchange: lookup.exchange, response: report.checks, verified: report.verified,
          presentations: lookup.presentations, issuerData: report.issuerData))
  }

  /// Concludes without an opened answer.
  private mutating func conclude(_ exchange: [CheckResult]) -> [Effect] {
    conclude(VerificationVerdict(exchange: exchange))
  }

  private mutating func conclude(_ verdict: VerificationVerdict) -> [Effect] {
    state = .concluded
    return [.conclude(verdict)]
  }
}

/// The expectations of a device response.
public struct ExpectedResponse: Sendable {
  /// The session transcript of device and server; nil leaves out the device authentication, so that the response is not
  /// verified: its issuer's data are, at most.
  public let transcript: SessionTranscript?
  /// The requested documents; nil leaves out the comparison with the request.
  public let requests: [ItemsRequest]?
  /// The use cases of the request.
  public let useCases: [DeviceRequestInfo.UseCase]
  /// Explains a device signature that does not verify.
  let explainer: TranscriptExplainer?
  /// The ephemeral reader key of a session in person, for message authentication codes; nil without one.
  var readerKey: P256.KeyAgreement.PrivateKey?

  /// Creates expectations.
  /// - Parameters:
  ///   - transcript: The session transcript; nil leaves out the device's signature.
  ///   - requests: The requested documents; nil leaves out the comparison.
  ///   - useCases: The requests that belong together.
  ///   - explainer: Explains a device signature over another transcript; nil if nothing is known of it.
  ///   - readerKey: The ephemeral reader key of a session in person.
  public init(
    transcript: SessionTranscript?, requests: [ItemsRequest]?, useCases: [DeviceRequestInfo.UseCase] = [],
    explainer: TranscriptExplainer? = nil, readerKey: P256.KeyAgreement.PrivateKey? = nil
  ) {
    self.readerKey = readerKey
    self.transcript = transcript
    self.requests = requests
    self.useCases = useCases
    self.explainer = explainer
  }

  /// The expectations of the answer to a session of an app's server.
  init(to session: InAppSession) {
    self.init(transcript: session.handover.sessionTranscript, requests: session.requests)
  }

  /// The expectations of the answer to a request of a session.
  /// - Parameter transcript: The session transcript that opened the answer; nil computes it.
  init(
    to request: AnnexCSession, in session: VerifierSession, over transcript: SessionTranscript?,
    explaining: ExchangeContext
  ) {
    self.init(
      transcript: transcript ?? request.sessionTranscript(origin: session.origin), requests: request.documents,
      useCases: request.useCases, explainer: request.explainer(in: session, context: explaining))
  }
}
