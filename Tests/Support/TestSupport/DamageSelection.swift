import Foundation

extension Damage {
  /// How much of the possible damage is done.
  public enum Extent: Sendable, Equatable {
    /// As many changes, evenly spread.
    case spread(Int)
    /// Every byte of every input is changed at least once, and this many more changes are made, evenly spread.
    case everyByte(more: Int)
    /// The same for whole inputs of about so many bytes together, evenly spread over all of them.
    case everyByteOf(bytes: Int, more: Int)
    /// Every byte is changed to every other value. Hours, for readers that take long.
    case everyChange

    /// The extent that a test gets, unless `PRESENTMENT_EXHAUSTIVE` asks for more: `bytes` for every byte of all that is
    /// damaged, `1` for every change, or the name of one reader for every change of what that reads.
    public static func ordinarily(_ extent: Extent, of name: String) -> Extent {
      switch ProcessInfo.processInfo.environment["PRESENTMENT_EXHAUSTIVE"] {
      case "1", name: .everyChange
      case "bytes": extent.withEveryByte
      default: extent
      }
    }

    /// True if the environment requests more than the usual extent.
    public static var isMoreThanOrdinary: Bool { ProcessInfo.processInfo.environment["PRESENTMENT_EXHAUSTIVE"] != nil }

    private var withEveryByte: Extent {
      switch self {
      case .spread(let more), .everyByteOf(_, let more): .everyByte(more: more)
      case .everyByte, .everyChange: self
      }
    }
  }

  /// How much damage was done, of how much there is.
  public struct Tally: Sendable, CustomStringConvertible {
    /// Changed inputs that were tried.
    public fileprivate(set) var tried = 0
    /// Every byte of every input, changed to every other value.
    public fileprivate(set) var total = 0
    /// Bytes that were changed, or stand elsewhere in the same surroundings and were changed there.
    public fileprivate(set) var covered = 0
    /// Bytes of all inputs together.
    public fileprivate(set) var bytes = 0

    /// A human-readable form of the tally.
    public var description: String { "\(tried) of \(total) changes, \(covered) of \(bytes) bytes" }
  }

  /// The number of bytes before and after one that are its surroundings. A vector differs from the next in a few places, and what is
  /// the same in both need not be changed in both.
  private static let surroundings = 8

  /// How many values a byte is changed to when not all are tried.
  private static let valuesOfByte = 8

  /// One of those values: one of the lower five bits turned, one of the upper three (the major type of CBOR), the least,
  /// the greatest and the middle ones, one more and one less. Which bits, the place decides.
  private static func value(_ number: Int, for byte: UInt8, at place: Int) -> UInt8 {
    let lower: UInt8 = 1 << UInt8(place % 5)
    let upper: UInt8 = 0x20 << UInt8(place % 3)
    let value: UInt8
    switch number {
    case 0: value = byte ^ lower
    case 1: value = byte ^ upper
    case 2: value = 0x00
    case 3: value = 0xff
    case 4: value = 0x7f
    case 5: value = 0x80
    case 6: value = byte &+ 1
    default: value = byte &- 1
    }
    return value == byte ? byte ^ 0x55 : value
  }

  /// Every truncation of some inputs, or as many evenly spread ones as there may be.
  /// - Returns: how many there were.
  public static func truncations(of inputs: [[UInt8]], atMost most: Int, _ body: ([UInt8]) -> Void) -> Int {
    spread(inputs, count: \.count, atMost: most) { input, number in body(Array(input[..<number])) }
  }

  /// Changes of one byte of some inputs.
  public static func changes(of inputs: [[UInt8]], _ extent: Extent, _ body: ([UInt8]) -> Void) -> Tally {
    var tally = Tally()
    tally.bytes = inputs.reduce(0) { $0 + $1.count }
    tally.total = tally.bytes * 255
    func change(_ input: [UInt8], _ place: Int, to value: UInt8) {
      var changed = input
      changed[place] = value
      tally.tried += 1
      body(changed)
    }
    func everyByte(of inputs: [[UInt8]]) {
      var seen: Set<ArraySlice<UInt8>> = []
      for input in inputs {
        for place in input.indices {
          tally.covered += 1
          let around = input[max(0, place - surroundings)..<min(input.count, place + surroundings + 1)]
          guard seen.insert(around).inserted else { continue }
          change(input, place, to: value(place % valuesOfByte, for: input[place], at: place))
        }
      }
    }
    var more = 0
    switch extent {
    case .everyChange:
      for input in inputs {
        for place in input.indices {
          for number in 1...255 { change(input, place, to: input[place] ^ UInt8(number)) }
        }
      }
      tally.covered = tally.bytes
    case .everyByte(let count):
      more = count
      everyByte(of: inputs)
    case .everyByteOf(let bytes, let count):
      more = count
      let step = max(1, (tally.bytes + bytes - 1) / bytes)
      everyByte(of: inputs.enumerated().filter { $0.offset.isMultiple(of: step) }.map(\.element))
    case .spread(let count): more = count
    }
    if more > 0 {
      _ = spread(inputs, count: { $0.count * valuesOfByte }, atMost: more) { input, number in
        let (place, number) = number.quotientAndRemainder(dividingBy: valuesOfByte)
        change(input, place, to: value(number, for: input[place], at: place))
      }
    }
    return tally
  }

  /// Calls for each of the numbers below the count of every input, or for every so many-th of them over all inputs.
  private static func spread(
    _ inputs: [[UInt8]], count: ([UInt8]) -> Int, atMost most: Int, _ body: ([UInt8], Int) -> Void
  ) -> Int {
    let total = inputs.reduce(0) { $0 + count($1) }
    // Prime to the changes of a byte, so that in time each of them has its turn.
    var step = total <= most ? 1 : total / most + 1
    while step > 1,
      step.isMultiple(of: 2) || step.isMultiple(of: 3) || step.isMultiple(of: 5) || step.isMultiple(of: 17)
    { step += 1 }
    var next = 0
    var calls = 0
    for input in inputs {
      let end = count(input)
      while next < end {
        body(input, next)
        next += step
        calls += 1
      }
      next -= end
    }
    return calls
  }
}
