import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import TestSupport
import Testing
import Vocabulary

@testable import DemoServer

@Suite("Free play on the stage") struct FreePlayTests {
  private struct World: Decodable {
    struct Actor: Decodable {
      var id: String
      var title: String
      var shortTitle: String
    }
    struct Device: Decodable {
      var kind: String
      var title: String
    }
    var actors: [Actor]
    var core: [String]
    var devices: [Device]
  }

  private static let folder = Programs.package.appendingPathComponent("scenarios/worlds").path
  private static let worlds = FileManager.default.subpaths(atPath: folder)?.filter { $0.hasSuffix(".yaml") } ?? []

  @Test("Every party of every device has a title of its own, without identifiers", arguments: worlds)
  func titles(_ file: String) async throws {
    try await ServedStage.test { client in
      let name = file.dropLast(".yaml".count)
      let response = try await client.execute(
        uri: "/api/worlds", method: .post, headers: [.contentType: "application/json"],
        body: ByteBuffer(string: #"{"world":"\#(name)","steps":0}"#))
      try #require(response.status == .created, "\(String(buffer: response.body))")
      let world = try JSONDecoder().decode(World.self, from: Data(buffer: response.body))
      let titles = world.actors.map(\.title)
      #expect(Set(titles).count == titles.count, "\(titles)")
      #expect(!world.core.isEmpty && Set(world.actors.map(\.id)).isSuperset(of: world.core))
      let parts = world.actors.flatMap { $0.id.split { ":@/#".contains($0) }.dropFirst() }.map(String.init)
      let identifiers = Set(parts.filter { $0.contains("-") && !$0.contains(" ") })
      for title in titles + world.actors.map(\.shortTitle) + world.devices.map(\.title) {
        #expect(identifiers.isDisjoint(with: title.split { " ,".contains($0) }.map(String.init)), "\(title)")
      }
      for (kind, end) in ["iphone": "iPhone", "ipad": "iPad", "mac": "Mac"] {
        for device in world.devices where device.kind == kind { #expect(device.title.hasSuffix(end)) }
      }
    }
  }

  @Test("A step by hand is told in the words of a scenario's step") func words() async throws {
    var setting = DemoConfiguration(path: Self.folder + "/several-devices.yaml")
    setting.steps = 0
    let session = Session(
      identifier: "here", setting: setting, worldName: nil, scenarioName: nil,
      world: try setting.begin(clock: StandingClock()))
    defer { session.world.stop() }
    let laptop = "kellys-laptop"
    try await session.world.perform([
      .person(.carry(device: laptop, place: "lounge")), .person(.visit(website: "spaceship-rentals", device: laptop)),
      .person(.on("kellys-iphone", .touch(.delete(document: "mDL", app: "Wallet")))),
    ])
    let words = session.world.words.sorted { $0.key < $1.key }.map(\.value)
    #expect(
      words == [
        "Kelly carries Kelly\u{2019}s laptop to the lounge", "Kelly opens Spaceship Rentals on Kelly\u{2019}s laptop",
        "Kelly deletes the Driver's License in Wallet on Kelly\u{2019}s iPhone",
      ])
    let events = EventLog(of: session.world, named: "here", among: ReaderCount())
    let reader = try events.addReader(after: nil)
    var text = ""
    while case .event(let bytes) = reader.next() { text += String(buffer: bytes) }
    // A step without consequences is not on the wire.
    for words in words.dropFirst() { #expect(text.contains(#""phrase":"\#(words)""#), "\(words)") }
  }
}
