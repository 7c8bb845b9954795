import InteractiveWorlds
import QRCode
import TestSupport
import TestTraits
import Testing

@testable import TerminalDemo

@Suite("A QR code in the terminal")
struct QRCodeTests {
  private static let laptop = Programs.package.appendingPathComponent("scenarios/cross-device/qr-code-on-a-laptop.yaml")

  private func begin() throws -> Demonstration { try Demonstration(DemoConfiguration(path: Self.laptop.path)) }

  /// The pixels of the code on a canvas, two rows for each line, as a bitmap of four pixels for each module.
  private func bitmap(_ canvas: DemoCanvas) -> String {
    let lines = canvas.rows.compactMap { row in row.first { $0.style == .symbol }?.text }
    let rows = lines.flatMap { line in [line.map { "█▀".contains($0) }, line.map { "█▄".contains($0) }] }
    let pixels = rows.flatMap { row in
      Array(repeating: row.map { $0 ? "1111" : "0000" }.joined() + "\n", count: 4)
    }
    return "P1\n\((rows.first?.count ?? 0) * 4) \(pixels.count)\n" + pixels.joined()
  }

  @Test("The person scans the code with the phone, and the website verifies the answer")
  func scanning() throws {
    let demonstration = try begin()
    defer { demonstration.end() }
    demonstration.press("nv")
    let screen = DemoScreen(demonstration.state)
    #expect(screen.title == "Browser on Kelly\u{2019}s laptop" && screen.code?.drawing.isEmpty == false)
    #expect(screen.choices.map(\.label).prefix(2) == ["scan it with Kelly\u{2019}s iPhone", "Cancel"])
    demonstration.press("s")
    #expect(DemoScreen(demonstration.state).title == "App selector")
    demonstration.press("2aa")
    let lines = DemoScreen(demonstration.state).lines.map(\.text)
    #expect(lines.contains { $0.contains("✓ verified") }, "\(lines)")
    demonstration.press("nv")
    #expect(DemoScreen(demonstration.state).code != nil, "the person can begin again")
  }

  @Test("The person closes the code")
  func closing() throws {
    let demonstration = try begin()
    defer { demonstration.end() }
    demonstration.press("nvc")
    let screen = DemoScreen(demonstration.state)
    #expect(screen.code == nil && screen.lines.contains { $0.text.contains("The call threw") }, "\(screen.lines)")
  }

  @Test("Without a terminal, the demo prints the text of the code")
  func lines() throws {
    let demonstration = try begin()
    defer { demonstration.end() }
    var input = ["n", "v", "s", "q"].makeIterator()
    var printed: [String] = []
    #expect(LineDemo.run(demonstration, input: { input.next() }, output: { printed.append($0) }))
    #expect(printed.count { $0.hasPrefix("FIDO:/") } == 1, "\(printed)")
    #expect(printed.contains("== App selector =="))
  }

  @Test("The drawing is read by zbarimg", .requiresBarcodeReader, arguments: [(80, 32), (200, 60)])
  func drawing(columns: Int, rows: Int) async throws {
    let demonstration = try begin()
    defer { demonstration.end() }
    demonstration.press("nv")
    let uri = try #require(demonstration.state.snapshot.view.code(on: "kellys-laptop")?.uri)
    let canvas = DemoDrawing.canvas(demonstration.state, columns: columns, rows: rows)
    #expect(DemoCanvas.Style.symbol.rawValue == QRSymbol.terminalStyle)
    #expect(try await BarcodeReader.texts(in: [bitmap(canvas)], ending: "pbm") == [uri])
  }

  @Test("A terminal that is too small shows how much is missing", arguments: [(80, 24), (80, 31), (60, 12)])
  func tooSmall(columns: Int, rows: Int) throws {
    let demonstration = try begin()
    defer { demonstration.end() }
    demonstration.press("nv")
    let canvas = DemoDrawing.canvas(demonstration.state, columns: columns, rows: rows)
    let text = canvas.rows.map { $0.map(\.text).joined() }
    #expect(text.contains { $0.contains("The QR code needs") }, "\(text)")
    #expect(!canvas.rows.joined().contains { $0.style == .symbol })
  }

  @Test("A code that is not drawn takes no columns of the messages", arguments: [(24, false), (38, false), (39, true)])
  func columns(rows: Int, isDrawn: Bool) throws {
    let path = Programs.package.appendingPathComponent("scenarios/in-person/the-person-at-the-counter.yaml").path
    let demonstration = try Demonstration(DemoConfiguration(path: path))
    let before = try #require(DemoLayout(demonstration.state, columns: 80, rows: rows))
    demonstration.press(" ")
    let layout = try #require(DemoLayout(demonstration.state, columns: 80, rows: rows))
    #expect(layout.screen.code != nil && layout.missingForCode.isEmpty == isDrawn)
    #expect((layout.wireWidth == before.wireWidth) == !isDrawn, "\(layout.wireWidth) \(before.wireWidth)")
    // The columns would be there.
    #expect(!layout.missingForCode.contains { $0.contains("column") }, "\(layout.missingForCode)")
  }
}
