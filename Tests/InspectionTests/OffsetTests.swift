import CBOR
import Foundation
import Inspection
import TestSupport
import TestTraits
import Testing

@Suite("Byte offsets")
struct OffsetTests {
  /// Returns the end of the item that starts at an offset; nil if no item starts there.
  private static func end(of bytes: [UInt8], at start: Int) -> Int? {
    guard bytes.indices.contains(start) else { return nil }
    let kind = bytes[start] >> 5
    let information = Int(bytes[start] & 31)
    let width = information < 24 ? 0 : information < 28 ? 1 << (information - 24) : nil
    if information == 31, (2...5).contains(kind) {
      var place = start + 1
      while bytes.indices.contains(place), bytes[place] != 0xff {
        guard let next = end(of: bytes, at: place) else { return nil }
        place = next
      }
      return bytes.indices.contains(place) ? place + 1 : nil
    }
    guard let width, start + width < bytes.count else { return nil }
    let argument =
      width == 0 ? information : bytes[(start + 1)...(start + width)].prefix(7).reduce(0) { $0 << 8 | Int($1) }
    var place = start + 1 + width
    switch kind {
    case 2, 3: return place + argument <= bytes.count ? place + argument : nil
    case 4, 5, 6:
      for _ in 0..<(kind == 4 ? argument : kind == 5 ? 2 * argument : 1) {
        guard let next = end(of: bytes, at: place) else { return nil }
        place = next
      }
      return place
    default: return place
    }
  }

  /// Checks every line with an offset: an item starts there, and it is the one in the line.
  /// - Returns: the number of lines that show their item completely.
  private static func check(_ bytes: [UInt8], _ name: String) throws -> Int {
    let text = try Inspector.inspect(bytes, options: [.offsets, .full]).get()
    var compared = 0
    for line in text.split(separator: "\n") {
      let trimmed = line.drop { $0 == " " }
      let digits = trimmed.prefix { $0.isNumber }
      // A line without an offset is indented by the width of the numbers and two more.
      guard let offset = Int(digits), trimmed.dropFirst(digits.count).hasPrefix("  "),
        line.first != " " || !digits.isEmpty
      else { continue }
      guard let end = end(of: bytes, at: offset) else {
        Issue.record("\(name): no item starts at \(offset): \(line)")
        continue
      }
      let item = Array(bytes[offset..<end])
      let shown = trimmed.dropFirst(digits.count).drop { $0 == " " }
      if let wanted = value(shownBy: shown) {
        compared += 1
        #expect(wanted.contains { item.starts(with: $0) }, "\(name): \(line)")
      }
    }
    return compared
  }

  /// The possible encodings of the item in a line that shows text or bytes after its name; nil for other lines.
  private static func value(shownBy line: Substring) -> [[UInt8]]? {
    guard let mark = line.firstRange(of: ": ") else { return nil }
    let value = line[mark.upperBound...]
    // The line of a name space begins with its name, followed by the number of elements.
    if line.hasPrefix("\""), value.contains(" element") || value.contains(" digest") {
      return text(at: line).map { [$0] }
    }
    if value.hasPrefix("\"") { return text(at: value).map { [$0] } }
    guard value.hasPrefix("h'"), value.hasSuffix("'"), let bytes = Hex.decode(String(value.dropFirst(2).dropLast()))
    else {
      return nil
    }
    return [CBORValue.bytes(bytes).encoded]
  }

  /// The encoding of a text in quotes at the start of a line; nil for one with escapes.
  private static func text(at line: Substring) -> [UInt8]? {
    let text = line.dropFirst().prefix { $0 != "\"" }
    return text.contains("\\") || text.isEmpty ? nil : CBORValue.text(String(text)).encoded
  }

  @Test("every line's offset is the offset of its item, in artifacts of this package")
  func own() throws {
    let sample = try Sample()
    for (name, bytes, least) in [
      ("request", sample.deviceRequest, 5), ("response", sample.deviceResponse, 15),
      ("issued", sample.issuerSigned, 12),
      ("sealed", sample.encryptedResponse, 2), ("transcript", sample.transcript.encoded, 2),
    ] {
      #expect(try Self.check(bytes, name) >= least, "\(name)")
    }
  }

  @Test(
    "every line's offset is the offset of its item, in artifacts of other implementations", .requiresVectors,
    arguments: [
      "device_requests", "device_responses", "issuer_signed", "session_transcripts", "iso18013_5_annex_d",
      "status_lists",
    ].filter(Vectors.has))
  func others(file: String) throws {
    var compared = 0
    for vector in Vectors.entries(of: "\(file).json") {
      let kind = vector["kind"]?.text ?? ""
      guard let bytes = vector["hex"]?.text.flatMap(Hex.decode), bytes.first != 0x30 else { continue }
      // Private keys, and messages that are not CBOR.
      if kind.contains("private key") || kind.hasPrefix("NDEF") { continue }
      compared += try Self.check(bytes, "\(file) \(vector)")
    }
    #expect(compared >= 10)
  }
}
