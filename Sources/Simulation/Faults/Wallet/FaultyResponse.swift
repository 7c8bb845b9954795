import CBOR
import COSE
import Crypto
import MobileDocument
import RelyingParty
import SimulationKernel
import WebPresentment

/// The effect of a fault in a response, made by a provider app that holds a correct document: the change, at the part of
/// the answer that it is about.
package enum ResponseChange: Sendable {
  /// The app takes the document of an issuer that the request does not name.
  case issuer
  /// The app takes another document of the same type than its view showed.
  case otherDocument
  /// The key of another device signs.
  case deviceKey
  /// The elements that the first name space returns.
  case elements(@Sendable (FaultyResponse, _ returned: [SignedItem]) throws -> [SignedItem])
  /// The name spaces that are returned.
  case nameSpaces(@Sendable ([IssuerNameSpace]) throws -> [IssuerNameSpace])
  /// The document, after the device signed it over a transcript.
  case document(@Sendable (FaultyResponse, CBORValue, SessionTranscript) throws -> CBORValue)
  /// The encoded documents.
  case documents(@Sendable (FaultyResponse, [UInt8], SessionTranscript) throws -> [[UInt8]])
  /// The encoded response.
  case response(@Sendable ([UInt8]) throws -> [UInt8])
  /// The transcripts that the device signs and that the response is sealed for.
  case transcripts(
    @Sendable (EncryptionInfo, _ origin: String) -> (signed: SessionTranscript, sealed: SessionTranscript))
  /// The response is sealed for another recipient.
  case recipient
  /// The device response is not sealed.
  case unsealed
  /// The encoded encrypted response.
  case envelope(@Sendable ([UInt8]) throws -> [UInt8])

  package typealias SignedItem = EncodedCBOR<IssuerSignedItem>

  /// Indicates whether the change is one of the device response, which answers to apps and to websites have.
  var isOfDeviceResponse: Bool {
    switch self {
    case .deviceKey, .elements, .nameSpaces, .document, .documents, .response, .otherDocument: true
    case .issuer, .transcripts, .recipient, .unsealed, .envelope: false
    }
  }
}

extension Fault {
  /// Faults of responses.
  package static let ofResponses: [Fault] =
    ofDeviceAuthentication + ofDeviceSignatureForms + ofReturnedDocuments + ofDeviceResponses + ofEncryption

  /// A fault in a response.
  static func response(_ name: String, _ title: String, _ findings: FaultFindings, _ change: ResponseChange) -> Fault {
    Fault(.wallet, name, title, findings, at: "response", .response(change))
  }

  /// Faults of keys, nonces and the encrypted response.
  private static let ofEncryption: [Fault] = [
    response(
      "issuer-not-requested", "The document is of an issuer that the request does not name",
      .fails(.issuerRequested), .issuer),
    response(
      "another-document", "The app gives another document of the same type than its view shows", .unnoticed,
      .otherDocument),
    response("another-device-key", "Another device's key signs", .fails(.deviceSignature, .invalid), .deviceKey),
    response(
      "signs-for-another-origin", "The device signs for an unknown origin; the response is sealed for the right one",
      .fails(.deviceSignature, .invalid),
      .transcripts { ($0.sessionTranscript(origin: unknownOrigin), $0.sessionTranscript(origin: $1)) }),
    response(
      "signs-for-another-nonce", "The device signs for an unknown nonce; the response is sealed for the right one",
      .fails(.deviceSignature, .invalid),
      .transcripts { ($0.ofAnotherNonce.sessionTranscript(origin: $1), $0.sessionTranscript(origin: $1)) }),
    response(
      "another-nonce", "The app signs and seals for another nonce", .fails(ExchangeCheck.decryption, .unexplained),
      .transcripts { info, origin in
        let other = info.ofAnotherNonce.sessionTranscript(origin: origin)
        return (other, other)
      }),
    response(
      "document-twice", "The document is returned twice for one request", .fails(.documentRequested, .surplus),
      .documents { _, document, _ in [document, document] }),
    response(
      "document-besides", "Another document of the same type is returned besides",
      .fails(.documentRequested, .surplus),
      .documents { response, document, transcript in
        let other = try response.another()
        let elements = other.document.nameSpaces.answer(to: response.request).nameSpaces
        return [document, try other.document.presented(elements, over: transcript, signedWith: other.key).encoded]
      }),
    response(
      "no-documents", "The response lacks documents", .fails(.documentsReturned, .noDocument),
      .documents { _, _, _ in [] }),
    response(
      "envelope-marker", "The encrypted response begins with another text than dcapi", .fails(ExchangeCheck.envelope),
      .envelope { try CBORValue($0).changing([.element(0)]) { _ in .text("dcapi2") }.encoded }),
    response(
      "envelope-member-missing", "The encrypted response lacks enc", .fails(ExchangeCheck.envelope),
      .envelope { try CBORValue($0).changing([.element(1)]) { try $0.removing(.text("enc")) }.encoded }),
    response(
      "envelope-byte-after-the-end", "A byte follows the encrypted response", .fails(ExchangeCheck.envelope),
      .envelope { $0 + [0] }),
    response("not-encrypted", "The response is not encrypted", .fails(ExchangeCheck.envelope), .unsealed),
    response(
      "another-recipient-key", "The response is sealed for another recipient",
      .fails(ExchangeCheck.decryption, .unexplained), .recipient),
  ]

  /// An origin that no website has (RFC 2606, 2).
  private static let unknownOrigin = "https://elsewhere.invalid"
}

extension EncryptionInfo {
  fileprivate var ofAnotherNonce: EncryptionInfo {
    EncryptionInfo(nonce: nonce.reversed(), recipientPublicKey: recipientPublicKey)
  }
}

extension CBORValue {
  fileprivate init(_ encoded: [UInt8]) throws { self.init(try CBORReader.read(encoded)) }
}

/// Answers a request with one fault. Keys, signatures and encryption are real.
public struct FaultyResponse: Sendable {
  /// The fault's change; nil where only the document is faulty.
  let change: ResponseChange?
  /// The request. If it is for several documents, this one is answered.
  public let request: ItemsRequest
  /// The document that answers.
  public let document: UncheckedDocument
  /// The key that the document is bound to.
  public let deviceKey: any ES256Signer
  /// A key that it is not bound to.
  public let anotherKey: any ES256Signer
  /// Another document of the same type, and the key that it is bound to; nil if the app has one only.
  let other: OtherDocument?
  /// The transcript of the app's answer in person before this one.
  let earlierTranscript: SessionTranscript?

  /// A document beside the one that answers.
  package struct OtherDocument: Sendable {
    let document: UncheckedDocument
    let key: any ES256Signer

    /// A document and its key.
    package init(_ document: UncheckedDocument, key: any ES256Signer) {
      self.document = document
      self.key = key
    }
  }

  /// Creates a response.
  package init(
    _ change: ResponseChange?, to request: ItemsRequest, with document: UncheckedDocument, deviceKey: some ES256Signer,
    anotherKey: some ES256Signer, other: OtherDocument? = nil, earlierTranscript: SessionTranscript? = nil
  ) {
    self.change = change
    self.request = request
    self.document = document
    self.deviceKey = deviceKey
    self.anotherKey = anotherKey
    self.other = other
    self.earlierTranscript = earlierTranscript
  }

  /// The encoded `EncryptedResponse`.
  ///
  /// - Parameters:
  ///   - encryptionInfo: As the page sent it.
  ///   - origin: The serialized origin.
  ///   - ephemeralKey: A fresh key.
  ///   - otherKey: The key of another recipient.
  /// - Throws: `SimulationError`, or what a key throws.
  public func encoded(
    for encryptionInfo: EncryptionInfo, origin: String, ephemeralKey: P256.KeyAgreement.PrivateKey,
    otherKey: P256.KeyAgreement.PublicKey
  ) throws -> [UInt8] {
    let right = encryptionInfo.sessionTranscript(origin: origin)
    var (signed, sealed, recipient) = (right, right, encryptionInfo.recipientPublicKey)
    if case .transcripts(let change) = change { (signed, sealed) = change(encryptionInfo, origin) }
    if case .recipient = change { recipient = otherKey }
    let plain = try deviceResponse(over: signed)
    if case .unsealed = change { return plain }
    let response = try EncryptedResponse(
      sealing: plain, to: recipient, transcript: sealed, ephemeralKey: ephemeralKey
    ).encoded
    guard case .envelope(let change) = change else { return response }
    return try change(response)
  }

  /// True for a change of what only the answer to a website has.
  var isAboutEncryption: Bool {
    switch change {
    case .transcripts, .recipient, .unsealed, .envelope: true
    default: false
    }
  }

  /// The encoded `DeviceResponse`.
  /// - Throws: `SimulationError`, or what a key throws.
  public func deviceResponse(over transcript: SessionTranscript) throws -> [UInt8] {
    var (returned, key) = (document.nameSpaces.answer(to: request).nameSpaces, deviceKey)
    if case .elements(let change) = change { returned = try self.returned { try change(self, $0) } }
    if case .nameSpaces(let change) = change { returned = try change(returned) }
    if case .deviceKey = change { key = anotherKey }
    var document = try self.document.presented(returned, over: transcript, signedWith: key)
    if case .document(let change) = change { document = try change(self, document, transcript) }
    var documents = [document.encoded]
    if case .documents(let change) = change { documents = try change(self, documents[0], transcript) }
    let response = DeviceResponseWriter.encoded(documents: documents)
    guard case .response(let change) = change else { return response }
    return try change(response)
  }

  /// The name spaces that answer, with other items in the first one.
  func returned(_ change: ([ResponseChange.SignedItem]) throws -> [ResponseChange.SignedItem]) throws
    -> [IssuerNameSpace]
  {
    let first = try firstNameSpace().space
    let items = try change(first.items)
    return (items.isEmpty ? [] : [IssuerNameSpace(name: first.name, items: items)])
      + document.nameSpaces.answer(to: request).nameSpaces.dropFirst()
  }

  /// The other document of the same type.
  /// - Throws: `SimulationError` without one.
  func another() throws -> OtherDocument {
    guard let other else { throw SimulationError.notApplicable("the app has no other document of the type") }
    return other
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
