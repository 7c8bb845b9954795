import Foundation
import InteractiveWorlds
import TestSupport
import Testing

@testable import TerminalDemo

@Suite("A site in a frame, in the terminal") struct FrameTests {
  /// The page with the frame is open.
  private func begin() throws -> Demonstration {
    let path = Programs.package.appendingPathComponent("scenarios/browser/a-site-in-a-frame.yaml").path
    let demonstration = try Demonstration(DemoConfiguration(path: path))
    demonstration.press(" ")
    return demonstration
  }

  private func lines(_ demonstration: Demonstration) -> [String] { DemoScreen(demonstration.state).lines.map(\.text) }

  @Test("shows the frame below the page, and its button as a choice")
  func frame() throws {
    let demonstration = try begin()
    let screen = DemoScreen(demonstration.state)
    #expect(screen.device?.address == "spaceship-rentals.example")
    let frame = try #require(screen.lines.firstIndex { $0.text == "▣ Frame market · orbital-market.example" })
    #expect(screen.lines[..<frame].contains { $0.text == "Spaceship Rentals" })
    #expect(screen.lines[frame...].contains { $0.text == "  Orbital Market" })
    #expect(screen.ownChoices.map(\.label) == ["Verify Identity", "Verify Identity in the frame market", "once more"])
  }

  @Test("shows the browser's warning before the chooser, and the verdict in the frame")
  func accepting() throws {
    let demonstration = try begin()
    defer { demonstration.end() }
    demonstration.press("t")
    #expect(lines(demonstration).first == "orbital-market.example")
    #expect(DemoScreen(demonstration.state).ownChoices.map(\.label) == ["Continue", "Cancel"])
    demonstration.press("a")
    #expect(DemoScreen(demonstration.state).title == "App selector")
    demonstration.press("1aa")
    let shown = lines(demonstration)
    #expect(shown.contains("  ✓ verified, 58 checks, none failed"), "\(shown)")
    #expect(!shown.contains { $0.hasPrefix("✓ verified") }, "the page around the frame has no verdict: \(shown)")
    #expect(demonstration.state.conclusion?.title == "Verified: it is Kelly.")
    #expect(demonstration.state.story?.live?.results.values.contains(.instead) == false)
    demonstration.press("k")
    #expect(lines(demonstration).contains("✓ the session is known"))
  }

  @Test("ends the call of the frame at the warning")
  func cancelling() throws {
    let demonstration = try begin()
    defer { demonstration.end() }
    demonstration.press("t")
    _ = demonstration.take(.escape)
    demonstration.press("c")
    #expect(lines(demonstration).contains("  The call threw NetworkError."), "\(lines(demonstration))")
    #expect(demonstration.state.conclusion?.title == "Kelly said no.")
  }

  @Test("keeps the button of the page apart from that of the frame")
  func page() throws {
    let demonstration = try begin()
    defer { demonstration.end() }
    demonstration.press("va1aa")
    #expect(lines(demonstration).contains { $0.hasPrefix("✓ verified") }, "\(lines(demonstration))")
    #expect(demonstration.state.story?.live?.results.values.contains(.instead) == true)
  }
}
