import Foundation
import InteractiveWorlds
import Messaging
import ScenarioRunner
import Telling
import Testing

@testable import DemoServer

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
  }

  var actors: [Actor]
  var entries: [Entry]
  var outcome: Outcome
  var conclusion: Told?

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

    let concluded = Conclusion(of: journal.entries, person: result.scenario.world.names.actor)
    #expect(conclusion?.title == concluded?.title && conclusion?.text == concluded?.text, name)
    #expect(conclusion?.tone == concluded?.tone.rawValue && conclusion?.code == concluded?.code, name)
    #expect(conclusion?.line == concluded?.line, name)

    let ids = Set(actors.map(\.id))
    #expect(ids.count == actors.count && Set(actors.map(\.title)).count == actors.count, name)
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
