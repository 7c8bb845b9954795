import CBOR
import Testing

@Suite("Duplicate map keys")
struct DuplicateKeyTests {
  @Test(arguments: [
    ("a2 6161 01 6161 02", 4), ("a2 01 00 01 00", 3), ("a2 20 00 20 00", 3), ("a2 4101 00 4101 00", 4),
    ("a2 f5 00 f5 00", 3), ("a2 f6 00 f6 00", 3), ("a2 f7 00 f7 00", 3), ("a2 f0 00 f0 00", 3),
    ("a2 f8ff 00 f8ff 00", 4), ("a2 f93c00 00 f93c00 00", 5), ("a2 8102 00 8102 00", 4), ("a2 80 00 80 00", 3),
    ("a2 a10102 00 a10102 00", 5), ("a2 c101 00 c101 00", 4), ("a2 d8184101 00 d8184101 00", 6),
    ("a2 f90000 00 f98000 00", 5), ("a2 a2 01 02 03 04 00 a2 03 04 01 02 00", 7), ("a2 f97e01 00 f97e01 00", 5),
    ("a3 01 00 02 00 01 00", 5), ("a3 60 00 40 00 60 00", 5), ("a3 80 00 01 00 01 00", 5),
  ])
  func isRefusedAtTheSecond(hex: String, offset: Int) throws {
    #expect(try refusal(of: hex) == Failure(.duplicateKey, at: offset))
    #expect(try refusal(of: hex, leniency: .received) == Failure(.duplicateKey, at: offset))
  }

  @Test(arguments: [
    ("82 00 a2 01 00 01 00", 5), ("a1 00 a2 01 00 01 00", 5), ("c1 a2 01 00 01 00", 4),
    ("a2 00 00 a1 a2 01 00 01 00 00 00", 7), ("d818 45 a2 01 00 01 00", 6),
    ("81 d818 49 d818 46 81 a2 01 00 01 00", 11),
  ])
  func isRefusedInsideOtherItems(hex: String, offset: Int) throws {
    #expect(try refusal(of: hex) == Failure(.duplicateKey, at: offset))
  }

  @Test(arguments: [
    ("a2 01 00 1801 00", 3), ("a2 20 00 3800 00", 3), ("a2 6161 00 780161 00", 4), ("a2 580101 00 4101 00", 5),
    ("a2 4101 00 5f4101ff 00", 4), ("a2 7f6161ff 00 6161 00", 6), ("a2 5f420102ff 00 5f41014102ff 00", 7),
    ("a2 8101 00 9f01ff 00", 4), ("a2 8101 00 811801 00", 4), ("a2 a10102 00 bf0102ff 00", 5),
    ("a2 c101 00 d80101 00", 4), ("a2 f93c00 00 fa3f800000 00", 5), ("a2 fb3ff0000000000000 00 f93c00 00", 11),
    ("a2 f97e00 00 fb7ff8000000000000 00", 5), ("a2 f97e01 00 fa7fc02000 00", 5), ("a2 f9fe01 00 faffc02000 00", 5),
    ("a2 fbfff8040000000000 00 f9fe01 00", 11), ("a2 f90000 00 fb8000000000000000 00", 5),
    ("bf 01 00 1801 00 ff", 3), ("d818 46 a2 01 00 1801 00", 6),
  ])
  func isRefusedInTwoEncodingsOfOneKey(hex: String, offset: Int) throws {
    #expect(try refusal(of: hex, leniency: .received) == Failure(.duplicateKey, at: offset))
  }

  @Test(arguments: [
    "a2 6161 00 4161 00", "a2 01 00 20 00", "a2 00 00 f4 00", "a3 f4 00 f6 00 f7 00", "a2 01 00 f93c00 00",
    "a2 f97e00 00 f97e01 00", "a2 f97e00 00 f9fe00 00", "a2 01 00 8101 00", "a2 c001 00 c101 00",
    "a2 62c3a9 00 6365cc81 00", "a2 f820 00 1820 00", "a4 60 00 40 00 80 00 a0 00", "a2 6161 00 626161 00",
    "a2 01 a1 01 00 02 a1 01 00", "a1 01 d818 43 a1 01 00", "a2 8101 00 818101 00",
    "a2 a2 01 02 03 04 00 a2 01 04 03 02 00", "a2 a2 01 02 03 04 00 84 01 02 03 04 00",
    "a2 82 f90001 1820 00 82 19e118 20 00",
  ])
  func isNotFoundInKeysOfDifferentTypeContentOrStructure(hex: String) throws {
    #expect(try refusal(of: hex) == nil)
  }

  static let counts = [2, 23, 24, 25, 26, 300]

  @Test(arguments: counts)
  func isFoundInMapsOfEverySize(count: Int) throws {
    for repeated in Set([0, (count - 1) / 2, count - 2]) {
      let numbers = map(ofKeys: Array(0..<count - 1) + [repeated]) { .integer($0 * 7 - 90) }
      #expect(refusal(of: numbers.bytes) == Failure(.duplicateKey, at: numbers.lastKey))
      let names = map(ofKeys: Array(0..<count - 1) + [repeated]) { .text("element \($0)") }
      #expect(refusal(of: names.bytes) == Failure(.duplicateKey, at: names.lastKey))
    }
  }

  @Test(arguments: counts)
  func isFoundInTwoEncodingsInMapsOfEverySize(count: Int) throws {
    let written = map(ofKeys: Array(0..<count)) { .text("element \($0)") }
    let longHead: [UInt8] = [0x78, 9] + Array("element 0".utf8) + [0xf6]
    let bytes = written.bytes[..<written.lastKey] + longHead
    #expect(refusal(of: Array(bytes), leniency: .received) == Failure(.duplicateKey, at: written.lastKey))
  }

  @Test(arguments: ["a2 f97e00 00 faffc00000 00", "a2 f97e00 00 fbfff8000000000000 00", "a2 f97e00 00 fa7fc02000 00"])
  func isNotFoundInNaNsOfOtherSignOrPayload(hex: String) throws {
    #expect(try refusal(of: hex, leniency: .received) == nil)
  }

  @Test(arguments: counts)
  func isNotFoundWhereAllKeysDiffer(count: Int) throws {
    #expect(refusal(of: map(ofKeys: Array(0..<count)) { .integer($0 * 7 - 90) }.bytes) == nil)
    #expect(refusal(of: map(ofKeys: Array(0..<count)) { .text("element \($0)") }.bytes) == nil)
    #expect(refusal(of: map(ofKeys: Array(0..<count)) { .array([.integer($0)]) }.bytes) == nil)
  }

  /// A map from the keys made of some numbers to null, and where its last key starts.
  private func map(ofKeys numbers: [Int], key: (Int) -> CBORValue) -> (bytes: [UInt8], lastKey: Int) {
    var writer = CBORWriter()
    var lastKey = 0
    writer.map(numbers.count)
    for number in numbers {
      lastKey = writer.bytes.count
      writer.value(key(number))
      writer.null()
    }
    return (writer.bytes, lastKey)
  }
}
