/// A part of a text in one mode of QR codes (ISO/IEC 18004, 7.4).
struct QRSegment: Equatable {
  /// The supported modes.
  enum Mode: Int, CaseIterable {
    case numeric = 0b0001
    case alphanumeric = 0b0010
    case bytes = 0b0100

    /// Returns whether a character of the text has a value in this mode.
    func encodes(_ character: UInt8) -> Bool {
      switch self {
      case .numeric: character.isDigit
      case .alphanumeric: QRSegment.alphabet.contains(character)
      case .bytes: true
      }
    }

    /// The number of bits of the count of characters.
    func countBits(in version: QRVersion) -> Int {
      switch self {
      case .numeric: version.hasLongCounts ? 12 : 10
      case .alphanumeric: version.hasLongCounts ? 11 : 9
      case .bytes: version.hasLongCounts ? 16 : 8
      }
    }

    /// The size of one character in sixths of a bit: 3 digits take 10 bits, 2 alphanumeric characters take 11.
    fileprivate var sixthsOfBits: Int {
      switch self {
      case .numeric: 20
      case .alphanumeric: 33
      case .bytes: 48
      }
    }
  }

  /// The bits of the mode indicator.
  static let modeBits = 4

  private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

  let mode: Mode
  /// The characters, as UTF-8.
  let characters: [UInt8]

  /// The mode indicator, the count and the characters.
  func bits(in version: QRVersion) -> [Bool] {
    var bits: [Bool] = []
    bits.append(mode.rawValue, bits: Self.modeBits)
    bits.append(characters.count, bits: mode.countBits(in: version))
    switch mode {
    case .numeric:
      for start in stride(from: 0, to: characters.count, by: 3) {
        let digits = characters[start..<min(start + 3, characters.count)]
        bits.append(digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }, bits: digits.count * 3 + 1)
      }
    case .alphanumeric:
      for start in stride(from: 0, to: characters.count, by: 2) {
        let pair = characters[start..<min(start + 2, characters.count)]
        bits.append(pair.reduce(0) { $0 * 45 + (Self.alphabet.firstIndex(of: $1) ?? 0) }, bits: pair.count * 5 + 1)
      }
    case .bytes: for byte in characters { bits.append(Int(byte), bits: 8) }
    }
    return bits
  }

  /// Splits a text into the segments that take the fewest bits. `FIDO:/` and its digits become an alphanumeric and a
  /// numeric segment.
  static func segments(of text: String, in version: QRVersion) -> [QRSegment] {
    let characters = Array(text.utf8)
    let heads = Mode.allCases.map { (modeBits + $0.countBits(in: version)) * 6 }
    // The cheapest encoding of the text so far for each mode that the next character could continue in.
    var costs = heads
    // For each character and each mode after it, the mode of the character.
    var choices: [[Int]] = []
    for character in characters {
      let ended = Mode.allCases.enumerated().map { number, mode in
        mode.encodes(character) ? costs[number] + mode.sixthsOfBits : Int.max
      }
      var chosen = Array(ended.indices)
      costs = ended
      for (next, head) in heads.enumerated() {
        for (mode, cost) in ended.enumerated() where mode != next && cost < Int.max {
          // A segment ends on a whole bit.
          let switched = (cost + 5) / 6 * 6 + head
          if switched < costs[next] { (costs[next], chosen[next]) = (switched, mode) }
        }
      }
      choices.append(chosen)
    }
    var mode = costs.indices.min { costs[$0] < costs[$1] } ?? 0
    let modes = choices.reversed().map { choice in
      mode = choice[mode]
      return Mode.allCases[mode]
    }
    var segments: [QRSegment] = []
    for (character, mode) in zip(characters, modes.reversed()) {
      if let last = segments.last, last.mode == mode {
        segments[segments.count - 1] = QRSegment(mode: mode, characters: last.characters + [character])
      } else {
        segments.append(QRSegment(mode: mode, characters: [character]))
      }
    }
    return segments
  }
}

extension [Bool] {
  /// Appends the lowest bits of a number, the highest of them first.
  mutating func append(_ number: Int, bits count: Int) {
    for place in (0..<count).reversed() { append(number >> place & 1 == 1) }
  }
}
