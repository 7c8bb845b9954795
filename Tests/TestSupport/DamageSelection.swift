import Foundation

extension Damage {
  /// How much of the possible damage is done.
  public enum Extent: Sendable, Equatable {
    /// Every byte of every input is changed at least once, to a value that the place decides, and this many more changes
    /// are made, evenly spread over those that ``value(_:for:at:)`` tells apart.
    case everyByte(more: Int)
    /// As many changes, evenly spread.
    case spread(Int)
    /// Every byte is changed to every other value. Hours, for readers that take long.
    case everyChange

    /// The extent that a test gets, unless the environment asks for every change: `PRESENTMENT_EXHAUSTIVE` is `1` for
    /// all that is damaged, or the name of one reader.
    public static func ordinarily(_ extent: Extent, of name: String) -> Extent {
      let asked = ProcessInfo.processInfo.environment["PRESENTMENT_EXHAUSTIVE"]
      return asked == "1" || asked == name ? .everyChange : extent
    }
  }

  /// How much damage was done, of how much there is.
  public struct Tally: Sendable, CustomStringConvertible {
    /// Changed inputs that were tried.
    public fileprivate(set) var tried = 0
    /// Every byte of every input, changed to every other value.
    public fileprivate(set) var total = 0
    /// Bytes of all inputs together.
    public fileprivate(set) var bytes = 0

    /// Both, for a person to read.
    public var description: String { "\(tried) of \(total) changes of \(bytes) bytes" }
  }

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
    var more = 0
    switch extent {
    case .everyChange:
      for input in inputs {
        for place in input.indices {
          for number in 1...255 { change(input, place, to: input[place] ^ UInt8(number)) }
        }
      }
    case .everyByte(let count):
      more = count
      for input in inputs {
        for place in input.indices {
          change(input, place, to: value(place % valuesOfByte, for: input[place], at: place))
        }
      }
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
