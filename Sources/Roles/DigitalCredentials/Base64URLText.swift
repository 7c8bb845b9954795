/// The strict form of base64url in which ISO/IEC TS 18013-7 Annex C carries CBOR in JSON.
enum Base64URLText {
  /// Why a text is not unpadded base64url of at least one byte (RFC 4648, clauses 3.2, 3.3, 3.5 and 5); nil when it is.
  static func fault(in text: String) -> String? {
    let characters = Array(text.utf8)
    if characters.isEmpty { return "is empty" }
    for index in characters.indices where value(of: characters[index]) == nil {
      return characters[index] == UInt8(ascii: "=") ? "is padded" : "has a character outside base64url at \(index)"
    }
    guard characters.count % 4 != 1 else { return "has a length that base64url never has" }
    let unusedBits = characters.count * 6 % 8
    if let last = characters.last, let bits = value(of: last), bits & (1 << unusedBits - 1) != 0 {
      return "ends in bits that belong to no byte"
    }
    return nil
  }

  private static func value(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
