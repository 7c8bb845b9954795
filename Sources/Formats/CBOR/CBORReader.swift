/// A strict reader of RFC 8949: definite lengths, minimal heads, UTF-8, no duplicate keys, no trailing bytes, and limits
/// on size, depth and count. Items inside tag 24 are read in the same pass and by the same rules.
public enum CBORReader {
  /// Reads exactly one item.
  ///
  /// - Parameters:
  ///   - bytes: The received bytes. The returned view keeps them unchanged.
  ///   - limits: Limits on the cost of reading.
  ///   - leniency: Departures that are accepted and reported in ``CBORItem/deviations``.
  ///   - readingEmbedded: Whether to read the items inside tag 24 too. A reader of signed bytes does not, and opens them
  ///     with ``CBORItem/embeddedBytes()`` after it has verified the signature.
  /// - Returns: A view of the item at byte 0.
  /// - Throws: ``CBORError`` with the first broken rule and its place.
  public static func read(
    _ bytes: [UInt8], limits: CBORLimits = .standard, leniency: CBORLeniency = [],
    readingEmbedded: Bool = true
  ) throws(CBORError) -> CBORItem {
    // The table stores offsets in 32 bits, whatever limit the caller sets.
    let most = min(limits.bytes, Int(UInt32.max))
    guard bytes.count <= most else {
      throw CBORError(.tooLarge, at: 0, "\(bytes.count) bytes exceed the limit of \(most)")
    }
    var cursor = Cursor(end: bytes.count, limits: limits, leniency: leniency, readingEmbedded: readingEmbedded)
    try cursor.readItem(in: bytes.span, depth: 0)
    guard cursor.position == bytes.count else {
      let surplus = bytes.count - cursor.position
      throw CBORError(.trailingBytes, at: cursor.position, "\(surplus) bytes follow the item")
    }
    return CBORItem(CBORIndex(bytes: bytes, nodes: cursor.nodes, deviations: cursor.deviations), at: 0)
  }
}

/// Walks the buffer once and writes a row for every item.
private struct Cursor {
  var position = 0
  var end: Int
  let limits: CBORLimits
  let leniency: CBORLeniency
  let readingEmbedded: Bool
  var nodes: [CBORIndex.Node] = []
  var deviations: [CBORDeviation] = []

  init(end: Int, limits: CBORLimits, leniency: CBORLeniency, readingEmbedded: Bool) {
    self.end = end
    self.readingEmbedded = readingEmbedded
    self.limits = limits
    self.leniency = leniency
    // Items of a response have about fifteen bytes on average; one allocation is enough for most inputs.
    nodes.reserveCapacity(min(end / 12 + 4, limits.items))
  }

  private func truncated(_ what: String) -> CBORError {
    CBORError(.truncated, at: position, "the input ends inside \(what)")
  }

  private mutating func argument(_ bytes: Span<UInt8>, information: UInt8, start: Int) throws(CBORError) -> UInt64 {
    guard information < 28 else {
      throw CBORError(.reservedInformation, at: start, "additional information \(information) is reserved")
    }
    let width = 1 << Int(information - 24)
    guard end - position >= width else { throw truncated("a head") }
    var value: UInt64 = 0
    for offset in 0..<width { value = value << 8 | UInt64(bytes[position + offset]) }
    position += width
    return value
  }

  private mutating func requireMinimal(_ value: UInt64, information: UInt8, start: Int) throws(CBORError) {
    let least: UInt64
    switch information {
    case 24: least = 24
    case 25: least = 0x100
    case 26: least = 0x1_0000
    case 27: least = 0x1_0000_0000
    default: return
    }
    if value < least { try deviate("the head is longer than its argument needs", start: start) }
  }

  private mutating func requireShortestFloat(_ bits: UInt64, information: UInt8, start: Int) throws(CBORError) {
    guard CBORFloatBits(information: information, bits: bits).halved != nil else { return }
    try deviate("the floating-point number is wider than its value needs", start: start)
  }

  private mutating func deviate(_ message: String, start: Int) throws(CBORError) {
    guard leniency.contains(.nonMinimalHeads) else { throw CBORError(.nonMinimalHead, at: start, message) }
    deviations.append(CBORDeviation(code: .nonMinimalHead, offset: start))
  }

  mutating func readItem(in bytes: Span<UInt8>, depth: Int) throws(CBORError) {
    guard depth < limits.depth else {
      throw CBORError(.tooDeep, at: position, "nested deeper than \(limits.depth) levels")
    }
    guard nodes.count < limits.items else {
      throw CBORError(.tooManyItems, at: position, "more than \(limits.items) items")
    }
    let start = position
    guard position < end else { throw truncated("an item") }
    let initial = bytes[position]
    position += 1
    let major = initial >> 5
    let information = initial & 0x1f
    let row = nodes.count
    if information == 31 {
      try readIndefinite(in: bytes, major: major, start: start, depth: depth)
      return complete(row)
    }
    // Most arguments are in the first byte.
    var value = UInt64(information)
    if information >= 24 {
      value = try argument(bytes, information: information, start: start)
      if major == 7 {
        try requireShortestFloat(value, information: information, start: start)
      } else {
        try requireMinimal(value, information: information, start: start)
      }
    }
    let content = position
    switch major {
    case 2:
      guard value <= UInt64(end - position) else { throw truncated("a byte string of \(value) bytes") }
      position += Int(value)
    case 3:
      guard value <= UInt64(end - position) else { throw truncated("a text string of \(value) bytes") }
      let stop = position + Int(value)
      try requireUTF8(bytes, from: position, to: stop)
      position = stop
    case 7 where information == 24 && value < 32:
      throw CBORError(.badSimpleValue, at: start, "simple value \(value) must be written in one byte")
    default: break
    }
    // Complete, unless items are inside.
    nodes.append(
      CBORIndex.Node(
        major: major, information: information, argument: value, start: UInt32(start), content: UInt32(content),
        end: UInt32(position), next: UInt32(row + 1)))
    switch major {
    case 4:
      guard value <= UInt64(end - position) else { throw truncated("an array of \(value) items") }
      for _ in 0..<Int(value) { try readItem(in: bytes, depth: depth + 1) }
    case 5:
      guard value <= UInt64((end - position) / 2) else { throw truncated("a map of \(value) entries") }
      for _ in 0..<Int(value) {
        try readItem(in: bytes, depth: depth + 1)
        try readItem(in: bytes, depth: depth + 1)
      }
      try requireDistinctKeys(in: bytes, firstKey: row + 1, count: Int(value))
    case 6: try readTagged(in: bytes, tag: value, start: start, depth: depth)
    default: return
    }
    complete(row)
  }

  /// Completes the row of an item with items inside.
  private mutating func complete(_ row: Int) {
    let next = UInt32(nodes.count)
    nodes[row].complete(end: UInt32(position), next: next)
  }

  private mutating func readTagged(in bytes: Span<UInt8>, tag: UInt64, start: Int, depth: Int) throws(CBORError) {
    guard tag == 24 else { return try readItem(in: bytes, depth: depth + 1) }
    let stringRow = nodes.count
    try readItem(in: bytes, depth: depth + 1)
    let string = nodes[stringRow]
    guard string.major == 2, !string.isIndefinite else {
      throw CBORError(.badEmbeddedItem, at: start, "tag 24 must hold one definite-length byte string")
    }
    guard readingEmbedded else { return }
    let outerEnd = end
    let resume = position
    position = Int(string.content)
    end = Int(string.end)
    try readItem(in: bytes, depth: depth + 2)
    guard position == end else {
      let surplus = end - position
      throw CBORError(.trailingBytes, at: position, "\(surplus) bytes follow the item inside tag 24")
    }
    end = outerEnd
    position = resume
    nodes[stringRow].next = UInt32(nodes.count)
  }

  private mutating func readIndefinite(in bytes: Span<UInt8>, major: UInt8, start: Int, depth: Int) throws(CBORError) {
    guard (2...5).contains(major) else {
      if major == 7 { throw CBORError(.unexpectedBreak, at: start, "expected an item, found a break") }
      throw CBORError(.reservedInformation, at: start, "major type \(major) has no indefinite length")
    }
    guard leniency.contains(.indefiniteLengths) else {
      throw CBORError(.indefiniteLength, at: start, "indefinite lengths are not accepted")
    }
    deviations.append(CBORDeviation(code: .indefiniteLength, offset: start))
    let row = nodes.count
    // Completed by the caller.
    nodes.append(
      CBORIndex.Node(
        major: major, information: 31, argument: 0, start: UInt32(start), content: UInt32(position), end: 0, next: 0))
    var count = 0
    while true {
      guard position < end else { throw truncated("an item of indefinite length") }
      if bytes[position] == 0xff {
        if major == 5 && count % 2 == 1 {
          throw CBORError(.unexpectedBreak, at: position, "the map ends after a key without a value")
        }
        position += 1
        break
      }
      if major <= 3 {
        let chunk = bytes[position]
        guard chunk >> 5 == major, chunk & 0x1f != 31 else {
          throw CBORError(.badChunk, at: position, "a chunk must be a definite string of the same type")
        }
      }
      try readItem(in: bytes, depth: depth + 1)
      count += 1
    }
    nodes[row].argument = UInt64(major == 5 ? count / 2 : count)
    if major == 5 { try requireDistinctKeys(in: bytes, firstKey: row + 1, count: count / 2) }
  }

  private func requireUTF8(_ bytes: Span<UInt8>, from: Int, to stop: Int) throws(CBORError) {
    var at = from
    while at < stop {
      let lead = bytes[at]
      if lead < 0x80 {
        at += 1
        continue
      }
      let length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
      var valid = lead >= 0xc2 && lead <= 0xf4 && stop - at >= length
      if valid {
        let second = bytes[at + 1]
        switch lead {
        case 0xe0: valid = second >= 0xa0 && second <= 0xbf
        case 0xed: valid = second >= 0x80 && second <= 0x9f
        case 0xf0: valid = second >= 0x90 && second <= 0xbf
        case 0xf4: valid = second >= 0x80 && second <= 0x8f
        default: valid = second & 0xc0 == 0x80
        }
        for offset in 2..<max(length, 2) where bytes[at + offset] & 0xc0 != 0x80 { valid = false }
      }
      guard valid else { throw CBORError(.invalidUTF8, at: at, "the text string is not UTF-8") }
      at += length
    }
  }

  /// The most entries whose keys are compared pairwise; keys of larger maps are compared through a set.
  private static let pairwiseKeyLimit = 24

  private func requireDistinctKeys(in bytes: Span<UInt8>, firstKey: Int, count: Int) throws(CBORError) {
    guard count > 1 else { return }
    // A key that contains items is normalized once, not once for every other key.
    guard count <= Self.pairwiseKeyLimit, areScalar(firstKey: firstKey, count: count) else {
      var seen = Set<[UInt8]>(minimumCapacity: count)
      var key = firstKey
      for _ in 0..<count {
        guard seen.insert(normalized(key, in: bytes)).inserted else { throw duplicate(key) }
        key = nextKey(after: key)
      }
      return
    }
    var later = firstKey
    for _ in 1..<count {
      later = nextKey(after: later)
      var earlier = firstKey
      while earlier != later {
        if equal(earlier, later, in: bytes) { throw duplicate(later) }
        earlier = nextKey(after: earlier)
      }
    }
  }

  /// Returns the row of the key after a key and its value.
  private func nextKey(after key: Int) -> Int { Int(nodes[Int(nodes[key].next)].next) }

  /// Returns whether every key of a map is an integer or a definite string.
  private func areScalar(firstKey: Int, count: Int) -> Bool {
    var key = firstKey
    for _ in 0..<count {
      guard nodes[key].major <= 3, !nodes[key].isIndefinite else { return false }
      key = nextKey(after: key)
    }
    return true
  }

  private func duplicate(_ row: Int) -> CBORError {
    CBORError(.duplicateKey, at: Int(nodes[row].start), "the map has this key twice")
  }

  /// Returns whether two integers or definite strings have the same value, whatever the length of their heads.
  private func equal(_ left: Int, _ right: Int, in bytes: Span<UInt8>) -> Bool {
    let a = nodes[left]
    let b = nodes[right]
    guard a.major == b.major, a.argument == b.argument else { return false }
    if a.major < 2 { return true }
    for offset in 0..<Int(a.argument) where bytes[Int(a.content) + offset] != bytes[Int(b.content) + offset] {
      return false
    }
    return true
  }

  /// Returns one encoding for all items that are equal as keys. Its cost is bounded by the input.
  private func normalized(_ row: Int, in bytes: Span<UInt8>) -> [UInt8] {
    var writer = CBORWriter()
    write(row, in: bytes, to: &writer)
    return writer.bytes
  }

  private func write(_ row: Int, in bytes: Span<UInt8>, to writer: inout CBORWriter) {
    let node = nodes[row]
    switch node.major {
    case 2, 3:
      var content: [UInt8] = []
      if node.isIndefinite {
        var child = row + 1
        while child < Int(node.next) {
          for at in Int(nodes[child].content)..<Int(nodes[child].end) { content.append(bytes[at]) }
          child = Int(nodes[child].next)
        }
      } else {
        for at in Int(node.content)..<Int(node.end) { content.append(bytes[at]) }
      }
      writer.head(major: node.major, argument: UInt64(content.count))
      writer.encoded(content)
    case 5:
      // Two maps are the same key if they differ only in the order of their entries (RFC 8949, 5.6.1).
      writer.head(major: 5, argument: node.argument)
      var entries: [[UInt8]] = []
      var key = row + 1
      while key < Int(node.next) {
        let value = Int(nodes[key].next)
        entries.append(normalized(key, in: bytes) + normalized(value, in: bytes))
        key = Int(nodes[value].next)
      }
      for entry in entries.sorted(by: { $0.lexicographicallyPrecedes($1) }) { writer.encoded(entry) }
    case 4, 6:
      writer.head(major: node.major, argument: node.argument)
      var child = row + 1
      while child < Int(node.next) {
        write(child, in: bytes, to: &writer)
        child = Int(nodes[child].next)
      }
    case 7 where node.information >= 25:
      // By value, not by width or the sign of zero; NaNs by payload and sign (RFC 8949, 5.6.1 with erratum 8589).
      let number = CBORFloatBits(information: node.information, bits: node.argument)
      if number.value == 0 { writer.float(0) } else { writer.floatBits(number.shortest) }
    default: writer.head(major: node.major, argument: node.argument)
    }
  }
}
