import Crypto
import Inspection
import OpenID4VPVectors
import Primitives
import TestSupport
import Testing

@Suite("Inspection of signed and encrypted objects in JSON")
struct JOSEObjectTests {
  private static let synthetic = "synthetic_dcapi.json"

  private func lines(_ text: String) throws -> [String] {
    try Inspector.inspect(Array(text.utf8)).get().split(separator: "\n").map {
      String($0.drop { $0 == " " })
    }
  }

  @Test(
    "an SD-JWT is shown with its disclosures and key binding",
    arguments: KnownItem.entries(of: synthetic, "sd_jwt_presentations", "accepted").prefix(1))
  func sdJWT(entry: KnownItem) throws {
    let lines = try lines(entry.text("presentation"))
    #expect(lines[1] == "SD-JWT with key binding (RFC 9901)")
    #expect(lines.contains("issuer-signed JWT") && lines.contains("key binding JWT"))
    #expect(lines.contains("the signature verifies with the certificate in x5c"))
    #expect(lines.contains(#"typ: "kb+jwt""#))
    #expect(lines.last == "each disclosure belongs to one digest")
  }

  @Test(
    "a disclosure of no digest, and a broken signature, would be refused",
    arguments: KnownItem.entries(of: synthetic, "sd_jwt_presentations", "refused"))
  func refused(entry: KnownItem) throws {
    let codes = [
      "disclosure-unreferenced": "sd-jwt-format.unreferenced", "digest-twice-decoy": "sd-jwt-format.digest-twice",
      "issuer-signature-attacker": "does not verify with the certificate in x5c",
    ]
    guard let code = codes[entry.identifier] else { return }
    let lines = try lines(entry.text("presentation"))
    #expect(lines.contains { $0.hasPrefix("would be refused") && $0.contains(code) }, "\(lines.suffix(4))")
  }

  @Test(
    "an encrypted response is opened to its header", arguments: KnownItem.entries(of: synthetic, "jwe", "accepted"))
  func encrypted(entry: KnownItem) throws {
    let lines = try lines(#"{"response":"\#(entry.text("response"))"}"#)
    #expect(lines.contains("encrypted object, JWE in compact serialization"))
    #expect(lines.contains(#"kid: "enc-1""#) && lines.contains("encrypted key: empty"))
    #expect(lines.contains("well-formed: decryption needs the recipient's private key"))
    #expect(lines[1] == "response data of OpenID4VP")
  }

  @Test("an encrypted response opens with the recipient's key, and with no other one")
  func opened() throws {
    guard Vectors.openID4VPAreHere else { return }
    let entry = try KnownItem.entry("signed-san-dns-mdoc-apu-apv", of: Self.synthetic, "exchanges")
    let data = try entry.item("response_data").json.bytes
    let number = try #require(
      Base64URL.decode(KnownItem.file(Self.synthetic).item("keys").item("enc").text("d")))
    let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: number)
    let opened = try Inspector.inspect(data, recipientKey: key).get()
    #expect(opened.contains("decrypted with the recipient's key: "))
    #expect(opened.contains("response data of OpenID4VP\n") && opened.contains("vp_token: object of 1 member"))
    #expect(opened.contains("DeviceResponse") && opened.contains("issuerSigned"))
    #expect(!opened.contains("decryption needs"))
    let other = try Inspector.inspect(data, recipientKey: P256.KeyAgreement.PrivateKey()).get()
    #expect(other.contains("(jose.decryption)") && !other.contains("DeviceResponse"))
  }

  @Test("a request shows its parameters and query", arguments: KnownItem.entries(of: synthetic, "exchanges"))
  func requests(entry: KnownItem) throws {
    let text = String(decoding: try entry.item("request_data").json.bytes, as: UTF8.self)
    let lines = try lines(text)
    #expect(lines.contains { $0.hasSuffix("request parameters of OpenID4VP") }, "\(lines.prefix(4))")
    #expect(lines.contains("dcql_query: query in DCQL"))
  }
}
