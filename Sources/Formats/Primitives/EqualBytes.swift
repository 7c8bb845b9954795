extension Span<UInt8> {
  /// Returns whether other bytes are the same. An array compares its bytes one by one, which takes ten times as long for a
  /// certificate.
  package func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    var place = 0
    // The compiler turns a block of constant length without a branch into vectors.
    while place + Self.block <= count {
      let one = extracting(place..<place + Self.block)
      let second = other.extracting(place..<place + Self.block)
      var difference: UInt8 = 0
      for place in one.indices { difference |= one[place] ^ second[place] }
      guard difference == 0 else { return false }
      place += Self.block
    }
    while place < count {
      guard self[place] == other[place] else { return false }
      place += 1
    }
    return true
  }

  private static var block: Int { 64 }
}
