import Testing

@testable import QRCode

@Suite("QR codes")
struct SymbolTests {
  /// The sizes that other encoders need for the payloads of FIDO:/ by their digits.
  @Test(
    "Takes the smallest version for a payload of FIDO:/",
    arguments: [(134, 4, 4), (170, 4, 5), (178, 5, 5), (180, 5, 5), (190, 5, 6)])
  func versions(digits: Int, low: Int, medium: Int) throws {
    let text = "FIDO:/" + String(repeating: "7", count: digits)
    #expect(try QRSymbol(text, level: .low).version == low)
    #expect(try QRSymbol(text, level: .medium).version == medium)
  }

  @Test("Splits FIDO:/ and its digits into an alphanumeric and a numeric segment", arguments: [134, 170, 178, 291])
  func segments(digits: Int) throws {
    let text = String(repeating: "7", count: digits)
    let version = try #require(QRVersion.all.last { !$0.hasLongCounts })
    #expect(
      QRSegment.segments(of: "FIDO:/" + text, in: version) == [
        QRSegment(mode: .alphanumeric, characters: Array("FIDO:/".utf8)),
        QRSegment(mode: .numeric, characters: Array(text.utf8)),
      ])
  }

  @Test("Keeps a few digits in the segment around them")
  func fewDigits() throws {
    let version = try #require(QRVersion.all.first)
    #expect(QRSegment.segments(of: "room 12 b", in: version).map(\.mode) == [.bytes])
    #expect(QRSegment.segments(of: "ROOM 12 B", in: version).map(\.mode) == [.alphanumeric])
  }

  @Test("Refuses an empty text")
  func empty() {
    #expect { try QRSymbol("") } throws: { ($0 as? QRCodeError)?.code == .empty }
  }

  @Test(
    "Refuses a text of one character more than the largest version holds",
    arguments: [(QRSymbol.Level.low, 425), (.medium, 331)])
  func tooLong(level: QRSymbol.Level, most: Int) throws {
    #expect(try QRSymbol(String(repeating: "a", count: most), level: level).version == QRVersion.largest)
    #expect { try QRSymbol(String(repeating: "a", count: most + 1), level: level) } throws: { error in
      guard let error = error as? QRCodeError else { return false }
      return error.code == .tooLong && error.description.contains("at most")
    }
  }

  @Test("Draws on white with a border of four modules")
  func border() throws {
    let symbol = try QRSymbol("A", level: .low)
    #expect(symbol.size == 21)
    let lines = symbol.plainText.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count == 29 && lines.allSatisfy { $0.count == 58 })
    #expect((lines.prefix(4) + lines.suffix(4)).allSatisfy { !$0.contains("#") })
    #expect(lines.allSatisfy { $0.hasPrefix("        ") && $0.hasSuffix("        ") })
    #expect(symbol.halfBlocks.count == 15 && symbol.halfBlocks.allSatisfy { $0.count == 29 })
    #expect(symbol.svg.contains("<rect width=\"29\" height=\"29\" fill=\"#fff\"/>"))
  }
}
