import CBOR
import COSE
import Crypto
import MobileDocument
import Primitives
import TestSupport
import TestTraits
import Testing

@testable import TranscriptDiagnosis
@testable import WebPresentment

@Suite("Diagnosis of signatures")
struct SignatureExplainerTests {
  private static let device = DeviceAuthenticationParts(
    documentType: "org.iso.18013.5.1.mDL", otherDocumentTypes: ["org.iso.23220.photoid.1"],
    // Not the shortest encoding, so encoding it again changes it.
    nameSpacesBytes: [0xd8, 0x18, 0x58, 0x01, 0xa0])
  private static let items: [[UInt8]] = [[0xd8, 0x18, 0x42, 0x81, 0x01], [0xd8, 0x18, 0x42, 0x81, 0x02]]
  private static let all = ReaderAuthenticationParts(
    coverage: .all, itemsRequestBytes: items, deviceRequestInfoBytes: [0xd8, 0x18, 0x41, 0xa0])
  private static let single = ReaderAuthenticationParts(
    coverage: .document(1), itemsRequestBytes: items, deviceRequestInfoBytes: nil)

  private func explainer(_ inputs: TranscriptInputs) -> TranscriptExplainer { TranscriptExplainer(inputs) }

  @Test("each variant of the transcript is recognized", arguments: TranscriptVariant.allCases)
  func transcripts(_ variant: TranscriptVariant) throws {
    let inputs = try richInputs()
    for wrong in variant.transcripts(from: inputs) {
      let device = explainer(inputs).explanation(over: Self.device) {
        $0 == Self.device.content(over: wrong.transcript)
      }
      #expect(device == wrong.explanation)
      for parts in [Self.all, Self.single] {
        let reader = explainer(inputs).explanation(over: parts) { $0 == parts.content(over: wrong.transcript) }
        #expect(reader == wrong.explanation)
      }
    }
  }

  @Test("each variant of the device authentication is recognized", arguments: DeviceAuthenticationVariant.allCases)
  func deviceStructures(_ variant: DeviceAuthenticationVariant) throws {
    let inputs = try richInputs()
    let wrongs = variant.contents(of: Self.device, over: inputs.sessionTranscript)
    #expect(!wrongs.isEmpty)
    for wrong in wrongs {
      let found = explainer(inputs).explanation(over: Self.device) { $0 == wrong.content }
      #expect(found?.codes == [variant.rawValue])
    }
  }

  @Test("each variant of the reader authentication is recognized", arguments: ReaderAuthenticationVariant.allCases)
  func readerStructures(_ variant: ReaderAuthenticationVariant) throws {
    let inputs = try richInputs()
    let made = [Self.all, Self.single].map { parts in
      (parts, variant.contents(of: parts, over: inputs.sessionTranscript))
    }
    #expect(made.contains { !$0.1.isEmpty })
    for (parts, wrongs) in made {
      for wrong in wrongs {
        let found = explainer(inputs).explanation(over: parts) { $0 == wrong.content }
        #expect(found?.codes == [variant.rawValue])
      }
    }
  }

  @Test("two variants together are both reported, the likeliest transcript first")
  func pairs() throws {
    let inputs = try richInputs()
    let transcript = try #require(TranscriptVariant.originSlashAdded.transcripts(from: inputs).first)
    for structure in DeviceAuthenticationVariant.allCases {
      let wrong = try #require(structure.contents(of: Self.device, over: transcript.transcript).first)
      let found = explainer(inputs).explanation(over: Self.device) { $0 == wrong.content }
      #expect(found?.codes == [TranscriptVariant.originSlashAdded.rawValue, structure.rawValue])
      #expect(found?.evidence.count == 4 && found?.differences.count == 2)
    }
  }

  @Test("a signature that fits no variant is tried a limited number of times and stays unexplained")
  func bounded() throws {
    let rich = try richInputs()
    // The maximum number of other sessions.
    let others = (0..<TranscriptExplainer.maximumOtherSessions).map {
      TranscriptInputs.OtherSession(identifier: "\($0)", encryptionInfoText: "\($0)", origin: rich.origin)
    }
    let inputs = TranscriptInputs(
      encryptionInfoText: rich.encryptionInfoText, origin: rich.origin, surroundings: rich.surroundings,
      otherSessions: others)
    var attempts = 0
    func count(_ content: SignedContent) -> Bool {
      attempts += 1
      return false
    }
    #expect(explainer(inputs).explanation(over: Self.device, isGood: count) == nil)
    #expect(attempts == TranscriptExplainer.maximumAttempts)
    attempts = 0
    #expect(explainer(inputs).explanation(over: Self.all, isGood: count) == nil)
    #expect(attempts == TranscriptExplainer.maximumAttempts)

    // Each variant alone is within the limit.
    let alone = TranscriptVariant.all(from: inputs).count
    let device = DeviceAuthenticationVariant.allCases
      .flatMap { $0.contents(of: Self.device, over: inputs.sessionTranscript) }.count
    let reader = ReaderAuthenticationVariant.allCases
      .flatMap { $0.contents(of: Self.all, over: inputs.sessionTranscript) }.count
    #expect(alone + max(device, reader) <= TranscriptExplainer.maximumAttempts)
  }

  @Test("signed bytes over the length limit are not tried")
  func tooLong() throws {
    let inputs = try richInputs()
    let long = DeviceAuthenticationParts(
      documentType: "a", nameSpacesBytes: [UInt8](repeating: 0, count: TranscriptExplainer.maximumSignedLength + 1))
    #expect(explainer(inputs).explanation(over: long) { _ in true } == nil)
    let origin = "https://" + String(repeating: "a", count: TranscriptExplainer.maximumOriginLength)
    let longOrigin = TranscriptInputs(encryptionInfoText: inputs.encryptionInfoText, origin: origin)
    #expect(explainer(longOrigin).explanation(over: Self.device) { _ in true } == nil)
  }

  @Test("inputs are computed only after a failure")
  func lazily() throws {
    @Sendable func inputs() -> TranscriptInputs {
      Issue.record("nothing has failed")
      return TranscriptInputs(encryptionInfoText: "", origin: "")
    }
    _ = TranscriptExplainer(inputs())
  }
}

@Suite("Requests with a wrong reader signature")
struct ReaderExplanationTests {
  private static let file = "synthetic_annex_c.json"

  private func evidence(of identifier: String) throws -> [String]? {
    let text = Base64URL.encode(try Vectors.entry("encryption-info", of: Self.file).bytes("hex"))
    let origin = try #require(try Vectors.file(Self.file)["origin"]?.text)
    let inputs = TranscriptInputs(encryptionInfoText: text, origin: origin)
    let request = try UnverifiedDeviceRequest(Vectors.entry(identifier, of: Self.file).bytes("hex"))
    do {
      _ = try request.authenticate(over: inputs.sessionTranscript, explainer: TranscriptExplainer(inputs))
      return nil
    } catch {
      #expect(error.code == .readerSignature)
      return error.fields.filter { $0.field == Explanation.field }.compactMap(\.found)
    }
  }

  @Test(
    "exactly the known variants are reported", .requiresVectors("synthetic_annex_c"),
    arguments: [
      ("req-neg-three-element", ["reader-authentication.superseded"]),
      ("req-neg-order", ["reader-authentication.items-order"]),
      ("req-neg-other-origin", []), ("req-neg-info-changed", []), ("req-neg-alg-unprotected", []),
    ])
  func named(_ identifier: String, _ codes: [String]) throws {
    #expect(try evidence(of: identifier) == codes)
  }

  @Test(
    "a request of walt.id verifies for its origin; with a trailing slash, the extra slash is reported",
    .requiresVectors("annex_c_dcapi"))
  func waltID() throws {
    let entry = try Vectors.entry("waltid-wallet-signed-request", of: "annex_c_dcapi.json")
    let request = try UnverifiedDeviceRequest(entry.bytes("device_request_hex"))
    let text = try entry.text("encryption_info_b64u")
    let origin = try entry.text("origin")
    let right = TranscriptInputs(encryptionInfoText: text, origin: origin)
    #expect(try request.authenticate(over: right.sessionTranscript).readerAuthentications.count == 1)
    let slashed = TranscriptInputs(encryptionInfoText: text, origin: origin + "/")
    do {
      _ = try request.authenticate(over: slashed.sessionTranscript, explainer: TranscriptExplainer(slashed))
      Issue.record("the signature verifies over another origin")
    } catch {
      #expect(error.fields.first?.found == "transcript.origin.slash-missing")
      #expect(error.fields.dropFirst().first?.expected == origin + "/")
      #expect(error.fields.dropFirst().first?.found == origin)
    }
  }
}
