import CBOR
import COSE
import Certificates
import Crypto
import ExchangeFiles
import Faults
import JSON
import MobileDocument
import OwnWallets
import Primitives
import SimulationKernel
import TranscriptDiagnosis
import WebPresentment

/// How a request is made.
struct RequestPlan: Sendable {
  /// The requested documents.
  var documents = [Self.names]
  /// The use cases; none for all documents at once.
  var useCases: [DeviceRequestInfo.UseCase] = []
  /// The edition of the standard.
  var version = DeviceRequestDraft.Version.second
  /// The readers that sign.
  var readers = [ReaderKind.certified]
  /// The origin of the page, as its browser states it.
  var origin = Self.shop
  /// False for a system that does not say the origin.
  var statesOrigin = true
  /// The content of the reader signatures.
  var signs = Signed.right
  /// A change to the encryption information, before the readers sign.
  var encryption = EncryptionChange.none
  /// A change to the raw request, after the readers have signed.
  var change: (@Sendable (inout RequestData) throws -> Void)?
  /// Another text in place of the raw request.
  var raw: String?
  /// The partial request that the wallet shows; nil for that of the raw request.
  var shows: Shows?
  /// The documents that an answer has, without those that the suite does not issue; nil for every requested one.
  var expected: [ItemsRequest]?

  static let shop = "https://shop.example"
  static let names = SuiteDocument.license.asking(["family_name", "given_name"])

  /// The content of reader signatures.
  enum Signed: Sendable {
    case right
    /// The request for another origin.
    case origin(String)
    case transcript(TranscriptVariant)
    case authentication(ReaderAuthenticationVariant)
    /// The right content, signed with another key than that of the certificate.
    case anotherKey
  }

  /// A change to the encryption information.
  enum EncryptionChange: Sendable {
    case none, notCBOR, marker, keyMissing, keyOffCurve, keyOfAnotherCurve, shortNonce
  }

  /// The content of a partial request.
  struct Shows: Sendable {
    var documents = [RequestPlan.names]
    var useCases: [DeviceRequestInfo.UseCase] = []
    var readers = [ReaderKind.certified]
  }

  /// The host of the origin.
  private var host: String {
    let rest = origin.firstRange(of: "://").map { origin[$0.upperBound...] } ?? origin[...]
    return String(rest.prefix { $0 != ":" })
  }

  /// Returns the request.
  /// - Parameter label: Distinguishes its keys from those of other requests of the run.
  func made(by authorities: WalletAuthorities, label: String) throws -> MadeRequest {
    var stream = authorities.stream("request/\(label)")
    let key = try P256.KeyAgreement.PrivateKey(
      rawRepresentation: DeterministicSigningKey(seededBy: { stream.bytes(32) }).rawRepresentation)
    var text = EncryptionInfo(nonce: stream.bytes(nonceLength), recipientPublicKey: key.publicKey).text
    // The alphabets of base64 differ in two characters, of which a text may have none.
    while case .transcript(.encryptionInfoStandardBase64) = signs, !text.contains(where: { "-_".contains($0) }) {
      text = EncryptionInfo(nonce: stream.bytes(nonceLength), recipientPublicKey: key.publicKey).text
    }
    text = try encryption.changed(text)
    let other = EncryptionInfo(nonce: stream.bytes(nonceLength), recipientPublicKey: key.publicKey).text
    let inputs = TranscriptInputs(
      encryptionInfoText: text, origin: origin,
      otherSessions: [.init(identifier: "other", encryptionInfoText: other, origin: origin)])
    let signing = try readers.map { try authorities.reader($0, host: host) }
    let draft = DeviceRequestDraft(version: version, documents: documents, useCases: useCases)
    let anotherKey = try DeterministicSigningKey(seededBy: { stream.bytes(32) })
    let encoded = try draft.encoded(signedFor: signing) { parts, reader in
      let signer: any ES256Signer = if case .anotherKey = signs { anotherKey } else { reader.signer }
      switch try signs.content(of: parts, inputs) {
      case .payload(let payload):
        return try COSESign1.sign(payload: payload, detached: true, x5chain: reader.chain, with: signer)
      case .message(let message):
        return COSESign1.detached(signature: try signer.signature(for: message), x5chain: reader.chain)
      }
    }
    let sent = RequestData(deviceRequest: Base64URL.encode(encoded), encryptionInfo: text)
    var data = sent
    try change?(&data)
    let shown = shows ?? Shows(documents: documents, useCases: draft.writtenUseCases, readers: readers)
    return MadeRequest(
      origin: statesOrigin ? origin : nil,
      partial: PartialRequestText(
        documents: shown.documents, useCases: shown.useCases,
        readers: try shown.readers.map { try authorities.reader($0, host: host).chain }),
      raw: raw ?? String(decoding: data.json, as: UTF8.self),
      exchange: ExchangeFile(
        [("origin", .string(origin))],
        request: JSONValue(members: [
          ("deviceRequest", .string(sent.deviceRequest)), ("encryptionInfo", .string(sent.encryptionInfo)),
        ]), recipientKey: key,
        trustedIssuers: [String(decoding: CertificateChain.pem([authorities.issuerRoot]), as: UTF8.self)]),
      recipientKey: key, transcript: inputs.sessionTranscript,
      expected: DocumentElement.all(of: expected ?? documents))
  }

  private var nonceLength: Int { if case .shortNonce = encryption { 8 } else { RequestBuilder.nonceLength } }
}

/// A request that a wallet gets.
struct MadeRequest: Sendable {
  /// The origin of the page; nil if the system does not say it.
  let origin: String?
  /// The part that the wallet may show.
  let partial: PartialRequestText
  /// The raw request.
  let raw: String
  /// The request with the private key that opens the answer.
  let exchange: ExchangeFile
  /// The private key that opens the answer.
  let recipientKey: P256.KeyAgreement.PrivateKey
  /// The transcript of the session.
  let transcript: SessionTranscript
  /// The elements that an answer has to have.
  let expected: Set<DocumentElement>
}

extension DocumentElement {
  /// The elements of requests that documents of the suite have.
  static func all(of requests: [ItemsRequest]) -> Set<DocumentElement> {
    Set(
      requests.flatMap { request in
        let document = SuiteDocument.allCases.first { $0.type == request.documentType }
        return request.nameSpaces.flatMap { space in
          space.elements.filter { document?.has(space.name, $0.identifier) == true }.map {
            DocumentElement(documentType: request.documentType, nameSpace: space.name, identifier: $0.identifier)
          }
        }
      })
  }
}

extension RequestPlan.Signed {
  fileprivate func content(of parts: ReaderAuthenticationParts, _ inputs: TranscriptInputs) throws -> SignedContent {
    switch self {
    case .right, .anotherKey: return parts.content(over: inputs.sessionTranscript)
    case .origin(let origin):
      return parts.content(
        over: EncryptionInfo.sessionTranscript(encryptionInfoText: inputs.encryptionInfoText, origin: origin))
    case .transcript(let variant):
      guard let found = variant.transcripts(from: inputs).first else { break }
      return parts.content(over: found.transcript)
    case .authentication(let variant):
      guard let found = variant.contents(of: parts, over: inputs.sessionTranscript).first else { break }
      return found.content
    }
    throw SimulationError.notApplicable("the mistake changes nothing in this request")
  }
}

extension RequestPlan.EncryptionChange {
  /// Label of the first coordinate and of the curve in a COSE key (RFC 9053, 7.1.1).
  private static let (x, curve): (CBORValue, CBORValue) = (.negative(1), .negative(0))

  fileprivate func changed(_ text: String) throws -> String {
    guard let bytes = Base64URL.decode(text) else { return text }
    let item = CBORValue(try CBORReader.read(bytes))
    let key: [CBORPlace] = [.element(1), .member(.text("recipientPublicKey"))]
    let changed: CBORValue
    switch self {
    case .none, .shortNonce: return text
    case .notCBOR: return Base64URL.encode(Array(bytes.dropLast(5)))
    case .marker: changed = try item.changing([.element(0)]) { _ in .text("openid4vp") }
    case .keyMissing: changed = try item.changing([.element(1)]) { try $0.removing(.text("recipientPublicKey")) }
    case .keyOffCurve:
      changed = try item.changing(key + [.member(Self.x)]) { _ in .bytes([UInt8](repeating: 5, count: 32)) }
    case .keyOfAnotherCurve: changed = try item.changing(key + [.member(Self.curve)]) { _ in .unsigned(2) }
    }
    return Base64URL.encode(changed.encoded)
  }
}
