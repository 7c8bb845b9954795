import Checks
import OpenID4VPVectors
import Primitives
import Testing

@testable import TranscriptDiagnosis

@Suite("Mistakes in the transcript of a presentation with OpenID4VP")
struct OpenID4VPTranscriptTests {
  private static let codes = [
    "origin-prefix": "transcript.openid4vp.audience", "web-origin-prefix": "transcript.openid4vp.client-id",
    "trailing-slash": "transcript.origin.trailing-slash", "explicit-443": "transcript.origin.default-port",
    "thumbprint-as-text": "transcript.openid4vp.thumbprint-form", "nonce-as-bytes": "transcript.openid4vp.nonce-form",
    "draft24": "transcript.openid4vp.dc-api-draft", "hash-of-bstr": "transcript.openid4vp.info-form",
    "hash-of-tag24": "transcript.openid4vp.info-form",
  ]

  private static let inputs = OpenID4VPTranscriptInputs(
    origin: "https://example.com", nonce: "exc7gBkxjx1rdc9udRrveKvSsJIq80avlXeLHhGwqtA",
    thumbprint: Hexadecimal.decode("4283ec927ae0f208daaa2d026a814f2b22dca52cf85ffa8f3f8626c6bd669047"))

  @Test(
    "each common mistake is recognized by the transcript that it makes",
    arguments: KnownItem.entries(of: "handover.json", "must_not_equal", "vectors"))
  func recognizes(entry: KnownItem) throws {
    let transcript = try entry.hex("session_transcript_hex")
    let found = Self.inputs.wrongTranscripts.first { $0.transcript.encoded == transcript }
    // An empty thumbprint and one of a whole key are not tried: nothing says what the wallet hashed.
    #expect(found?.explanation.codes == Self.codes[entry.identifier].map { [$0] })
  }

  @Test("every mistake is tried within the bound, each once, and none is the right transcript")
  func bounds() {
    var inputs = Self.inputs
    inputs.clientIDs = ["x509_san_dns:example.com", "x509_hash:abc"]
    inputs.encryptionInfoText = "gmVkY2FwaaA"
    inputs.others = (0..<TranscriptExplainer.maximumOtherSessions).map {
      .init(name: "\($0)", origin: inputs.origin, nonce: "n\($0)", thumbprint: nil)
    }
    let wrong = inputs.wrongTranscripts
    #expect(wrong.count <= TranscriptExplainer.maximumAttempts)
    #expect(Set(wrong.map(\.transcript.encoded)).count == wrong.count)
    #expect(!wrong.contains { $0.transcript == inputs.sessionTranscript })
    let codes = Set(wrong.flatMap(\.explanation.codes))
    for variant in OpenID4VPTranscriptVariant.allCases where variant != .thumbprintOfPlain {
      #expect(codes.contains(variant.rawValue), "\(variant)")
    }
    let plain = OpenID4VPTranscriptInputs(origin: inputs.origin, nonce: inputs.nonce, thumbprint: nil)
    #expect(plain.wrongTranscripts.contains { $0.explanation.codes == ["transcript.openid4vp.thumbprint-of-plain"] })
  }
}
