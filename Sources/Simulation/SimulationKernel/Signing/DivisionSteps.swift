/// 62 division steps of two integers f and g, by Bernstein and Yang ("Fast constant-time gcd computation and modular
/// inversion", 2019). The steps depend only on the low 62 bits of f and g and on delta. Together they replace f by
/// `(u * f + v * g) / 2^62` and g by `(q * f + r * g) / 2^62`, without a remainder.
struct DivisionSteps {
  private var (u, v): (Int64, Int64) = (1, 0)
  private var (q, r): (Int64, Int64) = (0, 1)

  /// Determines the steps for an odd f and any g.
  init(_ first: WideInteger, _ second: WideInteger, _ delta: inout Int) {
    var (f, g) = (first.limbs[0], second.limbs[0])
    var remaining = WideInteger.limbWidth
    while true {
      // Steps with an even g halve it. All factors are for the same power of two, so those of f double.
      let halvings = min(g.trailingZeroBitCount, remaining)
      g &>>= Int64(halvings)
      u &<<= Int64(halvings)
      v &<<= Int64(halvings)
      delta &+= halvings
      remaining &-= halvings
      if remaining == 0 { return }
      // A step with an odd g makes it even with f, and before that exchanges them if delta is positive.
      if delta > 0 {
        delta = -delta
        (f, g) = (g, 0 &- f)
        (u, q) = (q, 0 &- u)
        (v, r) = (r, 0 &- v)
      }
      g &+= f
      q &+= u
      r &+= v
    }
  }

  /// Takes the steps with f and g themselves.
  func take(_ f: inout WideInteger, _ g: inout WideInteger) {
    (f, g) = (WideInteger(sumOf: u, f, v, g), WideInteger(sumOf: q, f, r, g))
  }

  /// Takes the steps modulo n with two other integers.
  func takeModuloN(_ d: inout WideInteger, _ e: inout WideInteger) {
    (d, e) = (WideInteger(sumModuloNOf: u, d, v, e), WideInteger(sumModuloNOf: q, d, r, e))
  }
}

/// A signed integer of up to 310 bits in five limbs of 62 bits, least significant first. The last one has the sign.
struct WideInteger {
  private(set) var limbs: InlineArray<5, Int64> = [0, 0, 0, 0, 0]

  static let limbWidth = 62
  private static var mask: Int64 { 1 << 62 - 1 }

  init(_ value: UInt256) {
    let words = value.limbs
    limbs[0] = Int64(truncatingIfNeeded: words[0]) & Self.mask
    for index in 1..<4 {
      let shift = UInt64(2 * index)
      limbs[index] = Int64(truncatingIfNeeded: words[index] &<< shift | words[index - 1] &>> (64 - shift)) & Self.mask
    }
    limbs[4] = Int64(words[3] >> 56)
  }

  /// Computes `(a * x + b * y) / 2^62`, which must have no remainder. The sum of the factors' sizes is at most 2^62.
  init(sumOf a: Int64, _ x: WideInteger, _ b: Int64, _ y: WideInteger) {
    var sum: Int128 = 0
    for index in 0..<5 {
      sum &+= Int128(a) &* Int128(x.limbs[index]) &+ Int128(b) &* Int128(y.limbs[index])
      if index > 0 { limbs[index - 1] = Int64(truncatingIfNeeded: sum) & Self.mask }
      sum &>>= 62
    }
    limbs[4] = Int64(truncatingIfNeeded: sum)
  }

  /// Computes `(a * x + b * y) / 2^62` modulo n. The result is larger than x or y by n / 2 at most.
  init(sumModuloNOf a: Int64, _ x: WideInteger, _ b: Int64, _ y: WideInteger) {
    let order = WideInteger(.order)
    // The multiple of n that clears the low limb, from -2^61 to 2^61 - 1.
    let low = a &* x.limbs[0] &+ b &* y.limbs[0]
    let multiple = ((low &* Int64(bitPattern: negatedInverseOfOrder)) &<< 2) &>> 2
    var sum: Int128 = 0
    for index in 0..<5 {
      sum &+= Int128(a) &* Int128(x.limbs[index]) &+ Int128(b) &* Int128(y.limbs[index])
      sum &+= Int128(multiple) &* Int128(order.limbs[index])
      if index > 0 { limbs[index - 1] = Int64(truncatingIfNeeded: sum) & Self.mask }
      sum &>>= 62
    }
    limbs[4] = Int64(truncatingIfNeeded: sum)
  }

  var isZero: Bool { limbs[0] | limbs[1] | limbs[2] | limbs[3] | limbs[4] == 0 }

  var isNegative: Bool { limbs[4] < 0 }

  /// The integer modulo n. Fast for small multiples of n only.
  var residue: UInt256 {
    var value = UInt256.zero
    for index in 0..<4 {
      let shift = UInt64(2 * index)
      value.limbs[index] = UInt64(limbs[index]) &>> shift | UInt64(bitPattern: limbs[index + 1]) &<< (62 &- shift)
    }
    var top = limbs[4] >> 8
    while top < 0 { if value.add(.order) { top += 1 } }
    while top > 0 || value >= .order { if value.subtract(.order) { top -= 1 } }
    return value
  }
}
