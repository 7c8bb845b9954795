import Primitives

/// A line of text without the values that a seed or a clock decides, for comparing two runs.
struct MaskedText: Hashable {
  /// The values that are left out.
  struct Values: OptionSet {
    let rawValue: UInt8
    /// Dates and times.
    static let times = Values(rawValue: 1)
    /// Keys, nonces, signatures, identifiers, and the lengths that depend on them.
    static let draws = Values(rawValue: 2)
  }

  let text: String

  /// The fewest hexadecimal digits of a drawn value: four bytes.
  private static let hexadecimalCount = 8
  /// The fewest characters of a drawn value in base64url: twelve bytes.
  private static let base64Count = 16
  /// Words beside a number that a draw decides: lengths of DER, places in it, and the order of digests.
  private static let countedWords: [Substring] = [
    "byte", "bytes", "byte,", "bytes,", "bytes)", "character", "characters", "characters,",
  ]
  private static let namingWords: [Substring] = ["byte", "digestID", "digest", "certificate"]

  /// Masks a text. A message of a megabyte can have half a million lines, so most words are looked at as bytes only.
  init(_ original: String, without values: Values) {
    let words = original.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map(Substring.init)
    var masked = words
    for (position, word) in words.enumerated() {
      if values.contains(.draws), word.utf8.first(where: { $0 != UInt8(ascii: "(") })?.isDigit == true {
        let isCount = position + 1 < words.count && Self.countedWords.contains(words[position + 1])
        if isCount || (position > 0 && Self.namingWords.contains(words[position - 1])) {
          masked[position] = "#"
          continue
        }
      }
      // A shorter word has no value that a draw or a clock decides.
      if word.utf8.count >= Self.hexadecimalCount { masked[position] = Substring(Self.masked(word, values)) }
    }
    text = masked.joined(separator: " ")
  }

  /// Masks the tokens of a word: runs of the characters of base64url, hexadecimal, and times.
  private static func masked(_ word: Substring, _ values: Values) -> String {
    var result: [UInt8] = []
    var token: [UInt8] = []
    func endToken() {
      if token.count < hexadecimalCount {
        result += token
      } else {
        result += Array(shown(String(decoding: token, as: UTF8.self), values).utf8)
      }
      token.removeAll(keepingCapacity: true)
    }
    for byte in word.utf8 {
      if isOfToken(byte) {
        token.append(byte)
      } else {
        endToken()
        result.append(byte)
      }
    }
    endToken()
    return String(decoding: result, as: UTF8.self)
  }

  private static func isOfToken(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "-_+/=:.".utf8.contains(byte)
  }

  /// Masks a token of at least ``hexadecimalCount`` characters.
  private static func shown(_ token: String, _ values: Values) -> String {
    if values.contains(.times), isTime(token) { return "@" }
    guard values.contains(.draws), !isTime(token) else { return token }
    // The part before a colon is a name, as in `sha256:…`.
    let name = token.lastIndex(of: ":").map { token[...$0] } ?? ""
    let value = token.dropFirst(name.count)
    let digits = value.utf8.count(where: \.isDigit)
    let isHexadecimal = value.utf8.allSatisfy { $0.hexadecimalValue != nil || "-.".utf8.contains($0) }
    if isHexadecimal, value.utf8.count >= hexadecimalCount, digits > 0 { return name + "*" }
    guard value.utf8.count >= base64Count, !value.contains(".") else { return token }
    let isMixed = changesOfKind(value.utf8) > value.utf8.count / 3
    return isMixed || digits > 0 && !value.contains("/") ? name + "*" : token
  }

  /// The number of neighbours of which one is a capital letter, a small letter or a digit, and the other is not. Two of
  /// three in base64 are; in names of several words fewer than one of three.
  private static func changesOfKind(_ text: Substring.UTF8View) -> Int {
    let kinds = text.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): 0
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): 1
      default: 2
      }
    }
    return zip(kinds, kinds.dropFirst()).count { $0 != $1 }
  }

  /// Returns whether a token begins like a date of RFC 3339.
  private static func isTime(_ token: String) -> Bool {
    let bytes = Array(token.utf8)
    guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return false }
    return [0, 1, 2, 3, 5, 6, 8, 9].allSatisfy { bytes[$0].isDigit }
  }
}
