extension Damage {
  /// Longest input in bytes of which every byte is changed to every other value. Of a longer one each byte is changed
  /// to eight: one of its lower five bits turned, one of the upper three (the major type of CBOR), the least, the
  /// greatest and the middle ones, one more and one less. Which bits, the place decides.
  public static let longestChangedWhole = 300

  /// How many values a byte of an input is changed to.
  private static func changesOfByte(in input: [UInt8]) -> Int { input.count > longestChangedWhole ? 8 : 255 }

  /// The value of a number that the byte at a place is changed to.
  private static func value(_ number: Int, for byte: UInt8, at place: Int, in input: [UInt8]) -> UInt8 {
    guard input.count > longestChangedWhole else { return byte &+ 1 &+ UInt8(number) }
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

  /// Every change of one byte of some inputs, or as many evenly spread ones as there may be.
  /// - Returns: how many there were.
  public static func changes(of inputs: [[UInt8]], atMost most: Int, _ body: ([UInt8]) -> Void) -> Int {
    spread(inputs, count: { $0.count * changesOfByte(in: $0) }, atMost: most) { input, number in
      let (place, value) = number.quotientAndRemainder(dividingBy: changesOfByte(in: input))
      var changed = input
      changed[place] = Self.value(value, for: input[place], at: place, in: input)
      body(changed)
    }
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
