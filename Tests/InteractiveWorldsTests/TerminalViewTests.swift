import InteractiveWorlds
import Messaging
import ScenarioLanguage
import Telling
import Testing
import Vocabulary

@Suite("A terminal at a moment") struct TerminalViewTests {
  private static let files = [
    "message-authentication", "nfc-faults", "nfc", "no-answer", "qr-code", "several-documents", "the-air-and-the-code",
    "the-documents", "the-person-at-the-counter", "the-session", "wrong-transcripts",
  ]

  private static func play(_ file: String, _ name: String) throws -> Playback {
    Playback(try #require(try InteractiveSample.cases("in-person/\(file)").first { $0.caseName == name }))
  }

  /// The terminal after each step.
  private static func views(_ play: Playback, of terminal: String = "hangar-desk") -> [TerminalView] {
    play.steps.compactMap { step in play.moments[step.moment].terminals.first { $0.identifier == terminal } }
  }

  @Test("It waits, asks, lets the clerk compare, and then keeps what the request retains")
  func phases() throws {
    let play = try Self.play("the-person-at-the-counter", "looks like the portrait")
    #expect(play.moments.first?.terminals.map(\.phase) == [.waiting])
    let views = Self.views(play)
    #expect(views.map(\.phase).prefix(6) == [.waiting, .asking, .asking, .comparing, .comparing, .verified])
    let comparing = views[3]
    #expect(comparing.elements.map(\.identifier) == ["portrait"] && comparing.kept.isEmpty)
    #expect(comparing.answers.map(\.label) == ["Yes", "No"])
    #expect(comparing.words == "Does the person look like the portrait?")
    let verified = try #require(views.last)
    #expect(verified.kept == ["Document Number"] && verified.answers.isEmpty)
    #expect(verified.elements.map(\.label).contains("First Name") && verified.reason == nil && verified.code == nil)
  }

  @Test("A listener has the sizes of sealed messages, and the keys, signs and status in the clear")
  func listening() throws {
    let overCode = try #require(Self.views(try Self.play("qr-code", "Wallet")).last)
    #expect(overCode.way == "By QR code, then over Bluetooth: the phone connects.")
    let titles = overCode.overheard.map(\.title)
    let signs = ["the code", "an advert", "Ident", "State"]
    #expect(titles == signs + ["the request", "the answer", "the status", "State", "State"], "\(titles)")
    #expect(overCode.overheard.map { $0.sealed != nil } == titles.map { ["the request", "the answer"].contains($0) })
    for message in overCode.overheard { #expect((message.sealed ?? 0) < message.size, "\(message)") }
    #expect(overCode.overheard.first { $0.title == "the status" }?.clear == "status 20 (session termination)")
    #expect(overCode.overheard.first { $0.title == "the request" }?.isOfTerminal == true)

    let overTag = try #require(Self.views(try Self.play("nfc", "negotiated handover to NFC")).last)
    #expect(overTag.way == "By NFC tap, then over NFC.")
    #expect(overTag.overheard.map(\.title) == ["the tag", "the request", "the answer", "the status"])
    #expect(overTag.overheard.first?.size ?? 0 > 400)

    let server = try #require(Self.views(try Self.play("qr-code", "the phone is the server over Bluetooth")).last)
    #expect(server.way == "By QR code, then over Bluetooth: the terminal connects.")
    #expect(server.overheard.map(\.title).prefix(2) == ["the code", "an advert"])
  }

  @Test(
    "A session without a verified response says why",
    arguments: [
      (
        "the-person-at-the-counter", "does not look like the portrait", TerminalView.Phase.refused,
        "proximity.portrait/differs"
      ),
      ("no-answer", "the person declines in Wallet", .ended, ""),
      ("the-session", "the phone uses a key a second time", .ended, "proximity.freshness"),
      ("the-person-at-the-counter", "a phone that was switched off and on", .verified, ""),
      ("nfc-faults", "a tag that is never ready", .ended, "proximity.tag/bounds"),
    ])
  func reasons(_ file: String, _ name: String, _ phase: TerminalView.Phase, _ code: String) throws {
    let view = try #require(Self.views(try Self.play(file, name)).last)
    #expect(view.phase == phase && view.code ?? "" == code, "\(view)")
    #expect((view.code == nil) == (view.reason == nil), "\(view)")
    if phase != .verified { #expect(view.elements.isEmpty && view.kept.isEmpty, "\(view)") }
  }

  @Test("No text has an identifier or a value that was sealed", arguments: files)
  func words(_ file: String) throws {
    for scenario in try InteractiveSample.cases("in-person/\(file)") {
      let play = Playback(scenario)
      let identifiers = [
        "hangar-desk", "Hangar-desk", "kellys-iphone", "qr-code", "face-id", "has no response: terminated-by-peer",
        "terminal:", "person:",
      ]
      let texts =
        play.steps.map(\.words)
        + play.moments.flatMap(\.terminals).flatMap { view in
          [view.words, view.way, view.reason].compactMap(\.self) + view.overheard.map(\.words)
        }
      for text in texts {
        #expect(!identifiers.contains { text.contains($0) }, "\(scenario.name): \(text)")
      }
      for message in play.moments.flatMap(\.terminals).flatMap(\.overheard) {
        for value in ["Kelly", "S0451", "LDA-2207"] { #expect(!message.words.contains(value), "\(message)") }
      }
    }
  }
}
