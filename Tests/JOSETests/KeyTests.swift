import COSE
import Crypto
import JSON
import Primitives
import TestSupport
import Testing

@testable import JOSE

@Suite("JWK")
struct KeyTests {
  private static let x = "DxiH5Q4Yx3UrukE2lWCErq8N8bqC9CHLLrAwLz5BmE0"
  private static let y = "XtLM4-3h5o3HUH0MHVJV0kyq0iBlrBwlh8qEDMZ4-Pc"

  private static func text(
    type: String = "EC", curve: String = "P-256", x: String = x, y: String? = y, more: String = ""
  ) -> String {
    #"{"kty":"\#(type)","crv":"\#(curve)","x":"\#(x)"\#(y.map { #","y":"\#($0)""# } ?? "")\#(more)}"#
  }

  @Test("A key survives a round trip, and its thumbprint does not depend on other members")
  func roundTrip() throws {
    let key = try JWK(json: item(Self.text(more: #","use":"enc","alg":"ECDH-ES","kid":"1","z":[1]"#)))
    #expect(key.use == "enc" && key.algorithm == "ECDH-ES" && key.keyID == "1")
    #expect(try JWK(json: JSONReader.item(key.json.bytes)) == key)
    let bare = try JWK(json: item(Self.text()))
    #expect(bare.thumbprint == key.thumbprint && bare != key)
    #expect(hexadecimal(key.thumbprint) == "4283ec927ae0f208daaa2d026a814f2b22dca52cf85ffa8f3f8626c6bd669047")
  }

  @Test(
    "A malformed key is refused",
    arguments: [
      (#"[]"#, .key), (#"{}"#, .key), (text(type: "RSA"), .key), (text(type: "oct"), .key), (text(type: "OKP"), .key),
      (text(type: "ec"), .key), (text(curve: "P-224"), .curveUnsupported),
      (text(curve: "secp256k1"), .curveUnsupported),
      (text(curve: "P-384"), .key), (text(y: nil), .key), (text(x: "AA"), .key), (text(x: x + "="), .key),
      (text(x: y), .key), (text(x: "A" + x), .key), (text(type: "EC", curve: "Ed25519", y: nil), .key),
      (text(more: #","d":"AA""#), .key), (text(more: #","d":null"#), .key), (text(more: #","kid":1"#), .key),
      // Coordinates of zeros are not on the curve.
      (text(x: String(repeating: "A", count: 43), y: String(repeating: "A", count: 43)), .key),
      // A point of small order.
      (text(type: "OKP", curve: "Ed25519", x: String(repeating: "A", count: 43), y: nil), .key),
    ] as [(String, JOSEErrorCode)])
  func malformed(text: String, code: JOSEErrorCode) throws {
    #expect(refusal { _ = try JWK(json: item(text)) } == code)
  }

  @Test("A coordinate without its leading zeros is refused")
  func leadingZero() throws {
    // The first key of a small number whose x begins with a zero.
    var scalar: UInt16 = 1
    while true {
      let raw = [UInt8](repeating: 0, count: 30) + [UInt8(scalar >> 8), UInt8(scalar & 255)]
      let point = Array(try P256.Signing.PrivateKey(rawRepresentation: raw).publicKey.rawRepresentation)
      if point[0] == 0 {
        let (x, y) = (Base64URL.encode(Array(point[..<32])), Base64URL.encode(Array(point[32...])))
        #expect(refusal { _ = try JWK(json: item(Self.text(x: x, y: y))) } == nil)
        let short = Base64URL.encode(Array(point[1..<32]))
        #expect(refusal { _ = try JWK(json: item(Self.text(x: short, y: y))) } == .key)
        return
      }
      scalar += 1
    }
  }

  @Test("Keys are agreed on P-256 only, and X25519 verifies no signature")
  func purposes() throws {
    let other = try JWK(json: item(Self.text(type: "OKP", curve: "X25519", y: nil)))
    #expect(refusal { _ = try other.p256KeyAgreementKey() } == .curveUnsupported)
    #expect(refusal { _ = try other.verificationKey() } == .curveUnsupported)
    #expect(refusal { _ = try JWK(json: item(Self.text())).p256KeyAgreementKey() } == nil)
  }

  // RFC 7638, 3.1, and RFC 8037, A.3.
  @Test("The printed thumbprints of RSA and OKP keys are computed")
  func printed() throws {
    let rsa = #"""
      {"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw","e":"AQAB","alg":"RS256","kid":"2011-04-29"}
      """#
    #expect(
      Base64URL.encode(try JWK.thumbprint(ofReceived: item(rsa))) == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    let okp = #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#
    #expect(
      Base64URL.encode(try JWK(json: item(okp)).thumbprint) == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
  }
}
