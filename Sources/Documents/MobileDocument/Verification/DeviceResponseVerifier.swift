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
/// 2. for each document: signature of the issuer, path to a trusted root, profile of the signer certificate
/// 3. mobile security object: version, document type, dates, algorithms, device key
/// 4. digest of every element; each element by itself
/// 5. authentication by the device
/// 6. agreement of elements with the signer certificate
/// 7. what was returned against what was requested
///
/// A part that cannot be read leaves out only what depends on it. Whether a document is revoked is looked up afterwards,
/// and only of a response that verified: ``VerificationReport/checkingStatus(_:under:formPolicy:at:)``.
public struct DeviceResponseVerifier: Sendable {
  /// Certificates of the issuing authorities that are trusted.
  public let trustedIssuers: TrustedCertificates
  /// Ephemeral reader key for message authentication codes; none over the Digital Credentials API.
  public let ephemeralReaderKey: P256.KeyAgreement.PrivateKey?
  /// The findings that refuse.
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

  /// A verifier that trusts some issuing authorities, also some whose keys have no implementation here.
  /// - Parameters:
  ///   - trustedIssuers: Certificates that are trusted for `CertificateProfile.documentSigner`.
  ///   - ephemeralReaderKey: The reader's key for message authentication codes; nil over the Digital Credentials
  ///     API.
  ///   - policy: The findings that refuse.
  public init(
    trustedIssuers: TrustedCertificates, ephemeralReaderKey: P256.KeyAgreement.PrivateKey? = nil,
    policy: VerificationPolicy = .standard
  ) {
    self.trustedIssuers = trustedIssuers
    self.ephemeralReaderKey = ephemeralReaderKey
    self.policy = policy
  }

  /// Verifies a response, and remembers nothing of it.
  public func verify(
    _ bytes: [UInt8], over transcript: SessionTranscript?, requests: [ItemsRequest]?,
    useCases: [DeviceRequestInfo.UseCase] = [], at moment: DateTime, explainer: (any SignatureExplainer)? = nil
  ) async -> VerificationReport {
    var memory = CertificateMemory()
    return await verify(
      bytes, over: transcript, requests: requests, useCases: useCases, at: moment, explainer: explainer,
      remembering: &memory)
  }

  /// Verifies a response.
  ///
  /// - Parameters:
  ///   - bytes: The encoded `DeviceResponse`.
  ///   - transcript: The session transcript of device and reader; nil leaves out the checks of the device authentication,
  ///     so that the report can have issuer data at most.
  ///   - requests: The requested documents; nil leaves out the comparison.
  ///   - useCases: The requests that belong together; none when the request named none.
  ///   - moment: The time for which everything must be valid.
  ///   - explainer: Explains the first device signature that does not verify.
  ///   - memory: The certificates of the responses before. A verifier with many responses of few issuers keeps it.
  public func verify(
    _ bytes: [UInt8], over transcript: SessionTranscript?, requests: [ItemsRequest]?,
    useCases: [DeviceRequestInfo.UseCase] = [], at moment: DateTime, explainer: (any SignatureExplainer)? = nil,
    remembering memory: inout CertificateMemory
  ) async -> VerificationReport {
    let reading = ResponseReading(bytes)
    let first = CheckRun(ResponseCheck.ofResponse, policy: policy, reading.outcome(of:))
    guard let response = reading.response else { return VerificationReport(checks: first.results, verified: nil) }
    var explainer = explainer
    var documents: [DocumentVerification] = []
    for document in response.documents {
      var verification = DocumentVerification(document: document)
      verification.checkIssuer(remembering: &memory)
      await verification.checkSigner(trusted: trustedIssuers, at: moment, policy: policy)
      verification.checkSecurityObject(at: moment)
      verification.checkElements()
      let types = (verification.object.map { [$0.documentType] } ?? []) + (requests ?? []).map(\.documentType)
      verification.checkDevice(over: transcript, readerKey: ephemeralReaderKey) { failed, device in
        // Each explanation costs many signature checks, so a response gets one.
        defer { explainer = nil }
        return explainer?.explanation(
          of: failed,
          over: DeviceAuthenticationParts(
            documentType: document.documentType, otherDocumentTypes: types, nameSpacesBytes: device.nameSpacesBytes))
      }
      verification.checkIssuingPlace()
      documents.append(verification)
    }
    let asked = requests?.map(RequestedElements.init)
    let answered = RequestMatching(documents, asked ?? []).requests
    var runs = [first]
    var verified: [VerifiedDocument] = []
    var issued: [VerifiedDocument] = []
    for (place, position) in answered.enumerated() {
      documents[place].checkRequest(answering: position, of: asked)
      let document = documents[place]
      let run = CheckRun(ResponseCheck.ofDocument, subject: document.document.documentType, policy: policy) {
        document.outcomes[$0]
      }
      runs.append(run)
      if let result = document.verified(run) { verified.append(result) }
      if transcript == nil, let result = document.issued(run) { issued.append(result) }
    }
    let last = CheckRun(ResponseCheck.ofDocuments, policy: policy) { _ in
      Self.documentsReturned(response, answered: answered.compactMap(\.self), of: requests, useCases: useCases)
    }
    runs.append(last)
    let isAccepted = first.isAccepted && last.isAccepted
    let isVerified = isAccepted && verified.count == documents.count
    let isIssued = isAccepted && issued.count == documents.count && !isVerified
    return VerificationReport(
      checks: runs.flatMap(\.results), verified: isVerified ? VerifiedDeviceResponse(documents: verified) : nil,
      issuerData: isIssued ? IssuerData(documents: issued) : nil)
  }
}

/// The checks of one document, made or not reached.
struct DocumentVerification {
  let document: UnverifiedDocument
  var outcomes = CheckOutcomes<ResponseCheck>()
  /// The issuer's signature, verified or not; nil if it is malformed.
  var signature: COSESign1?
  /// The readable certificates that came with the signature, the signer's first; empty if the signer's cannot be read.
  var chain: [CertificateFields] = []
  /// The path, or nil without an accepted signer certificate.
  var path: ValidatedCertificatePath?
  /// The mobile security object; nil if its structure cannot be read.
  var object: MobileSecurityObject?

  /// The verified document; nil unless every check was made and none failed.
  func verified(_ run: CheckRun<ResponseCheck>) -> VerifiedDocument? {
    run.isAccepted ? result(with: document.elements) : nil
  }

  /// The document with the elements that the issuer signed, for which no device was authenticated; nil if another check
  /// failed or was not made.
  func issued(_ run: CheckRun<ResponseCheck>) -> VerifiedDocument? {
    let ofDevice = Set(ResponseCheck.ofDevice.map(\.id))
    let isAccepted = run.results.allSatisfy {
      $0.status == .notReached ? ofDevice.contains($0.check) : $0.status != .failed
    }
    return isAccepted ? result(with: document.elements.filter { !$0.isDeviceSigned }) : nil
  }

  private func result(with elements: [VerifiedDocument.Element]) -> VerifiedDocument? {
    guard let path, let object, let validity = object.validity else { return nil }
    return VerifiedDocument(
      documentType: object.documentType, elements: elements, issuer: path.anchor.commonName,
      issuerPath: path, validUntil: validity.validUntil,
      statusQuery: StatusQuery(documentType: object.documentType, status: object.status, path: path),
      isOfTestProgramme: VerifiedDocument.hasTestMark(path, document.elements))
  }
}

/// A device response that passed every check. Only ``DeviceResponseVerifier`` makes one, from complete runs of checks, and
/// code that uses elements accepts only this type.
public struct VerifiedDeviceResponse: Sendable {
  /// The documents, in the order returned.
  public let documents: [VerifiedDocument]

  init(documents: [VerifiedDocument]) { self.documents = documents }

  /// Joins the verified documents of an answer with several presentations.
  package init(presented documents: [VerifiedDocument]) { self.init(documents: documents) }
}

/// Documents whose issuer's data are verified, and for which no device was authenticated: anyone who has seen a document
/// can show its issuer's data. Only ``DeviceResponseVerifier`` makes them, without a session transcript.
public struct IssuerData: Sendable {
  /// The documents, with the elements that the issuer signed.
  public let documents: [VerifiedDocument]

  package init(documents: [VerifiedDocument]) { self.documents = documents }
}

/// A verified document.
public struct VerifiedDocument: Sendable {
  /// `DocType`.
  public let documentType: String
  /// The elements, in the order returned. Their values are the holder's secrets.
  public let elements: [Element]
  /// The issuer: common name of the trusted certificate that the signer certificate leads to, or is itself.
  public let issuer: String?
  /// The authority key identifiers of the signer certificate and of those above it. They are read when a query names
  /// authorities, and not for each document.
  package var issuerKeyIdentifiers: [[UInt8]] {
    issuerPath?.certificates.compactMap(\.authorityKeyIdentifier) ?? presentedKeyIdentifiers
  }
  /// True for a mobile document, false for a credential in another format.
  package var isMobileDocument: Bool { issuerPath != nil }
  /// The path of a mobile document's signer certificate.
  private let issuerPath: ValidatedCertificatePath?
  /// The identifiers of a credential in another format.
  private let presentedKeyIdentifiers: [[UInt8]]
  /// The end of the validity that the issuer set; nil for a credential without one.
  public let validUntil: DateTime?
  /// The data to look up its status; nil if its issuer publishes none.
  let statusQuery: StatusQuery?
  /// True if the document or a certificate above it has the mark of a test programme.
  public let isOfTestProgramme: Bool

  /// Creates a document that the verifier of its format has verified.
  /// - Parameters:
  ///   - issuerPath: The path of a mobile document's signer certificate; nil for a credential in another format.
  ///   - presentedKeyIdentifiers: The identifiers of a credential in another format.
  package init(
    documentType: String, elements: [Element], issuer: String?, issuerPath: ValidatedCertificatePath? = nil,
    presentedKeyIdentifiers: [[UInt8]] = [], validUntil: DateTime?, statusQuery: StatusQuery?, isOfTestProgramme: Bool
  ) {
    self.documentType = documentType
    self.elements = elements
    self.issuer = issuer
    self.issuerPath = issuerPath
    self.presentedKeyIdentifiers = presentedKeyIdentifiers
    self.validUntil = validUntil
    self.statusQuery = statusQuery
    self.isOfTestProgramme = isOfTestProgramme
  }

  /// A verified element.
  public struct Element: Sendable {
    /// `NameSpace`.
    public let nameSpace: String
    /// `DataElementIdentifier`.
    public let identifier: String
    /// Its value.
    public let value: CBORValue
    /// True if the device signed the element with the issuer's authorization; false if the issuer signed it.
    public let isDeviceSigned: Bool
    /// The value as its issuer wrote it in JSON, if CBOR has no equal one, as for `1.80`; nil otherwise.
    package let written: [UInt8]?

    /// Creates an element.
    package init(
      nameSpace: String, identifier: String, value: CBORValue, isDeviceSigned: Bool, written: [UInt8]? = nil
    ) {
      self.nameSpace = nameSpace
      self.identifier = identifier
      self.value = value
      self.isDeviceSigned = isDeviceSigned
      self.written = written
    }
  }
}

/// Every check of a verification and, if none failed, the verified response.
public struct VerificationReport: Sendable {
  /// The checks in the order of the standard.
  public let checks: [CheckResult]
  /// The verified response; nil when a check failed.
  public let verified: VerifiedDeviceResponse?
  /// The issuer's data of a response that was verified without a session transcript; nil when a check failed.
  public var issuerData: IssuerData?

  package init(checks: [CheckResult], verified: VerifiedDeviceResponse?, issuerData: IssuerData? = nil) {
    self.checks = checks
    self.verified = verified
    self.issuerData = issuerData
  }

  /// The documents that were found: verified, or with their issuer's data alone; empty if the response is refused.
  var foundDocuments: [VerifiedDocument] { verified?.documents ?? issuerData?.documents ?? [] }

  /// Returns a report of a further part of the verification, refused unless the part accepts the documents.
  func replacing(_ checks: [CheckResult], isAccepted: Bool) -> VerificationReport {
    VerificationReport(checks: checks, verified: isAccepted ? verified : nil, issuerData: isAccepted ? issuerData : nil)
  }

  /// The first check that failed, or that was not reached if none failed; nil if the response is verified.
  public var failure: CheckResult? {
    checks.failure ?? (verified == nil ? checks.first { $0.status == .notReached } : nil)
  }
}

extension [CheckResult] {
  /// The first check that failed.
  public var failure: CheckResult? {
    // A result has many references, so it is copied only if it failed.
    for place in indices where self[place].status == .failed { return self[place] }
    return nil
  }
}
