import Certificates
import Checks
import Crypto
import DigitalCredentials
import MobileDocument
import OpenID4VP
import Primitives
import RelyingParty
import StatusLists
import TranscriptDiagnosis

/// The content of an exchange file for its verification.
public struct VerifiableExchange: Sendable {
  /// The form of the answer.
  enum Answer: Sendable {
    case sealed(VerifierSession, SubmittedAnswer)
    case inApp(InAppSession, [UInt8])
    case open([UInt8], ExpectedResponse)
    case issued(String)
  }

  /// The origin; nil for an unencrypted response without one.
  public let origin: String?
  /// The trusted issuing authorities.
  public let trustedIssuers: TrustedIssuers
  /// Tokens of status and identifier lists by their URIs.
  public let statusLists: [String: [UInt8]]
  /// The verification policy.
  public let policy: VerificationPolicy
  /// The request as sent; nil for an unencrypted response without one.
  public let request: RequestTexts?
  let answer: Answer

  /// Reads a file.
  /// - Parameters:
  ///   - others: Trusted issuing authorities in addition to those of the file, which may then have none.
  ///   - onlyOthers: Whether those of the file are ignored, which its sender chose.
  ///   - policy: The verification policy; nil for the file's, or `standard` if the file has none.
  ///   - read: Reads the files that the file names.
  /// - Throws: ``ExchangeFileError`` for the first unusable member.
  public init(
    _ file: ExchangeFile, trusting others: TrustedIssuers = TrustedIssuers(), onlyOthers: Bool = false,
    policy: VerificationPolicy? = nil, reading read: FileReading
  ) throws(ExchangeFileError) {
    let isInApp = try file.isInApp()
    let isNamed = !onlyOthers && (others.isEmpty || file.root["trustedIssuers"] != nil)
    trustedIssuers = isNamed ? others.adding(try file.trustedIssuers(reading: read)) : others
    statusLists = try file.statusLists()
    let named = try file.policy()
    self.policy = policy ?? named ?? .standard
    if isInApp {
      let response = try file.root.required("response")
      (origin, request) = (nil, nil)
      answer = .inApp(
        try InAppRequest(file).session(recipientKey: try file.recipientPrivateKey()), try response.pastedBytes())
      return
    }
    if let text = try PresentationRequestText(anywhereIn: file) {
      let origin = try file.origin()
      try OriginSpelling.requireSpelling(of: origin, at: "origin")
      (self.origin, request) = (origin, nil)
      answer = .sealed(
        VerifierSession(
          identifier: "exchange", origin: origin, requests: [.openID4VP(try file.openID4VPSession(text, for: origin))],
          expires: DateTime(secondsSince1970: .max)), try file.openID4VPAnswer(to: text.kind))
      return
    }
    switch try file.answer() {
    case .sealed(let identifier, let data):
      let origin = try file.origin()
      let request = try file.request()
      let contents = try request.contents()
      let recipientKey = try file.recipientPrivateKey()
      guard
        try request.readEncryptionInfo().recipientPublicKey.rawRepresentation
          == recipientKey.publicKey.rawRepresentation
      else {
        throw ExchangeFileError(
          .key, "recipientPrivateKey", "does not match the recipient key in request.encryptionInfo")
      }
      self.origin = origin
      self.request = request
      answer = .sealed(
        VerifierSession(
          identifier: "exchange", origin: origin,
          requests: [
            .annexC(
              AnnexCSession(
                documents: contents.documents, useCases: contents.useCases, encryptionInfoText: request.encryptionInfo,
                recipientKey: recipientKey))
          ], expires: DateTime(secondsSince1970: .max)),
        SubmittedAnswer(protocol: identifier, data: data))
    case .issued(let text):
      (origin, request) = (nil, nil)
      answer = .issued(text)
    case .open(let response, let transcript):
      let request = file.root["request"] == nil ? nil : try file.request()
      self.request = request
      let origin = file.root["origin"] == nil ? nil : try file.origin()
      self.origin = origin
      let contents = try request?.contents()
      let inputs = request.flatMap { request in
        origin.map { TranscriptInputs(encryptionInfoText: request.encryptionInfo, origin: $0) }
      }
      let following = inputs?.sessionTranscript
      if let origin { try OriginSpelling.requireSpelling(of: origin, at: "origin") }
      let transcript = transcript ?? following
      guard following == nil || following == transcript else {
        throw ExchangeFileError(
          .content, "sessionTranscript", "does not match origin and request.encryptionInfo")
      }
      answer = .open(
        response,
        ExpectedResponse(
          transcript: transcript, requests: contents?.documents, useCases: contents?.useCases ?? [],
          explainer: inputs.map { TranscriptExplainer($0) } ?? transcript.map { TranscriptExplainer(inPerson: $0) }))
    }
  }
}

/// Verifies exchange files with the same checks as a website's server in a world.
public struct ExchangeVerifier: Sendable {
  /// The input of further checks: the opened answer and the context of its verification.
  public struct Opened: Sendable {
    /// The encoded `DeviceResponse`; nil for presentations of OpenID4VP and for an SD-JWT without a presentation.
    public let deviceResponse: [UInt8]?
    /// The session transcript; nil if it is not known.
    public let transcript: SessionTranscript?
    /// The exchange.
    public let exchange: VerifiableExchange
    /// The time of the verification.
    public let moment: DateTime
  }

  /// Checks in addition to those of a server. A failed one refuses the response.
  public typealias FurtherChecks = @Sendable (Opened) async -> [CheckResult]

  private let further: FurtherChecks?

  /// Creates a verifier.
  /// - Parameter further: Further checks of an opened answer, such as the cross-check of its signatures.
  public init(further: FurtherChecks? = nil) { self.further = further }

  /// Verifies an exchange at a time. A refused one is verified again under the lenient policy, so that the report can
  /// say that only tolerated departures refuse it.
  public func verify(_ exchange: VerifiableExchange, at moment: DateTime) async -> ExchangeReport {
    var lists: [ExchangeReport.Group] = []
    var trusted = exchange.trustedIssuers.certificates
    for list in exchange.trustedIssuers.lists {
      let report = await list.verified(at: moment, policy: exchange.policy)
      trusted = trusted.adding(report.trustedIssuers)
      lists.append(ExchangeReport.Group(title: "list \(TerminalSafe.text(list.name))", checks: report.checks))
    }
    let result = await run(exchange, trusting: trusted, under: exchange.policy, at: moment)
    var added: [CheckResult] = []
    if result.isOpened, let further {
      added = await further(
        Opened(
          deviceResponse: result.deviceResponse, transcript: result.transcript, exchange: exchange, moment: moment))
    }
    let verdict = VerificationVerdict(
      exchange: lists.flatMap(\.checks) + result.verdict.exchange, response: result.verdict.response + added,
      verified: result.verdict.verified, presentations: result.verdict.presentations,
      issuerData: result.verdict.issuerData)
    var tolerated: [CheckResult] = []
    if verdict.failure != nil, added.failure == nil, lists.flatMap(\.checks).failure == nil, exchange.policy != .lenient
    {
      let lenient = await run(exchange, trusting: trusted, under: .lenient, at: moment).verdict
      if lenient.failure == nil { tolerated = verdict.checks.filter { $0.status == .failed } }
    }
    return ExchangeReport(
      verdict, lists: lists, policy: exchange.policy, tolerated: tolerated, origin: exchange.origin, moment: moment)
  }

  /// The result of the machine that a server runs.
  private struct Result {
    let verdict: VerificationVerdict
    let deviceResponse: [UInt8]?
    let isOpened: Bool
    let transcript: SessionTranscript?
  }

  private func run(
    _ exchange: VerifiableExchange, trusting trusted: TrustedCertificates, under policy: VerificationPolicy,
    at moment: DateTime
  ) async -> Result {
    let context = VerificationContext(
      trustedIssuers: trusted, revocation: policy == .strict ? .strictWherePublished : .standard,
      policy: policy)
    var machine: VerificationMachine
    let event: VerificationMachine.Event
    var transcript: SessionTranscript?
    var named: (CheckResult) -> CheckResult = { $0 }
    var isOpened = false
    switch exchange.answer {
    case .sealed(let session, let answer):
      // A file has no session state: only a server knows whether a session is open, used or expired.
      machine = VerificationMachine(of: .exchange(session), in: context)
      event = .submitted(answer)
      transcript = session.annexC?.sessionTranscript(origin: session.origin)
      named = { Self.namingOrigin($0, of: session) }
    case .inApp(let session, let envelope):
      machine = VerificationMachine(of: .inAppExchange(session), in: context)
      event = .submittedEnvelope(envelope)
      transcript = session.handover.sessionTranscript
    case .open(let response, let expected):
      machine = VerificationMachine(of: .response(expected), in: context)
      event = .submittedUnencrypted(response)
      transcript = expected.transcript
    case .issued(let text):
      machine = VerificationMachine(of: .issuedCredential, in: context)
      event = .submittedCredential(text)
      isOpened = true
    }
    let verdict = await machine.run(event, now: { moment }, markUsed: { _ in true }) { list in
      // The file's status lists count as fetched now.
      exchange.statusLists[list.uri].map { .token($0, fetched: moment) } ?? .unreachable("it was not fetched")
    }
    return Result(
      verdict: VerificationVerdict(
        exchange: verdict.exchange.map(named), response: verdict.response, verified: verdict.verified,
        presentations: verdict.presentations, issuerData: verdict.issuerData),
      deviceResponse: machine.deviceResponse,
      isOpened: isOpened || machine.deviceResponse != nil || machine.presentations != nil, transcript: transcript)
  }

  /// Adds evidence if the file's origin is not in the form of browsers. An answer that decrypts anyway is refused, because
  /// the wallet used the same wrong form, which differs from the standard's transcript.
  private static func namingOrigin(_ check: CheckResult, of session: VerifierSession) -> CheckResult {
    guard let right = try? OriginSpelling.spelling(of: session.origin, at: "origin"),
      !right.isExactly(session.origin)
    else { return check }
    let evidence = CheckResult.Evidence("origin", expected: right, found: session.origin)
    if check.check == ExchangeCheck.decryption.id, check.status == .passed {
      return ExchangeCheck.decryption.failure(.transcript, [evidence])
    }
    return check.status == .failed ? check.adding([evidence]) : check
  }
}
