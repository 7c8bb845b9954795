import Checks
import Primitives

/// Host names between Unicode and the ASCII form of origins (RFC 3492 and RFC 5891, 4.4). Without the mapping
/// and the checks of the standard: only to compare two ways of writing one host.
enum Punycode {
  private static let prefix = "xn--"
  private static let base = 36
  private static let initialN = 128
  private static let initialBias = 72
  /// Longest label that is converted, in characters: a label of the domain name system has at most 63 bytes.
  private static let maximumLabelLength = 63
  /// Highest position and code point together that a label can mean, so that no sum leaves its range.
  private static let maximumIndex = 0x110000 * (maximumLabelLength + 1)

  /// The host with every label in Unicode that is encoded in ASCII; nil when none is, or one cannot be decoded.
  static func unicode(host: String) -> String? {
    convert(host) { label in
      guard label.hasPrefix(prefix) else { return .some(label) }
      return decode(label.dropFirst(prefix.count))
    }
  }

  /// The host with every label in ASCII; nil when it is in ASCII already.
  static func ascii(host: String) -> String? {
    convert(host) { label in label.utf8.allSatisfy { $0 < 0x80 } ? label : encode(label).map { prefix + $0 } }
  }

  private static func convert(_ host: String, _ label: (String) -> String?) -> String? {
    let labels = host.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard labels.allSatisfy({ $0.unicodeScalars.count <= maximumLabelLength }) else { return nil }
    let converted = labels.compactMap(label)
    guard converted.count == labels.count else { return nil }
    let result = converted.joined(separator: ".")
    return result.utf8.elementsEqual(host.utf8) ? nil : result
  }

  private static func decode(_ text: Substring) -> String? {
    var output: [Int] = []
    var digits = Array(text.utf8)
    if let delimiter = digits.lastIndex(of: UInt8(ascii: "-")) {
      output = digits[..<delimiter].map(Int.init)
      digits = Array(digits[(delimiter + 1)...])
    }
    var (n, index, bias) = (initialN, 0, initialBias)
    var position = 0
    while position < digits.count {
      let start = index
      var weight = 1
      var k = base
      while true {
        guard position < digits.count, let digit = value(of: digits[position]) else { return nil }
        position += 1
        let (product, overflow) = digit.multipliedReportingOverflow(by: weight)
        guard !overflow, product <= maximumIndex, index + product <= maximumIndex else { return nil }
        index += product
        let threshold = min(max(k - bias, 1), 26)
        if digit < threshold { break }
        let (next, tooLarge) = weight.multipliedReportingOverflow(by: base - threshold)
        guard !tooLarge else { return nil }
        weight = next
        k += base
      }
      bias = adapt(index - start, count: output.count + 1, isFirst: start == 0)
      n += index / (output.count + 1)
      index %= output.count + 1
      guard n <= 0x10ffff else { return nil }
      output.insert(n, at: index)
      index += 1
    }
    var result = String.UnicodeScalarView()
    for number in output {
      guard let scalar = UInt32(exactly: number).flatMap(Unicode.Scalar.init) else { return nil }
      result.append(scalar)
    }
    return result.isEmpty ? nil : String(result)
  }

  private static func encode(_ label: String) -> String? {
    let input = label.unicodeScalars.map { Int($0.value) }
    var output = input.filter { $0 < initialN }.map { UInt8($0) }
    let basic = output.count
    if basic > 0 { output.append(UInt8(ascii: "-")) }
    var (n, delta, bias, handled) = (initialN, 0, initialBias, basic)
    while handled < input.count {
      guard let next = input.filter({ $0 >= n }).min() else { return nil }
      delta += (next - n) * (handled + 1)
      n = next
      for number in input {
        if number < n { delta += 1 }
        guard number == n else { continue }
        var rest = delta
        var k = base
        while true {
          let threshold = min(max(k - bias, 1), 26)
          if rest < threshold { break }
          output.append(digit(threshold + (rest - threshold) % (base - threshold)))
          rest = (rest - threshold) / (base - threshold)
          k += base
        }
        output.append(digit(rest))
        bias = adapt(delta, count: handled + 1, isFirst: handled == basic)
        delta = 0
        handled += 1
      }
      delta += 1
      n += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func adapt(_ difference: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? difference / 700 : difference / 2
    delta += delta / count
    var k = 0
    while delta > 455 {
      delta /= 35
      k += base
    }
    return k + 36 * delta / (delta + 38)
  }

  private static func value(of character: UInt8) -> Int? {
    switch character {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(character) - 97
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character) - 65
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character) - 48 + 26
    default: nil
    }
  }

  private static func digit(_ value: Int) -> UInt8 { UInt8(value < 26 ? value + 97 : value - 26 + 48) }
}
