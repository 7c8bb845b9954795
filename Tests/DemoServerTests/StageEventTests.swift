import Foundation
import Hummingbird
import Live
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import DemoServer

/// What is told of a world for as long as somebody looks.
@Suite("Events of a world") struct StageEventTests {
  /// A clock that stands still, so that nothing happens in a world of itself.
  private struct StillClock: LiveClock {
    let elapsed = Duration.zero
  }

  private static func session() throws -> Session {
    let path = Programs.package.appendingPathComponent("scenarios/worlds/spaceport.yaml").path
    let setting = DemoWorld(path: path)
    return Session(
      identifier: "here", setting: setting, worldName: nil, scenarioName: nil,
      world: try setting.begin(clock: StillClock()))
  }

  /// Takes what is sent, until it was enough.
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

  @Test func whoLooksKeepsTheWorldFromMakingRoom() async throws {
    let session = try Self.session()
    defer { session.world.stop() }
    let response = StageEvents(session: session, interval: .milliseconds(1)).response(after: 0)
    let before = session.lastUse
    _ = try await read(response) { $0.contains(": still here") }
    #expect(session.lastUse > before)
  }
}
