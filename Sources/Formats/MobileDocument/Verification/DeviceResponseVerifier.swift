import CBOR
import COSE
import Certificates
import Checks
import Crypto
import Primitives
import StatusLists
import X509

/// Verifies device responses: one page, in the order of the standard, every finding collected.
///
/// 1. read the response, its version and status
/// 2. for each document: signature of the issuer, path to a trusted root, profile of the signer's certificate
/// 3. mobile security object: version, document type, dates, algorithms, device key
/// 4. digest of every element; each element by itself
/// 5. authentication by the device
/// 6. agreement of elements with the signer's certificate
/// 7. what was returned against what was requested
///
/// A part that cannot be read leaves out only what depends on it. Whether a document is revoked is looked up afterwards,
/// and only of a response that verified: ``VerificationReport/checkingStatus(_:under:formPolicy:at:)``.
public struct DeviceResponseVerifier: Sendable {
  /// Certificates of the issuing authorities that are trusted.
  public let trustedIssuers: TrustedCertificates
  /// Ephemeral reader key for message authentication codes; none over the Digital Credentials API.
  public let ephemeralReaderKey: P256.KeyAgreement.PrivateKey?
  /// Which findings refuse.
  public let policy: VerificationPolicy

  /// A verifier that trusts some issuing authorities.
  public init(
    trustedIssuers: [Certificate], ephemeralReaderKey: P256.KeyAgreement.PrivateKey? = nil,
    policy: VerificationPolicy = .standard
  ) {
    self.init(
      trustedIssuers: TrustedCertificates(trustedIssuers, for: .documentSigner),
      ephemeralReaderKey: ephemeralReaderKey, policy: policy)
  }

  /// A verifier that trusts some issuing authorities, of which some may have keys without implementation here.
  /// - Parameter trustedIssuers: certificates trusted for ``CertificateProfile/documentSigner``.
  public init(
    trustedIssuers: TrustedCertificates, ephemeralReaderKey: P256.KeyAgreement.PrivateKey? = nil,
    policy: VerificationPolicy = .standard
  ) {
    self.trustedIssuers = trustedIssuers
    self.ephemeralReaderKey = ephemeralReaderKey
    self.policy = policy
  }

  /// Verifies a response.
  ///
  /// - Parameters:
  ///   - bytes: the encoded `DeviceResponse`.
  ///   - transcript: what device and reader must agree on.
  ///   - requests: what was asked for; nil leaves out the comparison.
  ///   - useCases: which of the requests belong together; none when the request named none.
  ///   - moment: the time for which everything must be valid.
  ///   - explainer: says what a device signature that does not verify is good for; asked once, for the first.
  public func verify(
    _ bytes: [UInt8], over transcript: SessionTranscript, requests: [ItemsRequest]?,
    useCases: [DeviceRequestInfo.UseCase] = [], at moment: DateTime, explainer: (any SignatureExplainer)? = nil
  ) async -> VerificationReport {
    var list = Checklist<ResponseCheck>(ResponseCheck.ofResponse, policy: policy)
    guard let response = read(bytes, list: &list) else {
      return VerificationReport(checks: list.results, verified: nil)
    }
    list.end()
    var checks = list.results
    var holds = list.holds
    var examined: [ExaminedDocument] = []
    var explainer = explainer
    for document in response.documents {
      examined.append(
        await examine(document, over: transcript, requests: requests, at: moment, explainer: &explainer))
    }
    let candidates = examined.map { RequestMatching.Candidate(document: $0.document, path: $0.path) }
    let answered = RequestMatching(candidates, requests ?? []).requests
    var verified: [VerifiedDocument] = []
    for (position, var document) in examined.enumerated() {
      checkRequested(
        document.document, path: document.path, answering: answered[position], of: requests, list: &document.list)
      document.list.end()
      checks += document.list.results
      if let result = document.verified { verified.append(result) } else { holds = false }
    }
    var ending = Checklist<ResponseCheck>(ResponseCheck.ofDocuments, policy: policy)
    checkDocumentsReturned(
      response, answered: answered.compactMap(\.self), of: requests, useCases: useCases, list: &ending)
    return VerificationReport(
      checks: checks + ending.results,
      verified: holds && ending.holds ? VerifiedDeviceResponse(documents: verified) : nil)
  }

  /// Reads the response, its version and its status; nil when it cannot be read.
  private func read(_ bytes: [UInt8], list: inout Checklist<ResponseCheck>) -> UnverifiedDeviceResponse? {
    let response: UnverifiedDeviceResponse
    do {
      response = try UnverifiedDeviceResponse(bytes)
    } catch {
      let check = ResponseCheck(error.code)
      list.fail(
        check, "\(check.sentence): \(error.sentence)",
        [CheckResult.Evidence("DeviceResponse", found: "\(error.code.rawValue) at byte \(error.offset)")])
      return nil
    }
    for check in [ResponseCheck.wellFormed, .duplicateKey, .trailingBytes, .bounded, .readable] { list.pass(check) }
    if let first = response.deviations.first {
      list.deviate(
        .encoding, "\(response.deviations.count) items are not encoded as required, first at byte \(first.offset)",
        [CheckResult.Evidence("encoding", found: first.code.rawValue)])
    }
    list.pass(.encoding)
    for departure in response.departures {
      let unread = response.unreadDocuments.map { CheckResult.Evidence("DeviceResponse", found: $0) }
      list.deviate(departure, under: .readable, nil, departure == .documentsUnread ? unread : [])
    }
    list.require(
      Self.isVersionOne(response.version), .version, Self.versionFault(response.version, of: "device response"),
      [CheckResult.Evidence("version", expected: "1.x", found: response.version)])
    list.require(
      response.status == 0, .status, nil,
      [CheckResult.Evidence("status", expected: "0", found: String(response.status))])
    return response
  }

  /// Whether a version is 1 with some minor number: a later one may add to what is read here, and change nothing of it.
  static func isVersionOne(_ version: String) -> Bool {
    let digits = version.utf8.dropFirst(2)
    return version.utf8.starts(with: "1.".utf8) && !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Why a version is none that is read here, where it is not that its major number is another; nil where it is.
  static func versionFault(_ version: String, of what: String) -> String? {
    let parts = version.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isVersion = parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }
    return isVersion ? nil : "the version of the \(what) is not two numbers with a point between them"
  }

  /// Looks at a document by itself, before it is known which request it answers.
  private func examine(
    _ document: UnverifiedDocument, over transcript: SessionTranscript, requests: [ItemsRequest]?, at moment: DateTime,
    explainer: inout (any SignatureExplainer)?
  ) async -> ExaminedDocument {
    var list = Checklist<ResponseCheck>(ResponseCheck.ofDocument, subject: document.documentType, policy: policy)
    let issuer = checkIssuerSignature(document.issuerSigned, list: &list)
    let chain = issuer?.chain ?? []
    let path = await checkPath(
      chain, documentType: document.documentType, at: moment, list: &list)
    let object = readSecurityObject(issuer, list: &list)
    if let object {
      checkSecurityObject(object, document: document, signer: chain.first, at: moment, list: &list)
      checkDigests(document, object: object, list: &list)
    }
    checkElements(document, list: &list)
    let types = (object.map { [$0.documentType] } ?? []) + (requests ?? []).map(\.documentType)
    checkDevice(document, object: object, over: transcript, list: &list) { failed, device in
      // Each explanation costs many signature checks, so a response gets one.
      defer { explainer = nil }
      return explainer?.explanation(
        of: failed,
        over: DeviceAuthenticationParts(
          documentType: document.documentType, otherDocumentTypes: types, nameSpacesBytes: device.nameSpacesBytes))
    }
    checkIssuingPlace(document, signer: chain.first, list: &list)
    return ExaminedDocument(document: document, path: path, object: object, list: list)
  }
}

/// A document with what was found about it by itself.
private struct ExaminedDocument {
  let document: UnverifiedDocument
  let path: ValidatedCertificatePath?
  let object: MobileSecurityObject?
  var list: Checklist<ResponseCheck>

  /// The document, verified; nil when a check failed.
  var verified: VerifiedDocument? {
    guard list.holds, let path, let object, let validity = object.validity else { return nil }
    return VerifiedDocument(
      documentType: object.documentType, elements: document.elements, issuer: path.anchor.commonName,
      validity: validity, statusQuery: StatusQuery(documentType: object.documentType, status: object.status, path: path)
    )
  }
}
