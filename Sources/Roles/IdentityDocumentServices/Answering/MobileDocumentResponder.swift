import Certificates
import Checks
import Crypto
import FoundationEssentials
import MobileDocument
import OpenID4VP
import Primitives
import Proximity
import TranscriptDiagnosis
import WebPresentment
import X509

/// The steps that an app owes its holder between consent and answer. Apple's framework leaves them to the app. They are
/// called inside `sendResponse`, in this order:
///
/// ```
/// raw request --validateConsistency-----> asks what the person agreed to, with the same certificates
///             --validateRawRequest------> every signature verifies over a transcript of the app's own making, and one
///                                         leads to a reader authority that the app trusts
///             --buildAndEncryptResponse-> documents of one set of every mandatory use case, each signed with its
///                                         device key, sealed for the website's server
/// ```
///
/// It knows no clock, no storage and no randomness: the time, the documents and the ephemeral key come in as values.
public struct MobileDocumentResponder: Sendable {
  /// Roots of the reader authorities that the app trusts.
  public let trustedReaders: TrustedCertificates
  /// Indicates whether the app also answers unsigned requests and requests of untrusted readers. One of a trusted reader
  /// whose certificate is revoked or of another website is refused all the same.
  public let answersUntrustedReaders: Bool
  /// Indicates whether the app also answers a website that has the reader certificate of another one. It then shows the
  /// website's host, and never the certified name.
  public var answersOtherDomains = false
  /// False for an app in production, which refuses the readers of test programmes.
  public var acceptsTestReaders = true
  /// The reader authorities' lists of revoked certificates, as far as the app has fetched them. A certificate without a
  /// list counts as not revoked.
  public var revocationLists: [CertificateRevocationList] = []
  /// The types of transactions that the holder can be shown. The parsed request of the system has none, so an app, which shows
  /// that, knows none and refuses a request with a transaction (OpenID4VP, 8.4).
  package var transactionTypes: [TransactionType] = []
  /// The reader certificates that the app has read last, which it does not read again.
  public var readerCertificates = CertificateMemory()

  /// Creates a responder that trusts the given roots.
  public init(trustedReaders: TrustedCertificates, answersUntrustedReaders: Bool = false) {
    self.trustedReaders = trustedReaders
    self.answersUntrustedReaders = answersUntrustedReaders
  }

  /// Creates a responder that trusts the given roots.
  ///
  /// - Parameters:
  ///   - roots: DER of each root certificate. A root with an unsupported key does not affect the others.
  ///   - answersUntrustedReaders: True to answer readers that lead to no trusted root, too.
  /// - Throws: ``ResponderError`` for a root that is not readable, or without a subject key identifier: a registration
  ///   cannot name it.
  public init(trustedReaderRoots roots: [Data], answersUntrustedReaders: Bool = false) throws(ResponderError) {
    var trusted = TrustedCertificates([], for: .reader)
    for (position, root) in roots.enumerated() {
      let read: TrustedCertificates
      do {
        read = try TrustedCertificates(reading: [[UInt8](root)], for: .reader)
      } catch {
        throw ResponderError(.rootUnreadable, position: position, evidence: error.message)
      }
      guard (read.anchors.map(CertificateFields.init) + read.unusable).allSatisfy({ $0.subjectKeyIdentifier != nil })
      else { throw ResponderError(.rootUnnamed, position: position) }
      trusted = trusted.adding(read)
    }
    self.init(trustedReaders: trusted, answersUntrustedReaders: answersUntrustedReaders)
  }

  /// The subject key identifier of each trusted root, for the `supportedAuthorityKeyIdentifiers` of a registration.
  public var authorityKeyIdentifiers: [Data] {
    trustedReaders.anchors.compactMap { root in root.subjectKeyIdentifier.map { Data($0) } }
  }

  /// Returns the identity of the requester for the authorization view.
  /// - Parameters:
  ///   - context: The presentment.
  ///   - moment: The time at which certificates must be valid.
  public func requester(of context: ISO18013MobileDocumentRequestContext, at moment: Date) async -> RequesterIdentity {
    let host = context.requestingWebsiteOrigin?.host() ?? ""
    let chains = context.request.requestAuthentications.map {
      readerCertificates.fields(of: $0.authenticationCertificateChain)
    }
    return RequesterIdentity(
      host: host, isInPerson: context.isInPerson, await decide(on: chains, host: host, at: DateTime(moment)))
  }

  /// Step 1: checks that the raw request asks for exactly what the person saw, with the same certificates.
  ///
  /// - Parameters:
  ///   - request: The request in the authorization view, ``ISO18013MobileDocumentRequestContext/request``.
  ///   - rawRequest: The raw request that the system released.
  /// - Throws: ``ProviderRefusal`` with `provider.raw-request/unreadable` or `provider.raw-request/differs`.
  public func validateConsistency(
    request: ISO18013MobileDocumentRequest, rawRequest: IdentityDocumentWebPresentmentRawRequest
  ) throws(ProviderRefusal) {
    _ = try RawRequestParts(rawRequest, known: readerCertificates).deviceRequest.contents(consistentWith: request)
  }

  /// Step 2: checks that every signature verifies over the app's own transcript, and that one that covers the whole request
  /// leads to an authority that the app trusts and is of the website. The system checks the signatures alone.
  ///
  /// - Parameters:
  ///   - rawRequest: The raw request that the system has released.
  ///   - origin: ``ISO18013MobileDocumentRequestContext/requestingWebsiteOrigin``; a path of `/` is not part of it.
  ///   - moment: The time at which certificates must be valid.
  /// - Returns: The validated request.
  /// - Throws: ``ProviderRefusal`` with `provider.origin`, `provider.raw-request/unreadable`,
  ///   `provider.reader-signature`, `provider.production`, or `provider.reader` or `provider.domain` with one of their
  ///   reasons.
  public func validateRawRequest(
    _ rawRequest: IdentityDocumentWebPresentmentRawRequest, origin: URL?, at moment: Date
  ) async throws(ProviderRefusal) -> ValidatedMobileDocumentRequest {
    let origin = try Self.required(origin)
    return try await validate(RawRequestParts(rawRequest, known: readerCertificates), origin: origin, at: moment)
  }

  static func required(_ origin: URL?) throws(ProviderRefusal) -> URL {
    // An opaque origin, "null", has no host: no reader certificate could be compared with it.
    guard let origin, origin.host()?.isEmpty == false else { throw ProviderRefusal(.origin) }
    return origin
  }

  /// Validates the request of a website, or of a reader near the device, which has no origin and no domain.
  private func validate(
    _ rawRequest: RawRequestParts, known: UnverifiedRequestContents? = nil, origin url: URL?, at moment: Date
  ) async throws(ProviderRefusal) -> ValidatedMobileDocumentRequest {
    let (transcript, explainer) = rawRequest.transcript(url?.serializedOrigin ?? "")
    let request: AuthenticatedDeviceRequest
    do {
      request = try rawRequest.deviceRequest.authenticate(over: transcript, explainer: explainer, known: known)
    } catch {
      // A malformed request says nothing about its signatures.
      switch error.code {
      case .malformed, .version, .limit:
        throw ProviderRefusal(.rawRequest, .unreadable, adding: error.message, evidence: error.fields)
      case .readerCertificate, .readerSignature:
        throw ProviderRefusal(.readerSignature, adding: error.message, evidence: error.fields)
      }
    }
    let decision = await decide(
      on: request.readersOfAll.map { readerCertificates.fields(of: $0.chain) },
      isPartlySigned: !request.readerAuthentications.isEmpty, host: url?.host() ?? "", at: DateTime(moment))
    if let refusal = decision.refusal { throw refusal }
    return ValidatedMobileDocumentRequest(
      request: request, recipient: rawRequest.recipient, transcript: transcript, moment: DateTime(moment),
      otherDomain: decision.domain)
  }
}

/// The parts of a raw request, read once for all steps.
private struct RawRequestParts {
  let deviceRequest: UnverifiedDeviceRequest
  let recipient: ValidatedMobileDocumentRequest.Recipient
  /// Returns the transcript that the signatures cover, and what explains one that does not verify.
  let transcript: (_ origin: String) -> (SessionTranscript, TranscriptExplainer)

  /// Reads the raw request of a website.
  /// - Parameter known: Certificates that are not read again.
  init(_ rawRequest: IdentityDocumentWebPresentmentRawRequest, known: CertificateMemory) throws(ProviderRefusal) {
    do {
      let data = try RequestData(json: [UInt8](rawRequest.requestData))
      let encryptionInfo = try EncryptionInfo(text: data.encryptionInfo)
      deviceRequest = try UnverifiedDeviceRequest(data.deviceRequestBytes(), known: known)
      recipient = .website(encryptionInfo)
      transcript = { origin in
        let inputs = TranscriptInputs(encryptionInfoText: encryptionInfo.text, origin: origin)
        return (encryptionInfo.sessionTranscript(origin: origin), TranscriptExplainer(inputs))
      }
    } catch {
      throw ProviderRefusal(.rawRequest, .unreadable, adding: "\(error)")
    }
  }

  /// Reads the raw request of a reader near the device, whose session has a transcript without an origin.
  init(
    inPerson rawRequest: IdentityDocumentWebPresentmentRawRequest, known: CertificateMemory
  ) throws(ProviderRefusal) {
    guard let data = InPersonRequest(json: [UInt8](rawRequest.requestData)), let seal = data.seal else {
      throw ProviderRefusal(.rawRequest, .unreadable)
    }
    do {
      deviceRequest = try UnverifiedDeviceRequest(data.deviceRequest, known: known)
    } catch {
      throw ProviderRefusal(.rawRequest, .unreadable, adding: "\(error)")
    }
    recipient = .reader(seal)
    transcript = { _ in (data.transcript, TranscriptExplainer(inPerson: data.transcript)) }
  }
}

extension UnverifiedDeviceRequest {
  /// Returns the contents, which are not verified, if they are what the person saw.
  fileprivate func contents(
    consistentWith request: ISO18013MobileDocumentRequest
  ) throws(ProviderRefusal) -> UnverifiedRequestContents {
    let contents: UnverifiedRequestContents
    do {
      contents = try unverifiedContents()
    } catch {
      throw ProviderRefusal(.rawRequest, .unreadable, adding: "\(error)", evidence: error.fields)
    }
    guard request.agrees(with: contents) else { throw ProviderRefusal(.rawRequest, .differs) }
    return contents
  }
}

/// An error in the configuration of a responder.
public struct ResponderError: CodedError, LocalizedError, Equatable {
  /// The broken rule.
  public enum Code: String, Sendable {
    /// The root of a reader authority cannot be read.
    case rootUnreadable = "responder.root-unreadable"
    /// The root of a reader authority has no subject key identifier.
    case rootUnnamed = "responder.root-unnamed"
  }

  /// The broken rule.
  public let code: Code
  /// The position of the root in the list, from 0.
  public let position: Int
  /// The value or condition that was found.
  public let evidence: String?

  init(_ code: Code, position: Int, evidence: String? = nil) {
    self.code = code
    self.position = position
    self.evidence = evidence
  }

  /// A human-readable description of the failure.
  public var message: String {
    switch code {
    case .rootUnreadable: "the root certificate cannot be read"
    case .rootUnnamed: "the root certificate has no subject key identifier"
    }
  }

  /// The place of the root in the list.
  public var location: String? { "root \(position)" }

  /// A human-readable description of the error.
  public var errorDescription: String? { description }
}

/// An app's answer to a raw request: every check in its order, and the response or the error that ended the steps.
package struct ProviderAnswer: Sendable {
  /// The checks, each passed, failed or not reached.
  package let checks: [CheckResult]
  /// CBOR of `EncryptedResponse`, or, in person, the data of a session message; or the error: a ``ProviderRefusal``, or another error of the code that builds.
  package let response: Result<Data, any Error>
}

extension MobileDocumentResponder {
  /// Runs the three steps of an answer and reports every check.
  ///
  /// - Parameters:
  ///   - request: The request in the authorization view.
  ///   - origin: The website's origin.
  ///   - isInPerson: True if a reader near the device asks, which has no origin.
  ///   - moment: The time at which certificates must be valid.
  ///   - build: Builds the response to the validated request. An error other than ``ProviderRefusal`` ends the steps
  ///     without a failed check.
  package func answer(
    _ rawRequest: IdentityDocumentWebPresentmentRawRequest, shownAs request: ISO18013MobileDocumentRequest,
    origin: URL?, isInPerson: Bool = false, at moment: Date, isolation: isolated (any Actor)? = #isolation,
    building build: (ValidatedMobileDocumentRequest) async throws -> Data
  ) async -> ProviderAnswer {
    await answer(isInPerson: isInPerson) { steps in
      let parts =
        try isInPerson
        ? RawRequestParts(inPerson: rawRequest, known: readerCertificates)
        : RawRequestParts(rawRequest, known: readerCertificates)
      let contents = try parts.deviceRequest.contents(consistentWith: request)
      steps.made(.rawRequest)
      let validated = try await validate(
        parts, known: contents, origin: isInPerson ? nil : Self.required(origin), at: moment)
      steps.made(.domain, finding: validated.otherDomain)
      return try await build(validated)
    }
  }

  /// Runs the same steps of an answer to a request in OpenID4VP.
  package func answer(
    _ rawRequest: IdentityDocumentWebPresentmentRawRequest, shownAs request: OpenID4VPRequest, origin: URL?,
    at moment: Date, isolation: isolated (any Actor)? = #isolation,
    building build: (ValidatedOpenID4VPRequest) async throws -> Data
  ) async -> ProviderAnswer {
    await answer { steps in
      try validateConsistency(request: request, rawRequest: rawRequest)
      steps.made(.rawRequest)
      let validated = try await validateRawRequest(
        rawRequest, openID4VP: request.exchangeProtocol, origin: origin, at: moment)
      steps.made(.domain, finding: validated.otherDomain)
      return try await build(validated)
    }
  }

  /// The steps of an answer that were made.
  private struct Steps {
    /// The last check that passed; nil before the first.
    var last: ProviderCheck?
    /// The finding that no reader certificate names the website.
    var otherDomain: ProviderRefusal?

    mutating func made(_ last: ProviderCheck, finding otherDomain: ProviderRefusal? = nil) {
      (self.last, self.otherDomain) = (last, otherDomain)
    }

    /// The checks that passed.
    var passed: ArraySlice<ProviderCheck> {
      let all = ProviderCheck.allCases
      return last.flatMap(all.firstIndex).map { all[...$0] } ?? []
    }
  }

  private func answer(
    isInPerson: Bool = false, isolation: isolated (any Actor)? = #isolation,
    making make: (inout Steps) async throws -> Data
  ) async -> ProviderAnswer {
    var steps = Steps()
    func checks(refusedBy refusal: ProviderRefusal?) -> [CheckResult] {
      let passed = refusal.map { refusal in ProviderCheck.allCases.prefix { $0 != refusal.check } } ?? steps.passed
      return CheckRun(ProviderCheck.made(inProduction: !acceptsTestReaders)) { check in
        if check == refusal?.check { return .found(refusal?.reason, refusal?.message, refusal?.evidence ?? []) }
        guard passed.contains(check) else { return .notReached }
        if isInPerson, [.origin, .domain].contains(check) { return .notApplicable("a reader asks in person") }
        if [.reader, .production, .domain].contains(check), answersUntrustedReaders {
          return .notApplicable("the app trusts no reader authority")
        }
        if check == .domain, let otherDomain = steps.otherDomain {
          return .findings([
            .init(otherDomain.reason, otherDomain.message, otherDomain.evidence, severity: .deviation)
          ])
        }
        return .passed
      }.results
    }
    do {
      let response = try await make(&steps)
      steps.last = .response
      return ProviderAnswer(checks: checks(refusedBy: nil), response: .success(response))
    } catch {
      return ProviderAnswer(checks: checks(refusedBy: error as? ProviderRefusal), response: .failure(error))
    }
  }
}

/// A raw request with verified signatures and an accepted requester. Only
/// ``MobileDocumentResponder/validateRawRequest(_:origin:at:)`` makes one, and only it can be answered.
public struct ValidatedMobileDocumentRequest: Sendable {
  /// The requested documents and the readers that signed.
  public let request: AuthenticatedDeviceRequest
  /// The end for which an answer is sealed.
  package enum Recipient: Sendable {
    /// The server of a website.
    case website(EncryptionInfo)
    /// A reader near the device, in its session.
    case reader(AnswerSeal)
  }

  package let recipient: Recipient
  package let transcript: SessionTranscript
  /// The time of the validation.
  package let moment: DateTime
  /// The finding that no reader certificate names the website, which the app accepts; nil if one does.
  package let otherDomain: ProviderRefusal?
}
