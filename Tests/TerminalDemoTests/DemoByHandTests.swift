import Foundation
import InteractiveWorlds
import LocatedYAML
import ScenarioFiles
import ScenarioLanguage
import ScenarioRunner
import TestSupport
import Testing
import Vocabulary

@testable import TerminalDemo

@Suite("What a person does by hand in the terminal") struct DemoByHandTests {
  private static let scenarios = Programs.package.appendingPathComponent("scenarios").path

  private func begin(_ name: String, language: Language? = nil) throws -> Demonstration {
    var setting = DemoConfiguration(path: "\(Self.scenarios)/\(name).yaml")
    setting.language = language
    return try Demonstration(setting)
  }

  /// Chooses by the beginning of a label.
  private func choose(_ labels: String..., in demonstration: Demonstration) throws {
    for label in labels {
      let choices = DemoScreen(demonstration.state).choices
      let choice = try #require(choices.first { $0.label.hasPrefix(label) }, "\(label): \(choices.map(\.label))")
      _ = demonstration.take(.character(choice.key))
    }
  }

  private func labels(_ demonstration: Demonstration) -> [String] {
    DemoScreen(demonstration.state).choices.map(\.label)
  }

  /// Expects that the recording, as a file, gives the same journal.
  private func expectReplay(of demonstration: Demonstration, _ name: String) throws {
    let recording = try demonstration.recording()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).yaml")
    try recording.yaml.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let problems = ProblemCollector()
    let scenario = try #require(ScenarioReader.read(file.path, problems)?.first, "\(problems.rendered())")
    let result = ScenarioRun.run(scenario)
    #expect(result.outcome.verdict == .passed, "\(name): \(result.outcome)\n\(recording.yaml)")
    // The end of a run ends what waits for the person.
    let entries = demonstration.state.entries
    #expect(Array(result.journal.entries.prefix(entries.count)) == entries, "\(name)")
  }

  @Test("Settings, the app store and documents are places, and undo takes back one act")
  func places() throws {
    let demonstration = try begin("worlds/spaceport")
    defer { demonstration.end() }
    try choose("by hand", "Settings", "switch Wallet off", in: demonstration)
    #expect(labels(demonstration).contains("switch Wallet on in Settings"))
    try choose("turn flight mode on", in: demonstration)
    #expect(labels(demonstration).contains("turn flight mode off in Settings"))
    #expect(DemoScreen(demonstration.state).device?.isInFlightMode == true)
    try choose("back", "Local Driving Authority", "delete ", in: demonstration)
    #expect(labels(demonstration).contains { $0.contains(" gets ") })
    try choose("undo", in: demonstration)
    #expect(labels(demonstration).contains { $0.hasPrefix("delete ") })
    try choose("undo", "back", "Settings", in: demonstration)
    #expect(labels(demonstration).contains("turn flight mode on in Settings"))
    #expect(labels(demonstration).contains("switch Wallet on in Settings"))
    try choose("back", "back", in: demonstration)
    #expect(demonstration.state.look == .plain)
    try expectReplay(of: demonstration, "spaceport")
    let steps = try demonstration.recording().yaml
    #expect(steps.contains("switches-off: Wallet") && !steps.contains("flight-mode") && !steps.contains("deletes"))
    try choose("undo", in: demonstration)
    #expect(try !labels(demonstration).contains("undo") && demonstration.recording().count == 0)
  }

  @Test("A scenario is taken over when the places are opened, and undo leads back to it")
  func takingOver() throws {
    let demonstration = try begin("headline")
    defer { demonstration.end() }
    _ = demonstration.take(.character(" "))
    try choose("by hand", in: demonstration)
    #expect(demonstration.state.story?.live != nil)
    try choose("Settings", "turn Face ID off", "back", "back", "Verify Identity", "Wallet", in: demonstration)
    #expect(labels(demonstration).contains("Passcode") && !labels(demonstration).contains("Face ID"))
    try choose("undo", in: demonstration)
    #expect(DemoScreen(demonstration.state).title == "App selector")
    try expectReplay(of: demonstration, "headline")
  }

  @Test("Another device is used, and its code is scanned")
  func anotherDevice() throws {
    let demonstration = try begin("worlds/several-devices")
    defer { demonstration.end() }
    try choose("by hand", "Kelly\u{2019}s laptop", "Home", in: demonstration)
    try choose("open Spaceship Rentals", "Verify Identity", in: demonstration)
    #expect(DemoScreen(demonstration.state).code != nil)
    try choose("by hand", "Sam\u{2019}s iPhone", "Home", "scan the QR code", in: demonstration)
    try choose("Wallet", "Face ID", "look at it", in: demonstration)
    #expect(demonstration.state.conclusion?.title == "Verified: it is Sam.")
    try expectReplay(of: demonstration, "several devices")
  }

  @Test("The scenario's action on another device is another action", arguments: [true, false])
  func scenarioOnAnotherDevice(isOther: Bool) throws {
    let demonstration = try begin("cross-device/qr-code-on-a-laptop")
    defer { demonstration.end() }
    try choose("by hand", isOther ? "Kelly\u{2019}s iPhone" : "Kelly\u{2019}s laptop", "Home", in: demonstration)
    try choose("open Spaceship Rentals", in: demonstration)
    #expect(demonstration.state.story?.live?.results[0] == (isOther ? .instead : .done))
  }

  @Test("A code from elsewhere is scanned by its text")
  func codeFromElsewhere() throws {
    let demonstration = try begin("worlds/several-devices")
    defer { demonstration.end() }
    func type(_ keys: [DemoKey]) { for key in keys { #expect(demonstration.take(key)) } }
    try choose("by hand", "Kelly\u{2019}s iPhone", "Beside the device", in: demonstration)
    try choose("scan a QR code from elsewhere", in: demonstration)
    #expect(DemoScreen(demonstration.state).choices.isEmpty)
    // Letters that are keys elsewhere belong to the text.
    type("qbUm\u{00e9} x".map(DemoKey.character) + [.backspace, .up, .character("1")])
    // A terminal does so before it draws.
    demonstration.refresh()
    #expect(DemoScreen(demonstration.state).lines.last?.text == "qbUm\u{00e9} 1\u{258f}")
    type([.escape])
    // The screens of a recording are those after each key.
    #expect(labels(demonstration).contains("scan a QR code from elsewhere"))
    try choose("scan a QR code from elsewhere", in: demonstration)
    let steps = try demonstration.recording().count
    type([.enter])
    #expect(try demonstration.recording().count == steps)
    type("FIDO:/12345x789".map(DemoKey.character) + [.enter])
    #expect(demonstration.state.look == .plain)
    let refused = demonstration.state.entries.contains { entry in
      guard case .check(let result) = entry.event else { return false }
      return result.check == "hybrid.qr-code" && result.reason == "malformed"
    }
    #expect(refused)
    #expect(try demonstration.recording().yaml.contains("FIDO:/12345x789"))
    try expectReplay(of: demonstration, "several devices")
  }

  @Test("In lines, the text of a code is a line")
  func codeInALine() throws {
    let demonstration = try begin("cross-device/qr-code-on-a-laptop")
    defer { demonstration.end() }
    try choose("by hand", "Kelly\u{2019}s iPhone", "Beside the device", in: demonstration)
    var told: [String] = []
    func enter(_ given: [String]) -> Bool {
      var lines = given
      return LineDemo.run(
        demonstration, input: { lines.isEmpty ? nil : lines.removeFirst() }, output: { told.append($0) })
    }
    #expect(enter(["scan a QR code from elsewhere", ""]))
    #expect(told.contains { $0.hasPrefix("The next line is the text") } && demonstration.state.look != .plain)
    #expect(try demonstration.recording().count == 0)
    let isShort = enter(["scan a QR code from elsewhere", String(repeating: "1", count: 7_090)])
    #expect(try !isShort && demonstration.recording().count == 0)
    #expect(enter([" q "]) && demonstration.state.look == .plain)
    #expect(try demonstration.recording().yaml.contains("scans-text: \" q \""))
  }

  @Test("A long text shows its end", arguments: [(60, 12), (80, 24), (120, 40)])
  func longText(columns: Int, rows: Int) throws {
    let demonstration = try begin("worlds/several-devices")
    defer { demonstration.end() }
    try choose("by hand", "Kelly\u{2019}s iPhone", "Beside the device", in: demonstration)
    try choose("scan a QR code from elsewhere", in: demonstration)
    for character in String(repeating: "1", count: 2_000) { _ = demonstration.take(.character(character)) }
    demonstration.fit(columns: columns, rows: rows)
    let drawn = DemoDrawing.canvas(demonstration.state, columns: columns, rows: rows).rows.joined().map(\.text).joined()
    #expect(drawn.contains("\u{258f}"), "\(drawn)")
  }

  @Test("The demonstration speaks the chosen language", arguments: [Language.spanish, .simplifiedChinese])
  func languages(language: Language) throws {
    let demonstration = try begin("in-person/qr-code", language: language)
    defer { demonstration.end() }
    #expect(labels(demonstration).contains(ScreenWord.showMyCode.text(in: language)))
    try choose("by hand", ScreenWord.settings.text(in: language), in: demonstration)
    #expect(labels(demonstration).contains(ScreenWord.turnFlightModeOn.text(in: language)))
    #expect(labels(demonstration).contains(ScreenWord.turnFaceIDOff.text(in: language)))
  }

  @Test(
    "Whatever is done by hand, the file of it passes",
    arguments: ["worlds/spaceport", "headline", "cross-device/qr-code-on-a-laptop", "in-person/qr-code"], [1, 2])
  func anything(name: String, seed: UInt64) throws {
    let demonstration = try begin(name)
    defer { demonstration.end() }
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      if case .entry = demonstration.state.look {
        for character in "bq: é" { #expect(demonstration.take(.character(character))) }
        #expect(demonstration.take(Bool.random(using: &generator) ? .enter : .escape))
        continue
      }
      let choices = DemoScreen(demonstration.state).choices.filter { choice in
        switch choice.action {
        case .quit, .begin, .leave, .look(.faults), .look(.checks): false
        default: true
        }
      }
      let choice = try #require(choices.randomElement(using: &generator))
      #expect(demonstration.take(.character(choice.key)))
    }
    try expectReplay(of: demonstration, name)
  }
}
