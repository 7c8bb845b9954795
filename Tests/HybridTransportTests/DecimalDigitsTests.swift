import HybridTransport
import Testing

@Suite("Decimal digits")
struct DecimalDigitsTests {
  @Test(arguments: [([0x61, 0x62, 0xff], "16736865"), ([], ""), ([0], "000"), ([255], "255")] as [([UInt8], String)])
  func writesAndReadsBytes(bytes: [UInt8], digits: String) throws {
    #expect(DecimalDigits.encode(bytes) == digits)
    #expect(try DecimalDigits.decode(digits) == bytes)
  }
}
