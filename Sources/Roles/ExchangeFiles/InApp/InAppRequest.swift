import Checks
import Crypto
import IdentityDocumentServices
import JSON
import MobileDocument
import Primitives
import RelyingParty
import WebPresentment

/// The `PKIdentityRequest` of an app in an exchange file (Verifying Wallet identity requests):
///
/// ```
/// {"kind": "in-app",
///  "request": {"nonce": base64url, "merchantIdentifier": "…", "teamIdentifier": "…",
///              "recipientPublicKey": {JSON Web Key},
///              "documents": [{"docType": "…", "nameSpaces": {"…": {"given_name": false}}}]},
///  "recipientPrivateKey": {JSON Web Key}, "response": base64url of HPKEEnvelope, "trustedIssuers": […]}
/// ```
///
/// `documents` has the elements of the request's descriptor, each with whether the app may store it. Without it, the
/// response is not compared with the request.
public struct InAppRequest: Sendable {
  /// The nonce.
  public var nonce: [UInt8]
  /// The merchant identifier.
  public var merchantIdentifier: String
  /// The team identifier of the app.
  public var teamIdentifier: String
  /// The key of the encryption certificate; nil if the file has only the private key.
  public var recipientPublicKey: P256.KeyAgreement.PublicKey?
  /// The requested documents; nil if they are not known.
  public var documents: [ItemsRequest]?

  /// The value of the member `kind`.
  public static let kind = "in-app"
  /// The value of the member `kind` of exchanges with a website, and its default.
  static let webKind = "web"
  /// The length of a fresh nonce in bytes.
  public static let nonceLength = InAppSession.nonceLength

  /// Creates a request.
  public init(
    nonce: [UInt8], merchantIdentifier: String, teamIdentifier: String,
    recipientPublicKey: P256.KeyAgreement.PublicKey?, documents: [ItemsRequest]?
  ) {
    self.nonce = nonce
    self.merchantIdentifier = merchantIdentifier
    self.teamIdentifier = teamIdentifier
    self.recipientPublicKey = recipientPublicKey
    self.documents = documents
  }

  /// Reads the request of a file.
  /// - Throws: ``ExchangeFileError``.
  init(_ file: ExchangeFile) throws(ExchangeFileError) {
    let request = try file.root.required("request")
    let nonce = try request.required("nonce")
    self.nonce = try nonce.base64URL()
    guard self.nonce.count <= AppleHandover.maximumNonceLength else {
      throw ExchangeFileError(
        .content, nonce.path, "\(self.nonce.count) bytes; a nonce has at most \(AppleHandover.maximumNonceLength)")
    }
    merchantIdentifier = try request.required("merchantIdentifier").shortText()
    teamIdentifier = try request.required("teamIdentifier").shortText()
    recipientPublicKey = try request["recipientPublicKey"].map { (key) throws(ExchangeFileError) in
      try PrivateKeyFile.publicAgreementKey(jwk: key)
    }
    documents = try request["documents"].map { (member) throws(ExchangeFileError) in
      var documents: [ItemsRequest] = []
      for document in try member.elements() { documents.append(try Self.document(document)) }
      return documents
    }
  }

  private static func document(_ field: JSONField) throws(ExchangeFileError) -> ItemsRequest {
    var spaces: [ItemsRequest.NameSpace] = []
    for (name, space) in try field.required("nameSpaces").members() {
      var elements: [ItemsRequest.Element] = []
      for (identifier, retained) in try space.members() {
        guard case .boolean(let isRetained) = retained.value else { throw retained.wrongKind("a boolean") }
        elements.append(ItemsRequest.Element(identifier, intentToRetain: isRetained))
      }
      guard !elements.isEmpty else { throw ExchangeFileError(.content, space.path, "empty") }
      spaces.append(ItemsRequest.NameSpace(name, elements))
    }
    return ItemsRequest(documentType: try field.required("docType").shortText(), nameSpaces: spaces)
  }

  /// The request as JSON.
  var json: JSONValue {
    JSONValue(present: [
      ("nonce", .string(Base64URL.encode(nonce))), ("merchantIdentifier", .string(merchantIdentifier)),
      ("teamIdentifier", .string(teamIdentifier)),
      ("recipientPublicKey", recipientPublicKey.map { PrivateKeyFile.jwk(of: $0) }),
      ("documents", documents.map { .array($0.map(Self.json)) }),
    ])
  }

  private static func json(of document: ItemsRequest) -> JSONValue {
    JSONValue(members: [
      ("docType", .string(document.documentType)),
      (
        "nameSpaces",
        JSONValue(
          members: document.nameSpaces.map { space in
            (space.name, JSONValue(members: space.elements.map { ($0.identifier, .boolean($0.intentToRetain)) }))
          })
      ),
    ])
  }

  /// The session of an app's server that made the request.
  func session(recipientKey: P256.KeyAgreement.PrivateKey) throws(ExchangeFileError) -> InAppSession {
    if let recipientPublicKey, recipientPublicKey.rawRepresentation != recipientKey.publicKey.rawRepresentation {
      throw ExchangeFileError(.key, "recipientPrivateKey", "does not match request.recipientPublicKey")
    }
    // An exchange file has no session state, so its session neither has a name nor expires.
    return InAppSession(
      identifier: "exchange", nonce: nonce, merchantIdentifier: merchantIdentifier, teamIdentifier: teamIdentifier,
      recipientKey: recipientKey, requests: documents, expires: DateTime(secondsSince1970: .max))
  }

  /// Writes the request as an exchange file, with the key that opens the answer.
  /// - Parameter trustedIssuers: PEM texts with the roots of the accepted issuing authorities.
  public func exchange(recipientKey: P256.KeyAgreement.PrivateKey, trustedIssuers: [String]) -> ExchangeFile {
    ExchangeFile(
      [("kind", .string(Self.kind))], request: json, recipientKey: recipientKey, trustedIssuers: trustedIssuers)
  }

  /// The request for the phone: an exchange file without secrets.
  public var forPhone: ExchangeFile {
    ExchangeFile(json: JSONValue(members: [("kind", .string(Self.kind)), ("request", json)]))
  }
}

extension ExchangeFile {
  /// Returns true if the exchange is of an app's request.
  /// - Throws: ``ExchangeFileError`` if the file has another kind.
  public func isInApp() throws(ExchangeFileError) -> Bool {
    guard let member = root["kind"] else { return false }
    let kind = try member.shortText()
    guard kind == InAppRequest.kind || kind == InAppRequest.webKind else {
      throw ExchangeFileError(
        .content, member.path,
        "unknown kind '\(TerminalSafe.text(kind))'; expected \(InAppRequest.webKind) or \(InAppRequest.kind)")
    }
    return kind == InAppRequest.kind
  }
}

extension WalletResponder {
  /// Answers the request of an app, as Wallet does: one document, with the requested elements that it holds.
  ///
  /// - Parameter ephemeralKey: A fresh key for this answer alone.
  /// - Throws: ``ExchangeFileError``, or `ProviderRefusal` if the wallet does not hold the document.
  public func answerInApp(_ file: ExchangeFile, ephemeralKey: P256.KeyAgreement.PrivateKey) throws -> Answered {
    let request = try InAppRequest(file)
    let recipient: P256.KeyAgreement.PublicKey
    if let key = request.recipientPublicKey {
      recipient = key
    } else {
      recipient = try file.recipientPrivateKey().publicKey
    }
    guard let requested = request.documents, requested.count == 1, let items = requested.first else {
      throw ExchangeFileError(.content, "request.documents", "an app requests one document")
    }
    guard let document = documents.first(where: { $0.held?.documentType == items.documentType }) else {
      throw ProviderRefusal(.document, evidence: .field("docType", expected: items.documentType))
    }
    let handover = AppleHandover(
      nonce: request.nonce, merchantIdentifier: request.merchantIdentifier, teamIdentifier: request.teamIdentifier,
      recipient: recipient)
    let envelope = try document.keeping(limits.allows)
      .envelope(answering: items, of: handover, to: recipient, ephemeralKey: ephemeralKey)
    let answered = file.without("deviceResponse").without("sessionTranscript")
      .setting("response", to: .string(Base64URL.encode(envelope.encoded)))
    let who = "\(request.merchantIdentifier) of team \(request.teamIdentifier)"
    return Answered(exchange: answered, story: ["an app asks: \(TerminalSafe.text(who))"] + documentStory(of: items))
  }
}
