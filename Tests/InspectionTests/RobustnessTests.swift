import Inspection
import MobileDocument
import TestSupport
import Testing
import WebPresentment

@Suite("Any input is printed or refused")
struct RobustnessTests {
  /// One byte in this many is changed: every run makes new artifacts, so over time each byte is changed.
  private static let changedPlaces = 5

  private static func artifacts() throws -> [[UInt8]] {
    let sample = try Sample()
    return [
      sample.deviceRequest, sample.deviceResponse, sample.encryptedResponse, sample.transcript.encoded,
      sample.readerCertificate, sample.certificateRequest, sample.requestData, file(sample.encryptionInfo.text),
      file(pem("CERTIFICATE", sample.signerCertificate)),
    ]
  }

  /// Every line of an inspection is limited and has no control character.
  private func check(_ bytes: [UInt8], _ options: InspectionOptions = .offsets) {
    let text: String
    switch Inspector.inspect(bytes, options: options) {
    case .success(let found): text = found
    case .failure(let failure): text = failure.description + "\n"
    }
    #expect(text.hasSuffix("\n"))
    #expect(text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x0a })
  }

  @Test("every truncation is printed or refused")
  func truncations() throws {
    for artifact in try Self.artifacts() {
      for length in 0..<artifact.count { check(Array(artifact[..<length])) }
    }
  }

  @Test("every changed byte is printed or refused")
  func changedBytes() throws {
    var generator = SeededGenerator(seed: 3)
    for artifact in try Self.artifacts() {
      for place in stride(from: Int.random(in: 0..<Self.changedPlaces), to: artifact.count, by: Self.changedPlaces) {
        var changed = artifact
        changed[place] ^= UInt8.random(in: 1...255, using: &generator)
        check(changed, .full)
      }
    }
  }

  @Test("random bytes, alone and after a valid start, are printed or refused")
  func randomBytes() throws {
    var generator = SeededGenerator(seed: 4)
    let starts: [[UInt8]] = [
      [], [0x82, 0x65], [0xa1, 0x01], [0x30, 0x82], [0x84, 0x43], [0xd8, 0x18], file("{\""),
    ]
    for _ in 0..<3000 {
      let start = starts.randomElement(using: &generator) ?? []
      check(start + generator.bytes(Int.random(in: 1..<120, using: &generator)))
    }
  }

  @Test("random characters of each alphabet are printed or refused")
  func randomText() throws {
    var generator = SeededGenerator(seed: 5)
    let alphabets = [
      "0123456789abcdef", "ABCDEFGHabcdefgh0123-_", "abc+/=", "{}[]\":,truefalsn0 ", "-----BEGIN CERTIFICATE\n",
    ]
    for _ in 0..<2000 {
      let alphabet = Array((alphabets.randomElement(using: &generator) ?? "a").utf8)
      let length = Int.random(in: 1..<80, using: &generator)
      check((0..<length).map { _ in alphabet.randomElement(using: &generator) ?? 0x61 })
    }
  }
}
