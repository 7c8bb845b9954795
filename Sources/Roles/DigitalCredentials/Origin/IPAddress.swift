/// An IPv4 address in its four-part decimal form.
struct IPv4Address: Hashable, Sendable {
  var octets: [UInt8]

  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    octets = parts.compactMap { part in UInt8(part).flatMap { String($0) == part ? $0 : nil } }
    guard parts.count == 4, octets.count == 4 else { return nil }
  }

  var isLoopback: Bool { octets.first == 127 }
}

/// An IPv6 address of eight pieces (URL Standard, "IPv6 parser"), without a zone and without an IPv4 tail.
struct IPv6Address: Hashable, Sendable {
  var pieces: [UInt16]

  init?(_ text: String) {
    guard text.utf8.count <= 39 else { return nil }
    var left: [UInt16] = []
    var right: [UInt16] = []
    var isCompressed = false
    var parts = text.split(separator: ":", omittingEmptySubsequences: false)
    // "::" makes one empty part, or two at either end of the text.
    if text.hasPrefix("::") { parts.removeFirst() }
    if text.hasSuffix("::"), parts.count > 1 { parts.removeLast() }
    for part in parts {
      if part.isEmpty {
        guard !isCompressed, text.contains("::") else { return nil }
        isCompressed = true
      } else {
        guard part.utf8.count <= 4, part.allSatisfy(\.isHexDigit), let piece = UInt16(part, radix: 16) else {
          return nil
        }
        if isCompressed { right.append(piece) } else { left.append(piece) }
      }
    }
    let missing = 8 - left.count - right.count
    guard isCompressed ? missing >= 1 : missing == 0 else { return nil }
    pieces = left + Array(repeating: 0, count: missing) + right
  }

  /// The address with its first longest run of zeros compressed (URL Standard, "IPv6 serializer").
  var serialized: String {
    var best = 0..<0
    var index = 0
    while index < pieces.count {
      let end = pieces[index...].firstIndex { $0 != 0 } ?? pieces.count
      if end - index > max(best.count, 1) { best = index..<end }
      index = max(end, index + 1)
    }
    let words = pieces.map { String($0, radix: 16) }
    guard !best.isEmpty else { return words.joined(separator: ":") }
    return words[..<best.lowerBound].joined(separator: ":") + "::"
      + words[best.upperBound...].joined(separator: ":")
  }
}
