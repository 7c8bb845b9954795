import MobileDocument
import Testing

@testable import TranscriptDiagnosis

@Suite("Diagnosis of transcripts in person")
struct InPersonTranscriptTests {
  private static let device = DeviceAuthenticationParts(
    documentType: "org.iso.18013.5.1.mDL", nameSpacesBytes: [0xd8, 0x18, 0x41, 0xa0])
  private static let reader = ReaderAuthenticationParts(
    coverage: .document(0), itemsRequestBytes: [[0xd8, 0x18, 0x42, 0x81, 0x01]], deviceRequestInfoBytes: nil)

  /// The inputs of each way to engage: a QR code, static and negotiated handover.
  private static let ways: [InPersonTranscriptInputs] = {
    let long: [UInt8] = [0xa2, 0x18, 0x00, 0x63, 0x31, 0x2e, 0x30, 0x01, 0x82, 0x01, 0xd8, 0x18, 0x41, 0xa0]
    return [(nil, nil), ([1, 2, 3], nil), ([1, 2, 3], [4, 5])].map { (select: [UInt8]?, request: [UInt8]?) in
      var inputs = InPersonTranscriptInputs(
        deviceEngagement: long, readerKeyBytes: [0xd8, 0x18, 0x44, 0xa1, 0x01, 0x18, 0x02], select: select,
        request: request)
      inputs.otherSessions = [5, 6].map { SessionTranscript(encoded: [0x83, $0, 0x00, 0xf6]) }
      return inputs
    }
  }()

  /// The explainer of a reader that remembers its sessions, this one among them.
  private static func explainer(of inputs: InPersonTranscriptInputs) -> TranscriptExplainer {
    TranscriptExplainer(
      inPerson: inputs.sessionTranscript, besides: inputs.otherSessions.reversed() + [inputs.sessionTranscript])
  }

  @Test("An engagement in each encoding that libraries write is recognized")
  func engagementEncodings() {
    let found = Self.ways.map { inputs in
      InPersonTranscriptVariant.engagementReencoded.transcripts(from: inputs)
        .compactMap(\.explanation.differences.first?.found)
    }
    #expect(found[0] == ["13 bytes, minimal heads", "14 bytes, a map of indefinite length"])
    // The bytes of a minimal engagement differ in a map of indefinite length alone.
    let minimal = InPersonTranscriptInputs(
      deviceEngagement: [0xa1, 0x00, 0x63, 0x31, 0x2e, 0x30], readerKeyBytes: [0xd8, 0x18, 0x41, 0xa0])
    #expect(InPersonTranscriptVariant.engagementReencoded.transcripts(from: minimal).count == 1)
    let none = InPersonTranscriptInputs(deviceEngagement: [0xff], readerKeyBytes: [0xd8, 0x18, 0x41, 0xa0])
    #expect(InPersonTranscriptVariant.engagementReencoded.transcripts(from: none).isEmpty)
  }

  @Test("The newest sessions are tried, and the right one is not another")
  func otherSessions() {
    let inputs = Self.ways[0]
    let others = (0..<20).map { SessionTranscript(encoded: [0x83, 0x18, 0x20 + $0, 0x00, 0xf6]) }
    let explainer = TranscriptExplainer(
      inPerson: inputs.sessionTranscript, besides: others + [inputs.sessionTranscript])
    func found(_ number: Int) -> String? {
      explainer.explanation(over: Self.device) { $0 == Self.device.content(over: others[number]) }?
        .differences.first?.found
    }
    #expect(found(19) == "the one before it" && found(4) == "16 before it" && found(3) == nil)
  }

  @Test("Each variant of each way to engage is recognized", arguments: 0..<3)
  func variants(way: Int) {
    let inputs = Self.ways[way]
    let explainer = Self.explainer(of: inputs)
    var seen: [SessionTranscript] = [inputs.sessionTranscript]
    var found: Set<InPersonTranscriptVariant> = []
    for variant in InPersonTranscriptVariant.allCases {
      for wrong in variant.transcripts(from: inputs) where !seen.contains(wrong.transcript) {
        seen.append(wrong.transcript)
        found.insert(variant)
        #expect(wrong.explanation.codes == [variant.rawValue])
        let device = explainer.explanation(over: Self.device) { $0 == Self.device.content(over: wrong.transcript) }
        let reader = explainer.explanation(over: Self.reader) { $0 == Self.reader.content(over: wrong.transcript) }
        #expect(device == wrong.explanation && reader == wrong.explanation, "\(variant)")
      }
    }
    let ofHandovers: Set<InPersonTranscriptVariant> = [.qrCode, .staticHandover, .handoverSwapped, .handoverLength]
    let impossible: [Set<InPersonTranscriptVariant>] = [ofHandovers, [.staticHandover], []]
    #expect(found == Set(InPersonTranscriptVariant.allCases).subtracting(impossible[way]))
  }

  @Test("A variant with another structure around it is recognized, and what fits nothing stays unexplained")
  func pairs() throws {
    let inputs = Self.ways[2]
    let explainer = Self.explainer(of: inputs)
    let wrong = try #require(InPersonTranscriptVariant.qrCode.transcripts(from: inputs).first)
    let structure = DeviceAuthenticationVariant.notEmbedded
    let content = try #require(structure.contents(of: Self.device, over: wrong.transcript).first).content
    let explanation = explainer.explanation(over: Self.device) { $0 == content }
    #expect(explanation?.codes == [InPersonTranscriptVariant.qrCode.rawValue, structure.rawValue])
    var attempts = 0
    let none = explainer.explanation(over: Self.device) { _ in
      attempts += 1
      return false
    }
    #expect(none == nil && attempts == TranscriptExplainer.maximumAttempts)
    // Each variant alone is within the limit.
    let alone = InPersonTranscriptVariant.allCases.flatMap { $0.transcripts(from: inputs) }.count
    let structures = DeviceAuthenticationVariant.allCases
      .flatMap { $0.contents(of: Self.device, over: inputs.sessionTranscript) }.count
    #expect(alone + structures <= TranscriptExplainer.maximumAttempts)
  }

  @Test("The parts of a transcript are read from it", arguments: 0..<3)
  func parts(way: Int) {
    let inputs = Self.ways[way]
    let read = InPersonTranscriptInputs(inputs.sessionTranscript)
    #expect(read?.sessionTranscript == inputs.sessionTranscript)
    #expect(read?.select == inputs.select && read?.request == inputs.request)
    #expect(read?.deviceEngagement == inputs.deviceEngagement && read?.readerKeyBytes == inputs.readerKeyBytes)
    // A website's transcript, and no transcript.
    for other: [UInt8] in [[0x83, 0xf6, 0xf6, 0x82, 0x61, 0x61, 0x41, 0x01], [0x83, 0xf6], []] {
      let transcript = SessionTranscript(encoded: other)
      #expect(InPersonTranscriptInputs(transcript) == nil)
      #expect(TranscriptExplainer(inPerson: transcript).explanation(over: Self.device) { _ in true } == nil)
    }
  }

  @Test("Each variant has a code and a message of its own")
  func names() {
    let codes = InPersonTranscriptVariant.allCases.map(\.rawValue)
    #expect(codes.allSatisfy { $0.hasPrefix("transcript.in-person.") && VariantCodes.message(of: $0) != nil })
    #expect(Set(codes.compactMap(VariantCodes.message)).count == codes.count)
  }
}
