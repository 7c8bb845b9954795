import CBOR
import Testing

@Suite("The examples of RFC 8949, appendix A")
struct ExamplesTests {
  /// Rows that are not in preferred serialization: what strict reading says of them, and where.
  static let deviating: [String: Failure] = [
    "fa7f800000": Failure(.nonMinimalHead, at: 0),
    "fa7fc00000": Failure(.nonMinimalHead, at: 0),
    "faff800000": Failure(.nonMinimalHead, at: 0),
    "fb7ff0000000000000": Failure(.nonMinimalHead, at: 0),
    "fb7ff8000000000000": Failure(.nonMinimalHead, at: 0),
    "fbfff0000000000000": Failure(.nonMinimalHead, at: 0),
    "5f42010243030405ff": Failure(.indefiniteLength, at: 0),
    "7f657374726561646d696e67ff": Failure(.indefiniteLength, at: 0),
    "9fff": Failure(.indefiniteLength, at: 0),
    "9f018202039f0405ffff": Failure(.indefiniteLength, at: 0),
    "9f01820203820405ff": Failure(.indefiniteLength, at: 0),
    "83018202039f0405ff": Failure(.indefiniteLength, at: 5),
    "83019f0203ff820405": Failure(.indefiniteLength, at: 2),
    "9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff": Failure(.indefiniteLength, at: 0),
    "bf61610161629f0203ffff": Failure(.indefiniteLength, at: 0),
    "826161bf61626163ff": Failure(.indefiniteLength, at: 3),
    "bf6346756ef563416d7421ff": Failure(.indefiniteLength, at: 0),
  ]

  @Test func allRowsAreThere() throws {
    let examples = try Example.all()
    #expect(examples.count == 81)
    #expect(Set(examples.map(\.hex)).count == 81)
    #expect(Set(examples.filter { !$0.roundtrip }.map(\.hex)) == Set(Self.deviating.keys))
  }

  @Test(arguments: try Example.all())
  func lenientReadingGivesTheDiagnosticNotation(of example: Example) throws {
    let item = try read(example.hex, leniency: .received)
    #expect(item.diagnostic == (try example.unescapedDiagnostic))
  }

  @Test(arguments: try Example.all())
  func strictReadingAcceptsPreferredSerializationOnly(of example: Example) throws {
    #expect(try refusal(of: example.hex) == Self.deviating[example.hex])
  }

  @Test(arguments: try Example.all())
  func lenientReadingReportsWhatStrictReadingRefuses(of example: Example) throws {
    let item = try read(example.hex, leniency: .received)
    #expect(item.findings.first == Self.deviating[example.hex])
  }

  @Test(arguments: try Example.all().filter(\.roundtrip))
  func valuesAreWrittenByteForByte(of example: Example) throws {
    #expect(digits(CBORValue(try read(example.hex)).encoded) == example.hex)
  }

  @Test(arguments: try Example.all().filter { !$0.roundtrip })
  func deviatingValuesAreWrittenInPreferredSerialization(of example: Example) throws {
    let value = CBORValue(try read(example.hex, leniency: .received))
    let written = try CBORReader.read(value.encoded)
    #expect(CBORValue(written) == value)
  }
}
