import CBOR
import TestSupport

extension SeededGenerator {
  /// A value of a few levels; the keys of every map in it are distinct.
  mutating func value(levels: Int = 4) -> CBORValue {
    switch below(levels > 1 ? 12 : 8) {
    case 0: .unsigned(argument())
    case 1: .negative(argument())
    case 2: .bytes((0..<below(30)).map { _ in byte() })
    case 3: .text(String((0..<below(30)).map { _ in ["a", "\u{fc}", "\u{6c34}", "\u{1f600}"][below(4)] }))
    case 4: .float([-0.0, 1.5, 100_000, 1.1, .infinity, .nan, Double(next() >> 11)][below(7)])
    case 5: .simple([0, 19, 32, 255][below(4)])
    case 6: [.boolean(true), .boolean(false), .null, .undefined][below(4)]
    case 7: .tagged(24, .bytes(value(levels: levels - 2).encoded))
    case 8: .tagged([0, 2, 25, 1004, .max][below(5)], value(levels: levels - 1))
    case 9: .array((0..<below(6)).map { _ in value(levels: levels - 1) })
    default: .map(entries(levels: levels))
    }
  }

  private mutating func entries(levels: Int) -> [CBORValue.Entry] {
    var keys: [CBORValue] = []
    for _ in 0..<below(levels == 4 ? 40 : 5) {
      let key = value(levels: levels - 1)
      if !keys.contains(key) { keys.append(key) }
    }
    return keys.map { CBORValue.Entry($0, value(levels: levels - 1)) }
  }

  /// An argument of every width alike.
  private mutating func argument() -> UInt64 { next() >> UInt64([0, 32, 48, 56, 60][below(5)]) }
}
