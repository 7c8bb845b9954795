/// An unsigned 256-bit integer with the operations for arithmetic modulo a 256-bit prime.
///
/// Four inline 64-bit limbs, so operations never allocate.
struct UInt256: Sendable {
  /// The limbs, least significant first.
  var limbs: InlineArray<4, UInt64>

  static var zero: UInt256 { UInt256(limbs: [0, 0, 0, 0]) }
  static var one: UInt256 { UInt256(limbs: [1, 0, 0, 0]) }

  init(limbs: InlineArray<4, UInt64>) {
    self.limbs = limbs
  }

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

  var isEven: Bool { limbs[0] & 1 == 0 }

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

  /// Shifts right by `count`, 1 to 63, and shifts in the low bits of `top`.
  mutating func shiftRight(by count: UInt64, bringingIn top: UInt64 = 0) {
    let left = 64 &- count
    limbs[0] = limbs[0] &>> count | limbs[1] &<< left
    limbs[1] = limbs[1] &>> count | limbs[2] &<< left
    limbs[2] = limbs[2] &>> count | limbs[3] &<< left
    limbs[3] = limbs[3] &>> count | top &<< left
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
