import CBOR
import COSE
import Certificates
import Crypto
import FoundationEssentials
import Primitives

/// An issued document as a wallet stores it: the issuer's signature and every element with its salt.
public struct HeldDocument: Sendable {
  /// `DocType`, from the mobile security object.
  public let documentType: String
  /// Every element, with its digested bytes.
  public private(set) var nameSpaces: [IssuerNameSpace]
  /// The dates of the mobile security object.
  public let validity: MobileSecurityObject.Validity
  /// The key identifiers of the authorities in the issuer's certificate chain, by which a request names accepted
  /// issuers.
  public let issuerKeyIdentifiers: [[UInt8]]
  /// The name of the issuing authority for people: the document's own element, or else the name of the authority in the
  /// signer's certificate. The issuer has signed both.
  public let issuerName: String

  package let issuerAuthBytes: [UInt8]
  let deviceKey: COSEKey

  /// Reads an issued document. The signature must verify with the signer certificate, every digest must match, and the
  /// device key must be the given one. The issuer may sign more digests than it issues elements, but a document whose
  /// elements are all missing is refused.
  /// - Throws: ``DocumentError``.
  public init(issued bytes: [UInt8], deviceKey: COSEKey) throws(DocumentError) {
    do {
      let issuerSigned = try UnverifiedIssuerSigned(CBORReader.read(bytes, leniency: .received))
      let signature = try COSESign1(issuerSigned.issuerAuth)
      let chain = try CertificateChain.read(signature.headers.x5chain ?? [])
      guard let leaf = chain.first else { throw DocumentError(.unreadable, "the document has no signer certificate") }
      let object = try MobileSecurityObject(payload: try signature.verify(with: try leaf.verificationKey()))
      if let problem = object.problems.first {
        throw DocumentError(.securityObject, "the mobile security object is malformed: \(problem)")
      }
      guard let validity = object.validity, object.deviceKey == deviceKey else {
        throw DocumentError(.deviceKey, "the document is for another device key")
      }
      // An issuer that signs no element signs one digest of nothing (ISO/IEC 18013-5 second edition draft, 12.3.4).
      let digestCount = object.valueDigests.reduce(0) { $0 + $1.digests.entries.count }
      guard !issuerSigned.nameSpaces.isEmpty || digestCount == 1 else {
        throw DocumentError(
          .noElements, "the document has no element, although the issuer signed \(digestCount) digests")
      }
      let algorithm = object.digestAlgorithm
      for nameSpace in issuerSigned.nameSpaces {
        let digests = object.digests(of: nameSpace.name)
        for item in nameSpace.items {
          guard let algorithm, let wanted = digests?[item.value.digestID],
            algorithm.digest(item.bytes)[...] == wanted
          else { throw DocumentError(.digest, "the digest of \(item.value.elementIdentifier) does not match") }
        }
      }
      documentType = object.documentType
      nameSpaces = issuerSigned.nameSpaces
      self.validity = validity
      issuerAuthBytes = issuerSigned.issuerAuthBytes
      issuerKeyIdentifiers = chain.compactMap(\.authorityKeyIdentifier)
      issuerName = Self.authority(in: issuerSigned.nameSpaces) ?? leaf.issuerCommonName ?? leaf.issuer.description
      self.deviceKey = deviceKey
    } catch let error as DocumentError {
      throw error
    } catch {
      throw DocumentError(.unreadable, "the document cannot be read: \(error)")
    }
  }

  /// The issuing authority of a driver's license by its own element. It is no secret, unlike the other elements.
  private static func authority(in nameSpaces: [IssuerNameSpace]) -> String? {
    let item = nameSpaces.lazy.flatMap(\.items).first { $0.value.elementIdentifier == "issuing_authority" }
    guard case .text(let name)? = item?.value.elementValue, !name.isEmpty else { return nil }
    return name
  }

  /// Returns the document without some of its elements, which the holder does not disclose.
  /// - Parameter isKept: A function that returns whether to keep an element, by name space and identifier.
  public func keeping(_ isKept: (_ nameSpace: String, _ identifier: String) -> Bool) -> HeldDocument {
    var kept = self
    kept.nameSpaces = nameSpaces.map { space in
      IssuerNameSpace(name: space.name, items: space.items.filter { isKept(space.name, $0.value.elementIdentifier) })
    }
    return kept
  }

  /// Selects the elements for a request, with the nearest-value rule for `age_over_NN` (ISO/IEC 18013-5, 7.2.5).
  ///
  /// - Returns: The elements by name space in the order of the request, and the names of missing elements.
  public func answer(
    to request: ItemsRequest
  ) -> (nameSpaces: [IssuerNameSpace], missing: [(nameSpace: String, identifier: String)]) {
    nameSpaces.answer(to: request)
  }

  /// Encodes `Document` with the elements and the device's signature over the transcript.
  ///
  /// - Parameters:
  ///   - nameSpaces: The elements to present.
  ///   - transcript: The transcript of the request.
  ///   - key: The device key.
  /// - Throws: The key's error.
  public func presented(
    _ nameSpaces: [IssuerNameSpace], over transcript: SessionTranscript, signedWith key: some ES256Signer
  ) throws -> [UInt8] {
    let bytes = Self.emptyDeviceNameSpaces
    let signed = transcript.deviceAuthenticationBytes(documentType: documentType, deviceNameSpacesBytes: bytes)
    let signature = try COSESign1.sign(payload: signed, detached: true, with: key)
    return document(nameSpaces, authentication: ("deviceSignature", signature))
  }

  /// Encodes `Document` with the device's message authentication code instead of a signature (ISO/IEC 18013-5,
  /// 9.1.3.5). Only readers that sent an ephemeral key can verify it, so it is not used over the Digital Credentials
  /// API.
  /// - Throws: An error of the key agreement.
  public func presented(
    _ nameSpaces: [IssuerNameSpace], over transcript: SessionTranscript,
    authenticatedWith deviceKey: P256.KeyAgreement.PrivateKey, readerKey: P256.KeyAgreement.PublicKey
  ) throws -> [UInt8] {
    let key = try DeviceMAC.key(privateKey: deviceKey, publicKey: readerKey, transcript: transcript)
    let signed = transcript.deviceAuthenticationBytes(
      documentType: documentType, deviceNameSpacesBytes: Self.emptyDeviceNameSpaces)
    return document(
      nameSpaces, authentication: ("deviceMac", COSEMac0.authenticate(detachedPayload: signed, with: key)))
  }

  /// Tag 24 around an empty map: the device signs no elements of its own.
  package static let emptyDeviceNameSpaces: [UInt8] = [0xd8, 0x18, 0x41, 0xa0]

  /// Writes `Document` around a device authentication that was made elsewhere.
  ///
  /// - Parameters:
  ///   - deviceNameSpacesBytes: `DeviceNameSpacesBytes`; an empty map where the device signs no element of its own.
  ///   - authentication: The member of `DeviceAuth` and its encoded value.
  package func document(
    _ nameSpaces: [IssuerNameSpace], deviceNameSpacesBytes: [UInt8] = emptyDeviceNameSpaces,
    authentication: (String, [UInt8])
  ) -> [UInt8] {
    CBORWriter.encode(capacity: 4096) { writer in
      writer.map(3)
      writer.member("docType") { $0.text(documentType) }
      writer.text("issuerSigned")
      UnverifiedIssuerSigned.write(nameSpaces: nameSpaces, issuerAuth: issuerAuthBytes, to: &writer)
      writer.text("deviceSigned")
      writer.map(2)
      writer.member("nameSpaces") { $0.encoded(deviceNameSpacesBytes) }
      writer.text("deviceAuth")
      writer.map(1)
      writer.member(authentication.0) { $0.encoded(authentication.1) }
    }
  }
}

/// Encodes `DeviceResponse`.
public enum DeviceResponseWriter {
  /// Returns a successful response.
  /// - Parameters:
  ///   - documents: The encoded `Document`s. If empty, the member is omitted.
  ///   - missing: The types of requested documents that are not returned.
  public static func encoded(documents: [[UInt8]], missing: [String] = []) -> [UInt8] {
    CBORWriter.encode(capacity: documents.reduce(64) { $0 + $1.count }) { writer in
      writer.map(2 + (documents.isEmpty ? 0 : 1) + (missing.isEmpty ? 0 : 1))
      writer.member("version") { $0.text("1.0") }
      if !documents.isEmpty { writer.member("documents", each: documents) { $0.encoded($1) } }
      if !missing.isEmpty {
        writer.member("documentErrors", each: missing) { writer, type in
          writer.map(1)
          writer.member(type) { $0.unsigned(0) }
        }
      }
      writer.member("status") { $0.unsigned(0) }
    }
  }
}

/// The key of a device's message authentication code.
package enum DeviceMAC {
  /// Derives `EMacKey` (ISO/IEC 18013-5, 9.1.3.5): HKDF-SHA-256 over the shared secret, salted with the digest of
  /// `SessionTranscriptBytes`. Both ends derive it from their own private key and the other's public key.
  /// - Throws: An error of the key agreement.
  package static func key(
    privateKey: P256.KeyAgreement.PrivateKey, publicKey: P256.KeyAgreement.PublicKey, transcript: SessionTranscript
  ) throws -> SymmetricKey {
    try privateKey.sharedSecretFromKeyAgreement(with: publicKey).hkdfDerivedSymmetricKey(
      using: SHA256.self, salt: SHA256.hash(data: transcript.sessionTranscriptBytes).bytes,
      sharedInfo: Array("EMacKey".utf8), outputByteCount: 32)
  }
}

extension [IssuerNameSpace] {
  /// Selects the elements for a request, with the nearest-value rule for `age_over_NN` (ISO/IEC 18013-5, 7.2.5).
  ///
  /// - Returns: The elements by name space in the order of the request, and the names of missing elements.
  package func answer(
    to request: ItemsRequest
  ) -> (nameSpaces: [IssuerNameSpace], missing: [(nameSpace: String, identifier: String)]) {
    var answered: [IssuerNameSpace] = []
    var missing: [(nameSpace: String, identifier: String)] = []
    for requested in request.nameSpaces {
      let held = first { $0.name.isExactly(requested.name) }
      var items: [EncodedCBOR<IssuerSignedItem>] = []
      for element in requested.elements {
        guard let item = held.flatMap({ Self.item(answering: element.identifier, in: $0) }) else {
          missing.append((requested.name, element.identifier))
          continue
        }
        // One attestation can answer two ages and is returned once.
        if !items.contains(where: { $0.value.elementIdentifier.isExactly(item.value.elementIdentifier) }) {
          items.append(item)
        }
      }
      if !items.isEmpty { answered.append(IssuerNameSpace(name: requested.name, items: items)) }
    }
    return (answered, missing)
  }

  private static func item(
    answering identifier: String, in nameSpace: IssuerNameSpace
  ) -> EncodedCBOR<IssuerSignedItem>? {
    var wanted = identifier
    if let age = AgeOver.age(in: identifier) {
      let attestations = nameSpace.items.compactMap { item -> (age: Int, value: Bool)? in
        guard let held = AgeOver.age(in: item.value.elementIdentifier),
          case .boolean(let value) = item.value.elementValue
        else { return nil }
        return (held, value)
      }
      guard let nearest = AgeOver.nearest(to: age, in: attestations) else { return nil }
      wanted = AgeOver.identifier(for: nearest)
    }
    return nameSpace.items.first { $0.value.elementIdentifier.isExactly(wanted) }
  }
}
