import Checks
import FoundationEssentials
import IdentityDocumentServices
import MobileDocument
import OpenID4VP
import Proximity
import TranscriptDiagnosis
import WebPresentment
import X509

/// The parsed part of a request: enough for a selector and an authorization view, and not enough to answer it.
public struct PartialRequest: Sendable, Equatable {
  /// The requested documents and the readers that signed.
  public let request: ISO18013MobileDocumentRequest
  /// The request in OpenID4VP, whose documents these are; nil for one of mobile documents.
  public let openID4VP: OpenID4VPRequest?
  /// The certificate chain of each reader as received: DER, leaf first.
  public let chains: [[[UInt8]]]
  /// Accepted departures: omitted signatures of unknown kinds, deviations of the encoding.
  public let findings: [CheckResult]

  /// Creates a partial request.
  public init(
    request: ISO18013MobileDocumentRequest, openID4VP: OpenID4VPRequest? = nil, chains: [[[UInt8]]],
    findings: [CheckResult]
  ) {
    self.request = request
    self.openID4VP = openID4VP
    self.chains = chains
    self.findings = findings
  }
}

extension PartialRequest {
  /// The part of a request with verified signatures.
  fileprivate init(_ request: AuthenticatedDeviceRequest) {
    self.init(
      request: ISO18013MobileDocumentRequest(request), chains: request.readersOfAll.map(\.encodedChain),
      findings: request.findings)
  }
}

/// The parser of untrusted requests: a function of the bytes and the origin, without clock, storage or other parties.
///
/// The order of its steps is the protection: limits, text, envelope, every signature, and only then the requested documents
/// and the recipient's key.
public enum RequestSandbox {
  /// Parses a request.
  ///
  /// - Parameters:
  ///   - requestData: UTF-8 JSON from the browser, or, in person, that of an `InPersonRequest`.
  ///   - origin: The serialized origin of the page, from the browser, or `InPersonRequest.origin`.
  ///   - protocol: The protocol of OpenID4VP that the browser names; nil for a request for mobile documents.
  /// - Throws: ``SandboxRefusal``.
  public static func parse(
    _ requestData: [UInt8], origin: String, protocol: OpenID4VPExchangeProtocolIdentifier? = nil
  ) throws(SandboxRefusal) -> PartialRequest {
    if let excess = RequestLimit.data.excess(requestData.count) { throw SandboxRefusal(excess) }
    if origin == InPersonRequest.origin { return try parse(inPerson: requestData) }
    guard !origin.isEmpty, origin != "null" else { throw SandboxRefusal(.origin) }
    if let `protocol` { return try parse(requestData, origin: origin, openID4VP: `protocol`) }
    let (data, deviceRequest) = try text(requestData)
    let authenticated: AuthenticatedDeviceRequest
    do {
      // The transcript binds the text of the encryption information, which is decoded only after all signatures verified.
      // The one exception is the explanation of a signature that does not verify.
      authenticated = try UnverifiedDeviceRequest(deviceRequest).authenticate(
        over: EncryptionInfo.sessionTranscript(encryptionInfoText: data.encryptionInfo, origin: origin),
        explainer: TranscriptExplainer(
          TranscriptInputs(encryptionInfoText: data.encryptionInfo, origin: origin)))
    } catch {
      throw SandboxRefusal(error, origin: origin)
    }
    do { _ = try EncryptionInfo(text: data.encryptionInfo) } catch { throw SandboxRefusal(error) }
    return PartialRequest(authenticated)
  }

  /// Parses a request in OpenID4VP. Its signatures verify with the keys of the certificates in it; whether an authority is
  /// trusted is for the apps.
  private static func parse(
    _ requestData: [UInt8], origin: String, openID4VP kind: OpenID4VPExchangeProtocolIdentifier
  ) throws(SandboxRefusal) -> PartialRequest {
    let signed: SignedPresentationRequest
    do {
      signed = try RequestAuthenticator.read(protocol: kind.rawValue, data: requestData, origin: origin)
    } catch {
      throw SandboxRefusal(error)
    }
    let chains = signed.signers.map(\.encodedChain).filter { !$0.isEmpty }
    let request = OpenID4VPRequest(signed)
    do throws(RequestLimit.Excess) {
      if let excess = RequestLimit.readerSignatures.excess(chains.count) { throw excess }
      return PartialRequest(
        request: try request.documents(), openID4VP: request, chains: chains,
        findings: signed.rejectedSigners.map(\.result)
          + signed.parameters.query.findings.map { finding in
            CheckResult(PresentationRequestCheck.query.id, .deviates, message: finding.message)
          })
    } catch {
      throw SandboxRefusal(error)
    }
  }

  /// Parses a request of a reader near the device, whose session transcript comes from the device's own part.
  private static func parse(inPerson requestData: [UInt8]) throws(SandboxRefusal) -> PartialRequest {
    guard let data = InPersonRequest(json: requestData) else { throw SandboxRefusal(.requestData) }
    do {
      return PartialRequest(
        try UnverifiedDeviceRequest(data.deviceRequest).authenticate(
          over: data.transcript, explainer: TranscriptExplainer(inPerson: data.transcript)))
    } catch {
      throw SandboxRefusal(error, origin: InPersonRequest.origin)
    }
  }

  /// Returns the texts of a request and the bytes of the device request, which are not parsed yet.
  private static func text(
    _ requestData: [UInt8]
  ) throws(SandboxRefusal) -> (data: RequestData, deviceRequest: [UInt8]) {
    let data: RequestData
    do { data = try RequestData(json: requestData) } catch { throw SandboxRefusal(error) }
    if let excess = RequestLimit.encryptionInfo.excess(data.encryptionInfo.utf8.count) { throw SandboxRefusal(excess) }
    do { return (data, try data.deviceRequestBytes()) } catch { throw SandboxRefusal(error) }
  }
}

/// Apple's validator of raw requests for browsers: checks the signatures and parses the part for an authorization view.
public struct IdentityDocumentWebPresentmentRawRequestValidator: Sendable {
  /// Creates a validator.
  public init() {}

  /// Checks signatures and parses a request in OpenID4VP.
  ///
  /// - Parameters:
  ///   - requestData: UTF-8 JSON.
  ///   - exchangeProtocol: The protocol that the page names.
  ///   - origin: The origin of the website. A path of `/` is ignored.
  /// - Throws: `IdentityDocumentPresentmentError` with code `invalidRequest`.
  public func validateOpenID4VPRequest(
    _ requestData: Data, exchangeProtocol: OpenID4VPExchangeProtocolIdentifier, origin: URL
  ) throws -> OpenID4VPRequest {
    let partial = try Self.parsed { () throws(SandboxRefusal) in
      try RequestSandbox.parse([UInt8](requestData), origin: origin.serializedOrigin, protocol: exchangeProtocol)
    }
    guard let request = partial.openID4VP else { throw IdentityDocumentPresentmentError(.invalidRequest) }
    return request
  }

  /// Checks signatures and parses a request.
  ///
  /// - Parameters:
  ///   - requestData: UTF-8 JSON with the base64url texts `deviceRequest` and `encryptionInfo`.
  ///   - origin: The origin of the website. A path of `/` is ignored.
  /// - Throws: `IdentityDocumentPresentmentError` with code `invalidRequest`.
  public func validateISO18013MobileDocumentRequest(
    _ requestData: Data, origin: URL
  ) throws -> ISO18013MobileDocumentRequest {
    try Self.parsed { () throws(SandboxRefusal) in
      try RequestSandbox.parse([UInt8](requestData), origin: origin.serializedOrigin)
    }.request
  }

  private static func parsed(_ parse: () throws(SandboxRefusal) -> PartialRequest) throws -> PartialRequest {
    do throws(SandboxRefusal) { return try parse() } catch {
      throw IdentityDocumentPresentmentError(
        .invalidRequest, debugDescription: "\(error.message) (\(error.name))")
    }
  }
}

extension CheckFailure<SandboxCheck> {
  /// The refusal of a request in OpenID4VP: its reason is the failure's name.
  init(_ failure: PresentationRequestFailure) {
    self.init(.presentationRequest, .presentationRequest(failure.finding), failure.message, evidence: failure.evidence)
  }

  init(_ excess: RequestLimit.Excess) {
    self.init(.limits, .limit(excess.limit), excess.message, evidence: excess.evidence)
  }

  init(_ error: ExchangeError) {
    if let excess = error.excess {
      self.init(excess)
      return
    }
    switch error.code {
    case .requestData, .encryptedResponse, .envelope, .topics, .encapsulatedKey, .opening, .sealing:
      self.init(.requestData, nil, error.message)
    case .encryptionInfo, .nonce: self.init(.encryptionInfo, nil, error.message)
    }
  }

  /// - Parameter origin: For which signatures were checked; evidence when one does not verify.
  init(_ error: DeviceRequestError, origin: String) {
    if let excess = error.excess {
      self.init(excess)
      return
    }
    switch error.code {
    case .malformed, .limit: self.init(.deviceRequest, nil, error.message, evidence: error.fields)
    case .version: self.init(.version, nil, error.message, evidence: error.fields)
    case .readerCertificate: self.init(.readerCertificate, nil, error.message, evidence: error.fields)
    case .readerSignature:
      self.init(
        .readerSignature, nil, error.message,
        evidence: error.fields + [CheckResult.Evidence("origin", found: origin)])
    }
  }
}
