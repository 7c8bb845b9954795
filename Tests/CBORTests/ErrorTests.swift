import CBOR
import Testing

@Suite("Errors")
struct ErrorTests {
  @Test func codesAreDistinctAndOfOneFamily() {
    let codes = CBORError.Code.allCases.map(\.rawValue)
    #expect(Set(codes).count == codes.count)
    #expect(codes.allSatisfy { $0.hasPrefix("cbor.") && $0 == $0.lowercased() && !$0.contains(" ") })
  }

  @Test func equalityIsByCodeAndPlace() {
    let error = CBORError(.truncated, at: 3, "one sentence")
    #expect(error == CBORError(.truncated, at: 3, "another sentence"))
    #expect(error != CBORError(.truncated, at: 4, "one sentence"))
    #expect(error != CBORError(.tooDeep, at: 3, "one sentence"))
  }

  @Test func descriptionTellsSentenceCodeAndPlace() {
    let error = CBORError(.duplicateKey, at: 12, "the map has this key twice")
    #expect(error.description == "the map has this key twice (cbor.duplicate-key, byte 12)")
  }

  @Test func codesMatchInConditions() throws {
    let error = try #require(refusal(of: [0x18]))
    #expect(.truncated ~= error)
    #expect(!(.tooDeep ~= error))
    do {
      _ = try read("18")
      Issue.record("the input is truncated")
    } catch let error as CBORError where .truncated ~= error {
      #expect(error.offset == 1)
    }
  }

  @Test(arguments: [
    ("a2 66736563726574 00 66736563726574 01", "secret"), ("67736563726574ff", "secret"),
    ("82 66736563726574 1c", "secret"), ("1a0000079e", "1950"),
  ])
  func sentencesDoNotHoldWhatWasRead(hex: String, value: String) throws {
    let error = try #require(try refusal(of: hex))
    #expect(!error.description.contains(value))
  }
}
