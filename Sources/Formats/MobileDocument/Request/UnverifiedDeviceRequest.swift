import CBOR
import COSE
import Certificates
import Checks
import X509

/// A device request as received (ISO/IEC 18013-5, 8.3.2.1.2.1). Of what it asks nothing is read yet: the items stay
/// closed byte strings until every signature over them of a known kind has been checked by ``authenticate(over:)``.
/// Only to compare with something already shown are they opened before, by ``unverifiedContents()``.
public struct UnverifiedDeviceRequest: Sendable {
  struct DocumentRequest: Sendable {
    /// The tag-24 item as received.
    let itemsRequestBytes: [UInt8]
    /// The encoded item inside.
    let itemsRequest: [UInt8]
    let readerAuth: COSESign1?
  }

  /// Version as sent, of major version 1.
  public let version: String
  let documentRequests: [DocumentRequest]
  let deviceRequestInfoBytes: [UInt8]?
  let deviceRequestInfo: [UInt8]?
  let readerAuthAll: [COSESign1]

  /// Whether anybody signed the request.
  public var isSigned: Bool { !readerAuthAll.isEmpty || documentRequests.contains { $0.readerAuth != nil } }

  /// What every entry of `readerAuthAll` must sign.
  public func readerAuthenticationAllBytes(over transcript: SessionTranscript) -> [UInt8] {
    transcript.readerAuthenticationAllBytes(
      itemsRequestBytes: documentRequests.map(\.itemsRequestBytes), deviceRequestInfoBytes: deviceRequestInfoBytes)
  }

  /// What the request asks and whose certificates came with it, before any signature was checked: only to compare
  /// with what was shown to somebody, never to act upon.
  /// - Throws: ``DeviceRequestError``.
  public func unverifiedContents() throws(DeviceRequestError) -> UnverifiedRequestContents {
    let (documents, info) = try readContents()
    var claims: [ReaderAuthentication] = []
    for (name, coverage, signature) in signatures {
      do {
        let chain = try CertificateChain.read(signature.headers.x5chain ?? [])
        guard let leaf = chain.first, Self.isKnown(signature, leaf: leaf) else { continue }
        claims.append(ReaderAuthentication(name: name, coverage: coverage, chain: chain))
      } catch {
        if error.isOfUnknownKind { continue }
        throw DeviceRequestError(.readerCertificate, error.description)
      }
    }
    return UnverifiedRequestContents(
      documentRequests: documents.map(\.value), deviceRequestInfo: info,
      chains: ReaderAuthentication.ofAll(claims, documents: documents.count).map(\.chain))
  }

  /// Checks every reader signature over the transcript and only then reads what is asked for.
  ///
  /// A signature that does not verify refuses the whole request: somebody altered it. One whose algorithm or curve is
  /// not known here is left out, with a finding.
  ///
  /// - Parameter explainer: says what a signature that does not verify is good for; asked once, for the first.
  /// - Throws: ``DeviceRequestError``.
  public func authenticate(
    over transcript: SessionTranscript, explainer: (any SignatureExplainer)? = nil
  ) throws(DeviceRequestError) -> AuthenticatedDeviceRequest {
    var authentications: [ReaderAuthentication] = []
    var findings: [CheckResult] = []
    for (name, coverage, signature) in signatures {
      let signed: [UInt8] =
        switch coverage {
        case .all: readerAuthenticationAllBytes(over: transcript)
        case .document(let position):
          transcript.readerAuthenticationBytes(itemsRequestBytes: documentRequests[position].itemsRequestBytes)
        }
      let chain = try check(signature, over: signed, name: name, findings: &findings) { failed in
        explainer?.explanation(
          of: failed,
          over: ReaderAuthenticationParts(
            coverage: coverage, itemsRequestBytes: documentRequests.map(\.itemsRequestBytes),
            deviceRequestInfoBytes: deviceRequestInfoBytes))
      }
      if let chain { authentications.append(ReaderAuthentication(name: name, coverage: coverage, chain: chain)) }
    }
    let (documents, info) = try readContents()
    return AuthenticatedDeviceRequest(
      version: version, documentRequests: documents, deviceRequestInfo: info,
      readerAuthentications: authentications, findings: findings)
  }

  /// Every signature of the request with its name and what it covers, in the order in which they are checked.
  private var signatures: [(name: String, coverage: ReaderAuthentication.Coverage, signature: COSESign1)] {
    readerAuthAll.enumerated().map { ("readerAuthAll[\($0)]", .all, $1) }
      + documentRequests.enumerated().compactMap { position, request in
        request.readerAuth.map { ("docRequests[\(position)].readerAuth", .document(position), $0) }
      }
  }

  private func readContents() throws(DeviceRequestError) -> ([EncodedCBOR<ItemsRequest>], DeviceRequestInfo?) {
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
    return (documents, info)
  }

  /// Whether algorithm and curve of a signature have an implementation here; the others are left out.
  private static func isKnown(_ signature: COSESign1, leaf: Certificate) -> Bool {
    if case .unknown? = signature.headers.algorithm { return false }
    return (try? leaf.verificationKey()) != nil
  }

  /// The certificate chain of a signature that verifies; nil when its kind is not known here.
  private func check(
    _ signature: COSESign1, over signed: [UInt8], name: String, findings: inout [CheckResult],
    explaining explain: (FailedSignature) -> Explanation?
  ) throws(DeviceRequestError) -> [Certificate]? {
    guard let encodedChain = signature.headers.x5chain, !encodedChain.isEmpty else {
      throw DeviceRequestError(.readerCertificate, "\(name) has no certificate chain")
    }
    for deviation in signature.deviations {
      findings.append(
        CheckResult(
          DeviceRequestError.Code.readerSignature, subject: name, .deviates, sentence: deviation.rawValue))
    }
    if signature.unverifiedPayload != nil {
      findings.append(
        CheckResult(
          DeviceRequestError.Code.readerSignature, subject: name, .deviates,
          sentence: COSEDeviation.attachedPayload.rawValue))
    }
    let chain: [Certificate]
    do {
      chain = try CertificateChain.read(encodedChain)
    } catch {
      guard error.isOfUnknownKind else {
        throw DeviceRequestError(.readerCertificate, "\(name): \(error.description)")
      }
      findings.append(Self.leftOut(name, error.description, rule: error.rule))
      return nil
    }
    for (position, certificate) in chain.dropLast().enumerated() {
      guard certificate.isSigned(by: chain[position + 1]) else {
        throw DeviceRequestError(
          .readerCertificate, "certificate \(position) of \(name) is not signed by the one behind it")
      }
    }
    var key: VerificationKey?
    do {
      let leafKey = try chain[0].verificationKey()
      key = leafKey
      try signature.verify(with: leafKey, detachedPayload: signed)
    } catch  where .curveUnsupported ~= error || .algorithmUnsupported ~= error {
      findings.append(Self.leftOut(name, error.sentence))
      return nil
    } catch {
      // What is wrong with the algorithm is no matter of what was signed.
      let isOverOther = [.signature, .payload].contains(error.code)
      let explanation = key.flatMap { isOverOther ? explain(FailedSignature(signature, key: $0)) : nil }
      throw DeviceRequestError(
        .readerSignature, "\(name) does not verify: \(explanation?.sentence ?? error.sentence)",
        evidence: (explanation?.evidence ?? [])
          + [CheckResult.Evidence("certificate", found: chain[0].subject.description)])
    }
    return chain
  }

  private static func leftOut(_ name: String, _ reason: String, rule: CertificateRule? = nil) -> CheckResult {
    CheckResult(
      DeviceRequestError.Code.readerSignature, subject: name, .deviates, sentence: "left out: \(reason)",
      evidence: rule.map { [CheckResult.Evidence("rule", found: $0.rawValue)] } ?? [])
  }
}

/// What a request asks, unverified. See ``UnverifiedDeviceRequest/unverifiedContents()``.
public struct UnverifiedRequestContents: Sendable {
  /// What is asked for.
  public let documentRequests: [ItemsRequest]
  /// Use cases, when the request has them.
  public let deviceRequestInfo: DeviceRequestInfo?
  /// Certificates of each signature, leaf first.
  public let chains: [[Certificate]]
}

/// A reader signature that verified, with the chain that came with it. The chain itself is not validated: whose roots
/// count is for each document provider to say.
public struct ReaderAuthentication: Sendable, Equatable {
  /// What a signature covers.
  public enum Coverage: Sendable, Equatable {
    /// Every document request and the request information (`readerAuthAll`).
    case all
    /// One document request (`readerAuth`).
    case document(Int)
  }

  /// Where in the request the signature stands.
  public let name: String
  /// What it covers.
  public let coverage: Coverage
  /// Certificates, leaf first; at least one.
  public let chain: [Certificate]

  /// The certificate whose key signed.
  public var leaf: Certificate { chain[0] }

  /// Those of some signatures whose signer stands behind the whole request: by `readerAuthAll`, or by `readerAuth` on
  /// every document with the same certificate. Of the latter the first stands for all.
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

/// A device request whose every signature of a known kind verified, or that nobody signed. Only
/// ``UnverifiedDeviceRequest/authenticate(over:)`` makes one.
public struct AuthenticatedDeviceRequest: Sendable {
  /// Version as sent.
  public let version: String
  /// What is asked for, with the bytes that carried it.
  public let documentRequests: [EncodedCBOR<ItemsRequest>]
  /// Use cases, when the request has them.
  public let deviceRequestInfo: DeviceRequestInfo?
  /// Who signed. Empty when nobody did.
  public let readerAuthentications: [ReaderAuthentication]
  /// Signatures that were left out and deviations that were let pass.
  public let findings: [CheckResult]

  init(
    version: String, documentRequests: [EncodedCBOR<ItemsRequest>], deviceRequestInfo: DeviceRequestInfo?,
    readerAuthentications: [ReaderAuthentication], findings: [CheckResult]
  ) {
    self.version = version
    self.documentRequests = documentRequests
    self.deviceRequestInfo = deviceRequestInfo
    self.readerAuthentications = readerAuthentications
    self.findings = findings
  }

  /// The readers who stand behind the whole request (ISO/IEC 18013-5 second edition draft, 12.5.4).
  public var readersOfAll: [ReaderAuthentication] {
    ReaderAuthentication.ofAll(readerAuthentications, documents: documentRequests.count)
  }

  /// The signatures that cover a document request.
  public func readerAuthentications(covering document: Int) -> [ReaderAuthentication] {
    readerAuthentications.filter { $0.coverage == .all || $0.coverage == .document(document) }
  }
}
