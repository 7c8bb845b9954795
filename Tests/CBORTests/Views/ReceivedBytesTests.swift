import CBOR
import Testing

@Suite("Received bytes are kept")
struct ReceivedBytesTests {
  @Test func encodedIsTheReceivedItem() throws {
    let bytes = try hex("b90002 780161 9f 1801 5f 4102 ff ff 01 d81844 82 03 1804")
    let item = try CBORReader.read(bytes, leniency: .received)
    #expect(Array(item.encoded) == bytes)
    let entries = Array(try item.map())
    #expect(entries.map { digits($0.key.encoded) } == ["780161", "01"])
    #expect(entries.map { digits($0.value.encoded) } == ["9f18015f4102ffff", "d81844" + "82031804"])
    let inner = try entries[0].value.array().at(1)
    #expect(digits(inner.encoded) == "5f4102ff")
    #expect(digits(try entries[1].value.embedded().encoded) == "82031804")
  }

  @Test func encodedKeepsItsPlaceInTheBuffer() throws {
    let items = try read("83 01 820203 d818 4104").array()
    for item in items {
      #expect(item.encoded.startIndex == item.offset)
    }
    #expect(items.map(\.encoded.endIndex) == [2, 5, 9])
  }

  @Test func byteSliceKeepsItsPlaceInTheBuffer() throws {
    let slice = try read("82 01 43 0a0b0c").array().at(1).byteSlice()
    #expect(slice.indices == 3..<6)
    #expect(Array(slice) == [0x0a, 0x0b, 0x0c])
  }

  @Test func itemsOutliveTheirParents() throws {
    let inner = try read("a1 6161 d818 43 82 01 02").map().required("a").embedded()
    #expect(digits(inner.encoded) == "820102")
  }

  @Test(arguments: ["d818 43 820102", "d90018 5803 820102", "d818 44 82 01 1802", "d818 44 9f 01 02 ff"])
  func encodedCBORKeepsTheReceivedTag24(hex tagged: String) throws {
    let item = try read("8200" + tagged, leniency: .received).array().at(1)
    let pair = try EncodedCBOR(item) { (content: CBORItem) throws(CBORError) in
      try content.array().map { $0.diagnostic }
    }
    #expect(pair.value == ["1", "2"])
    #expect(pair.bytes == (try hex(tagged)))
  }

  @Test(arguments: ["43820102", "c143820102", "820102", "f6"])
  func encodedCBORIsTag24Only(hex: String) throws {
    let item = try read("8200" + hex).array().at(1)
    let error = refusal { () throws(CBORError) in
      try EncodedCBOR(item) { (content: CBORItem) throws(CBORError) in content.offset }
    }
    #expect(error == Failure(.wrongType, at: 2))
  }

  @Test func encodedCBORRethrowsTheErrorOfItsContent() throws {
    let item = try read("8200 d818 43 820102").array().at(1)
    let error = refusal { () throws(CBORError) in
      try EncodedCBOR(item) { (content: CBORItem) throws(CBORError) in try content.map().count }
    }
    #expect(error == Failure(.wrongType, at: 5))
  }

  @Test func encodedCBORWrapsANewEncoding() throws {
    let pair = EncodedCBOR([1, 2], encodedAs: try hex("820102"))
    #expect(digits(pair.bytes) == "d81843820102")
    #expect(pair.value == [1, 2])
  }
}
