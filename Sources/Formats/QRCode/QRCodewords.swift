/// The codewords of a symbol: segments, padding and error correction (ISO/IEC 18004, 7.4.10 to 7.6).
enum QRCodewords {
  /// The length of the terminator, which is shorter if the symbol is full.
  private static let terminatorBits = 4

  /// The codewords that fill the rest, alternately.
  private static let padding: [UInt8] = [0xec, 0x11]

  /// Returns the data codewords: the segments' bits, a terminator, zeros up to a whole byte, and padding.
  static func data(_ segments: [Bool], capacity: Int) -> [UInt8] {
    var bits = segments
    bits.append(0, bits: min(terminatorBits, capacity - bits.count))
    bits.append(0, bits: (8 - bits.count % 8) % 8)
    var codewords = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) } as UInt8
    }
    for number in 0..<(capacity / 8 - codewords.count) { codewords.append(padding[number % 2]) }
    return codewords
  }

  /// Returns the data in blocks, each with its error correction, in the order of the symbol: the first codeword of each
  /// block, then the second.
  static func interleaved(_ data: [UInt8], in version: QRVersion, level: QRSymbol.Level) -> [UInt8] {
    let generator = ReedSolomon.generator(degree: version.correctionCodewords(level))
    var rest = data[...]
    let blocks = version.blocks(level).map { length in
      defer { rest = rest.dropFirst(length) }
      return Array(rest.prefix(length))
    }
    let corrections = blocks.map { ReedSolomon.remainder(of: $0, by: generator) }
    return [blocks, corrections].flatMap { parts in
      (0..<(parts.map(\.count).max() ?? 0)).flatMap { position in
        parts.compactMap { position < $0.count ? $0[position] : nil }
      }
    }
  }
}

/// Reed-Solomon codes over the field of 256 elements with the polynomial 0x11d (ISO/IEC 18004, annex A).
enum ReedSolomon {
  private static let polynomial = 0x11d

  /// Multiplies two elements of the field.
  private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
    var result = 0
    for place in (0..<8).reversed() {
      result = result << 1 ^ (result >> 7) * polynomial
      if right >> place & 1 == 1 { result ^= Int(left) }
    }
    return UInt8(result)
  }

  /// Returns the coefficients of (x - 1)(x - 2)(x - 4)…, the highest power first and without the leading 1.
  static func generator(degree: Int) -> [UInt8] {
    var coefficients = [UInt8](repeating: 0, count: degree - 1) + [1]
    var root: UInt8 = 1
    for _ in 0..<degree {
      for place in coefficients.indices {
        let next = place + 1 < degree ? coefficients[place + 1] : 0
        coefficients[place] = product(coefficients[place], root) ^ next
      }
      root = product(root, 2)
    }
    return coefficients
  }

  /// Returns the error correction of data: its remainder when divided by a generator.
  static func remainder(of data: [UInt8], by generator: [UInt8]) -> [UInt8] {
    var remainder = [UInt8](repeating: 0, count: generator.count)
    for byte in data {
      let factor = byte ^ remainder.removeFirst()
      remainder.append(0)
      for place in generator.indices { remainder[place] ^= product(generator[place], factor) }
    }
    return remainder
  }
}
