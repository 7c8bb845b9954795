import CBOR
import COSE
import Certificates
import Crypto
import DigitalCredentials
import MobileDocument
import Primitives
import RelyingParty
import TestSupport
import Vocabulary
import WebPresentment

@testable import ExchangeFiles
@testable import StatusLists
@testable import TrustLists

extension UntrustedParser {
  /// Lists of revoked certificates.
  static let revocationList = UntrustedParser(
    "crl", seeds: { Seeds.bytes("hex", of: "synthetic_annex_c", kind: "X.509 CRL v2 DER") }
  ) { bytes in
    let list = try CertificateRevocationList(derEncoded: bytes)
    return list.issuer.description.utf8.count
      + list.entries.reduce(0) { $0 + $1.serialNumber.count + "\($1.date)".utf8.count }
  }

  /// Exchange files, up to where their response is verified.
  static let exchangeFile = UntrustedParser("exchange-file", seeds: { Seeds.exchangeFiles }) { bytes in
    let file = try ExchangeFile(bytes)
    try BrokenPromise.unless(
      (try? ExchangeFile(file.bytes))?.bytes == file.bytes, "written and read again it is another")
    let exchange = try VerifiableExchange(file) { _ in throw NoValue() }
    return exchange.trustedIssuers.certificates.count + exchange.statusLists.count
  }

  /// Private keys in PEM and as JSON Web Keys: every key that is read is a P-256 key.
  static let privateKey = UntrustedParser("private-key", seeds: { Seeds.privateKeys }) { bytes in
    let key = try PrivateKeyFile.signingKey(bytes, name: "key")
    return key.rawRepresentation.count
  }

  /// A page's message to its server with a response: it opens, or a check refuses it.
  static let answerData = UntrustedParser("answer-data", seeds: { Answers.seeds }) { bytes in
    let opened = Answers.session.open(
      SubmittedAnswer(protocol: RequestData.protocolIdentifier, data: bytes), at: DateTime(secondsSince1970: 0))
    if let response = opened.deviceResponse {
      try BrokenPromise.unless(response == Answers.plaintext, "something else was opened than was sealed")
      return response.count
    }
    guard let failed = opened.checks.failure else {
      throw BrokenPromise(description: "refused, and no check failed")
    }
    throw Refused(code: failed.name)
  }

  /// Lists of issuing authorities' certificates: the signed message, or the list in it alone.
  static let vical = UntrustedParser("vical", seeds: { Lists.seeds }) { bytes in
    let chain = UnverifiedVICAL(bytes).signerChain
    let message = try? COSESign1(CBORReader.read(bytes, limits: VICAL.Limits.cbor, leniency: .received))
    let list = try VICAL(payload: message?.unverifiedPayload ?? bytes)
    try BrokenPromise.unless(list.entries.count <= VICAL.Limits.entries, "more entries than a list may have")
    return list.entries.reduce(list.provider.utf8.count + chain.count) {
      $0 + $1.certificate.count + $1.documentTypes.count
    }
  }

  /// Compressed data of status lists.
  static let inflate = UntrustedParser(
    "inflate", growth: 1032,
    seeds: {
      // Without compression, with fixed codes and with dynamic codes (RFC 1951, 3.2.3).
      [
        Inflate.stored([1, 2, 3]), [0x78, 0xda, 0x4b, 0x4c, 0xc4, 0x04, 0x00, 0x4f, 0xa6, 0x07, 0x95],
        Hex.decode(dynamicCodes) ?? [],
      ]
    }
  ) { bytes in
    let limit = 1 << 16
    let data = try Inflate.zlib(bytes, limit: limit)
    try BrokenPromise.unless(data.count <= limit, "inflated beyond its bound")
    return data.count
  }

  private static let dynamicCodes = """
    78daddcd471282301840e1abfc0770616fd87befbd07122018122014f5f4cea8a770f766bec56354fab208216214c780f25f\
    c8403a846382952f013210e5104f2453e94c36972f806f127003aadd41f544c441170fb002db912042e27d98a1d713b03014\
    607f7429952bd55abdd16cb53bdd5e7f301c8d27d3d97cb15cad37dbddfe703c9d2fd71b52354c74c3a4d69dd95c38ae27fd\
    208cde1fa97e28
    """

  /// A sealed response to an app, and what is in it.
  static let envelope = UntrustedParser(
    "envelope",
    seeds: {
      let envelope = HPKEEnvelope(
        ephemeralKey: [UInt8](FixedKeys.agreement(3).publicKey.x963Representation),
        recipientKeyHash: [UInt8](repeating: 1, count: 32), infoHash: [UInt8](repeating: 2, count: 32), data: [1, 2, 3])
      return [envelope.encoded, Topics(identity: [0xa0]).encoded]
    }
  ) { bytes in
    if let topics = try? Topics(encoded: bytes) {
      try BrokenPromise.unless(
        (try? Topics(encoded: topics.encoded)) == topics, "written and read again they are others")
      return topics.identity.count
    }
    let envelope = try HPKEEnvelope(encoded: bytes)
    try BrokenPromise.unless(
      (try? HPKEEnvelope(encoded: envelope.encoded)) == envelope, "written and read again it is another")
    return envelope.data.count + envelope.ephemeralKey.count
  }

  /// A document in each form, as a holder's command and as the verifying command reads it.
  static let documentFile = UntrustedParser(
    "document-file",
    seeds: {
      Seeds.issuedDocuments.prefix(2) + [
        Array(#"{"issuerSigned":"omppc3N1ZXJBdXRo","deviceKey":{"kty":"EC","crv":"P-256","d":"AQ"}}"#.utf8),
        Array("a16a697373756572417574688440a0f640".utf8), Array("oWppc3N1ZXJBdXRohECg9kA=".utf8),
      ]
    }
  ) { bytes in
    _ = try? DocumentFile.document(("document", bytes), deviceKey: ("key", documentKey))
    let file = try IssuedDocument.exchange(of: bytes, name: "document")
    _ = try? VerifiableExchange(file) { _ in throw NoValue() }
    return file.bytes.count
  }

  /// The device key, as a file. Writing it takes as long as reading a document.
  private static let documentKey = Array(FixedKeys.signing(1).pemRepresentation.utf8)

  /// Files with trusted certificates: several in PEM, or one in DER.
  static let trustedCertificates = UntrustedParser(
    "trusted-certificates", seeds: { [CertificateChain.pem(Seeds.annexD("cert-iaca", "cert-ds"))] }
  ) { bytes in
    let trusted = try CertificateFile.trusted(bytes, for: .documentSigner, name: "certificates")
    return trusted.count
  }

  /// Exchange files of an app's request.
  static let inAppExchange = UntrustedParser("in-app-exchange", seeds: { Seeds.inAppExchanges }) { bytes in
    let file = try ExchangeFile(bytes)
    let request = try InAppRequest(file)
    _ = try VerifiableExchange(file) { _ in throw NoValue() }
    return request.nonce.count + (request.documents ?? []).reduce(0) { $0 + $1.nameSpaces.count }
  }

  /// A server's request to the publisher of a status list.
  static let statusListRequest = UntrustedParser(
    "status-list-request",
    seeds: {
      [HTTPGetRequest(host: "issuer.example", target: "/lists/1?time=2").encoded(accepting: ["a/b", "c/d"])]
    }
  ) { bytes in
    guard let request = HTTPGetRequest(bytes) else { throw NoValue() }
    return request.host.utf8.count + request.target.utf8.count
  }
}

/// The error of a reader that refused without a code.
struct Refused: Error {
  let code: String
}

/// One sealed answer, short because each damaged one is tried with every known mistake.
private enum Answers {
  static let plaintext = Array("a response".utf8)
  private static let information = EncryptionInfo(
    nonce: [UInt8](repeating: 7, count: 32), recipientPublicKey: FixedKeys.agreement(2).publicKey)

  private static let request = AnnexCSession(
    documents: [], encryptionInfoText: information.text, recipientKey: FixedKeys.agreement(2))
  static let session = VerifierSession(
    identifier: "1", origin: "https://example.com", requests: [.annexC(request)],
    expires: DateTime(secondsSince1970: 1))

  static var seeds: [[UInt8]] {
    guard
      let sealed = try? EncryptedResponse(
        sealing: plaintext, to: FixedKeys.agreement(2).publicKey,
        transcript: request.sessionTranscript(origin: session.origin),
        ephemeralKey: FixedKeys.agreement(3))
    else { return [] }
    let text = Base64URL.encode(sealed.encoded)
    return ["response", "Response"].map { Array(#"{"\#($0)":"\#(text)"}"#.utf8) }
  }
}

/// A list with one entry, which is not a certificate, and the same signed.
private enum Lists {
  static var seeds: [[UInt8]] {
    let entry = CBORValue.textMap([
      ("certificate", .bytes([0x30, 0])), ("serialNumber", .tagged(2, .bytes([7]))), ("ski", .bytes([1])),
      ("docType", .array([.text("org.iso.18013.5.1.mDL")])), ("issuingAuthority", .text("DMV")),
      ("issuingCountry", .text("US")), ("stateOrProvinceName", .text("CA")),
    ])
    let list = CBORValue.textMap([
      ("version", .text("1.0")), ("vicalProvider", .text("Lists")),
      ("date", .tagged(0, .text("2025-09-15T17:00:00Z"))), ("vicalIssueID", .unsigned(3)),
      ("nextUpdate", .tagged(0, .text("2025-10-15T17:00:00Z"))), ("certificateInfos", .array([entry])),
    ]).encoded
    let signed = try? COSESign1.sign(payload: list, detached: false, x5chain: [], with: FixedKeys.signer)
    return [list] + (signed.map { [$0] } ?? [])
  }
}

extension Seeds {
  /// An exchange file of an app's request.
  static var inAppExchanges: [[UInt8]] {
    let key = FixedKeys.agreement(2)
    let point = [UInt8](key.publicKey.rawRepresentation)
    let (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
    let members = #""kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)""#
    return [
      Array(
        """
        {"kind":"in-app","request":{"nonce":"AQIDBAUGBwgJCgsMDQ4PEA","merchantIdentifier":"merchant.com.example",
        "teamIdentifier":"A1B2C3D4E5","recipientPublicKey":{\(members)},
        "documents":[{"docType":"org.iso.18013.5.1.mDL","nameSpaces":{"org.iso.18013.5.1":{"given_name":false}}}]},
        "recipientPrivateKey":{\(members),"d":"\(Base64URL.encode([UInt8](key.rawRepresentation)))"},
        "response":"AQID","trustedIssuers":[]}
        """.utf8)
    ]
  }

  /// A whole exchange file of the synthetic set.
  static var exchangeFiles: [[UInt8]] {
    let file = "synthetic_annex_c.json"
    func text(_ identifier: String, _ member: String) -> String {
      (try? Vectors.entry(identifier, of: file).text(member)) ?? ""
    }
    func encoded(_ identifier: String, _ member: String) -> String {
      Base64URL.encode((try? Vectors.entry(identifier, of: file).bytes(member)) ?? [])
    }
    guard let origin = try? Vectors.file(file)["origin"]?.text else { return [] }
    let root = CertificateChain.pem([(try? Vectors.entry("cert-iaca", of: file).bytes("hex")) ?? []])
    let pem = String(decoding: root, as: UTF8.self).replacing("\n", with: "\\n")
    return [
      Array(
        """
        {"origin":"\(origin)","request":{"deviceRequest":"\(text("req-1.0-readerAuth", "base64url"))",
        "encryptionInfo":"\(text("encryption-info", "base64url"))"},"response":"\(encoded("ok-basic", "response_hex"))",
        "recipientPrivateKey":{"kty":"EC","crv":"P-256","d":"\(encoded("key-recipient", "d_hex"))"},
        "trustedIssuers":["\(pem)"],"policy":"standard",
        "statusLists":{"https://issuer.example/1":"\(encoded("status-list-token", "hex"))"}}
        """.utf8)
    ]
  }

  /// A key in each form.
  static var privateKeys: [[UInt8]] {
    let key = FixedKeys.signing(1)
    let point = [UInt8](key.publicKey.rawRepresentation)
    let jwk = """
      {"kty":"EC","crv":"P-256","x":"\(Base64URL.encode(point.prefix(32)))",\
      "y":"\(Base64URL.encode(point.suffix(32)))","d":"\(Base64URL.encode([UInt8](key.rawRepresentation)))"}
      """
    return [key.pemRepresentation, sec1, jwk].map { Array($0.utf8) }
  }

  /// The same key as openssl writes it, with the parameters of its curve before it (RFC 5915).
  private static let sec1 = """
    -----BEGIN EC PARAMETERS-----
    BggqhkjOPQMBBw==
    -----END EC PARAMETERS-----
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBoAoGCCqGSM49
    AwEHoUQDQgAEb/A7lJJBzh2t1DUZ5pYOCoW0GmmgXDKBA6orzhWUyhY8T3U6Vb8B
    3FP2wLDH7ueLQMb/fSWpbiKCuYnO9xwUSg==
    -----END EC PRIVATE KEY-----
    """
}
