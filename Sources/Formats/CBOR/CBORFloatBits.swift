/// A floating-point number as its head carries it: additional information 25, 26 or 27, and the bits that follow.
struct CBORFloatBits {
  let information: UInt8
  let bits: UInt64

  /// The number, whatever its width.
  var value: Double {
    switch information {
    case 25: Double(Float16(bitPattern: UInt16(truncatingIfNeeded: bits)))
    case 26: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    default: Double(bitPattern: bits)
    }
  }

  /// The same number in half the width, or nil where that would change its value or a NaN's payload (RFC 8949, 4.1).
  var halved: CBORFloatBits? {
    switch information {
    case 26:
      let single = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
      if single.isNaN {
        guard bits & 0x1fff == 0 else { return nil }
        return CBORFloatBits(information: 25, bits: bits >> 16 & 0x8000 | 0x7c00 | bits >> 13 & 0x3ff)
      }
      let half = Float16(single)
      return Float(half) == single ? CBORFloatBits(information: 25, bits: UInt64(half.bitPattern)) : nil
    case 27:
      let double = Double(bitPattern: bits)
      if double.isNaN {
        guard bits & 0x1fff_ffff == 0 else { return nil }
        return CBORFloatBits(information: 26, bits: bits >> 32 & 0x8000_0000 | 0x7f80_0000 | bits >> 29 & 0x7f_ffff)
      }
      let single = Float(double)
      return Double(single) == double ? CBORFloatBits(information: 26, bits: UInt64(single.bitPattern)) : nil
    default:
      return nil
    }
  }

  /// The same number in the shortest width that keeps it.
  var shortest: CBORFloatBits { halved?.shortest ?? self }
}
