/// The bytes that were received and one flat table of what stands where in them. Made once by ``CBORReader``; every
/// ``CBORItem`` is a view into it, so nothing received is ever copied, re-encoded or lost.
final class CBORIndex: Sendable {
  /// One item: a row of the table.
  struct Node: Sendable {
    /// Major type, 0 to 7.
    var major: UInt8
    /// Additional information of the initial byte, 0 to 31.
    var information: UInt8
    /// The head's argument: value, length, count, tag number or the bits of a float.
    var argument: UInt64
    /// Where the head starts.
    var start: UInt32
    /// Where the content starts: the first byte after the head.
    var content: UInt32
    /// The first byte after the item.
    var end: UInt32
    /// The row of the next item that is not inside this one.
    var next: UInt32

    var isIndefinite: Bool { information == 31 && major != 7 }
  }

  let bytes: [UInt8]
  let nodes: [Node]
  let deviations: [CBORDeviation]

  init(bytes: [UInt8], nodes: [Node], deviations: [CBORDeviation]) {
    self.bytes = bytes
    self.nodes = nodes
    self.deviations = deviations
  }
}
