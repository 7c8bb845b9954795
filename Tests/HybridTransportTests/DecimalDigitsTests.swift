import HybridTransport
import TestSupport
import TestTraits
import Testing

@Suite("Decimal digits")
struct DecimalDigitsTests {
  @Test(arguments: [([0x61, 0x62, 0xff], "16736865"), ([], ""), ([0], "000"), ([255], "255")] as [([UInt8], String)])
  func writesAndReadsBytes(bytes: [UInt8], digits: String) throws {
    #expect(DecimalDigits.encode(bytes) == digits)
    #expect(try DecimalDigits.decode(digits) == bytes)
  }

  @Test func readsWhatItWritesForEveryLength() throws {
    var generator = SeededGenerator(seed: 1)
    for count in 0..<100 {
      let bytes = generator.bytes(count)
      #expect(try DecimalDigits.decode(DecimalDigits.encode(bytes)) == bytes)
    }
  }

  @Test func namesThePlaceOfAnError() {
    #expect(throws: HybridError.self) { try DecimalDigits.decode("00x") }
    do { _ = try DecimalDigits.decode("00000000000000000256") } catch {
      #expect("\(error)" == "the number does not fit its 1 bytes (hybrid.qr-range, digits 18 to 20)")
    }
    do { _ = try DecimalDigits.decode("00x") } catch {
      #expect("\(error)" == "not a decimal digit (hybrid.qr-digit, digit 3)")
    }
  }

  @Test func refusesMoreDigitsThanASymbolHolds() {
    let digits = String(repeating: "0", count: 17 * 418)
    #expect(refusal { _ = try DecimalDigits.decode(digits) } == .qrLength)
  }

  @Test(.requiresHybridVectors) func agreesWithTheKnownAnswers() throws {
    for entry in try Known.entries("valid", of: "digits.json") {
      #expect(DecimalDigits.encode(try entry.bytes("bytes")) == (try entry.text("digits")), "\(entry)")
      #expect(try DecimalDigits.decode(entry.text("digits")) == entry.bytes("bytes"), "\(entry)")
    }
    let codes: [String: HybridError.Code] = ["nonDigit": .qrDigit, "length": .qrLength, "range": .qrRange]
    for entry in try Known.entries("invalid", of: "digits.json") {
      let code = try #require(codes[try entry.text("error")])
      let digits = try entry.text("digits")
      #expect(refusal { _ = try DecimalDigits.decode(digits) } == code, "\(entry)")
    }
  }
}
