import CBOR
import COSE
import Certificates
import Checks
import Primitives
import X509

/// A received device request (ISO/IEC 18013-5, 8.3.2.1.2.1). The items stay encoded byte strings until
/// ``authenticate(over:explainer:known:)`` has verified every supported signature over them. ``unverifiedContents()`` reads them
/// before, only to compare them with what was shown already.
public struct UnverifiedDeviceRequest: Sendable {
  struct DocumentRequest: Sendable {
    /// The received tag-24 item.
    let itemsRequestBytes: [UInt8]
    /// The encoded content of the item.
    let itemsRequest: [UInt8]
  }

  /// A received reader signature.
  struct ReaderSignature: Sendable {
    /// The path of the signature in the request.
    let name: String
    let coverage: ReaderAuthentication.Coverage
    let signature: COSESign1
    /// The certificates, leaf first, or the reason why they cannot be read. Empty without a certificate chain.
    let chain: Result<[Certificate], CertificateRuleError>
  }

  /// The received version, with major version 1.
  public let version: String
  let documentRequests: [DocumentRequest]
  let deviceRequestInfoBytes: [UInt8]?
  let deviceRequestInfo: [UInt8]?
  /// Every reader signature, in the order of verification.
  let signatures: [ReaderSignature]

  /// A Boolean value that indicates whether the request has a reader signature.
  public var isSigned: Bool { !signatures.isEmpty }

  /// Returns the payload that every entry of `readerAuthAll` signs.
  public func readerAuthenticationAllBytes(over transcript: SessionTranscript) -> [UInt8] {
    transcript.readerAuthenticationAllBytes(
      itemsRequestBytes: documentRequests.map(\.itemsRequestBytes), deviceRequestInfoBytes: deviceRequestInfoBytes)
  }

  /// Reads the requested documents and the certificates before any signature is verified. Use the result only for a
  /// comparison with what was shown to the person.
  /// - Throws: ``DeviceRequestError``.
  public func unverifiedContents() throws(DeviceRequestError) -> UnverifiedRequestContents {
    let contents = try readContents()
    var claims: [ReaderAuthentication] = []
    for reader in signatures {
      switch reader.chain {
      case .success(let chain):
        guard let leaf = chain.first, Self.isKnown(reader.signature, leaf: leaf) else { continue }
        claims.append(ReaderAuthentication(reader, chain: chain))
      case .failure(let error):
        guard error.isOfUnknownKind else { throw DeviceRequestError(.readerCertificate, error.message) }
      }
    }
    return UnverifiedRequestContents(
      contents: contents,
      chains: ReaderAuthentication.ofAll(claims, documents: contents.documents.count).map(\.chain))
  }

  /// Verifies every reader signature over the transcript, then reads the requested documents.
  ///
  /// A signature that does not verify refuses the whole request, because the request was altered. A signature with an
  /// unsupported algorithm or curve is omitted, with a finding.
  ///
  /// - Parameters:
  ///   - transcript: The transcript that the readers signed over.
  ///   - explainer: Diagnoses the first signature that does not verify.
  ///   - known: What the caller has read of the request. It is not read again if it is of the same bytes.
  /// - Throws: ``DeviceRequestError``.
  public func authenticate(
    over transcript: SessionTranscript, explainer: (any SignatureExplainer)? = nil,
    known: UnverifiedRequestContents? = nil
  ) throws(DeviceRequestError) -> AuthenticatedDeviceRequest {
    var authentications: [ReaderAuthentication] = []
    var findings: [CheckResult] = []
    for reader in signatures {
      let signed: [UInt8] =
        switch reader.coverage {
        case .all: readerAuthenticationAllBytes(over: transcript)
        case .document(let position):
          transcript.readerAuthenticationBytes(itemsRequestBytes: documentRequests[position].itemsRequestBytes)
        }
      let chain = try Self.check(reader, over: signed, findings: &findings) { failed in
        explainer?.explanation(
          of: failed,
          over: ReaderAuthenticationParts(
            coverage: reader.coverage, itemsRequestBytes: documentRequests.map(\.itemsRequestBytes),
            deviceRequestInfoBytes: deviceRequestInfoBytes))
      }
      if let chain { authentications.append(ReaderAuthentication(reader, chain: chain)) }
    }
    let contents: RequestContents
    if let known, isEncoded(known.contents) { contents = known.contents } else { contents = try readContents() }
    return AuthenticatedDeviceRequest(
      version: version, documentRequests: contents.documents, deviceRequestInfo: contents.info,
      readerAuthentications: authentications, findings: findings)
  }

  private func isEncoded(_ contents: RequestContents) -> Bool {
    contents.encodedDocuments == documentRequests.map(\.itemsRequest) && contents.encodedInfo == deviceRequestInfo
  }

  private func readContents() throws(DeviceRequestError) -> RequestContents {
    var documents: [EncodedCBOR<ItemsRequest>] = []
    for (position, request) in documentRequests.enumerated() {
      let value = try DeviceRequestError.reading("docRequests[\(position)].itemsRequest") {
        try ItemsRequest(reading: CBORReader.read(request.itemsRequest))
      }
      documents.append(EncodedCBOR(value, encodedAs: request.itemsRequest))
    }
    var info: DeviceRequestInfo?
    if let deviceRequestInfo {
      info = try DeviceRequestError.reading("deviceRequestInfo") {
        try DeviceRequestInfo(reading: CBORReader.read(deviceRequestInfo), documentCount: documents.count)
      }
    }
    return RequestContents(
      documents: documents, info: info, encodedDocuments: documentRequests.map(\.itemsRequest),
      encodedInfo: deviceRequestInfo)
  }

  /// Returns whether the algorithm and curve of a signature are supported.
  private static func isKnown(_ signature: COSESign1, leaf: Certificate) -> Bool {
    if case .unknown? = signature.headers.algorithm { return false }
    return (try? leaf.verificationKey()) != nil
  }

  /// Verifies a signature. Returns its certificate chain, or nil if its algorithm or curve is unsupported.
  private static func check(
    _ reader: ReaderSignature, over signed: [UInt8], findings: inout [CheckResult],
    explaining explain: (FailedSignature) -> Explanation?
  ) throws(DeviceRequestError) -> [Certificate]? {
    let name = reader.name
    let signature = reader.signature
    guard signature.headers.x5chain?.isEmpty == false else {
      throw DeviceRequestError(.readerCertificate, "\(name) has no certificate chain")
    }
    let attached: [COSEDeviation] = signature.unverifiedPayload == nil ? [] : [.attachedPayload]
    findings += (signature.deviations + attached).map { departure($0, of: name) }
    let chain: [Certificate]
    do {
      chain = try reader.chain.get()
    } catch {
      guard error.isOfUnknownKind else { throw DeviceRequestError(.readerCertificate, "\(name): \(error.message)") }
      findings.append(leftOut(name, error.message, rule: error.rule))
      return nil
    }
    for (position, certificate) in chain.dropLast().enumerated() {
      guard certificate.isSigned(by: chain[position + 1]) else {
        throw DeviceRequestError(
          .readerCertificate, "certificate \(position) of \(name) is not signed by the next certificate")
      }
    }
    var key: VerificationKey?
    do {
      let leafKey = try chain[0].verificationKey()
      key = leafKey
      try signature.verify(with: leafKey, detachedPayload: signed)
    } catch  where .curveUnsupported ~= error || .algorithmUnsupported ~= error {
      findings.append(leftOut(name, error.message))
      return nil
    } catch {
      // A diagnosis of the signed content does not explain an error of the algorithm.
      let isOverOther = [.signature, .payload].contains(error.code)
      let explanation = key.flatMap { isOverOther ? explain(FailedSignature(signature, key: $0)) : nil }
      throw DeviceRequestError(
        .readerSignature, "\(name) does not verify: \(explanation?.message ?? error.message)",
        fields: (explanation?.evidence ?? [])
          + [CheckResult.Evidence("certificate", found: chain[0].subject.description)])
    }
    return chain
  }

  private static func departure(_ deviation: COSEDeviation, of name: String) -> CheckResult {
    let finding = CheckFinding(ReaderCheck.signature, .form)
    return finding.result(subject: name, "\(finding.message): \(deviation.rawValue)")
  }

  private static func leftOut(_ name: String, _ reason: String, rule: CertificateRule? = nil) -> CheckResult {
    CheckFinding(ReaderCheck.signature, .unsupported).result(
      subject: name, "left out: \(reason)",
      evidence: rule.map { [CheckResult.Evidence("rule", found: $0.name)] } ?? [])
  }
}

/// The contents of a request with the bytes that they were read from.
struct RequestContents: Sendable {
  let documents: [EncodedCBOR<ItemsRequest>]
  let info: DeviceRequestInfo?
  let encodedDocuments: [[UInt8]]
  let encodedInfo: [UInt8]?
}

/// The unverified content of a request. See ``UnverifiedDeviceRequest/unverifiedContents()``.
public struct UnverifiedRequestContents: Sendable {
  let contents: RequestContents
  /// The certificates of each signature, leaf first.
  public let chains: [[Certificate]]

  /// The requested documents.
  public var documentRequests: [ItemsRequest] { contents.documents.map(\.value) }
  /// The use cases, if present.
  public var deviceRequestInfo: DeviceRequestInfo? { contents.info }
}

/// A verified reader signature with its certificate chain. The chain is not validated: each document provider has its
/// own trusted roots.
public struct ReaderAuthentication: Sendable, Equatable {
  /// The part of the request that a signature covers.
  public enum Coverage: Sendable, Equatable {
    /// Every document request and the request information (`readerAuthAll`).
    case all
    /// One document request (`readerAuth`).
    case document(Int)
  }

  /// The path of the signature in the request.
  public let name: String
  /// The part of the request that the signature covers.
  public let coverage: Coverage
  /// The certificates, leaf first, at least one.
  public let chain: [Certificate]
  /// DER of each certificate, as received.
  package let encodedChain: [[UInt8]]

  init(_ reader: UnverifiedDeviceRequest.ReaderSignature, chain: [Certificate]) {
    name = reader.name
    coverage = reader.coverage
    self.chain = chain
    encodedChain = reader.signature.headers.x5chain ?? []
  }

  /// The signer's certificate.
  public var leaf: Certificate { chain[0] }

  /// Returns the signatures of the readers that signed the whole request: with `readerAuthAll`, or with `readerAuth` on
  /// every document and the same certificate. Of the latter, returns only the first.
  static func ofAll(_ authentications: [ReaderAuthentication], documents: Int) -> [ReaderAuthentication] {
    authentications.filter { one in
      guard case .document(let position) = one.coverage else { return true }
      return position == 0
        && (0..<documents).allSatisfy { document in
          authentications.contains { $0.coverage == .document(document) && $0.leaf == one.leaf }
        }
    }
  }
}

/// A device request with every supported signature verified, or an unsigned one. Only
/// ``UnverifiedDeviceRequest/authenticate(over:explainer:known:)`` creates one.
public struct AuthenticatedDeviceRequest: Sendable {
  /// The received version.
  public let version: String
  /// The requested documents with their received bytes.
  public let documentRequests: [EncodedCBOR<ItemsRequest>]
  /// The use cases, if present.
  public let deviceRequestInfo: DeviceRequestInfo?
  /// The verified signatures, or empty for an unsigned request.
  public let readerAuthentications: [ReaderAuthentication]
  /// Omitted signatures and accepted deviations.
  public let findings: [CheckResult]

  /// The readers that signed the whole request (ISO/IEC 18013-5 second edition draft, 12.5.4).
  public var readersOfAll: [ReaderAuthentication] {
    ReaderAuthentication.ofAll(readerAuthentications, documents: documentRequests.count)
  }

  /// Returns the signatures that cover a document request.
  public func readerAuthentications(covering document: Int) -> [ReaderAuthentication] {
    readerAuthentications.filter { $0.coverage == .all || $0.coverage == .document(document) }
  }
}

/// The checks of a reader signature whose failures are accepted. A signature that does not verify refuses the request
/// with ``DeviceRequestError``.
public enum ReaderCheck: CheckFamily {
  case signature

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case form, unsupported
  }

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .signature:
      CheckDefinition(
        "reader.signature", "the reader signature has the required form and a supported algorithm",
        clause: "ISO/IEC 18013-5, 9.1.4.4",
        [
          .deviation(Reason.form, "the reader signature departs from the required form"),
          .deviation(Reason.unsupported, "a reader signature with an unsupported algorithm or key is left out"),
        ])
    }
  }
}
