import COSE
import CrossCheckTrait
import Crypto
import JSON
import Primitives
import TestSupport
import Testing

@testable import JOSE

@Suite("JWS", .crossChecked)
struct SignatureTests {
  private var key: VerificationKey { get throws { .p256(try fixedKey().publicKey) } }

  @Test("A signed payload verifies, with the members of its header in order")
  func roundTrip() throws {
    let text = try JWS.sign(
      Array("{}".utf8), header: JOSEHeaderDraft(type: "x+jwt", keyID: "k", x5c: [[1, 2], [3]]), with: fixedKey())
    let jws = try JWS(compact: text)
    #expect(jws.header.type == "x+jwt" && jws.header.keyID == "k" && jws.header.x5c == [[1, 2], [3]])
    #expect(jws.compact == text)
    #expect(
      Base64URL.decode(jws.header.encoded).map { String(decoding: $0, as: UTF8.self) }
        == #"{"alg":"ES256","typ":"x+jwt","kid":"k","x5c":["AQI=","Aw=="]}"#)
    #expect(try jws.verify(with: key, type: "x+jwt").payload == Array("{}".utf8))
  }

  @Test("Another type than expected is refused, also with a prefix or in upper case")
  func types() throws {
    for type in ["X+JWT", "application/x+jwt", "", "y"] {
      let jws = try JWS(compact: JWS.sign([], header: JOSEHeaderDraft(type: type), with: fixedKey()))
      #expect(refusal { _ = try jws.verify(with: key, type: "x+jwt") } == .type)
    }
    let untyped = try JWS(compact: JWS.sign([], header: JOSEHeaderDraft(type: nil), with: fixedKey()))
    #expect(refusal { _ = try untyped.verify(with: key, type: "x+jwt") } == .type)
  }

  @Test(
    "An algorithm outside the list is refused before any key is used",
    arguments: ["none", "None", "NONE", "HS256", "RS256", "PS256", "ES256K", "es256", "ES256 ", ""])
  func algorithms(name: String) throws {
    let text = try signed(header: #"{"alg":"\#(name)"}"#, with: fixedKey())
    #expect(refusal { _ = try JWS(compact: text) } == .algorithmUnsupported)
  }

  @Test("The key decides the algorithm", arguments: ["ES384", "ES512", "EdDSA", "Ed25519"])
  func keyDecides(name: String) throws {
    let jws = try JWS(compact: signed(header: #"{"alg":"\#(name)"}"#, with: fixedKey()))
    #expect(refusal { _ = try jws.verify(with: key) } == .algorithmKeyMismatch)
  }

  @Test("An unsecured object and one authenticated with the public key as secret are refused")
  func confusion() throws {
    #expect(refusal { _ = try JWS(compact: "\(encoded(#"{"alg":"none"}"#)).e30.") } == .algorithmUnsupported)
    let text = "\(encoded(#"{"alg":"HS256"}"#)).e30"
    let secret = SymmetricKey(data: try fixedKey().publicKey.rawRepresentation)
    let code = Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: secret))
    #expect(refusal { _ = try JWS(compact: "\(text).\(Base64URL.encode(code))") } == .algorithmUnsupported)
  }

  @Test(
    "A malformed header is refused with its rule",
    arguments: [
      (#"{}"#, .algorithmMissing), (#"{"typ":"a"}"#, .algorithmMissing), (#"{"alg":1}"#, .member),
      (#"{"alg":null}"#, .member), (#"[]"#, .json), (#""ES256""#, .json), ("", .json), ("{", .json),
      (#"{"alg":"ES256","alg":"ES256"}"#, .json), (#"{"alg":"ES256","\u0061lg":"ES256"}"#, .json),
      ("\u{feff}{\"alg\":\"ES256\"}", .json), (#"{"alg":"ES256"} x"#, .json), (#"{"alg":"ES256","a":"\ud800"}"#, .json),
      (#"{"alg":"ES256","a":"\u0000"}"#, .json), (#"{"alg":"ES256","crit":[]}"#, .criticalHeader),
      (#"{"alg":"ES256","crit":"alg"}"#, .criticalHeader), (#"{"alg":"ES256","crit":["alg"]}"#, .criticalHeader),
      (#"{"alg":"ES256","crit":null}"#, .criticalHeader), (#"{"alg":"ES256","crit":["x"],"x":1}"#, .criticalHeader),
      (#"{"alg":"ES256","b64":false,"crit":["b64"]}"#, .criticalHeader),
      (#"{"alg":"ES256","b64":false}"#, .unencodedPayload), (#"{"alg":"ES256","b64":true}"#, .unencodedPayload),
      (#"{"alg":"ES256","typ":1}"#, .member), (#"{"alg":"ES256","kid":{}}"#, .member),
      (#"{"alg":"ES256","x5c":"AQ=="}"#, .member), (#"{"alg":"ES256","x5c":[]}"#, .member),
      (#"{"alg":"ES256","x5c":[1]}"#, .member), (#"{"alg":"ES256","x5c":["AQ"]}"#, .encoding),
      (#"{"alg":"ES256","x5c":["_-8="]}"#, .encoding),
      (#"{"alg":"ES256","x5c":["AQ==","AQ==","AQ==","AQ==","AQ=="]}"#, .tooLarge),
    ] as [(String, JOSEErrorCode)])
  func headers(header: String, code: JOSEErrorCode) throws {
    #expect(refusal { _ = try JWS(compact: signed(header: header, with: fixedKey())) } == code)
  }

  @Test("A NUL that is no escape sequence is not one")
  func backslashes() throws {
    #expect(
      refusal { _ = try JWS(compact: signed(header: #"{"alg":"ES256","a":"\\u0000"}"#, with: fixedKey())) } == nil)
  }

  @Test(
    "Another number of parts is refused", arguments: ["", ".", "a", "e30.e30", "e30.e30.AA.AA", "e30.e30.AA.AA.AA"])
  func parts(text: String) { #expect(refusal { _ = try JWS(compact: text) } == .structure) }

  @Test("Padding, other characters and bits after the last byte are refused in every part")
  func encoding() throws {
    let parts = try signed(header: #"{"alg":"ES256"}"#, payload: "abcd", with: fixedKey()).split(separator: ".")
    for place in 0..<3 {
      for changed in [parts[place] + "=", parts[place].dropLast() + "+", parts[place] + " ", "\n" + parts[place]] {
        var parts = parts
        parts[place] = Substring(changed)
        #expect(refusal { _ = try JWS(compact: parts.joined(separator: ".")) } == .encoding)
      }
    }
    // The payload's four bytes leave four bits in the last character.
    let loose = "\(parts[0]).\(parts[1].dropLast())h.\(parts[2])"
    #expect(refusal { _ = try JWS(compact: loose) } == .encoding)
  }

  @Test("A signature in DER, of zeros, of another length or above the order has the wrong form")
  func signatureForms() throws {
    let start = "\(encoded(#"{"alg":"ES256"}"#)).e30"
    let signature = try fixedKey().signature(for: Array(start.utf8)) as P256.Signing.ECDSASignature
    let raw = Array(signature.rawRepresentation)
    let bad: [[UInt8]] = [
      Array(signature.derRepresentation), [UInt8](repeating: 0, count: 64), [], raw + [0], Array(raw.dropLast()),
      [UInt8](repeating: 0xff, count: 64), [UInt8](repeating: 0, count: 32) + raw.suffix(32),
    ]
    for signature in bad {
      let jws = try JWS(compact: "\(start).\(Base64URL.encode(signature))")
      #expect(refusal { _ = try jws.verify(with: key) } == .signatureForm)
    }
    #expect(refusal { _ = try JWS(compact: "\(start).\(Base64URL.encode(raw))").verify(with: key) } == nil)
  }

  @Test("A drawn change of any byte is refused")
  func altered() throws {
    let text = try JWS.sign(
      Array(#"{"a":1}"#.utf8), header: JOSEHeaderDraft(type: "t", x5c: [[1, 2, 3]]), with: fixedKey())
    for changed in Damage.sample(of: Array(text.utf8), seed: 7) where changed != Array(text.utf8) {
      guard let text = String(validating: changed, as: UTF8.self) else { continue }
      #expect(refusal { _ = try JWS(compact: text).verify(with: key, type: "t") } != nil, "\(text)")
    }
  }

  @Test("A header and an object beyond the limits are refused")
  func bounds() throws {
    let long = String(repeating: "a", count: JOSELimits.headerBytes)
    #expect(refusal { _ = try JWS(compact: "\(long)a.e30.AA") } == .tooLarge)
    #expect(refusal { _ = try JWS(compact: String(repeating: "a", count: JOSELimits.bytes + 1)) } == .tooLarge)
    let deep = #"{"alg":"ES256","a":\#(String(repeating: "[", count: 40))\#(String(repeating: "]", count: 40))}"#
    #expect(refusal { _ = try JWS(compact: signed(header: deep, with: fixedKey())) } == .json)
    let name = #"{"alg":"ES256","kid":"\#(String(repeating: "k", count: JOSELimits.keyIDBytes + 1))"}"#
    #expect(refusal { _ = try JWS(compact: signed(header: name, with: fixedKey())) } == .tooLarge)
  }
}

@Suite("JWS in JSON", .crossChecked)
struct JSONSerializationTests {
  private func two() throws -> JSONValue {
    try JWSJSONSerialization.sign(
      Array("{}".utf8),
      [(JOSEHeaderDraft(type: "a"), fixedKey(1)), (JOSEHeaderDraft(type: "b"), fixedKey(2))])
  }

  @Test("Each signature over one payload verifies with its own key")
  func general() throws {
    let read = try JWSJSONSerialization(json: JSONReader.item(two().bytes))
    #expect(read.signatures.count == 2 && read.unverifiedPayload == Array("{}".utf8))
    for (number, signature) in read.signatures.enumerated() {
      let jws = try signature.jws.get()
      for other in 0..<2 {
        let key = VerificationKey.p256(try fixedKey(UInt8(other + 1)).publicKey)
        #expect(refusal { _ = try jws.verify(with: key) } == (other == number ? nil : .signature))
      }
    }
  }

  @Test("A bad signature does not spoil the others")
  func oneBad() throws {
    let text = String(decoding: try two().bytes, as: UTF8.self)
    let good = try #require(text.split(separator: "[").last)
    for bad in ["1", "{}", #"{"protected":"e30","signature":"AA"}"#, #"{"protected":1,"signature":"AA"}"#] {
      let read = try JWSJSONSerialization(json: item(#"{"payload":"e30","signatures":[\#(bad),\#(good)"#))
      #expect(read.signatures.count == 3)
      #expect(throws: JOSEError.self) { try read.signatures[0].jws.get() }
      #expect(throws: Never.self) { try read.signatures[1].jws.get() }
    }
  }

  @Test(
    "Another structure is refused",
    arguments: [
      (#"[]"#, .structure), (#"{}"#, .member), (#"{"signatures":[{}]}"#, .member), (#"{"payload":"e30"}"#, .member),
      (#"{"payload":"e30","signatures":[]}"#, .structure), (#"{"payload":"e30","signatures":{}}"#, .member),
      (#"{"payload":"e3","signatures":[{}]}"#, .encoding), (#"{"payload":null,"signatures":[{}]}"#, .member),
      (#"{"payload":"e30","protected":"e30","signature":"AA"}"#, .structure),
      (#"{"payload":"e30","signatures":[1,1,1,1,1,1,1,1,1]}"#, .tooLarge),
    ] as [(String, JOSEErrorCode)])
  func structure(text: String, code: JOSEErrorCode) throws {
    #expect(refusal { _ = try JWSJSONSerialization(json: item(text)) } == code)
  }

  @Test(
    "Unprotected parameters may not repeat protected ones or change the signed bytes",
    arguments: [
      (#"{"alg":"ES256"}"#, .headerTwice), (#"{"\u0061lg":"ES256"}"#, .headerTwice),
      (#"{"crit":["a"]}"#, .criticalHeader),
      (#"{"b64":false}"#, .unencodedPayload), (#"{"client_id":"x"}"#, nil), (#"[]"#, .member),
    ] as [(String, JOSEErrorCode?)])
  func unprotected(header: String, code: JOSEErrorCode?) throws {
    let protected = encoded(#"{"alg":"ES256"}"#)
    let read = try JWSJSONSerialization(
      json: item(
        #"{"payload":"e30","signatures":[{"protected":"\#(protected)","header":\#(header),"signature":"AA"}]}"#))
    #expect(refusal { _ = try read.signatures[0].jws.get() } == code)
  }

  @Test("An algorithm in the unprotected header alone does not count")
  func unprotectedAlgorithm() throws {
    let read = try JWSJSONSerialization(
      json: item(#"{"payload":"e30","signatures":[{"protected":"e30","header":{"alg":"ES256"},"signature":"AA"}]}"#))
    #expect(refusal { _ = try read.signatures[0].jws.get() } == .algorithmMissing)
  }
}
