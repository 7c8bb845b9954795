import Faults
import Primitives
import ShippedScenarios
import Testing
import Vocabulary

@testable import Invariants
@testable import Messaging
@testable import ScenarioRunner

/// Each invariant over a run that shows it broken: the headline's journal with one thing altered.
@Suite("Invariants")
struct InvariantTests {
  private static func headline() async throws -> CaseResult {
    try #require(try await ShippedScenarios.results(of: ShippedScenarios.folder + "/headline.yaml").first)
  }

  private static func replacing(_ old: String, _ new: String) -> ([UInt8]) -> [UInt8] {
    { Array(String(decoding: $0, as: UTF8.self).replacing(old, with: new).utf8) }
  }

  @Test("every invariant holds in every shipped scenario, whatever is at fault")
  func shipped() async throws {
    for result in try await ShippedScenarios.results() {
      let found = Invariants.violations(in: result.journal, world: result.scenario.world)
      #expect(found.map(\.message) == [], "\(result.scenario.path) \(result.scenario.name)")
    }
  }

  @Test("every exemption names a fault of the catalogue and is needed by a shipped scenario")
  func exemptions() async throws {
    var needed: [String: Set<String>] = [:]
    for result in try await ShippedScenarios.results() {
      let entries = result.journal.entries
      let broken = Invariants.everyViolation(in: entries, world: result.scenario.world)
      for name in broken.map(\.name) { needed[name, default: []].formUnion(InjectedFaults(entries).identifiers) }
    }
    #expect(!InvariantExemption.all.isEmpty)
    for exemption in InvariantExemption.all {
      guard case .fault(let fault) = exemption.cause else { continue }
      #expect(FaultCatalogue.fault(fault) != nil, "\(fault)")
      for finding in exemption.findings { #expect(needed[finding.name]?.contains(fault) == true, "\(fault)") }
      #expect(!exemption.reason.isEmpty)
    }
  }

  @Test("an exemption excuses its own invariant only, and only if its fault acted")
  func narrowExemptions() async throws {
    var altered = AlteredJournal(try await Self.headline())
    try altered.change(.show, to: .person, Self.replacing("https://spaceship-rentals.example", "https://other.example"))
    #expect(altered.names == ["invariant.origin/page"])
    let (first, last) = (try #require(altered.entries.first), try #require(altered.entries.last))
    func fault(_ effect: FaultEvent.Effect) -> JournalEntry {
      JournalEntry(
        number: last.number + 1, time: first.time, party: first.party,
        event: .fault(FaultEvent("browser.origin-replaced", "test", effect)))
    }
    altered.entries.append(fault(.notApplicable("nothing to change")))
    #expect(altered.names == ["invariant.origin/page"])
    altered.entries.append(fault(.applied))
    #expect(altered.names == [])
    try altered.change(.verificationResult, Self.replacing("Kelly", "Robin"))
    #expect(altered.names == ["invariant.issuer-signed/value"])
  }

  @Test("a value on a terminal that no authority sent, or that of another authority")
  func terminalValue() async throws {
    let results = try await ShippedScenarios.results(of: ShippedScenarios.folder + "/in-person/qr-code.yaml")
    let result = try #require(results.first)
    var altered = AlteredJournal(result)
    let place = try #require(
      altered.entries.lastIndex { $0.event.message?.kind == .showTerminal })
    var screen = try #require(altered.entries[place].event.message)
    screen.bytes = Self.replacing("Kelly", "Robin")(screen.bytes)
    altered.replace(place, screen)
    #expect(altered.names == ["invariant.issuer-signed/value"])
    var other = AlteredJournal(result)
    other.world.terminals[0].acceptsIssuers = ["local-driving-authority"]
    #expect(other.names == ["invariant.issuer-signed/issuer"])
  }

  @Test("an answer without the person's agreement")
  func agreement() async throws {
    var altered = AlteredJournal(try await Self.headline())
    let place = try #require(
      altered.entries.firstIndex { entry in
        guard let message = entry.event.message, message.sender.role == .person else { return false }
        return String(decoding: message.bytes, as: UTF8.self).contains("authenticate")
      })
    var tap = try #require(altered.entries[place].event.message)
    tap.bytes = Self.replacing("succeeds", "fails")(tap.bytes)
    altered.replace(place, tap)
    #expect(altered.names == ["invariant.consent/agreement", "invariant.raw-request"])
  }

  @Test("a verified element that the view did not show")
  func hiddenElement() async throws {
    var altered = AlteredJournal(try await Self.headline())
    try altered.change(.show, to: .person, Self.replacing("\"identifier\":\"portrait\"", "\"identifier\":\"sex\""))
    #expect(altered.names == ["invariant.consent/element"])
  }

  private static func twoLicenses(_ suffix: String, _ name: String) async throws -> CaseResult {
    let results = try await ShippedScenarios.results(of: ShippedScenarios.folder + suffix)
    return try #require(results.first { $0.scenario.caseName == name })
  }

  @Test("a verified document that the view did not show as given, for a website and for an app")
  func otherDocument() async throws {
    let results = [
      try await Self.twoLicenses(
        "/documents/choose-a-document.yaml",
        "the site accepts the issuer of the second only, and does not say so"),
      try await Self.twoLicenses("/in-app/accepted.yaml", "the person chooses among two licenses"),
    ]
    for result in results {
      var altered = AlteredJournal(result)
      #expect(altered.names == [])
      // The view on the screen names the documents the other way round.
      let place = try #require(
        altered.entries.lastIndex { $0.event.message?.kind == .show && $0.event.message?.recipient.role == .person })
      var view = try #require(altered.entries[place].event.message)
      view.bytes = Self.replacing("spaceport-license", "SWAPPED")(view.bytes)
      view.bytes = Self.replacing("moonbase-license", "spaceport-license")(view.bytes)
      view.bytes = Self.replacing("SWAPPED", "moonbase-license")(view.bytes)
      altered.replace(place, view)
      #expect(altered.names == ["invariant.shown/document"], "\(result.scenario.name)")
      view.bytes = Self.replacing("moonbase-license", "SWAPPED")(view.bytes)
      view.bytes = Self.replacing("spaceport-license", "moonbase-license")(view.bytes)
      view.bytes = Self.replacing("Moonbase DMV", "Spaceport DMV")(view.bytes)
      altered.replace(place, view)
      #expect(altered.names == ["invariant.shown/issuer"], "\(result.scenario.name)")
    }
  }

  @Test("an app that shows one document and gives another breaks the invariant, and its fault is the only excuse")
  func anotherDocument() async throws {
    let path = ShippedScenarios.folder + "/faults/wallet/another-document.yaml"
    for result in try await ShippedScenarios.results(of: path) {
      let entries = result.journal.entries
      let broken = Invariants.everyViolation(in: entries, world: result.scenario.world)
      #expect(Set(broken.map(\.name)) == ["invariant.shown/document"], "\(result.scenario.name)")
      #expect(broken.allSatisfy { !$0.message.contains("Kelly") && $0.message.contains("-license") })
      let unexcused = entries.filter { if case .fault = $0.event { false } else { true } }
      let found = Invariants.violations(in: unexcused, world: result.scenario.world)
      #expect(Set(found.map(\.name)) == ["invariant.shown/document"])
    }
  }

  @Test("a verified response that no app sent")
  func unknownSource() async throws {
    var altered = AlteredJournal(try await Self.headline())
    try altered.change(.response, to: .operatingSystem) { $0.dropLast() + [$0[$0.count - 1] ^ 1] }
    #expect(altered.names == ["invariant.consent/source", "invariant.messages/relay"])
  }

  @Test("a verified element that the website did not ask for")
  func unaskedElement() async throws {
    var altered = AlteredJournal(try await Self.headline())
    try altered.change(.verificationResult, Self.replacing("\"given_name\":\"Kelly\"", "\"birth_place\":\"Kelly\""))
    #expect(
      altered.names == ["invariant.consent/element", "invariant.origin/element", "invariant.issuer-signed/value"])
  }

  @Test("the raw request in a message to an app before the person has agreed")
  func rawRequest() async throws {
    var altered = AlteredJournal(try await Self.headline())
    let raw = try #require(altered.entries[try altered.place(.rawRequest)].event.message).bytes
    try altered.change(.authorize) { $0.dropLast() + [UInt8(ascii: ",")] + raw.dropFirst() }
    #expect(altered.names == ["invariant.raw-request"])
  }

  @Test("a verified value of an issuing authority that the website does not accept")
  func issuer() async throws {
    var altered = AlteredJournal(try await Self.headline())
    altered.world.websites[0].acceptsIssuers = ["local-driving-authority"]
    #expect(altered.names == ["invariant.issuer-signed/issuer"])
  }

  @Test("a verified value of an issuing authority that the accepted list names for another type of documents")
  func listedIssuer() async throws {
    var altered = AlteredJournal(try await Self.headline())
    altered.world.websites[0].acceptsIssuers = []
    altered.world.websites[0].acceptsList = "astro-trust"
    var listOperator = WorldDescription.ListOperator(identifier: "astro-trust", name: "Astro Trust")
    listOperator.entries = [.init(issuer: "spaceport-dmv", documentTypes: ["org.iso.18013.5.1.mDL"])]
    altered.world.listOperators = [listOperator]
    #expect(altered.names == [])
    altered.world.listOperators[0].entries[0].documentTypes = ["org.iso.7367.1.mVRC"]
    #expect(altered.names == ["invariant.issuer-signed/issuer"])
  }

  @Test("two answers where one counts")
  func answeredTwice() async throws {
    for (kind, role, name) in [
      (MessageKind.credential, Party.Role.page, "call"), (.response, .browser, "request"),
      (.verificationResult, .page, "session"),
    ] {
      var altered = AlteredJournal(try await Self.headline())
      try altered.repeatMessage(kind, to: role)
      #expect(altered.names.contains("invariant.answered-once/\(name)"), "\(altered.names)")
      #expect(altered.names.isSubset(of: ["invariant.answered-once/\(name)", "invariant.messages/answer"]))
    }
  }

  @Test("a message that is lost, and an answer to the wrong party")
  func messages() async throws {
    var lost = AlteredJournal(try await Self.headline())
    lost.entries.remove(at: try lost.place(.tap, to: .browser))
    #expect(lost.names == ["invariant.messages/number"])

    var wrong = AlteredJournal(try await Self.headline())
    let place = try wrong.place(.presentmentBegun)
    let message = try #require(wrong.entries[place].event.message)
    wrong.replace(
      place,
      Message(
        number: message.number, sender: message.sender, recipient: message.recipient, kind: message.kind,
        mediaType: message.mediaType, bytes: message.bytes, answers: 1))
    #expect(wrong.names == ["invariant.messages/answer", "invariant.waiting/question"])
  }

  @Test("a question without an answer, and a call without an end")
  func waiting() async throws {
    var asked = AlteredJournal(try await Self.headline())
    asked.entries.removeSubrange(try asked.place(.presentmentBegun)...)
    #expect(asked.names == ["invariant.waiting/question"])

    var called = AlteredJournal(try await Self.headline())
    called.entries.removeSubrange(try called.place(.credential)...)
    #expect(called.names == ["invariant.waiting/call"])

    // While the selector waits for the person, the call may wait too.
    var open = AlteredJournal(try await Self.headline())
    open.entries.removeSubrange((try open.place(.showSelector) + 1)...)
    #expect(open.names == [])
  }

  @Test("a store that holds more than the request said, in a website's session and in an app's")
  func retention() async throws {
    let inApp = try await ShippedScenarios.results(of: ShippedScenarios.folder + "/in-app/accepted.yaml").first
    for result in [try await Self.headline(), try #require(inApp)] {
      let altered = AlteredJournal(result)
      let place = try #require(altered.entries.firstIndex { $0.event.note?.code == .websiteKept })
      let entry = altered.entries[place]
      let note = try #require(entry.event.note)
      #expect(note.facts.count { $0.name == Note.Kept.element } == 2, "the names that the request retains")
      #expect(altered.names == [])
      for (fact, name) in [
        (Note.Fact(Note.Kept.element, "org.iso.18013.5.1.mDL org.iso.18013.5.1 portrait"), "element"),
        (Note.Fact(Note.Kept.element, "org.iso.23220.photoid.1 org.iso.18013.5.1 given_name"), "element"),
        (Note.Fact(Note.Kept.response, "encrypted"), "response"),
      ] {
        var more = altered
        more.entries[place] = JournalEntry(
          number: entry.number, time: entry.time, party: entry.party,
          event: .note(Note(.websiteKept, note.message, facts: note.facts + [fact])))
        #expect(more.names == ["invariant.retention/\(name)"])
      }
    }
  }

  @Test("a website that keeps what it said it would not breaks the invariant, and its fault is the only excuse")
  func surplus() async throws {
    let path = ShippedScenarios.folder + "/faults/website/retention.yaml"
    for result in try await ShippedScenarios.results(of: path) {
      let entries = result.journal.entries
      let broken = Set(Invariants.everyViolation(in: entries, world: result.scenario.world).map(\.name))
      let isResponse = InjectedFaults(entries).identifiers == ["website.keeps-response"]
      #expect(broken == ["invariant.retention/\(isResponse ? "response" : "element")"], "\(result.scenario.name)")
      let unexcused = entries.filter { if case .fault = $0.event { false } else { true } }
      #expect(Set(Invariants.violations(in: unexcused, world: result.scenario.world).map(\.name)) == broken)
    }
  }

  @Test("a message that was intercepted is not its sender's statement")
  func interceptedStatement() async throws {
    var altered = AlteredJournal(try await Self.headline())
    try altered.change(.verificationResult, Self.replacing("Kelly", "Robin"))
    #expect(altered.names == ["invariant.issuer-signed/value"])
    try altered.intercept(.verificationResult, .dropped)
    #expect(altered.names == ["invariant.issuer-signed/value"], "a dropped message has its sender's bytes")
    try altered.intercept(.verificationResult, .flipped)
    #expect(altered.names == [])
  }

  @Test("a party passes on an answer that was intercepted before")
  func interceptedRelay() async throws {
    var altered = AlteredJournal(try await Self.headline())
    let answer = try #require(altered.entries[try altered.place(.response, to: .operatingSystem)].event.message).bytes
    let text = Base64URL.encode(answer)
    let other = Base64URL.encode(answer.dropLast() + [answer[answer.count - 1] ^ 1])
    for (kind, role) in [(MessageKind.response, Party.Role.browser), (.credential, .page)] {
      try altered.change(kind, to: role, Self.replacing(text, other))
    }
    #expect(altered.names == ["invariant.messages/relay"])
    try altered.intercept(.response, to: .browser, .flipped)
    #expect(altered.names == [])
    // The server's verdict on an altered answer would still be a violation.
    try altered.change(.submitResponse, Self.replacing(text, other))
    #expect(altered.names == ["invariant.consent/source"])
  }

  @Test("a message that arrives twice has two answers and two ends")
  func interceptedTwice() async throws {
    for (question, answer, role) in [
      (MessageKind.beginPresentment, MessageKind.presentmentBegun, Party.Role.page),
      (.getCredential, .credential, .page),
      (.announce, .response, .browser),
    ] {
      var altered = AlteredJournal(try await Self.headline())
      try altered.repeatMessage(answer, to: role)
      #expect(altered.names.count == 1, "\(altered.names)")
      try altered.intercept(question, .duplicated)
      #expect(altered.names == [], "\(question)")
      try altered.repeatMessage(answer, to: role)
      #expect(altered.names.count == 1, "the third is one too many")
    }
  }

  @Test("an exemption for an interception excuses its own invariants only, for its own kinds of messages")
  func interceptionExemptions() async throws {
    var altered = AlteredJournal(try await Self.headline())
    try altered.change(.show, to: .person, Self.replacing("\"identifier\":\"portrait\"", "\"identifier\":\"sex\""))
    try altered.intercept(.tap, .flipped)
    #expect(altered.names == ["invariant.consent/element"])
    try altered.intercept(.show, to: .person, .flipped)
    #expect(altered.names == [])

    var lost = AlteredJournal(try await Self.headline())
    lost.entries.removeSubrange(try lost.place(.presentmentBegun)...)
    try lost.intercept(.beginPresentment, .dropped)
    #expect(lost.names == [])
    for exemption in InvariantExemption.all { #expect(!exemption.reason.isEmpty && !exemption.findings.isEmpty) }
  }

  @Test("a violation names the messages that show it, and no value")
  func evidence() async throws {
    var altered = AlteredJournal(try await Self.headline())
    try altered.change(.verificationResult, Self.replacing("Kelly", "Robin"))
    let found = try #require(Invariants.violations(in: altered.entries, world: altered.world).first)
    let result = try #require(altered.entries[try altered.place(.verificationResult)].event.message)
    #expect(found.messages.contains(result.number))
    #expect(found.evidence.contains { $0.hasPrefix("message \(result.number)  server of spaceship-rentals -> ") })
    #expect(found.message.contains("given_name"))
    #expect(!(found.message + found.evidence.joined()).contains("Robin"))
  }
}
