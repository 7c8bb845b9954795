import COSE
import Certificates
import Crypto
import JOSE
import JSON
import MobileDocument
import Primitives

/// A request to be sent (OpenID4VP, A.2).
public struct PresentationRequestDraft: Sendable {
  /// `response_mode`.
  public var responseMode: ResponseMode
  /// `nonce`.
  public var nonce: String
  /// `expected_origins`, in signed requests only.
  public var expectedOrigins: [String]
  /// The key of an encrypted response; nil for a plain one.
  public var encryptionKey: JWK?
  /// The content encryptions that the verifier supports.
  public var encryptions: [JWEEncryption]
  /// The entries of `transaction_data` in base64url.
  public var transactionData: [String] = []
  /// `exp`, in signed requests only; nil for a request without an end.
  public var expires: DateTime?
  /// `dcql_query`.
  package var query: JSONValue

  /// Creates a request.
  package init(
    query: JSONValue, nonce: String, expectedOrigins: [String] = [], encryptionKey: JWK? = nil,
    encryptions: [JWEEncryption] = JWEEncryption.allCases
  ) {
    self.query = query
    self.nonce = nonce
    self.expectedOrigins = expectedOrigins
    self.encryptionKey = encryptionKey
    self.encryptions = encryptions
    responseMode = encryptionKey == nil ? .plain : .encrypted
  }

  /// Creates a request.
  public init(
    _ query: DCQLQuery, nonce: String, expectedOrigins: [String] = [], encryptionKey: JWK? = nil,
    encryptions: [JWEEncryption] = JWEEncryption.allCases
  ) {
    self.init(
      query: query.json, nonce: nonce, expectedOrigins: expectedOrigins, encryptionKey: encryptionKey,
      encryptions: encryptions)
  }

  /// A party that signs a request.
  public struct Signer: Sendable {
    /// The client identifier.
    public var clientID: ClientIdentifier
    /// The DER certificates, leaf first.
    public var chain: [[UInt8]]
    /// The key.
    public var key: any ES256Signer

    /// Creates a signer.
    public init(clientID: ClientIdentifier, chain: [[UInt8]], key: any ES256Signer) {
      self.clientID = clientID
      self.chain = chain
      self.key = key
    }

    /// Creates a signer with the key and the certificates of a reader, identified by its certificate's first domain name or
    /// by its digest; nil if the certificate cannot be read or has no domain name, and for another prefix.
    public init?(_ reader: DeviceRequestDraft.Reader, identifiedBy prefix: ClientIdentifier.Prefix = .hash) {
      guard let leaf = reader.chain.first else { return nil }
      let name: String?
      switch prefix {
      case .hash: name = Base64URL.encode(SHA256.hash(data: leaf).bytes)
      case .sanDNS: name = (try? CertificateChain.read([leaf]))?.first?.domains.first?.description
      default: name = nil
      }
      guard let name else { return nil }
      self.init(clientID: ClientIdentifier(prefix, name), chain: reader.chain, key: reader.signer)
    }
  }

  private func members(isSigned: Bool, clientID: ClientIdentifier? = nil) -> JSONValue {
    JSONValue(present: [
      ("client_id", clientID.map { .string($0.text) }), ("response_type", .string("vp_token")),
      ("response_mode", .string(responseMode.rawValue)), ("nonce", .string(nonce)), ("dcql_query", query),
      ("expected_origins", isSigned ? .array(expectedOrigins.map { .string($0) }) : nil),
      ("exp", isSigned ? expires.map { .number(String($0.secondsSince1970)) } : nil), ("client_metadata", metadata),
      ("transaction_data", transactionData.isEmpty ? nil : .array(transactionData.map { .string($0) })),
    ])
  }

  private var metadata: JSONValue {
    // Every signature that this project verifies, also of issuers on other curves.
    let cose: [COSEAlgorithm] = [.es256, .es384, .es512, .edDSA]
    let numbers = JSONValue.array(
      (cose.map(\.rawValue) + [COSEAlgorithm.fullySpecifiedES256]).map { .number(String($0)) })
    let names = JSONValue.array(JWSAlgorithm.allCases.map { .string($0.rawValue) })
    let ofMDoc = JSONValue(members: [("issuerauth_alg_values", numbers), ("deviceauth_alg_values", numbers)])
    let ofSDJWT = JSONValue(members: [("sd-jwt_alg_values", names), ("kb-jwt_alg_values", names)])
    let formats = [(CredentialFormat.mdoc.rawValue, ofMDoc), (CredentialFormat.sdJWT.rawValue, ofSDJWT)]
    return JSONValue(present: [
      ("jwks", encryptionKey.map { JSONValue(members: [("keys", .array([$0.json]))]) }),
      (
        "encrypted_response_enc_values_supported",
        encryptionKey.map { _ in .array(encryptions.map { .string($0.rawValue) }) }
      ),
      ("vp_formats_supported", JSONValue(members: formats)),
    ])
  }

  /// The data of an unsigned request, UTF-8 JSON.
  public var unsigned: [UInt8] { members(isSigned: false).bytes }

  /// Returns the data of a signed request, UTF-8 JSON.
  /// - Throws: The signer's error.
  public func signed(by signer: Signer) throws -> [UInt8] {
    let text = try JWS.sign(
      members(isSigned: true, clientID: signer.clientID).bytes,
      header: JOSEHeaderDraft(type: RequestAuthenticator.type, x5c: signer.chain), with: signer.key)
    return JSONValue(members: [("request", .string(text))]).bytes
  }

  /// Returns the data of a request with several signatures, UTF-8 JSON. Each client identifier is in its own header.
  /// - Throws: A signer's error.
  public func signed(byEach signers: [Signer]) throws -> [UInt8] {
    try JWSJSONSerialization.sign(
      members(isSigned: true).bytes,
      signers.map { signer in
        var header = JOSEHeaderDraft(type: RequestAuthenticator.type, x5c: signer.chain)
        header.others = [("client_id", .string(signer.clientID.text))]
        return (header, signer.key)
      }
    ).bytes
  }

  /// Returns the data of a request in a protocol, UTF-8 JSON.
  /// - Parameter signers: A request with one signature has that of the first.
  /// - Throws: A signer's error, or ``JOSEError`` for a signed request without a signer.
  public func data(of kind: OpenID4VPProtocol, signedBy signers: [Signer]) throws -> [UInt8] {
    guard kind != .unsigned else { return unsigned }
    guard let first = signers.first else { throw JOSEError(.structure, "a signed request needs a signer") }
    return kind == .signed ? try signed(by: first) : try signed(byEach: signers)
  }
}
