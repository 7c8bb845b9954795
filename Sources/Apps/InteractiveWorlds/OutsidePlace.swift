import DigitalCredentials
import Ecosystem
import Foundation
import JSON
import MobileDocument
import Scenarios
import SimulationKernel

/// Where a page that is no part of a world stands in it.
struct OutsidePlace {
  /// The world with the page in it.
  let scenario: Scenario
  /// The website that the page is of.
  let website: String
  /// The device whose browser has opened it.
  let device: String

  /// Puts a page into a world.
  /// - Throws: ``AnswerRefusal`` with ``AnswerRefusal/Code/world`` or ``AnswerRefusal/Code/origin``.
  init(_ question: OutsideAnswer.Question) throws(AnswerRefusal) {
    let origin: Origin
    do {
      origin = try Origin(serialized: question.origin)
    } catch {
      throw AnswerRefusal(.origin, "\(error)")
    }
    guard Scenario.clockRange.contains(question.moment) else {
      let (first, last) = (Scenario.clockRange.lowerBound, Scenario.clockRange.upperBound)
      throw AnswerRefusal(.world, "a world is of a moment between \(first) and \(last)")
    }
    let world = try Self.read(question.world, changes: []).world
    let change = PageChange(origin, into: world)
    website = change.website
    scenario = try Self.read(question.world, changes: [change.text]).beginning(at: question.moment)
    let devices = scenario.world.devices.map(\.identifier)
    let list = devices.joined(separator: ", ")
    if let device = question.device {
      guard devices.contains(device) else {
        throw AnswerRefusal(.world, "the world has no device \(device)", evidence: ["it has: \(list)"])
      }
      self.device = device
    } else {
      guard devices.count == 1, let device = devices.first else {
        throw AnswerRefusal(.world, "the world has several devices, or none; name one", evidence: ["it has: \(list)"])
      }
      self.device = device
    }
  }

  private static func read(_ path: String, changes: [String]) throws(AnswerRefusal) -> Scenario {
    let problems = ProblemCollector()
    guard let scenario = ScenarioReader.readLive(path, changes: changes, problems)?.first else {
      throw AnswerRefusal(
        .world, "the world cannot be read", evidence: problems.rendered().split(separator: "\n").map(String.init))
    }
    return scenario
  }

  /// Does a step in the world.
  func take(_ step: [String: [String: String]], _ run: inout ScenarioRun) throws(AnswerRefusal) {
    do {
      try run.take(try Step(JSONCoding.text(step), called: "step", for: scenario))
    } catch let stop as ScenarioRun.Stop {
      switch stop {
      case .failed: throw AnswerRefusal(run.world.journal, on: device)
      case .undecided(let sentence): throw AnswerRefusal(.broken, sentence)
      }
    } catch {
      throw AnswerRefusal(.broken, "\(error)")
    }
  }

  /// The app that the person picks.
  func app(_ name: String?, in selector: SelectorScreen) throws(AnswerRefusal) -> String {
    let offered = selector.offered.map(\.app)
    guard let name else {
      guard let first = offered.first else { throw AnswerRefusal(.appNotOffered, "the selector offers no app") }
      return first
    }
    if offered.contains(name) { return name }
    let hidden = selector.hidden.first { $0.app == name }
    throw AnswerRefusal(
      .appNotOffered, "the selector does not offer \(name)",
      evidence: hidden.map { ["\($0.sentence) [\($0.code)]", "it would appear: \($0.remedy)"] }
        ?? ["it offers: \(offered.joined(separator: ", "))"])
  }

  /// What the page got as protocol and data; nil when it got none.
  func credential(in journal: Journal) -> PageCredential? {
    let page = Party(.page, "\(website)@\(device)")
    for entry in journal.entries.reversed() {
      guard case .message(let message) = entry.event, message.recipient == page, message.subject == "DigitalCredential",
        let answer = try? JSONDecoder().decode(PageCredential.self, from: Data(message.bytes))
      else { continue }
      return answer
    }
    return nil
  }
}

/// What a page gets, without its own number of the call.
struct PageCredential: Codable, Sendable {
  var `protocol`: String
  var data: [String: String]
}
