import Messaging
import NearbyDevices
import ShippedScenarios
import Testing
import WireSearch

@testable import ScenarioLanguage
@testable import ScenarioRunner

/// Properties of every shipped scenario in which a Mac and an iPhone work together.
@Suite("Model of a nearby iPhone: who sees what")
struct NearbySecrecyTests {
  private static let files = ShippedScenarios.files.filter { $0.contains("/nearby-") }

  private static func nearbyMessages(of result: CaseResult) -> [Message] {
    SecrecyTests.messages(of: result).filter { $0.sender.role == .nearby || $0.recipient.role == .nearby }
  }

  @Test(
    "a raw request reaches one iPhone at most for each request of a page, and only after the person agreed",
    arguments: files)
  func oneRelease(file: String) async throws {
    for result in try await ShippedScenarios.results(of: file) {
      var released: Set<Party> = []
      var asked: Set<Party> = []
      for message in SecrecyTests.messages(of: result) {
        switch (message.kind, message.sender.role, message.recipient.role) {
        case (.announce, .browser, .nearby): released.remove(message.recipient)
        case (.release, .operatingSystem, .nearby): asked.insert(message.recipient)
        case (.rawRequest, .browser, .nearby):
          #expect(!asked.isEmpty, "\(file): no person has agreed")
          #expect(released.insert(message.recipient).inserted, "\(file): released twice")
        default: break
        }
      }
    }
  }

  @Test("frames and adverts show neither the website nor the request", arguments: files)
  func nothingInClear(file: String) async throws {
    for result in try await ShippedScenarios.results(of: file) {
      let clear = Self.nearbyMessages(of: result).filter { [.nearbyFrame, .advertise, .advert].contains($0.kind) }
      let wanted = result.scenario.world.websites.compactMap(\.origin.host).map { WireSearch.Wanted(Array($0.utf8)) }
      for message in clear {
        let search = WireSearch(message.bytes)
        #expect(!wanted.contains(where: search.finds), "\(message.kind.rawValue) in \(file)")
      }
    }
  }

  @Test("every screen of the model names it as a model", arguments: files)
  func labelled(file: String) async throws {
    for result in try await ShippedScenarios.results(of: file) {
      for message in SecrecyTests.messages(of: result)
      where [.showContinue, .showNotification].contains(message.kind) {
        #expect(String(decoding: message.bytes, as: UTF8.self).contains("A model of presentment"), "\(file)")
      }
      for note in result.journal.entries.filter({ $0.party.role == .nearby }) {
        #expect(note.party.title.contains("model"))
      }
    }
  }
}
