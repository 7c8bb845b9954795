import Foundation
import LocatedYAML
import Reports
import ScenarioFiles
import SimulationKernel
import Testing

@testable import Messaging
@testable import ScenarioLanguage
@testable import ScenarioSearch

@Suite("A sweep of a scenario's messages")
struct SweepTests {
  static let scenarios = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("scenarios").path

  static func headline() throws -> Scenario {
    let problems = ProblemCollector()
    return try #require(ScenarioReader.read(scenarios + "/headline.yaml", problems)?.first).parsing(.inProcess)
  }

  /// A plan for the first message of a kind in the headline.
  static func plan(for kind: MessageKind) throws -> SweepPlan {
    var plan = SweepPlan(try headline())
    let subject = try SweepSubject(plan.scenario, seed: plan.scenario.seed, reasons: [])
    plan.onlyMessage = try #require(subject.messages.first { $0.kind == kind }).number
    return plan
  }

  static func findings(_ result: SweepResult) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: result.outcomes.map { outcome in
        let text =
          switch outcome.finding {
          case .noticed(let signal): "\(signal.party) \(signal.name)"
          case .seen: "seen"
          case .unnoticed(let reason): "unnoticed: \(reason.name)"
          case .unexplained: "unexplained"
          case .undecided(let cause): "undecided: \(cause)"
          case .violation(let rule): "violation: \(rule)"
          case .notApplicable: "not applicable"
          }
        return (outcome.alteration.name, text)
      })
  }

  @Test("Every byte of a small message is flipped, and every other change is made")
  func smallMessage() throws {
    let result = try Self.plan(for: .collectRequest).run()
    let findings = Self.findings(result)
    let names = result.outcomes.map(\.alteration.name)
    #expect(names.prefix(10) == (0..<10).map { "byte-\($0)-bit-0" }[...])
    #expect(
      names.dropFirst(10).prefix(5) == ["truncated-0", "truncated-5", "truncated-9", "dropped", "duplicated"])
    #expect(findings["byte-0-bit-0"] == "browser:kellys-iphone message.ignored")
    #expect(findings["truncated-9"] == "browser:kellys-iphone message.ignored")
    #expect(findings["duplicated"] == "sandbox:kellys-iphone message.ignored")
    #expect(
      SweepReport(result).text.hasSuffix("not confined, to save a third of the time; --sandbox process confines it\n"))
    // The sandbox waits for the request, so the person sees no selector.
    #expect(findings["dropped"] == "seen")
    #expect(result.isClean)
  }

  @Test("Whatever is altered on the way through a tunnel is noticed, or has a reason")
  func tunnel() throws {
    let problems = ProblemCollector()
    let scenario = try #require(
      ScenarioReader.read(Self.scenarios + "/cross-device/qr-code-on-a-laptop.yaml", problems)?.first)
    var plan = SweepPlan(scenario.parsing(.inProcess))
    let subject = try SweepSubject(plan.scenario, seed: plan.scenario.seed, reasons: [])
    let heads: [MessageKind] = [.openTunnel, .tunnelOpen]
    for message in subject.messages where (heads + [.tunnelMessage, .closeTunnel]).contains(message.kind) {
      plan.onlyMessage = message.number
      // Headers byte by byte; sealed messages have one seal over all of them.
      plan.stride = heads.contains(message.kind) ? 1 : 400
      let findings = Self.findings(try plan.run())
      #expect(findings.filter { $0.value == "unexplained" } == [:], "message \(message.number)")
    }
  }

  /// The bytes of an `IssuerSignedItem` before its first member, `digestID`: two tags' heads, and the heads of map and text.
  private static let itemHead = 6

  @Test("A case with an issuer's fault has a reason for what its app does not present")
  func issuerAtFault() throws {
    let problems = ProblemCollector()
    let scenario = try #require(
      ScenarioReader.read(Self.scenarios + "/faults/issuer/security-object.yaml", problems)?
        .first { $0.caseName == "expired" })
    var plan = SweepPlan(scenario.parsing(.inProcess))
    plan.stride = 150
    let subject = try SweepSubject(plan.scenario, seed: plan.scenario.seed, reasons: [])
    let documents = subject.messages.filter { $0.kind == .document && $0.recipient.name.hasSuffix("/Wallet") }
    #expect(documents.count == 2)
    for message in documents {
      plan.onlyMessage = message.number
      plan.reasons = SweepReason.all
      let findings = Self.findings(try plan.run())
      #expect(findings.filter { $0.value == "unexplained" } == [:], "message \(message.number)")
      #expect(findings.values.contains("unnoticed: presented-unchecked"), "message \(message.number)")
      // What the website gets is still compared with its digests.
      let noticing = findings.values.contains("server:spaceship-rentals element.digest")
      #expect(noticing == (message.number == documents.last?.number))
      plan.reasons.removeAll { $0.name == "presented-unchecked" }
      #expect(Self.findings(try plan.run()).values.contains("unexplained"), "message \(message.number)")
      guard message.number == documents.last?.number else { continue }
      // The signed part of the new document, and the elements that the website asks for, have no such reason.
      let asked = ["family_name", "given_name", "age_over_21", "driving_privileges", "portrait"]
      let end = try #require(message.bytes.ranges(of: Array("issuerAuth".utf8)).first?.lowerBound)
      let items = message.bytes.ranges(of: Array("digestID".utf8)).map { $0.lowerBound - Self.itemHead }
      for (name, finding) in findings where finding == "unnoticed: presented-unchecked" {
        let byte = try #require(name.split(separator: "-").dropFirst().first.flatMap { Int($0) })
        let start = try #require(items.last { $0 <= byte }, "\(name)")
        let item = message.bytes[start..<(items.first { $0 > byte } ?? end)]
        #expect(byte < end && !asked.contains { item.contains(Array($0.utf8)) }, "\(name)")
      }
    }
  }

  @Test("An alteration that no reason covers is reported")
  func plantedInsensitivity() throws {
    var plan = try Self.plan(for: .load)
    let explained = try plan.run()
    #expect(explained.isClean)
    #expect(Self.findings(explained)["byte-0-bit-0"] == "unnoticed: no-arguments")
    plan.reasons = []
    let bare = try plan.run()
    #expect(!bare.isClean)
    #expect(Self.findings(bare)["byte-0-bit-0"] == "unexplained")
    #expect(SweepReport(bare).text.contains("--change byte-0-bit-0"))
  }

  @Test("A view that is altered on its way to the eyes breaks no rule, wherever it is altered")
  func views() throws {
    var plan = try Self.plan(for: .show)
    // A stride that is no divisor of the lengths of usual fields.
    plan.stride = 13
    let result = try plan.run()
    #expect(result.isClean, "\(SweepReport(result).text)")
    #expect(result.outcomes.count > 60)
  }

  @Test("One and two jobs give the same report")
  func jobs() throws {
    var plan = try Self.plan(for: .collectRequest)
    let one = SweepReport(try plan.run())
    plan.jobs = 2
    let two = SweepReport(try plan.run())
    #expect(one.json == two.json)
    #expect(one.text == two.text)
  }

  @Test("The map has each byte once, with its outcome, and nothing of a message becomes markup")
  func map() throws {
    let result = try Self.plan(for: .collectRequest).run()
    let page = SweepReport(result).html
    let titles = page.matches(of: /<title>bytes? (\d+)(?: to (\d+))? · [^<]*(noticed|seen)[^<]*<\/title>/)
    let bytes = try titles.flatMap { title in
      let first = try #require(Int(title.output.1))
      return Array(first...(title.output.2.flatMap { Int($0) } ?? first))
    }
    #expect(bytes == Array(0..<10))
    for outcome in result.outcomes.dropFirst(10) {
      #expect(page.contains("<th scope=\"row\">\(outcome.alteration.name)</th>"), "\(outcome.alteration.name)")
    }
    #expect(!page.contains("<script"))
    var other = try Self.plan(for: .load)
    other.reasons = []
    #expect(SweepReport(try other.run()).html.contains("<path class=\"defect\""))
  }

  @Test("A limit of flips alters each message, at equal distances, and the map says how many bytes")
  func flipLimit() throws {
    var plan = SweepPlan(try Self.headline())
    (plan.flipLimit, plan.flipsOnly) = (30, true)
    let result = try plan.run()
    let bytes = result.subject.messages.reduce(0) { $0 + $1.bytes.count }
    #expect(result.stride == (bytes + 29) / 30)
    #expect(Set(result.outcomes.map(\.alteration.number)) == Set(result.subject.messages.map(\.number)))
    #expect(result.outcomes.count <= 30 + result.subject.messages.count)
    #expect(result.outcomes.allSatisfy { $0.alteration.name.hasPrefix("byte-") })
    let view = SweepReport.View(run: "/?scenario=a", query: "scenario=a&seed=\"", message: nil, allBytes: "all <of> it")
    let page = SweepReport(result).html(in: view)
    #expect(page.contains("one byte of \(result.stride) was flipped, all &lt;of&gt; it alters every byte"))
    #expect(page.contains("<a href=\"/?scenario=a\">The run</a>") && !page.contains("seed=\"&"))
    for message in result.subject.messages { #expect(page.contains("&amp;message=\(message.number)\">More bytes")) }
    #expect(!SweepReport(result).html.contains("message=1"))
  }

  @Test("A sweep whose result is not wanted any more begins no further run")
  func abandoned() throws {
    let begun = Counter()
    let result = try Self.plan(for: .collectRequest).run(isWanted: { begun.next() <= 3 })
    #expect(result.outcomes.count == 3)
  }

  @Test("A fault of the catalogue acts on one message, and its check notices it")
  func faults() throws {
    var plan = try Self.plan(for: .credential)
    plan.usesFaults = true
    plan.onlyChange = "network.response-altered"
    let findings = Self.findings(try plan.run())
    #expect(findings == ["network.response-altered": "server:spaceship-rentals response.decryption/unexplained"])
  }

  /// The finding about one change of a message, the first that a test accepts.
  static func finding(
    _ change: String, in scenario: Scenario? = nil, where isWanted: (Message) -> Bool
  ) throws -> String? {
    var plan = SweepPlan(try scenario ?? headline())
    let subject = try SweepSubject(plan.scenario, seed: plan.scenario.seed, reasons: [])
    plan.onlyMessage = try #require(subject.messages.first { isWanted($0) }).number
    plan.onlyChange = change
    return findings(try plan.run())[change]
  }

  @Test(
    "An unreadable root and a document without elements are noticed where they arrive, even if the case needs neither")
  func preparation() throws {
    func isFrom(_ issuer: String, _ kind: MessageKind, to role: Party.Role) -> (Message) -> Bool {
      { $0.kind == kind && $0.sender.name == issuer && $0.recipient.role == role }
    }
    let other = "local-driving-authority"
    #expect(
      try Self.finding("truncated-0", where: isFrom(other, .root, to: .server))
        == "server:spaceship-rentals root.fingerprint")
    #expect(
      try Self.finding("byte-0-bit-0", where: isFrom(other, .root, to: .app))
        == "app:kellys-iphone/Local Driving Authority root.fingerprint")
    // A byte of the name of the member 'nameSpaces'.
    #expect(
      try Self.finding("byte-5-bit-0", where: isFrom(other, .document, to: .app))
        == "app:kellys-iphone/Local Driving Authority provider.not-provisioned")
  }

  /// An alteration of a message in person, and what is expected of it.
  struct InPerson: Sendable, CustomTestStringConvertible {
    let change: String
    let kind: MessageKind
    let recipient: Party.Role
    var isByNFC = false
    let finding: String

    var testDescription: String { "\(kind.rawValue) \(change)" }
  }

  @Test(
    "In person, an alteration is noticed, or a reason covers it",
    arguments: [
      InPerson(
        change: "byte-0-bit-0", kind: .readAttribute, recipient: .terminal,
        finding: "terminal:hangar-desk message.ignored"),
      InPerson(change: "dropped", kind: .stopScanning, recipient: .bluetooth, finding: "unnoticed: radio-search"),
      InPerson(change: "duplicated", kind: .connected, recipient: .mdoc, finding: "unnoticed: idempotent"),
      InPerson(change: "dropped", kind: .disconnect, recipient: .terminal, finding: "unnoticed: session-over"),
      InPerson(
        change: "dropped", kind: .certify, recipient: .readerAuthority, finding: "unnoticed: uninvolved"),
      InPerson(
        change: "byte-0-bit-0", kind: .command, recipient: .mdoc, isByNFC: true,
        finding: "terminal:hangar-desk proximity.tag/status"),
      InPerson(
        change: "duplicated", kind: .command, recipient: .mdoc, isByNFC: true, finding: "unnoticed: nfc-blocks"),
      InPerson(
        change: "byte-0-bit-0", kind: .commandResponse, recipient: .terminal, isByNFC: true,
        finding: "unnoticed: nfc-framing"),
    ])
  func inPerson(_ expected: InPerson) throws {
    let problems = ProblemCollector()
    let file = expected.isByNFC ? "/in-person/nfc.yaml" : "/in-person/qr-code.yaml"
    let name = expected.isByNFC ? "negotiated handover to NFC" : "Wallet"
    let cases = try #require(ScenarioReader.read(Self.scenarios + file, problems))
    let scenario = try #require(cases.first { $0.caseName == name }).parsing(.inProcess)
    let found = try Self.finding(expected.change, in: scenario) { message in
      guard message.kind == expected.kind, message.recipient.role == expected.recipient else { return false }
      switch (message.kind, expected.change) {
      // GET RESPONSE, of which the phone has many in a row.
      case (.command, "duplicated"): return message.bytes.starts(with: [0x00, 0xc0])
      // The capability container.
      case (.commandResponse, _): return message.bytes.count == 17
      // The website does not ask in this case.
      case (.certify, _): return message.sender.role == .server
      default: return true
      }
    }
    #expect(found == expected.finding)
  }

  @Test("The journal of an altered run has the alteration as a fault")
  func trace() throws {
    var plan = try Self.plan(for: .collectRequest)
    plan.onlyChange = "truncated-5"
    let result = try plan.run()
    let alteration = try #require(result.outcomes.first).alteration
    let entries = result.subject.replay(alteration).entries
    let fault = try #require(entries.lazy.compactMap(\.event.fault).first)
    #expect(fault.fault == "sweep.truncated")
    #expect(fault.messageNumber == alteration.number)
    let sent = try #require(entries.lazy.compactMap(\.event.message).first { $0.number == alteration.number })
    #expect(sent.bytes == Array(#"{"cal"#.utf8))
  }

  @Test("A case that fails unaltered cannot be swept")
  func failingCase() throws {
    let folder = NSTemporaryDirectory() + "sweep-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder + "/worlds", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.copyItem(
      atPath: Self.scenarios + "/worlds/spaceport.yaml", toPath: folder + "/worlds/spaceport.yaml")
    let text = "scenario: Too early\nworld: spaceport\nsteps:\n  - website: { verified: { given_name: Kelly } }\n"
    try text.write(toFile: folder + "/early.yaml", atomically: true, encoding: .utf8)
    let scenario = try #require(ScenarioReader.read(folder + "/early.yaml", ProblemCollector())?.first)
    let error = #expect(throws: SweepError.self) { try SweepPlan(scenario.parsing(.inProcess)).run() }
    #expect(error?.code == .notPassed)
  }

  @Test("A message and a change that do not exist are refused")
  func missing() throws {
    var plan = SweepPlan(try Self.headline())
    plan.onlyMessage = 10_000
    let noMessage = #expect(throws: SweepError.self) { try plan.run() }
    #expect(noMessage?.code == .noMessage)
    plan = try Self.plan(for: .load)
    plan.onlyChange = "byte-2-bit-0"
    let noChange = #expect(throws: SweepError.self) { try plan.run() }
    #expect(noChange?.code == .noChange)
  }
}

@Suite("The bounds of altered runs")
struct SweepBoundsTests {
  /// The headline with the bytes of its verification result replaced, and the number of that message.
  static func headline(_ old: String, _ new: String) throws -> (plain: Replay, altered: Replay, number: Int) {
    let scenario = try SweepTests.headline()
    let plain = Replay.run(scenario, seed: scenario.seed)
    let place = try #require(plain.entries.firstIndex { $0.event.message?.kind == .verificationResult })
    var message = try #require(plain.entries[place].event.message)
    message.bytes = Array(String(decoding: message.bytes, as: UTF8.self).replacing(old, with: new).utf8)
    #expect(message.bytes != plain.entries[place].event.message?.bytes, "the test changes nothing")
    var entries = plain.entries
    entries[place] = JournalEntry(
      number: entries[place].number, time: entries[place].time, party: entries[place].party, event: .message(message))
    return (plain, Replay(journal: plain.journal, entries: entries, stop: nil, rounds: []), message.number)
  }

  @Test("An altered run that breaks an invariant breaks a rule, unless the unaltered run breaks it as well")
  func invariants() throws {
    let world = try SweepTests.headline().world
    let (plain, altered, _) = try Self.headline("Kelly", "Jelly")
    #expect(SweepBounds(of: plain, in: world).violation(in: plain, exceptMessage: nil) == nil)
    let rule = SweepBounds(of: plain, in: world).violation(in: altered, exceptMessage: nil)
    #expect(rule?.hasPrefix("invariant.issuer-signed/value: ") == true, "\(rule ?? "none")")
    #expect(SweepBounds(of: altered, in: world).violation(in: altered, exceptMessage: nil) == nil)
  }

  @Test(
    "Elements that the unaltered run does not verify break a rule, unless the alteration or the issuer put them there")
  func otherElements() throws {
    let world = try SweepTests.headline().world
    let (plain, refused, number) = try Self.headline(#""verdict":"verified""#, #""verdict":"refused""#)
    let bounds = SweepBounds(of: refused, in: world)
    #expect(bounds.violation(in: refused, exceptMessage: nil) == nil)
    #expect(bounds.violation(in: plain, exceptMessage: nil)?.contains("verifies elements") == true)
    #expect(bounds.violation(in: plain, exceptMessage: number) == nil)
    #expect(bounds.violation(in: plain, exceptMessage: nil, issuersAreAtFault: true) == nil)
  }
}

@Suite("The place of a byte in a message")
struct BytePlaceTests {
  @Test(
    "A path leads through JSON, base64 and CBOR",
    arguments: [
      (#"{"call":12}"#, 8, "call"), (#"{"call":12}"#, 3, "call (name)"), (#"{"a":[1,{"b":"xy"}]}"#, 14, "a.1.b"),
      (#"{"a":[1,{"b":"xy"}]}"#, 13, "a.1.b"), (#"{"a":1}"#, 6, ""),
      // A map with the key 1 and the text "ab".
      (#"{"c":"oQFiYWI"}"#, 11, "c.1"), ("not JSON", 2, ""), ("", 0, ""), ("{}", 5, ""),
    ])
  func path(text: String, byte: Int, expected: String) {
    #expect(BytePlace(of: byte, in: Array(text.utf8)).path == expected)
  }
}
