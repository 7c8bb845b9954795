import Foundation
import InteractiveWorlds
import LocatedYAML
import TestSupport
import Testing

@testable import TerminalDemo

/// Scenarios as they are drawn, in the files of `Screens`: the headline in `STEP-COLUMNSxROWS.txt`, and the counter in
/// `counter-STEP-COLUMNSxROWS.txt`. To accept new screens, delete the files: a missing one is written, and its test fails once.
@Suite("Drawn screens") struct ScreenTests {
  private static let folder = Programs.package.appendingPathComponent("Tests/TerminalDemoTests/Screens")

  @Test(
    "are those of the files", arguments: [0, 2, 4, 7], [(60, 12), (80, 24), (120, 40), (200, 60)])
  func screens(step: Int, size: (columns: Int, rows: Int)) throws {
    try compare("headline", called: "", step: step, size: size)
  }

  @Test(
    "of the counter are those of the files", arguments: [1, 4, 9], [(60, 12), (80, 24), (120, 40), (200, 60)])
  func counter(step: Int, size: (columns: Int, rows: Int)) throws {
    try compare("in-person/the-person-at-the-counter", called: "counter-", step: step, size: size)
  }

  @Test(
    "in another language are those of the files",
    arguments: [("consent/a-phone-in-spanish", "spanish-", 6), ("in-person/a-phone-in-chinese", "chinese-", 4)],
    [(60, 12), (80, 24)])
  func languages(scenario: (name: String, prefix: String, step: Int), size: (columns: Int, rows: Int)) throws {
    try compare(scenario.name, called: scenario.prefix, step: scenario.step, size: size)
  }

  private func compare(
    _ scenario: String, called prefix: String, step: Int, size: (columns: Int, rows: Int)
  ) throws {
    let demonstration = try Demonstration(
      DemoConfiguration(path: Programs.package.appendingPathComponent("scenarios/\(scenario).yaml").path))
    for _ in 0..<step { _ = demonstration.take(.character(" ")) }
    let canvas = DemoDrawing.canvas(demonstration.state, columns: size.columns, rows: size.rows)
    let drawn = canvas.rows.map { row -> String in
      let line: String = row.map(\.text).joined().shortened(size.columns)
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
    let text = drawn.joined(separator: "\n") + "\n"
    let file = Self.folder.appendingPathComponent("\(prefix)\(step)-\(size.columns)x\(size.rows).txt")
    guard let expected = try? String(contentsOf: file, encoding: .utf8) else {
      try text.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("\(file.lastPathComponent) was missing, and is written now")
      return
    }
    #expect(text == expected, "\(text)")
    #expect(canvas.rows.count == size.rows)
  }

  @Test("No row is wider than the terminal", arguments: [(60, 12), (80, 24), (100, 28), (120, 40), (200, 60)])
  func widths(columns: Int, rows: Int) throws {
    for name in [
      "headline", "in-app/accepted", "cross-device/nearby-iphone", "selector/no-app-can-answer", "in-person/nfc",
      "consent/a-phone-in-spanish", "in-person/a-phone-in-chinese",
    ] {
      let path = Programs.package.appendingPathComponent("scenarios/\(name).yaml").path
      let demonstration = try Demonstration(DemoConfiguration(path: path))
      for step in 0...(demonstration.state.story?.steps.count ?? 0) {
        let canvas = DemoDrawing.canvas(demonstration.state, columns: columns, rows: rows)
        #expect(canvas.rows.count == rows, "\(name), step \(step)")
        for row in canvas.rows { #expect(row.width <= columns, "\(name), step \(step): \(row.map(\.text).joined())") }
        _ = demonstration.take(.character(" "))
      }
    }
  }
}
