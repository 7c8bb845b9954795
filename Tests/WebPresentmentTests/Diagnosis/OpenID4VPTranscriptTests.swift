import Primitives
import Testing

@testable import TranscriptDiagnosis

@Suite("Wrong session transcripts of OpenID4VP")
struct OpenID4VPTranscriptTests {
  private static let origin = "https://rentals.example"

  /// Inputs with everything that a mistake can use.
  private static func inputs(isPlain: Bool) -> OpenID4VPTranscriptInputs {
    let thumbprint = [UInt8](repeating: 7, count: 32)
    var inputs = OpenID4VPTranscriptInputs(
      origin: origin, nonce: Base64URL.encode([UInt8](repeating: 9, count: 32)), thumbprint: isPlain ? nil : thumbprint)
    inputs.clientIDs = ["x509_hash:AAAA"]
    inputs.encryptionInfoText = "gmVkY2FwaaA"
    inputs.others = [.init(name: "another", origin: origin, nonce: "n-0123456789", thumbprint: thumbprint)]
    return inputs
  }

  @Test("each mistake is found by its own name", arguments: OpenID4VPTranscriptVariant.allCases)
  func named(variant: OpenID4VPTranscriptVariant) throws {
    let inputs = Self.inputs(isPlain: variant == .thumbprintOfPlain)
    let made = variant.transcripts(from: inputs)
    #expect(!made.isEmpty)
    let tried = inputs.wrongTranscripts
    var named = 0
    for wrong in made {
      #expect(wrong.transcript.encoded != inputs.sessionTranscript.encoded)
      let found = try #require(tried.first { $0.transcript.encoded == wrong.transcript.encoded })
      if found.explanation == wrong.explanation { named += 1 }
    }
    // A host as client identifier is the host in place of the origin, too.
    #expect(named >= made.count - 1 && named > 0)
  }

  @Test("no transcript is tried twice, and none is the right one")
  func distinct() {
    for isPlain in [false, true] {
      let inputs = Self.inputs(isPlain: isPlain)
      let tried = inputs.wrongTranscripts.map(\.transcript.encoded)
      #expect(tried.count > 20 && Set(tried).count == tried.count)
      #expect(!tried.contains(inputs.sessionTranscript.encoded))
    }
  }
}
