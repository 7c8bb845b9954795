import CBOR
import COSE
import Crypto
import ExchangeFiles
import Foundation
import InteractiveWorlds
import JSON
import MobileDocument
import Primitives
import WebPresentment

/// The documents of an answer that no phone of a world makes: the device keys of phones are on P-256, and a phone answers
/// each request with one document.
struct OutsidePlan: Sendable {
  /// The documents, in the order of the response.
  var documents: [Document]

  /// A document with its device authentication.
  struct Document: Sendable {
    /// The kind of document.
    var kind = SuiteWorld.Kind.license
    /// The algorithm of the device key's curve.
    var deviceKey = COSEAlgorithm.es256
    /// The change to a genuine document; nil for none.
    var change: Change?
    /// True if it must answer a request.
    var isAsked = true
  }

  /// A change to a genuine document.
  enum Change: Sendable {
    /// The device signs for another nonce.
    case anotherNonce
    /// Another device's key signs.
    case anotherKey
    /// The protected header names ES256, whatever the curve is.
    case namesES256
    /// The same, and the signature is over SHA-256.
    case signsES256
    /// The value of an element is another one.
    case valueChanged
  }

  /// True if the request has to ask for several documents.
  var needsSeveral: Bool { documents.filter(\.isAsked).count > 1 }
}

/// Makes answers without a world.
struct OutsideAnswer {
  /// The origin of the page.
  let origin: String
  /// The authority that issues the documents.
  let authority: OutsideLicense
  /// A folder for temporary files.
  let folder: URL

  /// The credential that answers a page's options.
  /// - Throws: ``AnswerMaker/Failure`` if the request leaves no room for the plan, or an error if it cannot be read.
  func credential(to options: JSONValue, _ plan: OutsidePlan, of world: SuiteWorld) throws -> JSONValue {
    let texts = try RequestTexts(anywhereIn: try ExchangeFile(options.bytes))
    let contents = try texts.contents()
    let info = try EncryptionInfo(text: texts.encryptionInfo)
    let transcript = info.sessionTranscript(origin: origin)
    let encoded = try plan.documents.map { document in
      let items = contents.documents.first { $0.documentType == document.kind.rawValue }
      guard (items != nil) == document.isAsked else {
        throw AnswerMaker.Failure.documents((items == nil ? "does not ask for " : "asks for ") + document.kind.words)
      }
      return try encodedDocument(document, answering: items, info, transcript, of: world)
    }
    // A use case may be content with one document.
    guard !plan.needsSeveral || contents.useCases.allSatisfy({ $0.documentSets.allSatisfy { $0.count > 1 } }) else {
      throw AnswerMaker.Failure.documents("does not need several documents")
    }
    let response = try EncryptedResponse(
      sealing: DeviceResponseWriter.encoded(documents: encoded), to: info.recipientPublicKey, transcript: transcript,
      ephemeralKey: P256.KeyAgreement.PrivateKey())
    let data = JSONValue(members: [("response", .string(Base64URL.encode(response.encoded)))])
    return JSONValue(members: [("protocol", .string(RequestData.protocolIdentifier)), ("data", data)])
  }

  /// - Parameter items: The request; nil for a document that was not requested, which has every element.
  private func encodedDocument(
    _ document: OutsidePlan.Document, answering items: ItemsRequest?, _ info: EncryptionInfo,
    _ transcript: SessionTranscript, of world: SuiteWorld
  ) throws -> [UInt8] {
    let bound = AlgorithmKey(document.deviceKey)
    let issued = try authority.issued(world.issuable(document.kind), to: bound.coseKey, OutsideIssuance(), folder)
    let held = try HeldDocument(issued: issued, deviceKey: bound.coseKey)
    var nameSpaces = items.map { held.answer(to: $0).nameSpaces } ?? held.nameSpaces
    var (key, signed, algorithm) = (bound, transcript, bound.algorithm)
    switch document.change {
    case nil: break
    case .anotherNonce:
      let other = EncryptionInfo(nonce: info.nonce.reversed(), recipientPublicKey: info.recipientPublicKey)
      signed = other.sessionTranscript(origin: origin)
    case .anotherKey: key = AlgorithmKey(document.deviceKey)
    case .namesES256, .signsES256: algorithm = .es256
    case .valueChanged: nameSpaces = try Self.changingValue(in: nameSpaces)
    }
    let payload = signed.deviceAuthenticationBytes(
      documentType: held.documentType, deviceNameSpacesBytes: HeldDocument.emptyDeviceNameSpaces)
    let isOverSHA256 = if case .signsES256 = document.change { true } else { false }
    let authentication = try COSESign1.sign(
      payload: payload, detached: true, algorithm: algorithm,
      signature: isOverSHA256 ? key.signatureOverSHA256 : key.signature)
    return held.document(nameSpaces, authentication: ("deviceSignature", authentication))
  }

  /// Elements that nothing but their digests is compared with.
  private static let changeable: Set = ["family_name", "given_name", "document_number"]

  /// Changes one value: a name, or else a truth value.
  /// - Throws: ``AnswerMaker/Failure`` without either.
  private static func changingValue(in nameSpaces: [IssuerNameSpace]) throws -> [IssuerNameSpace] {
    func other(_ item: IssuerSignedItem) -> CBORValue? {
      switch item.elementValue {
      case .text(let text) where changeable.contains(item.elementIdentifier):
        .text(text.dropLast() + (text.last == "a" ? "o" : "a"))
      case .boolean(let value): .boolean(!value)
      default: nil
      }
    }
    let found = nameSpaces.flatMap { space in
      space.items.filter { other($0.value) != nil }.map { (space.name, $0.value) }
    }
    guard let (name, item) = found.first(where: { changeable.contains($0.1.elementIdentifier) }) ?? found.first,
      let value = other(item)
    else { throw AnswerMaker.Failure.noValue }
    let changed = IssuerSignedItem(
      digestID: item.digestID, random: item.random, elementIdentifier: item.elementIdentifier, elementValue: value)
    return nameSpaces.map { space in
      IssuerNameSpace(
        name: space.name,
        items: space.items.map {
          space.name == name && $0.value.digestID == item.digestID
            ? EncodedCBOR(changed, encodedAs: changed.encoded) : $0
        })
    }
  }
}
