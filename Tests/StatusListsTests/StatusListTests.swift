import CBOR
import TestSupport
import TestTraits
import Testing

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

@Suite("Status lists")
struct StatusListTests {
  @Test("entries are read back as written", arguments: StatusList.EntrySize.allCases)
  func entries(size: StatusList.EntrySize) {
    var list = StatusList(entrySize: size, count: 20)
    let largest = UInt8(truncatingIfNeeded: 1 << size.rawValue - 1)
    #expect(list.count >= 20 && list.bytes.count == (20 * size.rawValue + 7) / 8)
    list.set(0, to: 1)
    list.set(13, to: largest)
    list.set(19, to: 255)
    list.set(13, to: 1)
    #expect(list[0] == 1 && list[1] == 0 && list[13] == 1 && list[12] == 0 && list[14] == 0 && list[19] == largest)
    let before = list
    list.set(UInt64(list.count), to: 1)
    #expect(list == before)
    #expect(list[UInt64(list.count)] == nil && list[.max] == nil)
  }

  static var lists: [Vector] {
    Vectors.entries(of: "status_lists.json").filter { $0["kind"]?.text == "StatusList CBOR" }
  }

  @Test("every list of the draft has its published entries", .requiresVectors("status_lists"), arguments: lists)
  func vectors(of entry: Vector) throws {
    let map = try CBORReader.read(entry.bytes("hex")).map()
    let bits = try map.required("bits").integer()
    #expect(Double(bits) == entry["bits"]?.number)
    let bytes = try Inflate.zlib(map.required("lst").bytes(), limit: StatusLimits.listLength)
    #expect(Double(bytes.count) == entry["inflated_bytes"]?.number)
    #expect(hexadecimal(MobileSecurityObject.DigestAlgorithm.sha256.digest(bytes)) == entry["inflated_sha256"]?.text)
    let list = StatusList(entrySize: try #require(StatusList.EntrySize(rawValue: bits)), bytes: bytes)
    var expected: [UInt64: UInt8] = [:]
    for pair in try #require(entry["expected_status"]?.array) {
      let numbers = try #require(pair.array).compactMap(\.number)
      expected[UInt64(numbers[0])] = UInt8(numbers[1])
    }
    #expect(expected.count >= 11)
    for (index, value) in expected { #expect(list[index] == value, "\(index)") }
    if entry["all_others"] != nil {
      let others = (0..<UInt64(list.count)).count { list[$0] != 0 && expected[$0] == nil }
      #expect(others == 0)
    }
    #expect(list[UInt64(list.count)] == nil)
  }

  @Test("all vectors are present", .requiresVectors("status_lists"))
  func count() { #expect(Self.lists.count == 6) }

  @Test("a location is read from an https URI")
  func location() throws {
    let place = try #require(StatusListLocation("HTTPS://Lists.Example:8443/a/b?c=1#d"))
    #expect(place.host == "lists.example" && place.target == "/a/b?c=1")
    #expect(try #require(StatusListLocation("https://lists.example")).target == "/")
    #expect(try #require(StatusListLocation("https://lists.example?x")).target == "/?x")
    let refused = [
      "", "http://lists.example/1", "https:/lists.example", "https:///1", "https://", "https://me@lists.example/1",
      "https://lists.example:x/1", "https://lists.example:1:2/", "https://lists.example/ 1",
      "https://lists.ex\u{e4}mple/",
      "https://lists.example/\n", "https://[::1]/", "https://" + String(repeating: "a", count: StatusLimits.uriLength),
    ]
    for uri in refused { #expect(StatusListLocation(uri) == nil, "\(uri)") }
  }
}
