import Foundation
import InteractiveWorlds
import LocatedYAML
import TestSupport
import Testing

@testable import TerminalDemo

@Suite("What a terminal shows")
struct DrawingTests {
  private static let headline = Programs.package.appendingPathComponent("scenarios/headline.yaml").path

  private func begin(_ faults: [String] = [], then keys: String) throws -> Demonstration {
    let faults = faults.compactMap(DemoFault.named)
    let demonstration = try Demonstration(DemoConfiguration(path: Self.headline, faults: faults))
    for key in keys { _ = demonstration.take(.character(key)) }
    return demonstration
  }

  private func texts(_ canvas: DemoCanvas) -> [String] { canvas.rows.map { $0.map(\.text).joined() } }

  @Test("Refusals and hidden apps are not green", arguments: [("", "nv"), ("network.response-altered", "nv1aa")])
  func greenIsGood(_ fault: String, _ keys: String) throws {
    let demonstration = try begin([fault], then: keys)
    defer { demonstration.end() }
    let canvas = DemoDrawing.canvas(demonstration.state, columns: 120, rows: 50)
    #expect(!canvas.rows.joined().contains { $0.style == .good }, "\(texts(canvas))")
    let told = canvas.rows.joined().filter { $0.text.contains("is hidden:") || $0.text.contains("refused") }
    #expect(!told.isEmpty && told.allSatisfy { [.warning, .bad].contains($0.style) }, "\(told)")
  }

  @Test("A verified response is green")
  func verifiedIsGreen() throws {
    let demonstration = try begin(then: "nv2aa")
    defer { demonstration.end() }
    let good = DemoDrawing.canvas(demonstration.state, columns: 120, rows: 50).rows.joined().filter {
      $0.style == .good
    }
    #expect(good.contains { $0.text.contains("server: verified") } && good.contains { $0.text.contains("✓ verified") })
    #expect(good.contains { $0.text.contains("Verified: it is Kelly.") })
  }

  @Test("In 80 columns and 24 rows the result, the choices and the conclusion are on the screen")
  func small() throws {
    let demonstration = try begin(then: "nv2aa")
    defer { demonstration.end() }
    let text = texts(DemoDrawing.canvas(demonstration.state, columns: 80, rows: 24))
    for part in [
      "✓ verified", "Class B to", "Place Order", "every check", "once more", "q  quit", "Verified: it is Kelly.",
      "m messages",
    ] {
      #expect(text.contains { $0.contains(part) }, "\(part) in\n\(text.joined(separator: "\n"))")
    }
    #expect(!text.contains { $0.contains("more lines") })
  }

  @Test(
    "The conclusion of a play is whole",
    arguments: [
      "headline", "attacks/self-made-reader-certificate", "cross-device/phishing-relays-the-code",
      "cross-device/adverts", "selector/no-app-can-answer",
    ], [(80, 24), (100, 28), (120, 30), (140, 36), (150, 40), (200, 50)])
  func conclusion(scenario: String, size: (columns: Int, rows: Int)) throws {
    let path = Programs.package.appendingPathComponent("scenarios/\(scenario).yaml").path
    let demonstration = try Demonstration(DemoConfiguration(path: path))
    _ = demonstration.take(DemoKey.end)
    let conclusion = try #require(demonstration.state.conclusion)
    let layout = try #require(DemoLayout(demonstration.state, columns: size.columns, rows: size.rows))
    let told = layout.footer.map { $0.map(\.text).joined() }
    // Lines of a paragraph begin with blanks.
    let words = told.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(words.contains(conclusion.text.split(separator: " ").joined(separator: " ")), "\(told)")
    #expect(layout.footer.count <= size.rows / 3)
  }

  @Test("A text that is cut ends with an ellipsis")
  func cut() throws {
    let demonstration = try begin(["network.response-altered", "issuer.expired"], then: "n")
    defer { demonstration.end() }
    let header = try #require(texts(DemoDrawing.canvas(demonstration.state, columns: 60, rows: 24)).first)
    #expect(header.contains("broken: ") && header.hasSuffix("…") && SourceText.width(header) == 60)
    let wide = try #require(texts(DemoDrawing.canvas(demonstration.state, columns: 220, rows: 24)).first)
    #expect(wide.contains("The document has expired") && !wide.contains("…"))
  }

  @Test("On a large terminal the choices follow the text, and lines stay readable")
  func large() throws {
    let demonstration = try begin(then: "nv2aa")
    defer { demonstration.end() }
    let text = texts(DemoDrawing.canvas(demonstration.state, columns: 240, rows: 70))
    let notice = try #require(text.firstIndex { $0.contains("Welcome aboard") })
    let choice = try #require(text.firstIndex { $0.contains("▸") })
    #expect(choice == notice + 2)
    let conclusion = try #require(text.firstIndex { $0.contains("Verified: it is Kelly.") })
    #expect(SourceText.width(text[conclusion]) < 100)
  }

  @Test(
    "q quits where the device is shown, and goes back in every other view, as b does",
    arguments: ["", "n", "nv", "nvh", "nv2", "nv2a", "nv2aak", "nv2aam", "f"])
  func keysOfEveryView(_ keys: String) throws {
    let demonstration = try begin(then: keys)
    defer { demonstration.end() }
    let choices = DemoScreen(demonstration.state).choices
    #expect(Set(choices.map(\.key)).count == choices.count, "\(choices)")
    let look = demonstration.state.look
    #expect(choices.first { $0.key == "q" }?.action == (look == .plain ? .quit : .look(.plain)))
    #expect([nil, .look(.plain)].contains(choices.first { $0.key == "b" }?.action))
    if look != .plain {
      let other = try begin(then: keys)
      defer { other.end() }
      #expect(other.take(.character("q")) && other.state.look == .plain)
    }
    #expect(demonstration.take(.character("b")))
    #expect(demonstration.state.look == .plain)
    if look == .plain, keys == "nv" { #expect(demonstration.state.snapshot.view.selector(on: "kellys-iphone") == nil) }
    #expect(!demonstration.take(.character("q")))
  }

  @Test("A message's content is not dimmed")
  func messages() throws {
    let demonstration = try begin(then: "nvm")
    defer { demonstration.end() }
    let lines = DemoScreen(demonstration.state).lines
    #expect(lines.count > 5 && !lines.contains { $0.tone == .quiet }, "\(lines)")
  }

  private struct Cast {
    var header: [String: Any] = [:]
    var events: [(time: Double, kind: String, text: String)] = []

    init(_ text: String) throws {
      for (number, line) in text.split(separator: "\n").enumerated() {
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
        if number == 0 {
          header = try #require(value as? [String: Any])
        } else {
          let event = try #require(value as? [Any])
          try #require(event.count == 3)
          events.append(
            (try #require(event[0] as? Double), try #require(event[1] as? String), try #require(event[2] as? String)))
        }
      }
    }
  }

  private static func record(_ keys: String) throws -> String {
    let demonstration = try Demonstration(
      DemoConfiguration(path: headline), screens: ScreenRecording(title: "headline", columns: 90, rows: 28))
    defer { demonstration.end() }
    for key in keys { _ = demonstration.take(.character(key)) }
    return try #require(demonstration.screens).asciicast
  }

  @Test("A recording has a screen for each action, at a steady pace, and is the same each time")
  func recording() throws {
    let text = try Self.record("nv2aaq")
    #expect(try text == Self.record("nv2aaq"))
    let cast = try Cast(text)
    #expect(cast.header["version"] as? Int == 2 && cast.header["title"] as? String == "headline")
    #expect(cast.header["width"] as? Int == 90 && cast.header["height"] as? Int == 28)
    // The start, five actions, and the end; quitting changes nothing.
    #expect(cast.events.count == 7 && cast.events.allSatisfy { $0.kind == "o" })
    #expect(cast.events.map(\.time) == (0..<7).map { Double($0) * 2.5 })
    #expect(cast.events[0].text.contains("open Spaceship Rentals"))
    #expect(cast.events[2].text.contains("Choose an app to verify"))
    #expect(cast.events[5].text.contains("Verified: it is Kelly."))
    for event in cast.events {
      // Nothing moves the cursor below the last row.
      #expect(event.text.matches(of: #/\u{1b}\[(\d+);1H/#).allSatisfy { Int($0.output.1).map { $0 <= 28 } ?? false })
    }
  }

  @Test("The command writes an asciicast into a file of that kind")
  func command() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).cast")
    defer { try? FileManager.default.removeItem(at: file) }
    let run = try await Programs.run(
      Programs.presentment, ["demo", "--record", file.path], input: "n\nv\nc\nq\n")
    #expect(run.code == 0, "\(run)")
    let cast = try Cast(String(contentsOf: file, encoding: .utf8))
    #expect(cast.events.count == 5 && cast.events[3].text.contains("Kelly said no."))
  }
}
