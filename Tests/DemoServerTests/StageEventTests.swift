import Foundation
import Hummingbird
import InteractiveWorlds
import Synchronization
import TestSupport
import Testing

@testable import DemoServer

/// The events of a world, for as long as a client reads them.
@Suite("Events of a world") struct StageEventTests {
  private static func session(takenOverAfter steps: Int? = nil) throws -> Session {
    let path = Programs.package.appendingPathComponent("scenarios/worlds/spaceport.yaml").path
    var setting = DemoConfiguration(path: path)
    setting.steps = steps
    return Session(
      identifier: "here", setting: setting, worldName: nil, scenarioName: nil,
      world: try setting.begin(clock: StandingClock()))
  }

  /// Collects the body until a condition holds.
  private final class Reader: ResponseBodyWriter {
    struct Enough: Error {}

    var text = ""
    private let isEnough: (String) -> Bool

    init(until isEnough: @escaping (String) -> Bool) { self.isEnough = isEnough }

    func write(_ buffer: ByteBuffer) throws {
      text += String(buffer: buffer)
      if isEnough(text) { throw Enough() }
    }

    consuming func finish(_: HTTPFields?) {}
  }

  private func read(_ response: Response, until isEnough: @escaping (String) -> Bool) async throws -> String {
    let reader = Reader(until: isEnough)
    await #expect(throws: Reader.Enough.self) { try await response.body.write(reader) }
    return reader.text
  }

  /// The identifiers of events, in their order.
  private func identifiers(_ text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.map { String($0.dropFirst("id: ".count)) }
  }

  @Test(arguments: [nil, "", "5000", "another:3", "another:5000", "here:", "here:-7", "here:x", "here:5000", "here:3"])
  func aStreamGoesOnBehindTheLineThatThisSessionReached(_ last: String?) async throws {
    let session = try Self.session()
    defer { session.world.stop() }
    try await session.world.perform(.person(.visit(website: "spaceship-rentals", device: session.device)))
    let lines = session.world.journal.entries.count
    try #require((4..<5_000).contains(lines))
    let first = ["here:5000": lines + 1, "here:3": 4][last ?? ""] ?? 1
    let text = try await read(try StageEvents(session: session).response(after: last)) { $0.contains("event: screen") }
    #expect(identifiers(text).last == (first > lines ? nil : "here:\(lines)"))
    #expect(text.contains(#""line":\#(first),"#) == (first <= lines))
    #expect(!text.contains(#""line":\#(first - 1),"#))
  }

  @Test func whatAHandCanDoComesAfterTheScreen() async throws {
    let session = try Self.session(takenOverAfter: 0)
    defer { session.world.stop() }
    for words in ["opens Spaceship Rentals", "touches the page"] {
      let text = try await read(try StageEvents(session: session).response(after: nil)) { $0.contains("event: hands") }
      let names = text.split(separator: "\n").filter { $0.hasPrefix("event: ") }.map { $0.dropFirst("event: ".count) }
      #expect(names.filter { $0 != "entries" } == ["screen", "hands"])
      #expect(text.contains(#""words":"\#(words)"#))
      try await session.world.perform(.person(.visit(website: "spaceship-rentals", device: nil)))
    }
  }

  @Test func aConnectedClientKeepsItsWorldFromEviction() async throws {
    let session = try Self.session()
    defer { session.world.stop() }
    let response = try StageEvents(session: session, interval: .milliseconds(1)).response(after: nil)
    let before = session.use.last
    _ = try await read(response) { $0.contains(": still here") }
    #expect(session.use.last > before)
  }
}
