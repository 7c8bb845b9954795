import CBOR
import Primitives
import Testing

@Suite("Errors")
struct ErrorTests {
  @Test func codesAreDistinctAndOfOneFamily() {
    let codes = CBORError.Code.allCases.map(\.rawValue)
    #expect(Set(codes).count == codes.count)
    #expect(codes.allSatisfy { $0.hasPrefix("cbor.") && $0 == $0.lowercased() && !$0.contains(" ") })
  }

  @Test func hasItsCodeWhateverItsPlaceAndMessage() {
    let error = CBORError(.truncated, at: 3, "one message")
    #expect(error.hasCode(.truncated) && !error.hasCode(.tooDeep))
    #expect(error == CBORError(.truncated, at: 3, "one message"))
    #expect(error != CBORError(.truncated, at: 4, "one message"))
    #expect(error != CBORError(.truncated, at: 3, "another message"))
  }

  @Test func descriptionHasMessageCodeAndPlace() {
    let error = CBORError(.duplicateKey, at: 12, "the map has this key twice")
    #expect(error.description == "the map has this key twice (cbor.duplicate-key, byte 12)")
  }

  @Test func codesMatchInConditions() throws {
    let error = try #require(thrownError { () throws(CBORError) in try CBORReader.read([0x18]) })
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
  func messagesDoNotContainValues(hex: String, value: String) throws {
    let bytes = try CBORTests.hex(hex)
    let error = try #require(thrownError { () throws(CBORError) in try CBORReader.read(bytes) })
    #expect(!error.description.contains(value))
  }
}
