import CBOR
import COSE
import Crypto
import X509

/// Verifies device responses: one page, in the order of the standard, every finding collected.
///
/// 1. read the response, its version and status
/// 2. for each document: signature of the issuer, path to a trusted root, profile of the signer's certificate
/// 3. mobile security object: version, document type, dates
/// 4. digest of every element
/// 5. authentication by the device
/// 6. agreement of elements with the signer's certificate and with the request
public struct DeviceResponseVerifier: Sendable {
  /// Roots of the issuing authorities that are trusted.
  public let trustedIssuers: TrustedCertificates
  /// Ephemeral reader key for message authentication codes; none over the Digital Credentials API.
  public let ephemeralReaderKey: P256.KeyAgreement.PrivateKey?

  /// A verifier that trusts some issuing authorities.
  public init(trustedIssuers: [Certificate], ephemeralReaderKey: P256.KeyAgreement.PrivateKey? = nil) {
    self.trustedIssuers = TrustedCertificates(trustedIssuers, for: .documentSigner)
    self.ephemeralReaderKey = ephemeralReaderKey
  }

  /// Verifies a response.
  ///
  /// - Parameters:
  ///   - bytes: the encoded `DeviceResponse`.
  ///   - transcript: what device and reader must agree on.
  ///   - requests: what was asked for; nil leaves out the comparison.
  ///   - useCases: which of the requests belong together; none when the request named none.
  ///   - moment: the time for which everything must be valid.
  public func verify(
    _ bytes: [UInt8], over transcript: SessionTranscript, requests: [ItemsRequest]?,
    useCases: [DeviceRequestInfo.UseCase] = [], at moment: DateTime
  ) async -> VerificationReport {
    var list = Checklist<ResponseCheck>(ResponseCheck.ofResponse)
    let response: UnverifiedDeviceResponse
    do {
      response = try UnverifiedDeviceResponse(bytes)
    } catch {
      list.fail(
        .readable, "the device response is malformed: \(error.sentence)",
        [CheckResult.Evidence("DeviceResponse", found: "\(error.code.rawValue) at byte \(error.offset)")])
      return VerificationReport(checks: list.results, verified: nil)
    }
    if let first = response.deviations.first {
      list.deviate(
        .readable, "\(response.deviations.count) items are not encoded as required, first at byte \(first.offset)",
        [CheckResult.Evidence("encoding", found: first.code.rawValue)])
    } else {
      list.pass(.readable)
    }
    list.require(
      response.version.hasPrefix("1."), .version, nil,
      [CheckResult.Evidence("version", expected: "1.x", found: response.version)])
    list.require(
      response.status == 0, .status, nil,
      [CheckResult.Evidence("status", expected: "0", found: String(response.status))])
    if let requests { checkDocumentsReturned(response, requests: requests, useCases: useCases, list: &list) }

    var checks = list.results
    var holds = list.holds
    var verified: [VerifiedDocument] = []
    for document in response.documents {
      let (results, result) = await verify(document, over: transcript, requests: requests, at: moment)
      checks += results
      if let result { verified.append(result) } else { holds = false }
    }
    return VerificationReport(
      checks: checks, verified: holds ? VerifiedDeviceResponse(documents: verified) : nil)
  }

  private func checkDocumentsReturned(
    _ response: UnverifiedDeviceResponse, requests: [ItemsRequest], useCases: [DeviceRequestInfo.UseCase],
    list: inout Checklist<ResponseCheck>
  ) {
    func isReturned(_ request: ItemsRequest) -> Bool {
      response.documents.contains { $0.documentType == request.documentType }
    }
    func fail(_ sentence: String) {
      list.fail(
        .documentReturned, sentence,
        [
          CheckResult.Evidence(
            "documents", expected: requests.map(\.documentType).joined(separator: ", "),
            found: response.documents.map(\.documentType).joined(separator: ", "))
        ])
    }
    guard !response.documents.isEmpty else { return fail("the response holds no document") }
    let isMet = useCases.filter(\.isMandatory).allSatisfy { useCase in
      useCase.documentSets.contains { set in
        set.allSatisfy { requests.indices.contains($0) && isReturned(requests[$0]) }
      }
    }
    guard isMet else { return fail("the documents of a mandatory use case are not all in the response") }
    for request in requests where !isReturned(request) {
      list.deviate(.documentReturned, "\(request.documentType) was requested and is not in the response")
    }
    list.pass(.documentReturned)
  }

  private func verify(
    _ document: UnverifiedDocument, over transcript: SessionTranscript, requests: [ItemsRequest]?, at moment: DateTime
  ) async -> ([CheckResult], VerifiedDocument?) {
    var list = Checklist<ResponseCheck>(ResponseCheck.ofDocument, subject: document.documentType)
    let matching = requests?.filter { $0.documentType == document.documentType }
    if let matching { list.require(!matching.isEmpty, .documentRequested) } else { list.pass(.documentRequested) }

    guard let issuer = checkIssuerSignature(document.issuerSigned, list: &list) else { return (list.results, nil) }
    let path = await checkPath(issuer.chain, at: moment, list: &list)
    let object: MobileSecurityObject
    do {
      object = try MobileSecurityObject(payload: issuer.payload)
    } catch {
      list.fail(.securityObjectReadable, "the mobile security object is malformed: \(error)")
      return (list.results, nil)
    }
    checkSecurityObject(object, document: document, signer: issuer.chain.first, at: moment, list: &list)
    checkDigests(document, object: object, list: &list)
    checkDevice(document, object: object, over: transcript, list: &list)
    checkAgreement(document, chain: issuer.chain, requests: matching, list: &list)

    guard list.holds, let path else { return (list.results, nil) }
    return (
      list.results,
      VerifiedDocument(
        documentType: object.documentType, elements: document.elements, issuer: path.anchor.commonName,
        validity: object.validity, statusQuery: StatusQuery(object, path: path))
    )
  }
}
