import CBOR
import Testing

@Suite("The examples of RFC 8949, appendix F")
struct NotWellFormedTests {
  /// The rule that each kind of error breaks.
  static let codes: [String: CBORError.Code] = [
    "End of input in a head": .truncated,
    "Definite-length strings with short data": .truncated,
    "Definite-length maps and arrays not closed with enough items": .truncated,
    "Tag number not followed by tag content": .truncated,
    "Indefinite-length strings not closed by a \"break\" stop code": .truncated,
    "Indefinite-length maps and arrays not closed by a \"break\" stop code": .truncated,
    "Reserved additional information values": .reservedInformation,
    "Reserved two-byte encodings of simple values": .badSimpleValue,
    "Indefinite-length string chunks not of the correct type": .badChunk,
    "Indefinite-length string chunks not definite length": .badChunk,
    "Break occurring on its own outside of an indefinite-length item": .unexpectedBreak,
    "Break occurring in a definite-length array or map or a tag": .unexpectedBreak,
    "Break in an indefinite-length map that would lead to an odd number of items (break in a value position)":
      .unexpectedBreak,
    "Major type 0, 1, 6 with additional information 31": .reservedInformation,
  ]

  /// Maps that announce more entries than bytes follow; that shows before their break is reached.
  static let tooShortForTheirCount: Set = ["a1ff", "a20000ff"]

  @Test func allExamplesAreThere() throws {
    let kinds = try NotWellFormed.all()
    #expect(Set(kinds.map(\.kind)) == Set(Self.codes.keys))
    #expect(kinds.flatMap(\.inputs).count == 94)
  }

  @Test(arguments: try NotWellFormed.all())
  func lenientReadingRefuses(_ example: NotWellFormed) throws {
    for input in example.inputs {
      let expected = Self.tooShortForTheirCount.contains(input) ? .truncated : Self.codes[example.kind]
      #expect(try refusal(of: input, leniency: .received)?.code == expected, "\(input)")
    }
  }

  @Test(arguments: try NotWellFormed.all())
  func strictReadingRefusesForTheSameReasonOrForTheIndefiniteLength(_ example: NotWellFormed) throws {
    for input in example.inputs {
      let lenient = try refusal(of: input, leniency: .received)
      let strict = try #require(try refusal(of: input))
      #expect(strict == lenient || strict.code == .indefiniteLength, "\(input)")
    }
  }
}
