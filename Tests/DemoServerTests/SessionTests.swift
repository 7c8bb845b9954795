import Foundation
import InteractiveWorlds
import Synchronization
import TestSupport
import Testing

@testable import DemoServer

/// The live worlds of the server and their names.
@Suite("Sessions") struct SessionTests {
  private final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func increase() { count.withLock { $0 += 1 } }
  }

  private static func begin(in sessions: Sessions) throws(HTTPProblem) -> Session {
    let setting = DemoConfiguration(
      path: Programs.package.appendingPathComponent("scenarios/worlds/spaceport.yaml").path)
    do throws(InteractiveWorldError) {
      return sessions.add(try setting.begin(), setting, worldName: nil, scenarioName: nil)
    } catch {
      throw HTTPProblem(error)
    }
  }

  @Test func oldWorldsMakeRoomForNewOnes() throws {
    let sessions = Sessions()
    defer { sessions.end() }
    var identifiers: [String] = []
    for _ in 0...Sessions.maximumCount {
      let session = try Self.begin(in: sessions)
      sessions.name(session, "the name of \(identifiers.count)")
      identifiers.append(session.identifier)
    }
    #expect(throws: HTTPProblem.self) { try sessions.find("the name of 0") }
    #expect(try sessions.find("the name of 1").identifier == identifiers[1])
    #expect(throws: HTTPProblem.self) { try sessions.find(identifiers[0]) }
    #expect(try sessions.find(identifiers[1]).identifier == identifiers[1])
  }

  @Test func theWorldOfATestMakesNoRoomForOthers() throws {
    let sessions = Sessions()
    defer { sessions.end() }
    let ofTest = try Self.begin(in: sessions)
    ofTest.use.setOfTest()
    let other = try Self.begin(in: sessions)
    for _ in 0..<Sessions.maximumCount { _ = try Self.begin(in: sessions) }
    #expect(sessions.unused(ofTest.identifier) != nil)
    #expect(sessions.unused(other.identifier) == nil)
  }

  @Test func aNamedWorldThatHasEndedIsStartedAgain() async throws {
    let sessions = Sessions()
    defer { sessions.end() }
    func find() async throws -> Session {
      try await sessions.find(named: "default") { () async throws(HTTPProblem) in try Self.begin(in: sessions) }
    }
    let first = try await find()
    #expect(try await find().identifier == first.identifier)
    let (endings, ended) = AsyncStream.makeStream(of: Bool.self)
    _ = first.world.watch({ _ in }, ended: { ended.finish() })
    first.world.stop()
    for await _ in endings {}
    #expect(try await find().identifier != first.identifier)
  }

  @Test func simultaneousRequestsForANameGetTheSameWorld() async throws {
    let sessions = Sessions()
    defer { sessions.end() }
    let begun = Counter()
    let found = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<20 {
        group.addTask {
          try await sessions.find(named: "default") { () async throws(HTTPProblem) in
            begun.increase()
            return try Self.begin(in: sessions)
          }.identifier
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(found.count == 1)
    #expect(begun.value == 1)
  }

  @Test func aSlowStartDoesNotDelayOtherWorlds() async throws {
    let sessions = Sessions()
    defer { sessions.end() }
    let (permissions, permitted) = AsyncStream.makeStream(of: Bool.self)
    let (beginnings, beginning) = AsyncStream.makeStream(of: Bool.self)
    async let slow = sessions.find(named: "slow") { () async throws(HTTPProblem) in
      beginning.finish()
      for await _ in permissions {}
      return try Self.begin(in: sessions)
    }
    for await _ in beginnings {}
    let quick = try await sessions.find(named: "quick") { () async throws(HTTPProblem) in
      try Self.begin(in: sessions)
    }
    permitted.finish()
    #expect(try await slow.identifier != quick.identifier)
  }

  @Test func aFailedStartIsTriedAgainForTheSameName() async throws {
    let sessions = Sessions()
    defer { sessions.end() }
    await #expect(throws: HTTPProblem.self) {
      try await sessions.find(named: "default") { () async throws(HTTPProblem) in throw HTTPProblem.noWorld }
    }
    _ = try await sessions.find(named: "default") { () async throws(HTTPProblem) in try Self.begin(in: sessions) }
    #expect(!(try sessions.find("default").world.hasEnded))
  }
}
