import CBOR
import TestSupport
import Testing

@Suite("Diagnostic notation")
struct DiagnosticTests {
  @Test(arguments: [
    (1e15, "1000000000000000.0"), (1e16, "10000000000000000.0"), (1.5e16, "15000000000000000.0"),
    (1.2345678901234568e16, "12345678901234568.0"), (1e20, "100000000000000000000.0"), (1e21, "1.0e+21"),
    (1.25e21, "1.25e+21"), (123_456.789, "123456.789"), (0.1, "0.1"), (0.0001, "0.0001"), (0.00001, "0.00001"),
    (0.000001, "0.000001"), (0.0000015, "0.0000015"), (0.0000001, "1.0e-7"), (1.5e-7, "1.5e-7"), (-1e-7, "-1.0e-7"),
    (-1e21, "-1.0e+21"), (-1e16, "-10000000000000000.0"), (0x1p-1074, "5.0e-324"),
    (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (0x1p53, "9007199254740992.0"),
  ])
  func numbersAreWrittenAsInTheExamplesOfTheRFC(value: Double, notation: String) throws {
    #expect(try CBORReader.read(CBORValue.float(value).encoded).diagnostic == notation)
  }

  @Test func numbersKeepTheirValue() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<500 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      let notation = try CBORReader.read(CBORValue.float(value).encoded).diagnostic
      #expect(Double(notation) == value)
      #expect(notation.contains("."))
    }
  }

  @Test(arguments: [
    ("61 22", #""\"""#), ("61 5c", #""\\""#), ("61 0a", #""\n""#), ("61 0d", #""\r""#), ("61 09", #""\t""#),
    ("61 00", #""\u0000""#), ("61 1b", #""\u001b""#), ("61 7f", #""\u007f""#), ("62 c285", #""\u0085""#),
    ("63 e280a8", #""\u2028""#), ("63 e280a9", #""\u2029""#), ("63 e280ae", #""\u202e""#), ("63 e281a6", #""\u2066""#),
    ("63 e280a7", "\"\u{2027}\""), ("62 c2a0", "\"\u{a0}\""), ("64 f09f9880", "\"\u{1f600}\""),
  ])
  func charactersThatCouldLeaveTheirLineAreEscaped(hex: String, notation: String) throws {
    #expect(try read(hex).diagnostic.unicodeScalars.elementsEqual(notation.unicodeScalars))
  }

  @Test(arguments: [
    ("d818 4101", "24(h'01')", "24(<<1>>)"), ("d818 44 d818 4101", "24(h'd8184101')", "24(<<24(<<1>>)>>)"),
    ("a1 6161 81 d818 43 a1 01 02", "{\"a\": [24(h'a10102')]}", "{\"a\": [24(<<{1: 2}>>)]}"),
    ("c1 d818 4101", "1(24(h'01'))", "1(24(<<1>>))"), ("d819 4101", "25(h'01')", "25(h'01')"),
    ("4101", "h'01'", "h'01'"),
  ])
  func embeddedItemsAreShownAsBytesOrOpened(hex: String, closed: String, opened: String) throws {
    #expect(try read(hex).diagnostic == closed)
    #expect(try read(hex).diagnosticWithEmbedded == opened)
  }

  @Test(arguments: [
    ("c240", "0"), ("c24100", "0"), ("c2420100", "256"), ("c340", "-1"), ("c341ff", "-256"), ("c243000001", "1"),
    ("c24affffffffffffffffffff", "1208925819614629174706175"),
    ("c34affffffffffffffffffff", "-1208925819614629174706176"),
    ("c201", "2(1)"), ("c281 00", "2([0])"),
  ])
  func bignumsAreShownAsNumbers(hex: String, notation: String) throws {
    #expect(try read(hex).diagnostic == notation)
  }

  @Test func bignumsTooLongToReadAreShownAsBytes() throws {
    let long = CBORValue.tagged(2, .bytes([UInt8](repeating: 1, count: 65)))
    let hexadecimal = String(repeating: "01", count: 65)
    #expect(try CBORReader.read(long.encoded).diagnostic == "2(h'\(hexadecimal)')")
    let negative = CBORValue.tagged(3, .bytes([UInt8](repeating: 1, count: 65)))
    #expect(try CBORReader.read(negative.encoded).diagnostic == "3(h'\(hexadecimal)')")
    let readable = CBORValue.tagged(2, .bytes([UInt8](repeating: 0xff, count: 64)))
    let expected =
      "134078079299425970995740249982058461274793658205923933777235614437217640300735"
      + "46976801874298166903427690031858186486050853753882811946569946433649006084095"
    #expect(try CBORReader.read(readable.encoded).diagnostic == expected)
  }

  @Test(arguments: [("5fff", "''_"), ("7fff", "\"\"_"), ("5f40ff", "(_ h'')"), ("9fff", "[_ ]"), ("bfff", "{_ }")])
  func emptyIndefiniteItemsAreToldApart(hex: String, notation: String) throws {
    #expect(try read(hex, leniency: .received).diagnostic == notation)
  }

  @Test(arguments: [
    ("e0", "simple(0)"), ("f3", "simple(19)"), ("f820", "simple(32)"), ("f7", "undefined"),
    ("1bffffffffffffffff", "18446744073709551615"), ("3b7fffffffffffffff", "-9223372036854775808"),
    ("3bfffffffffffffffe", "-18446744073709551615"), ("3bffffffffffffffff", "-18446744073709551616"),
  ])
  func simpleValuesAndWideIntegersAreShown(hex: String, notation: String) throws {
    #expect(try read(hex).diagnostic == notation)
  }
}
