import CBOR
import COSE
import Crypto
import MobileDocument
import WebPresentment

/// Answers a request with one flaw. Keys, signatures and encryption are real.
public struct FlawedAnswer: Sendable {
  /// What is wrong with it; nil where only the document is flawed.
  public let flaw: AnswerFlaw?
  /// What is asked for.
  public let request: ItemsRequest
  /// The document that answers.
  public let document: HeldDocument
  /// The key that the document is bound to.
  public let deviceKey: any ES256Signer
  /// A key that it is not bound to.
  public let anotherKey: any ES256Signer

  /// An answer from its parts.
  public init(
    _ flaw: AnswerFlaw?, to request: ItemsRequest, with document: HeldDocument, deviceKey: some ES256Signer,
    anotherKey: some ES256Signer
  ) {
    self.flaw = flaw
    self.request = request
    self.document = document
    self.deviceKey = deviceKey
    self.anotherKey = anotherKey
  }

  /// The encoded `EncryptedResponse`.
  ///
  /// - Parameters:
  ///   - encryptionInfo: as the page sent it.
  ///   - origin: the serialized origin.
  ///   - ephemeralKey: a fresh key.
  ///   - strangersKey: a key of somebody who did not ask.
  /// - Throws: what a key throws.
  public func encoded(
    for encryptionInfo: EncryptionInfo, origin: String, ephemeralKey: P256.KeyAgreement.PrivateKey,
    strangersKey: P256.KeyAgreement.PublicKey
  ) throws -> [UInt8] {
    var transcript = encryptionInfo.sessionTranscript(origin: origin)
    if flaw == .anotherNonce {
      let other = EncryptionInfo(
        nonce: encryptionInfo.nonce.reversed(), recipientPublicKey: encryptionInfo.recipientPublicKey)
      transcript = other.sessionTranscript(origin: origin)
    }
    let sealed = try EncryptedResponse(
      sealing: try deviceResponse(over: transcript),
      to: flaw == .anotherRecipientKey ? strangersKey : encryptionInfo.recipientPublicKey, transcript: transcript,
      ephemeralKey: ephemeralKey)
    return envelope(sealed.encoded)
  }

  private func envelope(_ bytes: [UInt8]) -> [UInt8] {
    guard let item = try? CBORReader.read(bytes) else { return bytes }
    let value = CBORValue(item)
    switch flaw {
    case .envelopeMarker: return value.changing([.element(0)]) { _ in .text("dcapi2") }.encoded
    case .envelopeMemberMissing: return value.changing([.element(1)]) { $0.removing(.text("enc")) }.encoded
    case .envelopeByteAfterTheEnd: return bytes + [0]
    default: return bytes
    }
  }

  /// The encoded `DeviceResponse`.
  /// - Throws: what a key throws.
  public func deviceResponse(over transcript: SessionTranscript) throws -> [UInt8] {
    let answered = elements(of: document.answer(to: request).nameSpaces)
    let key: any ES256Signer = flaw == .anotherDeviceKey ? anotherKey : deviceKey
    var bytes = try document.presented(answered, over: transcript, signedWith: key)
    if let item = try? CBORReader.read(bytes) {
      bytes = try device(CBORValue(item), over: transcript).encoded
    }
    let response = DeviceResponseWriter.encoded(documents: flaw == .noDocuments ? [] : [bytes])
    return whole(response)
  }

  private func elements(of nameSpaces: [IssuerNameSpace]) -> [IssuerNameSpace] {
    guard let first = nameSpaces.first, let item = first.items.first else { return nameSpaces }
    func replacing(_ items: [EncodedCBOR<IssuerSignedItem>]) -> [IssuerNameSpace] {
      [IssuerNameSpace(name: first.name, items: items)] + nameSpaces.dropFirst()
    }
    switch flaw {
    case .valueChanged:
      let changed = IssuerSignedItem(
        digestID: item.value.digestID, random: item.value.random, elementIdentifier: item.value.elementIdentifier,
        elementValue: Self.another(than: item.value.elementValue))
      return replacing([EncodedCBOR(changed, encodedAs: changed.encoded)] + first.items.dropFirst())
    case .elementTwice: return replacing(first.items + [item])
    case .elementNotRequested:
      let held = document.nameSpaces.first { $0.name == first.name }?.items ?? []
      let returned = first.items.map(\.value.elementIdentifier)
      let extra = held.first { !returned.contains($0.value.elementIdentifier) }
      return replacing(first.items + (extra.map { [$0] } ?? []))
    case .byteAfterAnElement:
      return replacing([EncodedCBOR(item.value, encodedAs: item.value.encoded + [0])] + first.items.dropFirst())
    default: return nameSpaces
    }
  }

  private static func another(than value: CBORValue) -> CBORValue {
    switch value {
    case .text(let text): .text("\(text)!")
    case .boolean(let flag): .boolean(!flag)
    default: .text("another value")
    }
  }

  private static let signature: [CBORPlace] = [
    .member(.text("deviceSigned")), .member(.text("deviceAuth")), .member(.text("deviceSignature")),
  ]

  private func device(_ document: CBORValue, over transcript: SessionTranscript) throws -> CBORValue {
    let authentication = Array(Self.signature.dropLast())
    // A tag of 32 bytes; whoever could check it does not exist in annex C.
    let mac = CBORValue.array([
      .bytes([0xa1, 0x01, 0x05]), .map([]), .null, .bytes([UInt8](repeating: 0x5a, count: 32)),
    ])
    switch flaw {
    case .deviceNotSigned: return document.removing(.text("deviceSigned"))
    case .deviceMac: return document.changing(authentication) { _ in .textMap([("deviceMac", mac)]) }
    case .deviceAuthTwice: return document.changing(authentication) { $0.adding("deviceMac", mac) }
    case .deviceSignatureMalformed:
      return document.changing(Self.signature) { value in
        guard case .array(let parts) = value else { return value }
        return .array(Array(parts.dropLast()))
      }
    case .deviceSignatureTagged: return document.changing(Self.signature) { .tagged(COSESign1.tag, $0) }
    case .deviceAlgorithm, .payloadAttached, .deviceElement: return try signingAnew(document, over: transcript)
    case .elementOutsideItsTag:
      let name = self.document.answer(to: request).nameSpaces.first?.name ?? ""
      let place: [CBORPlace] = [
        .member(.text("issuerSigned")), .member(.text("nameSpaces")), .member(.text(name)), .element(0),
      ]
      return document.changing(place) { value in
        guard case .tagged(_, let content) = value else { return value }
        return content
      }
    default: return document
    }
  }

  /// The device's signature made anew, over other elements or in another form.
  private func signingAnew(_ document: CBORValue, over transcript: SessionTranscript) throws -> CBORValue {
    let elements =
      flaw == .deviceElement
      ? CBORValue.textMap([("org.iso.18013.5.1", .textMap([("resident_city", .text("Spaceport"))]))]) : .map([])
    let nameSpaces = CBORValue.tagged(24, .bytes(elements.encoded))
    let payload = transcript.deviceAuthenticationBytes(
      documentType: self.document.documentType, deviceNameSpacesBytes: nameSpaces.encoded)
    let header: [UInt8] = flaw == .deviceAlgorithm ? [0xa1, 0x01, 0x38, 0x22] : [0xa1, 0x01, 0x26]
    let message = authenticatedStructure(
      context: "Signature1", protected: header, externalAAD: [], payload: payload)
    let signed = CBORValue.array([
      .bytes(header), .map([]), flaw == .payloadAttached ? .bytes(payload) : .null,
      .bytes(try deviceKey.signature(for: message)),
    ])
    return document.changing([.member(.text("deviceSigned"))]) { _ in
      .textMap([("nameSpaces", nameSpaces), ("deviceAuth", .textMap([("deviceSignature", signed)]))])
    }
  }

  /// Flaws of the response as a whole.
  private func whole(_ bytes: [UInt8]) -> [UInt8] {
    guard let item = try? CBORReader.read(bytes, leniency: .received) else { return bytes }
    let value = CBORValue(item)
    switch flaw {
    case .responseVersion: return value.changing([.member(.text("version"))]) { _ in .text("2.0") }.encoded
    case .responseStatus: return value.changing([.member(.text("status"))]) { _ in .integer(10) }.encoded
    case .emptyDocuments: return value.changing([.member(.text("documents"))]) { _ in .array([]) }.encoded
    case .memberMissing: return value.removing(.text("version")).encoded
    case .notWellFormed: return [0xbc] + bytes.dropFirst()
    case .textNotUTF8: return Self.replacing(Array("1.0".utf8), with: [0x31, 0xff, 0x30], in: bytes)
    case .mapKeyTwice:
      guard case .map(let entries) = value else { return bytes }
      return CBORValue.map(entries + entries.suffix(1)).encoded
    case .byteAfterTheEnd: return bytes + [0]
    case .tooDeep:
      let nested = (0..<CBORLimits.standard.depth).reduce(CBORValue.null) { inner, _ in .array([inner]) }
      return value.adding("nested", nested).encoded
    case .tooManyElements: return tooManyElements(value)
    // The length of the first key, in four bytes that say more than there is.
    case .lengthBeyondTheEnd: return bytes.prefix(1) + [0x7a, 0x7f, 0xff, 0xff, 0xff] + bytes.dropFirst(2)
    case .headLongerThanNeeded: return [0xb8, bytes[0] & 0x1f] + bytes.dropFirst()
    case .indefiniteLength: return [0xbf] + bytes.dropFirst() + [0xff]
    default: return bytes
    }
  }

  private static func replacing(_ old: [UInt8], with new: [UInt8], in bytes: [UInt8]) -> [UInt8] {
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: old) }) else { return bytes }
    return bytes[..<start] + new + bytes[(start + old.count)...]
  }

  private func tooManyElements(_ value: CBORValue) -> [UInt8] {
    let name = document.answer(to: request).nameSpaces.first?.name ?? ""
    let place: [CBORPlace] = [
      .member(.text("documents")), .element(0), .member(.text("issuerSigned")), .member(.text("nameSpaces")),
      .member(.text(name)),
    ]
    return value.changing(place) { items in
      guard case .array(let items) = items, let first = items.first else { return items }
      return .array([CBORValue](repeating: first, count: ResponseLimits.elements + 1))
    }.encoded
  }
}
