/// An integer modulo n, the order of the P-256 base point (SEC 2, section 2.4.2).
///
/// Stored in Montgomery form: the residue of a value v is v * 2^256 mod n, so that a product needs no division.
///
/// - Warning: Not constant time. For keys of simulated actors only.
struct ScalarModuloN: Equatable, Sendable {
  private var residue: UInt256

  private init(residue: UInt256) { self.residue = residue }

  /// Reads 32 octets, most significant first. Returns nil for another count or a value not below n.
  init?(canonical octets: some Collection<UInt8>) {
    let value = UInt256(bigEndian: octets)
    guard octets.count == Self.byteCount, value < .order else { return nil }
    self.init(value)
  }

  /// Reads 32 octets, most significant first, modulo n.
  init(reducing octets: some Sequence<UInt8>) {
    var value = UInt256(bigEndian: octets)
    // 2^256 < 2n: one subtraction is enough.
    if value >= .order { _ = value.subtract(.order) }
    self.init(value)
  }

  private init(_ value: UInt256) { residue = montgomeryProduct(value, .radixSquared) }

  /// The size of an encoded scalar.
  static let byteCount = 32

  var isZero: Bool { residue.isZero }

  /// Writes the value in 32 octets, most significant first: int2octets of RFC 6979, section 2.3.3.
  func appendOctets(to octets: inout [UInt8]) { montgomeryProduct(residue, .one).appendBigEndian(to: &octets) }

  /// The value in 32 octets, most significant first.
  var octets: [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(Self.byteCount)
    appendOctets(to: &octets)
    return octets
  }

  static func + (left: ScalarModuloN, right: ScalarModuloN) -> ScalarModuloN {
    var sum = left.residue
    let carry = sum.add(right.residue)
    if carry || sum >= .order { _ = sum.subtract(.order) }
    return ScalarModuloN(residue: sum)
  }

  static func * (left: ScalarModuloN, right: ScalarModuloN) -> ScalarModuloN {
    ScalarModuloN(residue: montgomeryProduct(left.residue, right.residue))
  }

  /// Returns the multiplicative inverse; zero for zero, which has none.
  ///
  /// Division steps reduce n and the residue to 1 or -1, their common divisor, and 0. Throughout, modulo n,
  /// `f = d * residue` and `g = e * residue`. When g is 0, d is the inverse, but for the sign of f.
  func inverse() -> ScalarModuloN {
    var (f, g) = (WideInteger(.order), WideInteger(residue))
    var (d, e) = (WideInteger(.zero), WideInteger(.one))
    var delta = 1
    while !g.isZero {
      let steps = DivisionSteps(f, g, &delta)
      steps.take(&f, &g)
      steps.takeModuloN(&d, &e)
    }
    // In Montgomery form, the inverse is multiplied by 2^512.
    let inverse = ScalarModuloN(residue: montgomeryProduct(d.residue, .radixCubed))
    return f.isNegative ? inverse.negated : inverse
  }

  private var negated: ScalarModuloN {
    if isZero { return self }
    var difference = UInt256.order
    _ = difference.subtract(residue)
    return ScalarModuloN(residue: difference)
  }
}

extension UInt256 {
  /// n, the order of the base point.
  static var order: UInt256 {
    UInt256(limbs: [0xf3b9_cac2_fc63_2551, 0xbce6_faad_a717_9e84, 0xffff_ffff_ffff_ffff, 0xffff_ffff_0000_0000])
  }

  /// 2^512 modulo n, which converts a value to Montgomery form.
  fileprivate static var radixSquared: UInt256 {
    UInt256(limbs: [0x8324_4c95_be79_eea2, 0x4699_799c_49bd_6fa6, 0x2845_b239_2b6b_ec59, 0x66e1_2d94_f3d9_5620])
  }

  /// 2^768 modulo n.
  fileprivate static var radixCubed: UInt256 {
    UInt256(limbs: [0xac8e_bec9_0b65_a624, 0x111f_28ae_0c05_55c9, 0x2543_b924_6ba5_e93f, 0x503a_54e7_6407_be65])
  }
}

/// -1/n modulo 2^64.
let negatedInverseOfOrder: UInt64 = 0xccd1_c8aa_ee00_bc4f

/// Returns a * b / 2^256 modulo n, for a and b below n: Montgomery's method, a limb of b at a time.
private func montgomeryProduct(_ a: UInt256, _ b: UInt256) -> UInt256 {
  let order = UInt256.order
  var sum = UInt256.zero
  var top: UInt64 = 0
  for index in 0..<4 {
    var carry: UInt64 = 0
    for place in 0..<4 { sum.limbs[place] = multiplyAdd(a.limbs[place], b.limbs[index], sum.limbs[place], &carry) }
    let (fifth, over) = top.addingReportingOverflow(carry)

    let multiple = sum.limbs[0] &* negatedInverseOfOrder
    carry = 0
    _ = multiplyAdd(order.limbs[0], multiple, sum.limbs[0], &carry)
    for place in 1..<4 { sum.limbs[place - 1] = multiplyAdd(order.limbs[place], multiple, sum.limbs[place], &carry) }
    let (fourth, overAgain) = fifth.addingReportingOverflow(carry)
    sum.limbs[3] = fourth
    top = (over ? 1 : 0) + (overAgain ? 1 : 0)
  }
  if top != 0 || sum >= order { _ = sum.subtract(order) }
  return sum
}

/// Computes a * b + c + carry, which always fits two limbs. Returns the low limb and stores the high one in `carry`.
private func multiplyAdd(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ carry: inout UInt64) -> UInt64 {
  let product = a.multipliedFullWidth(by: b)
  let (partial, over) = product.low.addingReportingOverflow(c)
  let (low, overAgain) = partial.addingReportingOverflow(carry)
  carry = product.high &+ (over ? 1 : 0) &+ (overAgain ? 1 : 0)
  return low
}

/// An unsigned 256-bit integer with the operations for arithmetic modulo a 256-bit prime.
///
/// Four inline 64-bit limbs, so operations never allocate.
struct UInt256: Sendable {
  /// The limbs, least significant first.
  var limbs: InlineArray<4, UInt64>

  static var zero: UInt256 { UInt256(limbs: [0, 0, 0, 0]) }
  static var one: UInt256 { UInt256(limbs: [1, 0, 0, 0]) }

  init(limbs: InlineArray<4, UInt64>) { self.limbs = limbs }

  /// Reads octets, most significant first; only the last 32 count.
  init(bigEndian octets: some Sequence<UInt8>) {
    limbs = [0, 0, 0, 0]
    for octet in octets {
      limbs[3] = limbs[3] << 8 | limbs[2] >> 56
      limbs[2] = limbs[2] << 8 | limbs[1] >> 56
      limbs[1] = limbs[1] << 8 | limbs[0] >> 56
      limbs[0] = limbs[0] << 8 | UInt64(octet)
    }
  }

  /// Writes 32 octets, the most significant first.
  func appendBigEndian(to octets: inout [UInt8]) {
    for index in stride(from: 3, through: 0, by: -1) {
      for shift in stride(from: 56, through: 0, by: -8) {
        octets.append(UInt8(truncatingIfNeeded: limbs[index] >> UInt64(shift)))
      }
    }
  }

  var isZero: Bool { limbs[0] | limbs[1] | limbs[2] | limbs[3] == 0 }

  /// Adds modulo 2^256 and returns the carry.
  mutating func add(_ other: UInt256) -> Bool {
    var carry = false
    for index in 0..<4 {
      let (sum, over) = limbs[index].addingReportingOverflow(other.limbs[index])
      let (total, overAgain) = sum.addingReportingOverflow(carry ? 1 : 0)
      limbs[index] = total
      carry = over != overAgain
    }
    return carry
  }

  /// Subtracts modulo 2^256 and returns the borrow.
  mutating func subtract(_ other: UInt256) -> Bool {
    var borrow = false
    for index in 0..<4 {
      let (difference, under) = limbs[index].subtractingReportingOverflow(other.limbs[index])
      let (total, underAgain) = difference.subtractingReportingOverflow(borrow ? 1 : 0)
      limbs[index] = total
      borrow = under != underAgain
    }
    return borrow
  }
}

extension UInt256: Comparable {
  static func == (left: UInt256, right: UInt256) -> Bool {
    (left.limbs[0] ^ right.limbs[0]) | (left.limbs[1] ^ right.limbs[1])
      | (left.limbs[2] ^ right.limbs[2]) | (left.limbs[3] ^ right.limbs[3]) == 0
  }

  static func < (left: UInt256, right: UInt256) -> Bool {
    var difference = left
    return difference.subtract(right)
  }
}
