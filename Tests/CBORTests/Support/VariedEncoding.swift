import CBOR
import TestSupport

/// Writes a value with some heads longer than needed, some floats wider than needed and some indefinite lengths, and
/// records each of these deviations.
struct VariedEncoding {
  private(set) var bytes: [UInt8] = []
  private(set) var departures: [Failure] = []
  private var random: SeededGenerator

  init(of value: CBORValue, random: SeededGenerator) {
    self.random = random
    write(value)
  }

  private mutating func write(_ value: CBORValue) {
    switch value {
    case .unsigned(let number): head(0, number)
    case .negative(let argument): head(1, argument)
    case .bytes(let content): string(2, content.map { [$0] })
    case .text(let content): string(3, content.map { Array(String($0).utf8) })
    case .array(let items): container(4, count: items.count, items: items)
    case .map(let entries): container(5, count: entries.count, items: entries.flatMap { [$0.key, $0.value] })
    case .tagged(24, .bytes(let content)):
      head(6, 24)
      head(2, UInt64(content.count))
      bytes += content
    case .tagged(let number, let content):
      head(6, number)
      write(content)
    case .float(let number): float(number)
    default: bytes += value.encoded
    }
  }

  private mutating func departs() -> Bool { random.below(8) == 0 }

  private mutating func note(_ code: CBORError.Code) { departures.append(Failure(code, at: bytes.count)) }

  /// The head in the width it needs, or in a greater one.
  private mutating func head(_ major: UInt8, _ argument: UInt64) {
    let needed =
      argument < 24 ? 0 : argument < 1 << 8 ? 1 : argument < 1 << 16 ? 2 : argument < 1 << 32 ? 4 : 8
    let wider = [1, 2, 4, 8].filter { $0 > needed }
    var width = needed
    if !wider.isEmpty && departs() {
      note(.nonMinimalHead)
      width = wider[random.below(wider.count)]
    }
    bytes.append(major << 5 | (width == 0 ? UInt8(argument) : UInt8(24 + width.trailingZeroBitCount)))
    for place in 0..<width { bytes.append(UInt8(truncatingIfNeeded: argument >> UInt64((width - 1 - place) * 8))) }
  }

  /// A string in one piece, or cut into chunks of some of its characters.
  private mutating func string(_ major: UInt8, _ characters: [[UInt8]]) {
    guard departs() else {
      head(major, UInt64(characters.joined().count))
      bytes += characters.joined()
      return
    }
    note(.indefiniteLength)
    bytes.append(major << 5 | 31)
    var rest = characters[...]
    while !rest.isEmpty {
      let characters = rest.prefix(random.below(rest.count + 1))
      rest = rest.dropFirst(characters.count)
      head(major, UInt64(characters.joined().count))
      bytes += characters.joined()
    }
    bytes.append(0xff)
  }

  private mutating func container(_ major: UInt8, count: Int, items: [CBORValue]) {
    let isIndefinite = departs()
    if isIndefinite {
      note(.indefiniteLength)
      bytes.append(major << 5 | 31)
    } else {
      head(major, UInt64(count))
    }
    for item in items { write(item) }
    if isIndefinite { bytes.append(0xff) }
  }

  /// The number in its shortest width, or as a double.
  private mutating func float(_ number: Double) {
    let shortest = CBORValue.float(number).encoded
    guard shortest.count < 9, departs() else {
      bytes += shortest
      return
    }
    note(.nonMinimalHead)
    bytes.append(0xfb)
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> UInt64(shift)))
    }
  }
}
