import Foundation
import InteractiveWorlds
import LocatedYAML
import TestSupport
import Testing

@testable import TerminalDemo

@Suite struct DemonstrationTests {
  private static let headline = Programs.package.appendingPathComponent("scenarios/headline.yaml").path

  private static func begin(_ path: String = headline, faults: [DemoFault] = []) throws -> Demonstration {
    try Demonstration(DemoConfiguration(path: path, faults: faults))
  }

  private func shows(_ text: String, _ demonstration: Demonstration) -> Bool {
    let screen = DemoScreen(demonstration.state)
    return screen.lines.contains { $0.text.contains(text) } || screen.choices.contains { $0.label.contains(text) }
      || screen.title.contains(text)
  }

  @Test func aDeviceInAnotherLanguageHasNoEnglishAroundItsTexts() throws {
    let path = Programs.package.appendingPathComponent("scenarios/consent/a-phone-in-spanish.yaml").path
    let demonstration = try Self.begin(path)
    defer { demonstration.end() }
    #expect(shows("Navegador", demonstration))
    demonstration.press(" ")
    #expect(shows("Navegador · Spaceship Rentals", demonstration))
    demonstration.press(" h")
    #expect(shows("Apps ocultas:", demonstration) && shows("Solución: ", demonstration))
    #expect(!shows("Not shown", demonstration) && !shows("appear", demonstration))
  }

  @Test func theViewNamesTheDocumentAndAnotherCanBeChosen() throws {
    let path = Programs.package.appendingPathComponent("scenarios/documents/two-licenses-in-one-app.yaml").path
    let demonstration = try Self.begin(path)
    defer { demonstration.end() }
    for _ in 0..<8 where !shows("Face ID", demonstration) { demonstration.press(" ") }
    #expect(shows("Driver's License from Spaceport DMV Root", demonstration))
    #expect(shows("– Photo: not in the document", demonstration))
    #expect(shows("give Driver's License, Moonbase DMV Root instead", demonstration))
    demonstration.press("1")
    #expect(shows("Driver's License from Moonbase DMV Root", demonstration))
    #expect(shows("give Driver's License, Spaceport DMV Root instead", demonstration))
    demonstration.press("aa")
    #expect(shows("M-12", demonstration))
  }

  @Test func acceptingVerifiesThePerson() throws {
    let demonstration = try Self.begin()
    defer { demonstration.end() }
    demonstration.press("nv")
    #expect(shows("1 app is hidden. Why?", demonstration))
    demonstration.press("h")
    #expect(shows("selector.reader/untrusted", demonstration))
    demonstration.press("2")
    #expect(shows("● Last Name", demonstration) && shows("○ Photo", demonstration))
    demonstration.press("a")
    #expect(shows("Look at the phone", demonstration))
    demonstration.press("ba")
    demonstration.press("a")
    #expect(shows("checks, none failed", demonstration) && shows("Kelly", demonstration))
    #expect(shows("Driving Privileges: Class B to 2029-03-01", demonstration))
    #expect(shows("Age over 21: Yes", demonstration))
    #expect(demonstration.state.conclusion?.title == "Verified: it is Kelly.")
    demonstration.press("k")
    #expect(shows("✓ the session is known", demonstration))
  }

  @Test(arguments: ["nvc", "nv1d", "nv2d"]) func decliningShowsTheExceptionOfThePage(_ keys: String) throws {
    let demonstration = try Self.begin()
    defer { demonstration.end() }
    demonstration.press(keys)
    #expect(shows("The call threw NotAllowedError", demonstration))
    #expect(shows("Verify Identity", demonstration))
    #expect(demonstration.state.conclusion?.title == "Kelly said no.")
  }

  @Test func escapeGoesBackAtEveryStep() throws {
    let demonstration = try Self.begin()
    defer { demonstration.end() }
    demonstration.press("nv2a")
    for _ in 0..<2 { _ = demonstration.take(.escape) }
    #expect(shows("NotAllowedError", demonstration))
  }

  /// The line that each fault ends with when the person completes the presentment.
  private static let outcomes = [
    "unsigned": "NotAllowedError", "another-authority": "✓ verified",
    "network.reader-signature-altered": "threw", "browser.origin-replaced": "threw",
    "browser.raw-request-replaced": "threw", "network.response-altered": "response.decryption/unexplained",
    "wallet.value-changed": "element.digest",
    "issuer.expired": "mso.validity/expired", "issuer.signer-of-another-root": "issuer.trust",
    "issuer.not-signed": "issuer.certificate", "wallet.another-device-key": "device.signature/invalid",
    "wallet.another-nonce": "response.decryption/unexplained",
    "wallet.transcript.origin.trailing-slash": "response.decryption/transcript",
  ]

  @Test(arguments: DemoFault.all.map(\.name)) func everyFaultIsNoticed(_ name: String) throws {
    let fault = try #require(DemoFault.named(name))
    let demonstration = try Self.begin(faults: [fault])
    defer { demonstration.end() }
    demonstration.press("nv1aa")
    let outcome = try #require(Self.outcomes[name], "no expected result for \(name)")
    #expect(shows(outcome, demonstration), "\(DemoScreen(demonstration.state).lines)")
    #expect(!shows("✓ verified", demonstration) || name == "another-authority")
  }

  @Test func anotherReaderAuthorityMakesOnlyItsAppAvailable() throws {
    let demonstration = try Self.begin(faults: [try #require(DemoFault.named("another-authority"))])
    defer { demonstration.end() }
    demonstration.press("nv")
    let choices = DemoScreen(demonstration.state).choices.map(\.label)
    #expect(choices.contains("Other Wallet") && !choices.contains("Wallet"))
  }

  @Test func faultsAreChosenAndRemoved() throws {
    let demonstration = try Self.begin()
    defer { demonstration.end() }
    demonstration.press("f6")
    #expect(demonstration.state.faults.map(\.name) == ["network.response-altered"])
    demonstration.press("f6")
    #expect(demonstration.state.faults.isEmpty)
    demonstration.press("f68")
    #expect(demonstration.state.faults.map(\.name) == ["network.response-altered"])
    demonstration.press("f80")
    #expect(demonstration.state.faults.map(\.name) == ["issuer.expired"], "one fault replaces the other")
    demonstration.press("f0")
    #expect(demonstration.state.faults.isEmpty)
    demonstration.press("f+6")
    demonstration.press("f8")
    #expect(demonstration.state.faults.map(\.name) == ["network.response-altered", "issuer.expired"])
    demonstration.press("f+8")
    #expect(demonstration.state.faults.map(\.name) == ["network.response-altered"])
  }

  @Test(arguments: [(80, 24), (200, 60), (60, 12), (20, 4), (1, 1)])
  func whateverIsPressedFitsTheTerminal(_ columns: Int, _ rows: Int) throws {
    let demonstration = try Self.begin()
    defer { demonstration.end() }
    var generator = SeededGenerator(seed: 5)
    let keys: [DemoKey] =
      "nv12achbdmkMU".map { .character($0) } + [.up, .down, .left, .right, .pageUp, .pageDown, .enter, .escape]
    for _ in 0..<60 {
      let key = try #require(keys.randomElement(using: &generator))
      _ = demonstration.take(key)
      let output = DemoDrawing.output(demonstration.state, columns: columns, rows: rows)
      let drawn = try Self.rows(drawnBy: output)
      #expect(drawn.map(\.number) == Array(1...rows))
      for row in drawn { #expect(SourceText.width(row.text) <= columns, "\(row) after \(key)") }
      #expect(demonstration.state.selected >= 0)
      let controls = output.unicodeScalars.filter { $0.value < 0x20 && $0.value != 0x1b }
      #expect(controls.isEmpty)
    }
  }

  /// The rows that the output draws, each with its text.
  private static func rows(drawnBy output: String) throws -> [(number: Int, text: String)] {
    var rows: [(number: Int, text: String)] = []
    for part in output.split(separator: "\u{1b}[") {
      let command = try #require(part.prefixMatch(of: /([0-9;]*)([A-Za-z])/))
      if command.output.2 == "H" {
        rows.append((try #require(Int(command.output.1.prefix { $0 != ";" })), ""))
      }
      let last = try #require(rows.indices.last, "text is written before the cursor is moved to a row")
      rows[last].text += part[command.range.upperBound...]
    }
    return rows
  }

  @Test(arguments: [("k", 80, 24), ("k", 60, 12), ("m", 80, 24), ("m", 61, 13)])
  func aTextScrollsNoFurtherThanItsEnd(_ look: Character, _ columns: Int, _ rows: Int) throws {
    let demonstration = try Self.begin()
    defer { demonstration.end() }
    demonstration.press("nv2aa\(look)")
    func drawing() -> String {
      demonstration.fit(columns: columns, rows: rows)
      return DemoDrawing.output(demonstration.state, columns: columns, rows: rows)
    }
    let beginning = drawing()
    for _ in 0..<500 { _ = demonstration.take(.pageDown) }
    let end = drawing()
    #expect(end != beginning && !end.contains("more lines"))
    _ = demonstration.take(.down)
    #expect(drawing() == end)
    // The first Back key is drawn at once.
    _ = demonstration.take(.up)
    #expect(drawing() != end)
    _ = demonstration.take(.down)
    #expect(drawing() == end)
  }

  @Test func aRefusalIsShownOnce() throws {
    let demonstration = try Self.begin()
    defer { demonstration.end() }
    #expect(demonstration.take(.step(.tap("Nothing"))))
    #expect(demonstration.state.notice?.contains("[live.") == true)
    #expect(demonstration.take(.look(.faults)))
    #expect(demonstration.state.notice == nil)
  }

  @Test func aChoiceThatTheWorldRefusesIsStillAChoice() throws {
    let demonstration = try Self.begin()
    defer { demonstration.end() }
    var lines = ["n", "v", "2", "f", "b", "q"]
    var told: [String] = []
    let isUnderstood = LineDemo.run(
      demonstration,
      input: {
        // The selector closes while the person looks at it.
        if lines.first == "2" { _ = demonstration.take(.step(.touch(.cancelSelector))) }
        return lines.isEmpty ? nil : lines.removeFirst()
      }, output: { told.append($0) })
    #expect(told.count { $0.hasPrefix("! ") } == 1, "\(told)")
    #expect(isUnderstood && lines.isEmpty)
  }

  @Test(arguments: [
    ("Space Hotel", "hotel.svg", "│▫▫▫▫│"), ("The Yard", "spaceship.svg", "╱◯ ╲"), ("Space", "", "·· │"),
  ])
  func aBrandHasThePictureOfItsIcon(_ name: String, _ icon: String, _ picture: String) throws {
    let change = "websites: { spaceship-rentals: { brand: { name: \(name), icon: '\(icon)' } } }"
    let demonstration = try Demonstration(
      DemoConfiguration(path: Self.headline, changes: [try YAMLValue(parsing: change)]))
    defer { demonstration.end() }
    demonstration.press("n")
    #expect(shows(picture, demonstration))
  }

  @Test func linesGiveTheSameResult() async throws {
    let run = try await Programs.run(
      Programs.presentment, ["demo", "--seed", "3"], input: "n\nVerify Identity\nWallet\na\na\nk\nb\nq\n")
    #expect(run.code == 0, "\(run)")
    #expect(run.output.contains("✓ verified") && run.output.contains("sealed, for the server only"))
    let lost = try await Programs.run(Programs.presentment, ["demo"], input: "n\nfly away\n")
    #expect(lost.code == 1 && lost.output.contains("unknown choice 'fly away'"))
    let missing = try await Programs.run(Programs.presentment, ["demo", "nowhere"])
    #expect(missing.code == 2 && missing.errors.contains("nowhere.yaml"))
    let unknown = try await Programs.run(Programs.presentment, ["demo", "--fault", "gravity"])
    #expect(unknown.code == 2 && unknown.errors.contains("unknown fault 'gravity'"))
  }

  @Test func aRecordingOfADemonstrationPasses() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).yaml")
    defer { try? FileManager.default.removeItem(at: file) }
    let recorded = try await Programs.run(
      Programs.presentment, ["demo", "--record", file.path, "--fault", "wallet.another-device-key"],
      input: "n\nv\n1\na\nq\n")
    #expect(recorded.code == 0 && recorded.output.contains("device.signature/invalid"), "\(recorded)")
    let replayed = try await Programs.run(Programs.presentment, ["run", file.path, "--story"])
    #expect(replayed.code == 0 && replayed.output.contains("device.signature/invalid"), "\(replayed)")
  }
}

extension Demonstration {
  /// Takes keys, one after the other.
  func press(_ keys: String) { for key in keys { _ = take(.character(key)) } }
}
