import Foundation
import InteractiveWorlds
import Messaging
import ScenarioRunner
import ShippedScenarios
import Telling
import Testing

@testable import DemoServer
@testable import StageViews

/// A play as the stage gets it.
struct StagePlay: Decodable {
  struct Actor: Decodable {
    var id: String
    var title: String
    var shortTitle: String
  }

  struct Readers: Decodable {
    var whole: [String]
    var seal: String?
    var sealedFor: String?
    var message: String
  }

  struct Entry: Decodable {
    var line: Int
    var by: String
    var kind: String
    var tone: String
    var code: String?
    var title: String?
    var number: Int?
    var from: String?
    var to: String?
    var readers: Readers?
    var phrase: String
  }

  struct Outcome: Decodable {
    var verdict: String
    var title: String
    var tone: String
    var headline: String?
  }

  struct Told: Decodable {
    var title: String
    var text: String
    var tone: String
    var code: String?
    var line: Int?
    var end: Int?
  }

  struct Step: Decodable {
    var words: String
    var lines: [Int]
  }

  struct Named: Decodable {
    var name: String
    /// The file of the icon, or a `data` URL.
    var icon: String?
  }

  private static let icons = ShippedScenarios.root.appendingPathComponent("Sources/Tools/TraceViews/Web/icons")

  var actors: [Actor]
  var core: [String]
  var entries: [Entry]
  var outcome: Outcome
  var conclusion: Told?
  var steps: [Step]
  var websites: [Named]
  var devices: [Named]

  init(_ play: Playback) throws {
    let json = Play(play, name: "case", faults: []).json
    self = try JSONDecoder().decode(StagePlay.self, from: json)
  }

  /// Expects that the stage tells verdict, parties, readers and conclusion of a run as its journal has them, and that
  /// every party has a title.
  func expectTruth(of result: CaseResult) throws {
    let name = Comment(rawValue: result.scenario.name)
    let journal = result.journal
    #expect(outcome.verdict == result.outcome.verdict.words && outcome.headline == result.outcome.headline, name)
    #expect(outcome.title == "Case \(outcome.verdict)" && ["good", "bad"].contains(outcome.tone), name)

    let concluded = Conclusion(
      of: journal.entries, names: result.scenario.world.names, lastLine: result.lastLine)
    #expect(conclusion?.title == concluded?.title && conclusion?.text == concluded?.text, name)
    #expect(conclusion?.tone == concluded?.tone.rawValue && conclusion?.code == concluded?.code, name)
    #expect(conclusion?.line == concluded?.line && conclusion?.end == concluded?.end, name)
    expectOrder(name)
    expectNames(name)
    for icon in websites.compactMap(\.icon) where !icon.hasPrefix("data:") {
      let file = Self.icons.appendingPathComponent(icon).path
      #expect(FileManager.default.fileExists(atPath: file), "\(name): no picture \(icon)")
    }

    let ids = Set(actors.map(\.id))
    #expect(ids.count == actors.count && Set(actors.map(\.title)).count == actors.count, name)
    let world = result.scenario.world
    let devices = DevicesInUse(world.devices, current: world.devices.first?.identifier ?? "")
    let parties = WorldParties(of: world, on: devices)
    let missing = ids.subtracting(parties.all.map(\.description))
    #expect(missing.isEmpty && Set(parties.all).isSuperset(of: parties.core), "\(name): \(missing.sorted())")
    #expect(ids.isSuperset(of: core) && core.contains("person:person") == ids.contains("person:person"), name)
    for actor in actors {
      let isNamed = [actor.title, actor.shortTitle].allSatisfy { $0.contains(where: \.isLetter) && !$0.hasSuffix(" ") }
      #expect(isNamed && !actor.title.hasPrefix(",") && !actor.title.contains(" of ,"), "\(name): \(actor)")
    }
    #expect(entries.count == journal.entries.count, name)
    for (told, entry) in zip(entries, journal.entries) {
      let message = entry.event.message
      let named =
        [told.by, told.from, told.to, told.readers?.sealedFor].compactMap(\.self) + (told.readers?.whole ?? [])
      #expect(ids.isSuperset(of: named), "\(name), line \(told.line): \(named)")
      #expect(told.line == entry.number && told.number == message?.number, name)
      #expect(told.from == message?.sender.description && told.to == message?.recipient.description, name)
      #expect(told.readers?.whole == message.map { [$0.sender.description, $0.recipient.description] }, name)
      #expect(told.readers?.message.contains("  ") != true && told.readers?.message.contains(" of and") != true, name)
    }
    try expectOpeners(of: journal, name)
  }

  /// Expects that the conclusion is one of what happened in the steps, and that it is not told before its end.
  private func expectOrder(_ name: Comment) {
    let last = steps.map { $0.lines[1] }.max() ?? 0
    let first = steps.first?.lines[0] ?? 0
    // An empty selector is the model's affair, whose reason the apps' findings have.
    let inSteps = first...max(first, last)
    let noticed = entries.first { $0.tone == "bad" && inSteps.contains($0.line) && $0.code != "os.no-app" }
    if conclusion == nil { #expect(noticed == nil, "\(name): \(noticed?.phrase ?? "")") }
    if let conclusion {
      #expect((conclusion.line ?? 0) <= last && (conclusion.end ?? 0) <= last, "\(name): \(conclusion)")
      let verdict = entries.last { $0.kind == "verdict" }
      if let end = conclusion.end, let verdict { #expect(end >= verdict.line, "\(name): \(conclusion)") }
      let isVerified = ["verified", "Nobody noticed", "No check failed", "accepted"].contains { told in
        "\(conclusion.title) \(conclusion.text)".contains(told)
      }
      if isVerified { #expect(conclusion.end != nil, "\(name): \(conclusion)") }
    }
  }

  /// Expects that words for people have no identifier of a world or of a code, and no name of an element.
  private func expectNames(_ name: Comment) {
    let parts = actors.flatMap { $0.id.split { ":@/#".contains($0) }.dropFirst() }.map(String.init)
    let identifiers = Set((parts + (websites + devices).map(\.name)).filter { $0.contains("-") && !$0.contains(" ") })
    let told =
      steps.map(\.words) + entries.compactMap(\.title) + entries.compactMap { $0.readers?.message }
      + [conclusion?.title].compactMap(\.self)
    // A literal is compiled at each use.
    let (ofCode, ofElement) = (
      /decides [a-z-]+\.|\.svg|org\.iso|with face-id|iphone/, /\b(given|family|aka|age|birth|document)_/
    )
    // A step without a world is told as in the file.
    for words in told where !words.hasPrefix("{") {
      let names = words.split { " ,;:()\u{201C}\u{201D}".contains($0) }.map(String.init)
      #expect(identifiers.isDisjoint(with: names), "\(name): \(words)")
      #expect(!words.contains(ofCode), "\(name): \(words)")
    }
    for entry in entries where entry.kind == "note" {
      let names = entry.phrase.split { " ,;:()\u{201C}\u{201D}".contains($0) }.map(String.init)
      #expect(identifiers.isDisjoint(with: names), "\(name): \(entry.phrase)")
    }
    for entry in entries where ["element.returned", "website.kept", "terminal.kept"].contains(entry.code) {
      #expect(!entry.phrase.contains(ofElement), "\(name): \(entry.phrase)")
    }
  }

  /// Expects that those who opened a sealed message are those who can open it.
  private func expectOpeners(of journal: Journal, _ name: Comment) throws {
    let readers = Dictionary(
      entries.compactMap { entry in entry.number.flatMap { number in entry.readers.map { (number, $0) } } }
    ) { first, _ in first }
    for opening in journal.openings {
      let told = try #require(readers[opening.message], name)
      #expect(told.seal != nil && told.sealedFor == opening.party.description, "\(name), message \(opening.message)")
    }
  }
}
