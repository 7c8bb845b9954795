import Certificates
import Checks
import Crypto
import DigitalCredentials
import MobileDocument
import Primitives
import StatusLists
import WebPresentment

/// Everything that a verification of an exchange file needs, read from it.
public struct VerifiableExchange: Sendable {
  /// How the answer reached its verifier.
  enum Answer: Sendable {
    case sealed(VerifierSession, protocol: String, data: [UInt8])
    case open([UInt8], SessionTranscript)
  }

  /// The origin; nil for a bare response whose file names none.
  public let origin: String?
  /// Certificates of the issuing authorities that are trusted.
  public let trustedIssuers: TrustedCertificates
  /// Tokens of status and identifier lists by their addresses.
  public let statusLists: [String: [UInt8]]
  /// Which findings refuse.
  public let policy: VerificationPolicy
  /// The request as it was sent; nil for a bare response whose file holds none.
  public let request: RequestTexts?
  let answer: Answer
  /// What was asked; nil for a bare response whose file holds no request.
  let requests: [ItemsRequest]?
  let useCases: [DeviceRequestInfo.UseCase]

  /// Reads what a file holds.
  /// - Parameters:
  ///   - others: certificates that are trusted for document signers besides those of the file, which may then name none.
  ///   - policy: which findings refuse; nil for what the file says, and `standard` when it says nothing.
  ///   - read: reads files that it names.
  /// - Throws: ``ExchangeFileError`` for the first member that cannot be used.
  public init(
    _ file: ExchangeFile, trusting others: TrustedCertificates = TrustedCertificates([], for: .documentSigner),
    policy: VerificationPolicy? = nil, reading read: FileReading
  ) throws(ExchangeFileError) {
    let given = try file.answer()
    let isNamed = others.count == 0 || file.root["trustedIssuers"] != nil
    trustedIssuers = isNamed ? others.adding(try file.trustedIssuers(reading: read)) : others
    statusLists = try file.statusLists()
    let named = try file.policy()
    self.policy = policy ?? named ?? .standard
    switch given {
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
          .key, "recipientPrivateKey", "it is not the key that request.encryptionInfo asks to be answered with")
      }
      self.origin = origin
      self.request = request
      requests = contents.documents
      useCases = contents.useCases
      answer = .sealed(
        VerifierSession(
          identifier: "exchange", origin: origin, requests: contents.documents, useCases: contents.useCases,
          encryptionInfoText: request.encryptionInfo, recipientKey: recipientKey,
          expires: DateTime(secondsSince1970: .max)),
        protocol: identifier, data: data)
    case .open(let response, let transcript):
      let request = file.root["request"] == nil ? nil : try file.request()
      self.request = request
      let origin = file.root["origin"] == nil ? nil : try file.origin()
      self.origin = origin
      let contents = try request?.contents()
      requests = contents?.documents
      useCases = contents?.useCases ?? []
      let following = request.flatMap { request in
        origin.map { EncryptionInfo.sessionTranscript(encryptionInfoText: request.encryptionInfo, origin: $0) }
      }
      if let origin { try OriginText.requireSpelling(of: origin, at: "origin") }
      guard let transcript = transcript ?? following else {
        throw ExchangeFileError(
          .memberMissing, "sessionTranscript", "it is missing, and without origin and request it does not follow")
      }
      guard following == nil || following == transcript else {
        throw ExchangeFileError(
          .content, "sessionTranscript", "it is not the one that origin and request.encryptionInfo make")
      }
      answer = .open(response, transcript)
    }
  }
}

extension VerifiableExchange {
  /// Says what a device signature that does not verify is good for, when it is known what it should be for.
  fileprivate var explainer: TranscriptExplainer? {
    guard let origin, let request else { return nil }
    return TranscriptExplainer(TranscriptInputs(encryptionInfoText: request.encryptionInfo, origin: origin))
  }
}

/// Verifies exchange files with the checks of a website's server in a world, so that the codes are the same.
public struct ExchangeVerification: Sendable {
  /// What further checks look at: the response as it was opened, with all that it was verified against.
  public struct Opened: Sendable {
    /// The encoded `DeviceResponse`.
    public let deviceResponse: [UInt8]
    /// What device and server must agree on.
    public let transcript: SessionTranscript
    /// The exchange that it answers.
    public let exchange: VerifiableExchange
    /// For when it is verified.
    public let moment: DateTime
  }

  /// Checks beyond those of a server, which refuse as those do.
  public typealias FurtherChecks = @Sendable (Opened) async -> [CheckResult]

  private let further: FurtherChecks?

  /// A verification.
  /// - Parameter further: more to check of a response that was opened, such as the cross-check of its signatures.
  public init(further: FurtherChecks? = nil) { self.further = further }

  /// Verifies an exchange for a moment.
  public func verify(_ exchange: VerifiableExchange, at moment: DateTime) async -> ExchangeReport {
    var checks: [CheckResult] = []
    var opened: ([UInt8], SessionTranscript)?
    switch exchange.answer {
    case .open(let response, let transcript):
      opened = (response, transcript)
    case .sealed(var session, let identifier, let data):
      for effect in session.receive(
        .answered(protocol: identifier, data: data), at: moment, policy: exchange.policy)
      {
        switch effect {
        case .markUsed: break
        case .refuse(let results): checks = results
        case .verify(let response, let results):
          checks = results
          opened = (response, session.sessionTranscript)
        }
      }
      // A file knows no session: whether one is open, used or too old is for a server to say.
      checks.removeAll { $0.check.hasPrefix("session.") }
      checks = checks.map { Self.namingOrigin($0, of: session) }
    }
    guard let (response, transcript) = opened else {
      return ExchangeReport(exchange: checks, response: [], verified: nil, origin: exchange.origin, moment: moment)
    }
    let verifier = DeviceResponseVerifier(trustedIssuers: exchange.trustedIssuers, policy: exchange.policy)
    let report = await verifier.verify(
      response, over: transcript, requests: exchange.requests, useCases: exchange.useCases, at: moment,
      explainer: exchange.explainer)
    // A file's lists are as fresh as the file: whoever made it fetched them.
    let lists = exchange.statusLists.mapValues { StatusListAnswer.token($0, fetched: moment) }
    let outcome = await report.checkingStatus(
      lists, under: exchange.policy == .strict ? .strictWherePublished : .standard, formPolicy: exchange.policy,
      at: moment)
    let added = await further?(
      Opened(deviceResponse: response, transcript: transcript, exchange: exchange, moment: moment))
    return ExchangeReport(
      exchange: checks, response: outcome.report.checks + (added ?? []), verified: outcome.report.verified,
      origin: exchange.origin, moment: moment)
  }

  /// Says so when the file's origin is not written as browsers write it. An answer that opens all the same is refused: the
  /// wallet made the same mistake, and what it sealed is not for the transcript of the standard.
  private static func namingOrigin(_ check: CheckResult, of session: VerifierSession) -> CheckResult {
    guard let right = try? OriginText.spelling(of: session.origin, at: "origin"),
      !right.isExactly(session.origin)
    else { return check }
    let evidence = CheckResult.Evidence("origin", expected: right, found: session.origin)
    if check.check == ExchangeCheck.decryption.id, check.status == .passed {
      return ExchangeCheck.decryption.failure(.transcript, [evidence])
    }
    return check.status == .failed ? check.adding([evidence]) : check
  }
}
