import CBOR
import TestSupport
import Testing

@Suite("Truncated and changed inputs")
struct ChangedInputTests {
  @Test(arguments: Samples.short)
  func samplesAreAccepted(hex sample: String) throws {
    #expect(try refusal(of: sample, leniency: .received) == nil)
  }

  @Test func documentSurvivesARoundTrip() throws {
    let item = try CBORReader.read(Samples.document)
    #expect(CBORValue(item).encoded == Samples.document)
    #expect(Samples.document.count > 450)
  }

  @Test(arguments: Samples.short)
  func everyTruncationIsRefusedAsSuch(hex sample: String) throws {
    expectTruncated(try hex(sample))
  }

  @Test func everyTruncatedDocumentIsRefused() {
    expectTruncated(Samples.document)
  }

  private func expectTruncated(_ bytes: [UInt8]) {
    for count in bytes.indices {
      let prefix = Array(bytes[..<count])
      let error = refusal(of: prefix, leniency: .received)
      if error?.code != .truncated || Promises.broken(by: prefix) != nil {
        Issue.record("\(digits(prefix)): \(error?.description ?? "accepted")")
      }
    }
  }

  @Test(arguments: Samples.short)
  func everyChangeOfOneByteEndsInAValueOrAnError(hex sample: String) throws {
    let bytes = try hex(sample)
    for place in bytes.indices {
      for change in changes(of: bytes) { expectPromises(of: bytes, changedAt: place, by: change) }
    }
  }

  /// Every change for the shortest samples, every bit and every major type for the others.
  private func changes(of bytes: [UInt8]) -> [UInt8] {
    if bytes.count <= 15 { return Array(1...255) }
    return (0..<8).map { 1 << $0 } + (1..<8).map { $0 << 5 | 0x1f } + [0x0f, 0x18, 0xff]
  }

  @Test func documentsWithOneChangedByteGiveAValueOrAnError() {
    var random = SeededGenerator(seed: 18013)
    for place in Samples.document.indices {
      expectPromises(of: Samples.document, changedAt: place, by: 1 << UInt8(random.below(8)))
    }
  }

  @Test(arguments: Samples.short)
  func removedAndRepeatedPartsEndInAValueOrAnError(hex sample: String) throws {
    let bytes = try hex(sample)
    var random = SeededGenerator(seed: UInt64(bytes.count))
    for _ in 0..<100 {
      let from = random.below(bytes.count)
      let to = from + random.below(bytes.count - from + 1)
      expectPromises(of: Array(bytes[..<from] + bytes[to...]))
      expectPromises(of: Array(bytes[..<to] + bytes[from...]))
    }
  }

  private func expectPromises(of bytes: [UInt8], changedAt place: Int, by change: UInt8) {
    var changed = bytes
    changed[place] ^= change
    expectPromises(of: changed)
  }

  private func expectPromises(of bytes: [UInt8]) {
    if let broken = Promises.broken(by: bytes) { Issue.record("\(digits(bytes)): \(broken)") }
  }
}
