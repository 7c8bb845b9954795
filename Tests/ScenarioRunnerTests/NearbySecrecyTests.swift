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
    "a request leaves the Mac's browser once, after the person tapped the notification, and reaches an app after the release",
    arguments: files)
  func oneRelease(file: String) async throws {
    var handovers = 0
    for result in try await ShippedScenarios.results(of: file) {
      var handedOver: Set<Party> = []
      var released: Set<Party> = []
      var hasTapped = false
      for message in SecrecyTests.messages(of: result) {
        switch (message.kind, message.sender.role, message.recipient.role) {
        case (.announce, .operatingSystem, .nearby): handedOver.remove(message.recipient)
        case (.tap, .person, .nearby): hasTapped = true
        case (.requestData, .browser, .nearby):
          #expect(hasTapped, "\(file): no person has tapped a notification")
          #expect(handedOver.insert(message.recipient).inserted, "\(file): handed over twice")
          handovers += 1
        case (.release, .operatingSystem, .nearby): released.insert(message.recipient)
        case (.rawRequest, .nearby, .app):
          #expect(released.contains(message.sender), "\(file): no person has agreed")
        default: break
        }
      }
    }
    #expect(handovers > 0, "\(file)")
  }

  @Test("every request that an iPhone's system shows was parsed by the iPhone's own sandbox", arguments: files)
  func ownSandbox(file: String) async throws {
    var announcements = 0
    for result in try await ShippedScenarios.results(of: file) {
      var announcing: Set<String> = []
      var parsed: Set<String> = []
      for message in SecrecyTests.messages(of: result) {
        switch (message.kind, message.sender.role, message.recipient.role) {
        case (.announce, .nearby, .operatingSystem):
          announcing.insert(message.recipient.name)
          announcements += 1
          parsed.remove(message.recipient.name)
        case (.partialRequest, .sandbox, .operatingSystem): parsed.insert(message.recipient.name)
        case (.showSelector, .operatingSystem, _):
          #expect(parsed.contains(message.sender.name) || !announcing.contains(message.sender.name), "\(file)")
        default: break
        }
      }
    }
    #expect(announcements > 0, "\(file)")
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
      #expect(!wanted.isEmpty, "\(file)")
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
