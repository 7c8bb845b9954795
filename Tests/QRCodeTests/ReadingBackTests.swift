import TestSupport
import TestTraits
import Testing

@testable import QRCode

@Suite("Symbols read by zbarimg", .requiresBarcodeReader)
struct ReadingBackTests {
  /// The digits of a payload by its number of bytes: 17 for each 7 bytes, fewer for the rest.
  private static func digits(forBytes count: Int) -> Int { count / 7 * 17 + [0, 3, 5, 8, 10, 13, 15][count % 7] }

  private static func payload(bytes count: Int) -> String {
    var generator = SeededGenerator(seed: UInt64(count))
    return "FIDO:/" + (0..<digits(forBytes: count)).map { _ in String(generator.below(10)) }.joined()
  }

  @Test("Every size of a payload of FIDO:/", arguments: QRSymbol.Level.allCases)
  func everyPayload(level: QRSymbol.Level) async throws {
    let texts = (55...120).map(Self.payload)
    let symbols = try texts.map { try QRSymbol($0, level: level) }
    #expect(Set(symbols.map(\.version)) == (level == .low ? [4, 5, 6] : [4, 5, 6, 7, 8]))
    #expect(try await BarcodeReader.texts(in: symbols.map(\.portableBitmap), ending: "pbm") == texts)
  }

  @Test("Every mask", arguments: QRSymbol.Level.allCases)
  func everyMask(level: QRSymbol.Level) async throws {
    let text = Self.payload(bytes: 70)
    let symbols = try QRMask.allCases.map { try QRSymbol(text, level: level, mask: $0) }
    #expect(Set(symbols.map(\.portableBitmap)).count == QRMask.allCases.count)
    let read = try await BarcodeReader.texts(in: symbols.map(\.portableBitmap), ending: "pbm")
    #expect(read == Array(repeating: text, count: symbols.count))
  }

  @Test(
    "Every version, full and with one character more than the version before it holds",
    arguments: QRSymbol.Level.allCases)
  func everyVersion(level: QRSymbol.Level) async throws {
    // The mode takes 4 bits, the count 8 or 16.
    let most = QRVersion.all.map { ($0.capacity(level) - 4 - ($0.hasLongCounts ? 16 : 8)) / 8 }
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    let texts = zip([0] + most, most).flatMap { before, most in
      [before + 1, most].map { count in String((0..<count).map { letters[$0 * 7 % 26] }) }
    }
    let symbols = try texts.map { try QRSymbol($0, level: level) }
    #expect(symbols.map(\.version) == QRVersion.all.flatMap { [$0.number, $0.number] })
    #expect(try await BarcodeReader.texts(in: symbols.map(\.portableBitmap), ending: "pbm") == texts)
  }

  @Test("Every mode and mixtures of them")
  func everyMode() async throws {
    let texts = [
      "1", "12", "1234567", "A", "HELLO WORLD", "$%*+-./: 0", "https://example.com/verify?session=1234567890123",
      "Zürich – Ausweis", "0123456789012345abcABC DEF GHI JKL0123456789", "a\nb",
    ]
    let symbols = try texts.map { try QRSymbol($0) }
    #expect(try await BarcodeReader.texts(in: symbols.map(\.portableBitmap), ending: "pbm") == texts)
  }

  @Test("Every drawing", arguments: QRSymbol.Level.allCases)
  func everyDrawing(level: QRSymbol.Level) async throws {
    let text = Self.payload(bytes: 70)
    let symbol = try QRSymbol(text, level: level)
    let images = [
      Picture(terminal: symbol.terminalText), Picture(plain: symbol.plainText), Picture(svg: symbol.svg),
    ]
    #expect(images.map(\.bitmap) == Array(repeating: symbol.portableBitmap, count: 3))
    let read = try await BarcodeReader.texts(in: images.map(\.bitmap), ending: "pbm")
    #expect(read == [text, text, text])
  }
}
