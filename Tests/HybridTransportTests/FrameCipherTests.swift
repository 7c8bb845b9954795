import HybridTransport
import TestSupport
import TestTraits
import Testing

@Suite("Encrypted messages")
struct FrameCipherTests {
  private static let key = [UInt8](repeating: 5, count: 32)

  @Test func openInTheirOrder() throws {
    var writing = FrameCipher(key: Self.key)
    var reading = FrameCipher(key: Self.key)
    for length in 0..<100 {
      let message = [UInt8](repeating: 7, count: length)
      let sealed = try writing.seal(FramePadding.pad(message))
      #expect(sealed.count == 32 * ((length + 32) / 32) + 16)
      #expect(try FramePadding.unpad(reading.open(sealed)) == message)
    }
  }

  @Test func areRefusedAlteredRepeatedOrOutOfOrderAndLeaveTheCounter() throws {
    var writing = FrameCipher(key: Self.key)
    let first = try writing.seal(FramePadding.pad([1]))
    let second = try writing.seal(FramePadding.pad([2]))
    var reading = FrameCipher(key: Self.key)
    #expect(refusal { _ = try reading.open(second) } == .frameAuthentication)
    #expect(reading.counter == 0)
    _ = try reading.open(first)
    #expect(refusal { _ = try reading.open(first) } == .frameAuthentication)
    for damaged in Damage.sample(of: second, seed: 3) {
      #expect(refusal { _ = try reading.open(damaged) } == .frameAuthentication)
    }
    #expect(try FramePadding.unpad(reading.open(second)) == [2])
  }

  @Test func endWithTheCounter() throws {
    var writing = FrameCipher(key: Self.key, counter: FrameCipher.maximumCounter)
    _ = try writing.seal([0])
    #expect(refusal { _ = try writing.seal([0]) } == .frameCounter)
    #expect(refusal { _ = try writing.open([0]) } == .frameCounter)
  }

  @Test func areRefusedBeyondTheLimit() {
    var reading = FrameCipher(key: Self.key)
    let large = [UInt8](repeating: 0, count: HybridLimits.messageBytes + 1)
    #expect(refusal { _ = try reading.open(large) } == .frameSize)
  }

  @Test func doNotPrintTheirKey() { #expect("\(FrameCipher(key: Self.key))" == "FrameCipher") }

  @Test(.requiresHybridVectors) func agreeWithTheKnownAnswers() throws {
    #expect(FrameCipher.maximumCounter == UInt32(try Known.file("crypter.json").number("maxSequence")))
    for entry in try Known.entries("valid", of: "crypter.json") {
      let counter = UInt32(try entry.number("seq"))
      let padded = FramePadding.pad(try entry.bytes("plaintext"))
      #expect(padded == (try entry.bytes("padded")), "\(entry)")
      var writing = FrameCipher(key: try entry.bytes("key"), counter: counter)
      #expect(try writing.seal(padded) == entry.bytes("ciphertext"), "\(entry)")
      var reading = FrameCipher(key: try entry.bytes("key"), counter: counter)
      #expect(try FramePadding.unpad(reading.open(entry.bytes("ciphertext"))) == entry.bytes("plaintext"), "\(entry)")
    }
    for entry in try Known.entries("unpad", of: "crypter.json") {
      let padded = try entry.bytes("padded")
      guard entry["error"] == nil else {
        #expect(refusal { _ = try FramePadding.unpad(padded) } == .framePadding, "\(entry)")
        continue
      }
      #expect(try FramePadding.unpad(padded) == entry.bytes("plaintext"), "\(entry)")
    }
  }

  @Test(.requiresHybridVectors) func agreeWithTheKnownRefusals() throws {
    let codes: [String: HybridError.Code] = [
      "CY-X1": .frameAuthentication, "CY-X2": .frameAuthentication, "CY-X3": .frameAuthentication,
      "CY-X4": .frameAuthentication, "CY-X5": .framePadding, "CY-X6": .framePadding, "CY-X7": .frameEmpty,
    ]
    let entries = try Known.entries("invalid", of: "crypter.json")
    #expect(entries.count == codes.count)
    for entry in entries {
      var reading = FrameCipher(key: try entry.bytes("key"), counter: UInt32(try entry.number("seq")))
      let message = try entry.bytes("ciphertext")
      let code = refusal { _ = try Frame(plaintext: try FramePadding.unpad(try reading.open(message))) }
      #expect(code == codes[entry.identifier], "\(entry)")
    }
  }
}
