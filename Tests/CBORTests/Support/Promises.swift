import CBOR

/// The guarantees of reading for every input: both modes agree except for the deviations that leniency accepts, an
/// accepted item survives a round trip through its value, and every view stays inside its parent.
enum Promises {
  /// Returns the first guarantee that the bytes break, or nil.
  static func broken(by bytes: [UInt8]) -> String? {
    let strict = reading(bytes, leniency: [])
    let lenient = reading(bytes, leniency: .received)
    switch (strict, lenient) {
    case (.success(let item), .success(let same)):
      if !same.deviations.isEmpty { return "deviations are reported in an item that strict reading accepts" }
      if !holdsNaNPayload(item), CBORValue(item).encoded != bytes { return "the value is written in other bytes" }
      return brokenByView(item, in: bytes)
    case (.failure(let error), .success(let item)):
      if item.findings.first != Failure(error) {
        return "strict reading refuses \(error), which is not the first deviation"
      }
      return brokenByView(item, in: bytes) ?? brokenByRewriting(item)
    case (.success, .failure(let error)):
      return "lenient reading refuses \(error), strict reading accepts"
    case (.failure(let error), .failure(let other)):
      if !(0...bytes.count).contains(error.offset) || !(0...bytes.count).contains(other.offset) {
        return "the offset of an error is outside the input"
      }
      let isDeparture = error.code == .nonMinimalHead || error.code == .indefiniteLength
      let isSame = Failure(error) == Failure(other)
      return isSame || isDeparture ? nil : "strict reading refuses \(error), lenient reading \(other)"
    }
  }

  private static func reading(_ bytes: [UInt8], leniency: CBORLeniency) -> Result<CBORItem, CBORError> {
    Result { () throws(CBORError) in try CBORReader.read(bytes, leniency: leniency) }
  }

  private static func brokenByRewriting(_ item: CBORItem) -> String? {
    let value = CBORValue(item)
    guard case .success(let again) = reading(value.encoded, leniency: .received) else {
      return "the encoded value of an accepted item is refused"
    }
    return CBORValue(again) == value ? nil : "the encoded value reads as another value"
  }

  private static func brokenByView(_ item: CBORItem, in bytes: [UInt8]) -> String? {
    if item.encoded.indices != bytes.indices { return "the item is not the whole input" }
    if item.diagnostic.isEmpty || item.diagnosticWithEmbedded.isEmpty { return "the notation is empty" }
    return item.brokenByChild
  }

  /// Returns whether an item is or contains a NaN other than the written one.
  private static func holdsNaNPayload(_ item: CBORItem) -> Bool {
    if let number = try? item.float() { return number.isNaN && Array(item.encoded) != [0xf9, 0x7e, 0x00] }
    return item.directChildren.contains(where: holdsNaNPayload)
  }
}

extension CBORItem {
  /// The items of an array, the keys and values of a map, or the tagged item.
  fileprivate var directChildren: [CBORItem] {
    switch kind {
    case .array: (try? array()).map(Array.init) ?? []
    case .map: (try? map()).map { $0.flatMap { [$0.key, $0.value] } } ?? []
    case .tagged: (try? tagged()).map { [$0.item] } ?? []
    default: []
    }
  }

  fileprivate var brokenByChild: String? {
    var inside = directChildren
    if tag == 24 {
      guard let embedded = try? embedded() else { return "tag 24 at \(offset) holds no item" }
      inside = [embedded]
    }
    var free = encoded.startIndex + 1
    for child in inside {
      if child.encoded.startIndex < free || child.encoded.endIndex > encoded.endIndex {
        return "the item at \(child.offset) is outside the item at \(offset)"
      }
      free = child.encoded.endIndex
      if let broken = child.brokenByChild { return broken }
    }
    return nil
  }
}
