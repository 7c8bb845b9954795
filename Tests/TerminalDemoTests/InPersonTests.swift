import InteractiveWorlds
import TestSupport
import Testing

@testable import TerminalDemo

@Suite("Presentation in person in the terminal") struct InPersonTests {
  private static let counter = Programs.package.appendingPathComponent(
    "scenarios/in-person/the-person-at-the-counter.yaml")
  private static let hangar = Programs.package.appendingPathComponent("scenarios/worlds/hangar.yaml")

  private func drawn(_ demonstration: Demonstration, columns: Int = 120, rows: Int = 48) -> String {
    DemoDrawing.canvas(demonstration.state, columns: columns, rows: rows).rows
      .map { $0.map(\.text).joined() }.joined(separator: "\n")
  }

  @Test("The person holds the code to the terminal, and the clerk answers")
  func byCode() throws {
    let demonstration = try Demonstration(DemoConfiguration(path: Self.counter.path))
    defer { demonstration.end() }
    #expect(drawn(demonstration).contains("Terminal of Hangar Desk"))
    demonstration.press("s")
    let code = DemoScreen(demonstration.state)
    #expect(code.title == "Show this code to the reader" && code.code?.drawing.isEmpty == false)
    demonstration.press("h")
    #expect(DemoScreen(demonstration.state).title == "App selector")
    #expect(demonstration.state.terminal?.phase == .asking)
    demonstration.press("2aa")
    #expect(drawn(demonstration).contains("Does the person look like the portrait?"))
    #expect(DemoScreen(demonstration.state).choices.map(\.label).contains("the clerk: Yes"))
    demonstration.press("y")
    #expect(demonstration.state.conclusion?.title == "Verified: it is Kelly.")
    let screen = drawn(demonstration)
    for text in ["First Name: Kelly", "It keeps Document Number.", "By QR code, then over Bluetooth"] {
      #expect(screen.contains(text), "\(screen)")
    }
    #expect(!DemoScreen(demonstration.state).choices.map(\.label).contains("the clerk: Yes"))
    // The acts are those of the scenario.
    let results = demonstration.state.story?.live?.results.values.filter { $0 == .instead }
    #expect(results?.isEmpty == true, "\(String(describing: results))")
  }

  @Test("The code is whole from 80 columns and 39 rows on", arguments: [(80, 39), (120, 40), (80, 38), (77, 40)])
  func codeSize(columns: Int, rows: Int) throws {
    let demonstration = try Demonstration(DemoConfiguration(path: Self.counter.path))
    defer { demonstration.end() }
    demonstration.press("s")
    let canvas = DemoDrawing.canvas(demonstration.state, columns: columns, rows: rows)
    let isWhole = columns >= 80 && rows >= 39
    #expect(canvas.rows.joined().contains { $0.style == .symbol } == isWhole)
    #expect(drawn(demonstration, columns: columns, rows: rows).contains("The QR code needs") != isWhole)
    for row in canvas.rows { #expect(row.width <= columns) }
  }

  @Test("The clerk refuses, and the terminal keeps nothing")
  func refusal() throws {
    let demonstration = try Demonstration(DemoConfiguration(path: Self.counter.path))
    defer { demonstration.end() }
    demonstration.press("sh2aax")
    #expect(demonstration.state.terminal?.phase == .refused)
    let screen = drawn(demonstration)
    #expect(screen.contains("Not verified") && screen.contains("proximity.portrait/differs"), "\(screen)")
    #expect(!screen.contains("It keeps"))
  }

  @Test("The person holds the phone to the terminal by NFC, declines, and does it again")
  func byNFC() throws {
    // A recording's clock stands still.
    let screens = ScreenRecording(title: "hangar")
    let demonstration = try Demonstration(DemoConfiguration(path: Self.hangar.path), screens: screens)
    defer { demonstration.end() }
    demonstration.press("h")
    #expect(DemoScreen(demonstration.state).title == "App selector")
    demonstration.press("c")
    #expect(demonstration.state.terminal?.phase == .ended)
    demonstration.press("h2aa")
    #expect(demonstration.state.terminal?.phase == .verified)
    #expect(demonstration.state.terminal?.way?.hasPrefix("By NFC tap, then over Bluetooth") == true)
    // From the page of a website, too.
    demonstration.press("nsc")
    #expect(demonstration.state.terminal?.phase == .verified)
    demonstration.press("nh")
    #expect(demonstration.state.terminal?.phase == .asking)
  }

  @Test("Without a terminal, the demo prints what the counter's terminal shows when it changes")
  func lines() throws {
    let demonstration = try Demonstration(DemoConfiguration(path: Self.counter.path))
    defer { demonstration.end() }
    var input = ["s", "h", "Wallet", "a", "a", "the clerk: Yes", "q"].makeIterator()
    var printed: [String] = []
    #expect(LineDemo.run(demonstration, input: { input.next() }, output: { printed.append($0) }))
    #expect(printed.count { $0.hasPrefix("-- Terminal of Hangar Desk --") } >= 4, "\(printed)")
    #expect(printed.contains("It keeps Document Number."))
    #expect(printed.count { $0.hasPrefix("mdoc:") } == 1)
  }
}
