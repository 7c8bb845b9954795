import CBOR
import Testing

@Suite("Views of arrays and maps")
struct ContainerViewTests {
  @Test func arraysGiveTheirItemsInOrder() throws {
    let array = try read("84 01 8202 03 a1 04 05 6161").array()
    #expect(array.count == 4)
    #expect(!array.isEmpty)
    #expect(array.map(\.diagnostic) == ["1", "[2, 3]", "{4: 5}", "\"a\""])
    #expect(array.map(\.offset) == [1, 2, 5, 8])
    #expect(array[3]?.diagnostic == "\"a\"")
    #expect(try array.at(1).diagnostic == "[2, 3]")
  }

  @Test func positionsOutsideAnArrayAreNilOrBadValues() throws {
    let array = try read("82 00 82 01 02").array().at(1).array()
    #expect(array.offset == 2)
    #expect(array[-1] == nil)
    #expect(array[2] == nil)
    #expect(array[Int.max] == nil)
    for position in [-1, 2, Int.min, Int.max] {
      #expect(refusal { () throws(CBORError) in try array.at(position) } == Failure(.badValue, at: 2))
    }
  }

  @Test func arraysOfAnotherCountAreBadValues() throws {
    let item = try read("82 00 82 01 02").array().at(1)
    #expect(try item.array(count: 2).count == 2)
    for count in [0, 1, 3, -1] {
      #expect(refusal { () throws(CBORError) in try item.array(count: count) } == Failure(.badValue, at: 2))
    }
  }

  @Test func emptyContainersAreEmpty() throws {
    let array = try read("80").array()
    #expect(array.isEmpty)
    #expect(array.map(\.offset).isEmpty)
    #expect(array[0] == nil)
    let map = try read("a0").map()
    #expect(map.isEmpty)
    #expect(map.map(\.key.offset).isEmpty)
    #expect(map[""] == nil)
    #expect(map[0] == nil)
  }

  @Test func mapsGiveTheirEntriesInTheOrderReceived() throws {
    let map = try read("a3 6162 01 6161 8202 03 20 f6").map()
    #expect(map.count == 3)
    #expect(!map.isEmpty)
    #expect(map.map(\.key.diagnostic) == ["\"b\"", "\"a\"", "-1"])
    #expect(map.map(\.value.diagnostic) == ["1", "[2, 3]", "null"])
    #expect(map.map(\.value.offset) == [3, 6, 10])
  }

  @Test func mapsAreLookedUpByText() throws {
    let map = try read("a5 6161 01 626161 02 4162 03 62c3a9 04 60 05").map()
    #expect(try map["a"]?.integer() == 1)
    #expect(try map["aa"]?.integer() == 2)
    #expect(map["b"] == nil, "a byte string is another key")
    #expect(try map["\u{e9}"]?.integer() == 4)
    #expect(map["e\u{301}"] == nil, "canonically equivalent text is another key")
    #expect(try map[""]?.integer() == 5)
    #expect(try map.required("aa").integer() == 2)
  }

  @Test func mapsAreLookedUpByInteger() throws {
    let map = try read("a6 00 00 20 01 1b7fffffffffffffff 02 3b7fffffffffffffff 03 f4 04 6130 05").map()
    #expect(try map[0]?.integer() == 0)
    #expect(try map[-1]?.integer() == 1)
    #expect(try map[Int.max]?.integer() == 2)
    #expect(try map[Int.min]?.integer() == 3)
    #expect(map[20] == nil, "false is another key")
    #expect(map[1] == nil)
    #expect(try map.required(-1).integer() == 1)
  }

  @Test func integersBeyondIntDoNotMatchOtherKeys() throws {
    let map = try read("a2 1bffffffffffffffff 00 3bffffffffffffffff 01").map()
    #expect(map[-1] == nil)
    #expect(map[Int.max] == nil)
    #expect(map[Int.min] == nil)
    #expect(map[0] == nil)
  }

  @Test func valuesDoNotMatchKeys() throws {
    let map = try read("a2 01 02 03 6161").map()
    #expect(map[2] == nil)
    #expect(map["a"] == nil)
  }

  @Test func keysInOtherEncodingsAreFoundIfLenient() throws {
    let map = try read("a3 780161 01 7f6162 6163ff 02 1805 03", leniency: .received).map()
    #expect(try map["a"]?.integer() == 1)
    #expect(try map["bc"]?.integer() == 2)
    #expect(try map[5]?.integer() == 3)
  }

  @Test func missingKeysAreRefusedAtTheMap() throws {
    let map = try read("82 00 a1 6161 01").array().at(1).map()
    #expect(map.offset == 2)
    #expect(refusal { () throws(CBORError) in try map.required("b") } == Failure(.missingKey, at: 2))
    #expect(refusal { () throws(CBORError) in try map.required(1) } == Failure(.missingKey, at: 2))
    let error = try #require(thrownError { () throws(CBORError) in try map.required("b") })
    #expect(error.message == "the map has no key \"b\"")
  }

  @Test func wrongTypesInsideAreReportedAtTheirPlace() throws {
    let map = try read("a1 6161 82 01 6162").map()
    let item = try map.required("a").array().at(1)
    #expect(refusal { () throws(CBORError) in try item.integer() } == Failure(.wrongType, at: 5))
  }
}
