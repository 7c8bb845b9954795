import TestSupport
import TestTraits
import Testing

@testable import QRCode

/// A symbol of the vectors.
private struct KnownSymbol: CustomStringConvertible {
  let json: JSON

  var description: String { json["id"]?.text ?? "no id" }
  var text: String { json["url"]?.text ?? "" }
  var level: QRSymbol.Level? { json["level"]?.text.flatMap(QRSymbol.Level.init) }
  var mask: QRMask? { json["mask"]?.number.flatMap { QRMask(rawValue: Int($0)) } }
  var matrix: [String] { json["matrix"]?.array?.compactMap(\.text) ?? [] }

  func codewords(_ name: String) -> [UInt8]? { json[name]?.text.flatMap(Hex.decode) }

  static let all: [KnownSymbol] =
    ((try? Vectors.hybridFile("qr-symbols.json"))?["symbols"]?.array ?? []).map(KnownSymbol.init)
}

@Suite("Symbols of another implementation", .requiresHybridVectors)
struct KnownSymbolTests {
  @Test("The vectors hold four symbols")
  func theVectorsHoldFourSymbols() { #expect(KnownSymbol.all.count == 4) }

  @Test("Makes the same codewords", arguments: KnownSymbol.all)
  fileprivate func codewords(_ known: KnownSymbol) throws {
    let level = try #require(known.level)
    let number = try #require(known.json["version"]?.number)
    let version = try #require(QRVersion.all.first { $0.number == Int(number) })
    let bits = QRSegment.segments(of: known.text, in: version).flatMap { $0.bits(in: version) }
    #expect(Double(bits.count) == known.json["dataBits"]?.number)
    let data = QRCodewords.data(bits, capacity: version.capacity(level))
    #expect(data == known.codewords("dataCodewords"))
    #expect(QRCodewords.interleaved(data, in: version, level: level) == known.codewords("finalCodewords"))
  }

  @Test("Draws the same modules for the same mask", arguments: KnownSymbol.all)
  fileprivate func modules(_ known: KnownSymbol) throws {
    let (level, mask) = try (#require(known.level), #require(known.mask))
    let symbol = try QRSymbol(known.text, level: level, mask: mask)
    #expect(Double(symbol.version) == known.json["version"]?.number)
    let rows = (0..<symbol.size).map { row in
      (0..<symbol.size).map { symbol.isDark(row: row, column: $0) ? "#" : "." }.joined()
    }
    #expect(rows == known.matrix)
  }
}
