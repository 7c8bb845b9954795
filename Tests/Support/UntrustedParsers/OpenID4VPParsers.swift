import COSE
import Crypto
import JOSE
import JSON
import Primitives
import StatusLists

@testable import OpenID4VP
@testable import SDJWT
@testable import StatusLists

extension UntrustedParser {
  /// A signed object in the compact or the general form. The reader holds the key.
  static let jws = UntrustedParser("jws", seeds: { [OpenID4VPSeeds.jws, OpenID4VPSeeds.severalJWS] }) { bytes in
    let key = VerificationKey.p256(FixedKeys.signer.publicKey)
    let objects: [JWS]
    if bytes.first == UInt8(ascii: "{") {
      let read = try JWSJSONSerialization(json: JOSEText.object(bytes, name: "the object"))
      objects = read.signatures.compactMap { try? $0.jws.get() }
      if objects.isEmpty, let first = read.signatures.first { _ = try first.jws.get() }
    } else {
      objects = [try JWS(compact: text(bytes))]
    }
    for object in objects {
      guard let verified = try? object.verify(with: key) else { continue }
      try BrokenPromise.unless(verified.payload == OpenID4VPSeeds.payload, "a forged object verifies")
    }
    return objects.reduce(0) { $0 + $1.unverifiedPayload.count }
  }

  /// An encrypted object. The reader holds the key.
  static let jwe = UntrustedParser("jwe", seeds: { OpenID4VPSeeds.encrypted }) { bytes in
    let content = try JWE(compact: text(bytes)).decrypt(with: FixedKeys.agreement(2))
    try BrokenPromise.unless(content == OpenID4VPSeeds.payload, "a forged object decrypts")
    return content.count
  }

  /// A public key.
  static let jwk = UntrustedParser(
    "jwk",
    seeds: { [JWK(COSEKey(FixedKeys.signer.publicKey), keyID: "k", use: "enc", algorithm: "ECDH-ES").json.bytes] }
  ) { bytes in
    let key = try JWK(json: JOSEText.object(bytes, name: "the key"))
    try BrokenPromise.unless(
      (try? JWK(json: JSONReader.item(key.json.bytes))) == key, "written and read again it is another")
    return key.json.bytes.count
  }

  /// A presented credential. The reader processes claims before it verifies, which no verifier does.
  static let sdJWT = UntrustedParser("sd-jwt", seeds: { OpenID4VPSeeds.credentials }) { bytes in
    let received = try UnverifiedSDJWT(compact: text(bytes))
    let payload = try JOSEText.object(received.issuerJWT.unverifiedPayload, name: "the payload")
    let claims = try DisclosedClaims(payload, disclosures: received.disclosures)
    return claims.root.value.bytes.count
  }

  /// A status token in JWT. The reader reads its claims before it verifies, which no verifier does.
  static let statusListJWT = UntrustedParser("status-list-jwt", seeds: { OpenID4VPSeeds.statusTokens }) { bytes in
    _ = try UnverifiedStatusToken(bytes, form: .jwt)
    let claims = try StatusTokenClaims(jwt: JWS(compact: text(bytes)).unverifiedPayload)
    guard case .statusList(let list) = claims.content else { throw NoValue() }
    try BrokenPromise.unless(list.bytes.count <= StatusLimits.listLength, "inflated beyond its bound")
    return claims.subject.utf8.count
  }

  /// A query.
  static let dcql = UntrustedParser("dcql", seeds: { [Array(OpenID4VPSeeds.query.utf8)] }) { bytes in
    let query = try DCQLQuery(json: JOSEText.object(bytes, name: "the query"))
    let claims = query.credentials.reduce(0) { $0 + ($1.claims?.count ?? 0) }
    try BrokenPromise.unless(
      query.credentials.count <= OpenID4VPLimits.credentials
        && claims <= OpenID4VPLimits.claims * OpenID4VPLimits.credentials, "more than the limits allow")
    return query.credentials.count + claims
  }

  /// A request of any kind. The first byte selects the kind.
  static let openID4VPRequest = UntrustedParser("openid4vp-request", seeds: { OpenID4VPSeeds.requests }) { bytes in
    let kinds = OpenID4VPProtocol.allCases
    let kind = kinds[Int(bytes.first ?? 0) % kinds.count]
    let request = try UnverifiedPresentationRequest(protocol: kind.rawValue, data: Array(bytes.dropFirst()))
    let payload: JSONItem
    switch request.content {
    case .unsigned(let json): payload = json
    case .signed(let jws): payload = try JOSEText.object(jws.unverifiedPayload, name: "the payload")
    case .multisigned(let object): payload = try JOSEText.object(object.unverifiedPayload, name: "the payload")
    }
    let parameters = try PresentationParameters(payload, types: [TransactionType("pay", members: ["amount"])])
    return parameters.nonce.utf8.count + parameters.query.credentials.count
  }

  /// A response. The reader expects a plain one, and after a first byte that is odd an encrypted one.
  static let openID4VPResponse = UntrustedParser("openid4vp-response", seeds: { OpenID4VPSeeds.responses }) { bytes in
    let key = FixedKeys.agreement(2)
    let encryption = ExpectedPresentations.Encryption(
      privateKey: key, key: OpenID4VPSeeds.recipient, encryptions: JWEEncryption.allCases)
    let expected = ExpectedPresentations(
      query: try DCQLQuery(json: JSONReader.item(Array(OpenID4VPSeeds.query.utf8))),
      encryption: (bytes.first ?? 0).isMultiple(of: 2) ? nil : encryption)
    switch try PresentationResponse(data: Array(bytes.dropFirst()), expecting: expected) {
    case .error(let code): return code.utf8.count
    case .token(let token): return token.answers.reduce(0) { $0 + $1.presentations.reduce(0) { $0 + $1.utf8.count } }
    }
  }
}

/// Inputs that were made with fixed keys. All signatures are deterministic.
enum OpenID4VPSeeds {
  static let payload = Array(#"{"iss":"https://issuer.example"}"#.utf8)
  static let query =
    #"{"credentials":[{"id":"a","format":"dc+sd-jwt","meta":{"vct_values":["t"]},"claims":[{"id":"x","path":["n",null,1],"values":["v",1,true]}],"claim_sets":[["x"]],"trusted_authorities":[{"type":"aki","values":["AQ"]}]},{"id":"b","format":"mso_mdoc","meta":{"doctype_value":"d"},"multiple":true,"claims":[{"path":["s","e"],"intent_to_retain":false}]}],"credential_sets":[{"options":[["a"],["b"]]}]}"#

  private static let header = JOSEHeaderDraft(type: "example+jwt", keyID: "k", x5c: [[1, 2, 3], [4]])
  static let recipient = JWK(
    COSEKey(FixedKeys.agreement(2).publicKey), keyID: "k", use: "enc", algorithm: JWE.algorithm)

  static let jws = Array(((try? JWS.sign(payload, header: header, with: FixedKeys.signer)) ?? "").utf8)
  static let severalJWS =
    (try? JWSJSONSerialization.sign(payload, [(header, FixedKeys.signer), (header, FixedKeys.signer)]))?.bytes ?? []

  static let encrypted: [[UInt8]] = JWEEncryption.allCases.compactMap { encryption in
    (try? JWE.encrypt(
      payload, to: recipient, encryption: encryption, partyUInfo: [1, 2], partyVInfo: [],
      ephemeralKey: FixedKeys.agreement(3), initializationVector: [UInt8](repeating: 5, count: 12))).map {
        Array($0.utf8)
      }
  }

  static let credentials: [[UInt8]] = {
    guard let claims = try? JSONReader.item(Array(#"{"n":{"m":[1,"x"]},"o":true}"#.utf8)),
      let paths = try? [#"["n"]"#, #"["n","m",null]"#].map({ try ClaimsPath(json: JSONReader.item(Array($0.utf8))) })
    else { return [] }
    var draft = SDJWTDraft(
      type: "t", holderKey: COSEKey(FixedKeys.signer.publicKey), claims: JSONValue(claims), disclosable: paths)
    draft.decoys = 1
    var number: UInt8 = 0
    let issued = try? draft.issued(by: FixedKeys.signer, chain: [[1, 2, 3]]) { count in
      number += 1
      return [UInt8](repeating: number, count: count)
    }
    let binding = try? JWS.sign(
      payload, header: JOSEHeaderDraft(type: SDJWTType.keyBinding), with: FixedKeys.signer)
    return [issued, issued.map { $0 + (binding ?? "") }].compactMap(\.self).map { Array($0.utf8) }
  }()

  static let statusTokens: [[UInt8]] = {
    let claims = StatusTokenClaims(
      subject: "https://status.example/1", issuedAt: DateTime(secondsSince1970: 1),
      expires: DateTime(secondsSince1970: 2), timeToLive: 3,
      content: .statusList(StatusList(entrySize: .two, bytes: [1, 2, 3])))
    let token = try? StatusTokenDraft(claims).signedJWT(by: FixedKeys.signer, chain: [])
    return (token ?? nil).map { [Array($0.utf8)] } ?? []
  }()

  static let requests: [[UInt8]] = {
    guard let query = try? JSONReader.item(Array(query.utf8)) else { return [] }
    var draft = PresentationRequestDraft(
      query: JSONValue(query), nonce: "n-0123456789abcdef", expectedOrigins: ["https://verifier.example"],
      encryptionKey: recipient)
    draft.transactionData = [
      Base64URL.encode(Array(#"{"type":"pay","credential_ids":["a"],"amount":"1"}"#.utf8))
    ]
    let signer = PresentationRequestDraft.Signer(
      clientID: ClientIdentifier(.sanDNS, "verifier.example"), chain: [[1, 2, 3]], key: FixedKeys.signer)
    let made = [draft.unsigned, try? draft.signed(by: signer), try? draft.signed(byEach: [signer, signer])]
    return made.enumerated().compactMap { number, data in data.map { [UInt8(number)] + $0 } }
  }()

  static let responses: [[UInt8]] = {
    let token = PresentationToken([.init(id: "b", presentations: ["AQ", "Ag"])])
    let encrypted = try? PresentationResponse.encrypted(
      token, to: recipient, encryption: .a256GCM, ephemeralKey: FixedKeys.agreement(3),
      initializationVector: [UInt8](repeating: 5, count: 12))
    return [
      [0] + PresentationResponse.plain(token), [0] + PresentationResponse.error(.accessDenied), [1] + (encrypted ?? []),
    ]
  }()
}
