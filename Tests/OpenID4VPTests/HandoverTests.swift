import CBOR
import COSE
import Crypto
import JOSE
import JSON
import MobileDocument
import OpenID4VPVectors
import Primitives
import TestTraits
import Testing

@testable import OpenID4VP

@Suite("Handovers of OpenID4VP")
struct HandoverTests {
  private static let file = "handover.json"

  @Test(
    "every known transcript is rebuilt", .requiresOpenID4VPVectors, arguments: KnownItem.entries(of: file, "vectors"))
  func known(entry: KnownItem) throws {
    let info = try entry.list("handover_info").map { $0.value }
    let texts = info.map { $0.text ?? "" }
    let thumbprint = info[2].text.flatMap(Hexadecimal.decode)
    if let key = try entry.optional("jwk") { #expect(try key.publicJWK().thumbprint == thumbprint) }
    let transcript: [UInt8]
    if info.count == 3 {
      #expect(
        OpenID4VPHandover.info(origin: texts[0], nonce: texts[1], thumbprint: thumbprint)
          == (try entry.hex("handover_info_hex")))
      transcript =
        OpenID4VPHandover.sessionTranscript(origin: texts[0], nonce: texts[1], thumbprint: thumbprint).encoded
    } else {
      let info = CBORValue.array([
        .text(texts[0]), .text(texts[1]), thumbprint.map(CBORValue.bytes) ?? .null, .text(texts[3]),
      ])
      transcript = SessionTranscript(handover: "OpenID4VPHandover", digesting: info.encoded).encoded
    }
    #expect(transcript == (try entry.hex("session_transcript_hex")))
  }

  @Test(
    "no transcript of a common mistake is made", .requiresOpenID4VPVectors,
    arguments: KnownItem.entries(of: file, "must_not_equal", "vectors"))
  func mistakes(entry: KnownItem) throws {
    let good = try KnownItem.entry("dcapi-printed", of: Self.file, "vectors")
    let info = try good.list("handover_info").map { $0.value.text ?? "" }
    let thumbprint = Hexadecimal.decode(info[2])
    for thumbprint in [thumbprint, nil] {
      let made = OpenID4VPHandover.sessionTranscript(origin: info[0], nonce: info[1], thumbprint: thumbprint)
      #expect(made.encoded != (try entry.hex("session_transcript_hex")))
    }
    if entry.identifier == "draft24" {
      let transcript = OpenID4VPHandover.draft24Transcript(
        origin: info[0], clientID: "web-origin:\(info[0])", nonce: info[1])
      #expect(transcript.encoded == (try entry.hex("session_transcript_hex")))
    }
  }

  @Test("the file has the entries that it had when this was written", .requiresOpenID4VPVectors)
  func counts() {
    #expect(KnownItem.entries(of: Self.file, "vectors").count == 9)
    #expect(KnownItem.entries(of: Self.file, "must_not_equal", "vectors").count == 11)
  }
}
