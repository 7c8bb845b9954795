import CBOR
import COSE
import Crypto
import MobileDocument
import SimulationKernel
import WebPresentment

/// Faults of keys, nonces and the encrypted response.
extension ResponseFault {
  package static let issuerNotRequested = ResponseFault(
    "issuer-not-requested", "The document is of an issuer that the request does not name",
    .fails("issuer.requested"))
  package static let anotherDeviceKey = ResponseFault(
    "another-device-key", "Another device's key signs", .fails("device.signature/invalid"))
  package static let signsForAnotherOrigin = ResponseFault(
    "signs-for-another-origin", "The device signs for an unknown origin; the response is sealed for the right one",
    .fails("device.signature/invalid"))
  package static let signsForAnotherNonce = ResponseFault(
    "signs-for-another-nonce", "The device signs for an unknown nonce; the response is sealed for the right one",
    .fails("device.signature/invalid"))
  package static let anotherNonce = ResponseFault(
    "another-nonce", "The app signs and seals for another nonce", .fails("response.decryption/unexplained"))
  package static let documentTwice = ResponseFault(
    "document-twice", "The document is returned twice for one request", .fails("document.requested/surplus"))
  package static let noDocuments = ResponseFault(
    "no-documents", "The response lacks documents", .fails("response.documents/no-document"))
  package static let envelopeMarker = ResponseFault(
    "envelope-marker", "The encrypted response begins with another text than dcapi", .fails("response.envelope"))
  package static let envelopeMemberMissing = ResponseFault(
    "envelope-member-missing", "The encrypted response lacks enc", .fails("response.envelope"))
  package static let envelopeByteAfterTheEnd = ResponseFault(
    "envelope-byte-after-the-end", "A byte follows the encrypted response", .fails("response.envelope"))
  package static let anotherRecipientKey = ResponseFault(
    "another-recipient-key", "The response is sealed for another recipient", .fails("response.decryption/unexplained"))

  static let ofEncryption: [ResponseFault] = [
    .issuerNotRequested, .anotherDeviceKey, .signsForAnotherOrigin, .signsForAnotherNonce, .anotherNonce,
    .documentTwice, .noDocuments, .envelopeMarker, .envelopeMemberMissing, .envelopeByteAfterTheEnd,
    .anotherRecipientKey,
  ]
}

/// Answers a request with one fault. Keys, signatures and encryption are real.
public struct FaultyResponse: Sendable {
  /// The fault of the response; nil where only the document is faulty.
  public let fault: ResponseFault?
  /// The request. If it is for several documents, this one is answered.
  public let request: ItemsRequest
  /// The document that answers.
  public let document: UncheckedDocument
  /// The key that the document is bound to.
  public let deviceKey: any ES256Signer
  /// A key that it is not bound to.
  public let anotherKey: any ES256Signer

  /// Makes a response.
  public init(
    _ fault: ResponseFault?, to request: ItemsRequest, with document: UncheckedDocument, deviceKey: some ES256Signer,
    anotherKey: some ES256Signer
  ) {
    self.fault = fault
    self.request = request
    self.document = document
    self.deviceKey = deviceKey
    self.anotherKey = anotherKey
  }

  /// An origin that no website has (RFC 2606, 2).
  private static let unknownOrigin = "https://elsewhere.invalid"

  /// The encoded `EncryptedResponse`.
  ///
  /// - Parameters:
  ///   - encryptionInfo: as the page sent it.
  ///   - origin: the serialized origin.
  ///   - ephemeralKey: a fresh key.
  ///   - otherKey: the key of another recipient.
  /// - Throws: `SimulationError`, or what a key throws.
  public func encoded(
    for encryptionInfo: EncryptionInfo, origin: String, ephemeralKey: P256.KeyAgreement.PrivateKey,
    otherKey: P256.KeyAgreement.PublicKey
  ) throws -> [UInt8] {
    let right = encryptionInfo.sessionTranscript(origin: origin)
    let other = EncryptionInfo(
      nonce: encryptionInfo.nonce.reversed(), recipientPublicKey: encryptionInfo.recipientPublicKey
    ).sessionTranscript(origin: origin)
    let (signed, sealed) =
      switch fault {
      case .anotherNonce: (other, other)
      case .signsForAnotherNonce: (other, right)
      case .signsForAnotherOrigin: (encryptionInfo.sessionTranscript(origin: Self.unknownOrigin), right)
      default: (right, right)
      }
    let response = try EncryptedResponse(
      sealing: try deviceResponse(over: signed),
      to: fault == .anotherRecipientKey ? otherKey : encryptionInfo.recipientPublicKey, transcript: sealed,
      ephemeralKey: ephemeralKey)
    return try changedEnvelope(response.encoded)
  }

  private func changedEnvelope(_ bytes: [UInt8]) throws -> [UInt8] {
    let value = CBORValue(try CBORReader.read(bytes))
    switch fault {
    case .envelopeMarker: return try value.changing([.element(0)]) { _ in .text("dcapi2") }.encoded
    case .envelopeMemberMissing: return try value.changing([.element(1)]) { try $0.removing(.text("enc")) }.encoded
    case .envelopeByteAfterTheEnd: return bytes + [0]
    default: return bytes
    }
  }

  /// The encoded `DeviceResponse`.
  /// - Throws: `SimulationError`, or what a key throws.
  public func deviceResponse(over transcript: SessionTranscript) throws -> [UInt8] {
    let answered = document.nameSpaces.answer(to: request).nameSpaces
    let key: any ES256Signer = fault == .anotherDeviceKey ? anotherKey : deviceKey
    let usual = try document.presented(try changedElements(answered), over: transcript, signedWith: key)
    let changed = try changedDocument(try changedDevice(usual, over: transcript)).encoded
    let documents =
      switch fault {
      case .noDocuments: [[UInt8]]()
      case .documentTwice: [changed, changed]
      default: [changed]
      }
    return try changedResponse(DeviceResponseWriter.encoded(documents: documents))
  }

  /// The name space of the first element that answers.
  /// - Throws: `SimulationError` when none does.
  func firstNameSpace() throws -> (space: IssuerNameSpace, first: IssuerSignedItem) {
    guard let space = document.nameSpaces.answer(to: request).nameSpaces.first, let item = space.items.first else {
      throw SimulationError.notApplicable("the document lacks the requested elements")
    }
    return (space, item.value)
  }
}
