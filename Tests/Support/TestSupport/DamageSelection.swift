import Foundation

extension Damage {
  /// The extent of the tested damage.
  public enum Extent: Sendable, Equatable {
    /// A number of changes, evenly spread.
    case spread(Int)
    /// Every byte of every input is changed at least once, plus a number of changes, evenly spread.
    case everyByte(more: Int)
    /// The same for whole inputs of about this total size, evenly spread over all of them.
    case everyByteOf(bytes: Int, more: Int)
    /// Every byte is changed to every other value. Takes hours for slow readers.
    case everyChange

    /// The default extent of a test. `PRESENTMENT_EXHAUSTIVE` extends it: `bytes` changes every byte, `1` makes every
    /// change, and the name of a reader makes every change for that reader.
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

  /// The extent of the damage that was tested.
  public struct Tally: Sendable, CustomStringConvertible {
    /// The number of changed inputs.
    public fileprivate(set) var tried = 0
    /// Every byte of every input, changed to every other value.
    public fileprivate(set) var total = 0
    /// Bytes that were changed, or occur in the same context elsewhere and were changed there.
    public fileprivate(set) var covered = 0
    /// The number of bytes of all inputs.
    public fileprivate(set) var bytes = 0

    /// A human-readable form of the tally.
    public var description: String { "\(tried) of \(total) changes, \(covered) of \(bytes) bytes" }
  }

  /// The number of bytes before and after a byte that form its context. Vectors differ in few places, and bytes that
  /// are the same in two vectors need to be changed in one only.
  private static let surroundings = 8

  /// The number of values for a byte if not all are tried.
  private static let valuesOfByte = 8

  /// One of these values: one of the lower five or upper three bits flipped (the upper ones are CBOR's major type), the
  /// minimum, the maximum and the middle values, one more and one less. The position selects the bits.
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

  /// Makes every truncation of some inputs, or an evenly spread selection up to the limit.
  /// - Returns: The number of truncations.
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

  /// Calls the body for each number below the count of every input, or for every n-th of them over all inputs.
  private static func spread(
    _ inputs: [[UInt8]], count: ([UInt8]) -> Int, atMost most: Int, _ body: ([UInt8], Int) -> Void
  ) -> Int {
    let total = inputs.reduce(0) { $0 + count($1) }
    // Coprime to the number of changes of a byte, so that over time each is made.
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
