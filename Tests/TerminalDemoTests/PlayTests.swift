import Foundation
import InteractiveWorlds
import LocatedYAML
import TestSupport
import Testing

@testable import TerminalDemo

@Suite("A scenario in the terminal") struct PlayTests {
  private func begin(_ name: String, faults: [String] = []) throws -> Demonstration {
    let path = Programs.package.appendingPathComponent("scenarios/\(name).yaml").path
    return try Demonstration(DemoConfiguration(path: path, faults: faults.compactMap(DemoFault.named)))
  }

  private func narration(_ demonstration: Demonstration) -> [String] {
    let told = DemoNarration(demonstration.state)
    return ([told.heading].compactMap(\.self) + told.details + told.verdict).map(\.text)
  }

  @Test("goes to the next step, back, to the end and to the start")
  func steps() throws {
    let demonstration = try begin("headline")
    #expect(narration(demonstration).first?.hasPrefix("0/7  First: Kelly opens Spaceship Rentals on ") == true)
    #expect(narration(demonstration).contains("The headline flow of the whole system."))
    demonstration.press("  ")
    #expect(DemoScreen(demonstration.state).title == "App selector")
    #expect(narration(demonstration).first == "2/7  Kelly taps Verify Identity")
    #expect(demonstration.state.conclusion == nil)
    _ = demonstration.take(.right)
    #expect(narration(demonstration).first?.hasPrefix("3/7  ✓ The selector offers Wallet") == true)
    demonstration.press("bb")
    #expect(demonstration.state.story?.position == 1)
    _ = demonstration.take(DemoKey.end)
    #expect(demonstration.state.story?.position == 7)
    #expect(narration(demonstration).contains("Case passed"))
    #expect(demonstration.state.conclusion?.title == "Verified: it is Kelly.")
    _ = demonstration.take(.home)
    #expect(demonstration.state.story?.position == 0 && demonstration.state.told.isEmpty)
    _ = demonstration.take(.left)
    #expect(demonstration.state.story?.position == 0)
  }

  @Test("shows flight mode in the status bar while it is on") func flightMode() throws {
    let demonstration = try begin("session/flight-mode")
    var bars: [Bool] = []
    for _ in 0...8 {
      let rows = DemoDrawing.canvas(demonstration.state, columns: 100, rows: 40).rows
      bars.append(rows.joined().contains { $0.text.contains("\u{2708}") })
      demonstration.press(" ")
    }
    #expect(bars == [false] + Array(repeating: true, count: 6) + [false, false])
  }

  @Test("goes to the end from the list of hidden apps, too; without a scenario, to its last choice")
  func endOfHiddenApps() throws {
    let demonstration = try begin("headline")
    demonstration.press("  h")
    #expect(demonstration.state.look == .hiddenApps && demonstration.state.story?.position == 2)
    _ = demonstration.take(DemoKey.end)
    #expect(demonstration.state.story?.position == 7 && demonstration.state.look == .plain)

    let world = try begin("worlds/spaceport")
    world.press("nvh")
    #expect(world.state.look == .hiddenApps)
    _ = world.take(DemoKey.end)
    #expect(world.state.selected == DemoScreen(world.state).choices.count - 1 && world.state.selected > 0)
  }

  @Test("plays by itself until its end, and stops at any other key")
  func playing() throws {
    let demonstration = try begin("headline")
    demonstration.press("p")
    demonstration.advance()
    demonstration.advance()
    #expect(demonstration.state.story?.position == 2 && demonstration.state.story?.isPlaying == true)
    demonstration.press("b")
    #expect(demonstration.state.story?.position == 1 && demonstration.state.story?.isPlaying == false)
    demonstration.press("p")
    for _ in 0..<20 { demonstration.advance() }
    #expect(demonstration.state.story?.position == 7 && demonstration.state.story?.isPlaying == false)
    demonstration.press("p")
    #expect(demonstration.state.story?.position == 0 && demonstration.state.story?.isPlaying == true)
  }

  @Test("is taken over with the person's own step, which is compared with the scenario's")
  func takingOver() throws {
    let demonstration = try begin("headline")
    defer { demonstration.end() }
    demonstration.press("   ")
    // The scenario picks Wallet.
    demonstration.press("2")
    #expect(narration(demonstration).first?.hasPrefix("5/7  You play. The scenario goes on: Kelly auth") == true)
    #expect(narration(demonstration).contains("✓ As the scenario expects."))
    demonstration.press("d")
    #expect(narration(demonstration).contains { $0.hasPrefix("✗ The website has verified First Name") })
    #expect(demonstration.state.conclusion?.title == "Kelly said no.")
    demonstration.press("r")
    #expect(demonstration.state.story?.live == nil && demonstration.state.story?.position == 3)
    #expect(DemoScreen(demonstration.state).title == "App selector")
    demonstration.press("1")
    #expect(DemoScreen(demonstration.state).title == "Local Driving Authority")
  }

  @Test("goes on by itself in a world that was taken over")
  func goingOn() throws {
    let demonstration = try begin("headline")
    defer { demonstration.end() }
    demonstration.press("  2")
    for _ in 0..<5 { _ = demonstration.take(.character(" ")) }
    #expect(demonstration.state.story?.live?.next == 7)
    #expect(demonstration.state.conclusion?.title == "Verified: it is Kelly.")
    #expect(!narration(demonstration).contains { $0.hasPrefix("✗") }, "\(narration(demonstration))")
  }

  @Test("has its fault when it is taken over before it begins")
  func faults() throws {
    let demonstration = try begin("headline", faults: ["network.response-altered"])
    defer { demonstration.end() }
    #expect(narration(demonstration).contains { $0.hasPrefix("Broken: A bit of the encrypted response is flipped.") })
    demonstration.press("nv2aa")
    #expect(demonstration.state.conclusion?.title == "The server noticed.", "\(narration(demonstration))")
  }

  @Test(
    "ends as a run of it",
    arguments: [
      "headline", "in-app/accepted", "cross-device/nearby-iphone", "cross-device/qr-code-on-a-laptop",
      "attacks/phishing-site", "provider/install-update-remove", "language/two-devices-in-turn",
      "browser/a-site-in-a-frame", "in-person/rent-and-pick-up", "in-person/the-person-at-the-counter", "in-person/nfc",
      "in-person/no-answer",
    ])
  func ends(_ name: String) throws {
    let demonstration = try begin(name)
    _ = demonstration.take(DemoKey.end)
    #expect(narration(demonstration).contains("Case passed"), "\(narration(demonstration))")
    let choices = DemoScreen(demonstration.state).choices
    #expect(Set(choices.map(\.key)).count == choices.count, "\(choices)")
  }

  @Test("of a requesting app shows its screens")
  func inApp() throws {
    let demonstration = try begin("in-app/accepted")
    demonstration.press("  ")
    let screen = DemoScreen(demonstration.state)
    #expect(screen.title == "Rocket Rides" && screen.device?.address == "Rocket Rides")
    demonstration.press("   ")
    #expect(
      DemoScreen(demonstration.state).lines.contains { $0.text.contains("First Name: will be stored for 30 days") })
  }

  @Test("of a world file is the person's own")
  func world() throws {
    let demonstration = try begin("worlds/spaceport")
    defer { demonstration.end() }
    #expect(demonstration.state.story == nil)
    demonstration.press("nv2aa")
    #expect(demonstration.state.conclusion?.title == "Verified: it is Kelly.")
  }

  @Test("is read from lines of input")
  func lines() throws {
    let demonstration = try begin("headline")
    defer { demonstration.end() }
    var input = ["next", "next", "previous", "end", "start", "play", "q"].makeIterator()
    var printed: [String] = []
    #expect(LineDemo.run(demonstration, input: { input.next() }, output: { printed.append($0) }))
    #expect(printed.count { $0.hasPrefix("# 7/7") } == 2, "\(printed)")
    #expect(
      printed.count { $0.hasPrefix("# 1/7") } == 3 && printed.contains { $0.hasPrefix("= Verified: it is Kelly") })
  }

  @Test("is recorded up to its position, as a scenario")
  func recording() throws {
    let demonstration = try begin("headline")
    demonstration.press("    ")
    let yaml = try demonstration.recording().yaml
    #expect(yaml.contains("picks: Wallet") && !yaml.contains("face-id"), "\(yaml)")
  }
}
