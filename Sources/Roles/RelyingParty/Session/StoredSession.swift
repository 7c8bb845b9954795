import CBOR
import COSE
import Crypto
import JOSE
import JSON
import MobileDocument
import OpenID4VP
import Primitives

/// The form of a session in a server's database. It has the private keys of the requests.
extension VerifierSession {
  /// The session as UTF-8 JSON, for a server's database. It has the private keys that open the answer, so encrypt it there.
  /// Whether the session is used is not part of it: the database keeps that apart, where one statement can set it.
  public var stored: [UInt8] {
    JSONValue(members: [
      ("session", .string(identifier)), ("origin", .string(origin)),
      ("expires", .number(String(expires.secondsSince1970))), ("requests", .array(requests.map(\.stored))),
    ]).bytes
  }

  /// Restores a session from a server's database.
  /// - Parameters:
  ///   - bytes: ``stored``.
  ///   - isUsed: True if the session has had its answer.
  /// - Throws: An error for bytes that are not a stored session.
  public init(stored bytes: [UInt8], isUsed: Bool = false) throws {
    let item = try JSONReader.item(bytes, limits: .message)
    self.init(
      identifier: try item.member("session"), origin: try item.member("origin"),
      requests: try item.item("requests").elements().map(SessionRequest.init(stored:)),
      expires: DateTime(secondsSince1970: try item.member("expires")), isUsed: isUsed)
  }
}

extension SessionRequest {
  fileprivate var stored: JSONValue {
    switch self {
    case .annexC(let request): request.stored
    case .openID4VP(let request): request.stored()
    }
  }

  fileprivate init(stored item: JSONItem) throws {
    self =
      try item.optionalItem("encryptionInfo") == nil
      ? .openID4VP(OpenID4VPSession(stored: item)) : .annexC(AnnexCSession(stored: item))
  }
}

extension AnnexCSession {
  fileprivate var stored: JSONValue {
    JSONValue(members: [
      ("documents", .array(documents.map { .string(Base64URL.encode($0.encoded)) })),
      ("useCases", .string(Base64URL.encode(encodedUseCases))),
      ("encryptionInfo", .string(encryptionInfoText)),
      ("key", .string(Base64URL.encode([UInt8](recipientKey.rawRepresentation)))),
    ])
  }

  fileprivate init(stored item: JSONItem) throws {
    let documents = try item.item("documents").elements().map { try ItemsRequest(CBORReader.read($0.base64URL())) }
    self.init(
      documents: documents,
      useCases: try Self.useCases(in: item.base64URLMember("useCases"), documentCount: documents.count),
      encryptionInfoText: try item.member("encryptionInfo"),
      recipientKey: try P256.KeyAgreement.PrivateKey(rawRepresentation: item.base64URLMember("key")))
  }
}

extension AnnexCSession {
  /// The use cases for a server's database: `DeviceRequestInfo`, which has some; empty without any.
  package var encodedUseCases: [UInt8] { useCases.isEmpty ? [] : DeviceRequestInfo(useCases: useCases).encoded }

  /// Reads ``encodedUseCases``.
  package static func useCases(in encoded: [UInt8], documentCount: Int) throws -> [DeviceRequestInfo.UseCase] {
    encoded.isEmpty ? [] : try DeviceRequestInfo(CBORReader.read(encoded), documentCount: documentCount).useCases
  }
}

extension OpenID4VPSession {
  /// The request for a server's database.
  /// - Parameter keep: Returns the 32 bytes of the key of an encrypted answer.
  package func stored(keeping keep: (P256.KeyAgreement.PrivateKey) -> [UInt8] = { [UInt8]($0.rawRepresentation) })
    -> JSONValue
  {
    let encryptions = encryption?.encryptions ?? JWEEncryption.allCases
    return JSONValue(present: [
      ("kind", .string(kind.rawValue)), ("nonce", .string(nonce)), ("query", query.json),
      ("clients", .array(clientIDs.map { .string($0.text) })),
      ("begun", begun.map { .number(String($0.secondsSince1970)) }),
      ("key", encryption.map { .string(Base64URL.encode(keep($0.privateKey))) }), ("publicKey", encryption?.key.json),
      ("encryptions", encryptions == JWEEncryption.allCases ? nil : .array(encryptions.map { .string($0.rawValue) })),
      ("transactions", transactionData.isEmpty ? nil : .array(transactionData.map { .string($0.text) })),
    ])
  }

  /// Restores a request from a server's database.
  /// - Parameter recall: Returns the key of 32 bytes.
  package init(
    stored item: JSONItem,
    recalling recall: ([UInt8]) throws -> P256.KeyAgreement.PrivateKey = {
      try P256.KeyAgreement.PrivateKey(rawRepresentation: $0)
    }
  ) throws {
    let name: String = try item.member("kind")
    guard let kind = OpenID4VPProtocol(identifier: name) else { throw item.error("unknown protocol '\(name)'") }
    let query = try DCQLQuery(json: item.item("query"))
    let encryptions = try (item.optionalMember("encryptions") as [String]?).map { names in
      try names.map { name in
        guard let one = JWEEncryption(rawValue: name) else { throw item.error("unknown encryption '\(name)'") }
        return one
      }
    }
    let encryption = try item.optionalItem("key").map { _ in
      let privateKey = try recall(item.base64URLMember("key"))
      let key = try JWK(json: item.item("publicKey"))
      guard key.publicKey == COSEKey(privateKey.publicKey) else {
        throw item.error("'publicKey' does not belong to 'key'")
      }
      return ExpectedPresentations.Encryption(
        privateKey: privateKey, key: key, encryptions: encryptions ?? JWEEncryption.allCases)
    }
    let clients: [String] = try item.member("clients")
    let transactions: [String] = try item.optionalMember("transactions") ?? []
    self.init(
      kind, query: query, nonce: try item.member("nonce"),
      encryption: encryption,
      clientIDs: clients.map { ClientIdentifier($0) },
      transactionData: try transactions.map { try TransactionData($0, query: query, types: nil) },
      begun: try (item.optionalMember("begun") as Int64?).map(DateTime.init(secondsSince1970:)))
  }
}
