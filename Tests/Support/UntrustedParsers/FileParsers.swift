import Certificates
import Crypto
import DigitalCredentials
import ExchangeFiles
import MobileDocument
import Primitives
import RelyingParty
import TestSupport
import Vocabulary
import WebPresentment

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

  static let session = VerifierSession(
    identifier: "1", origin: "https://example.com", requests: [], encryptionInfoText: information.text,
    recipientKey: FixedKeys.agreement(2), expires: DateTime(secondsSince1970: 1))

  static var seeds: [[UInt8]] {
    guard
      let sealed = try? EncryptedResponse(
        sealing: plaintext, to: FixedKeys.agreement(2).publicKey, transcript: session.sessionTranscript,
        ephemeralKey: FixedKeys.agreement(3))
    else { return [] }
    let text = Base64URL.encode(sealed.encoded)
    return ["response", "Response"].map { Array(#"{"\#($0)":"\#(text)"}"#.utf8) }
  }
}

extension Seeds {
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
