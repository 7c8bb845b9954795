import Foundation
import HTTPTypes
import InteractiveWorlds
import Synchronization
import TestSupport
import TestTraits
import Testing

@testable import DemoServer

/// The threads for long work.
@Suite("Threads for long work") struct WorkerTests {
  /// Work that holds its thread until it is released.
  private final class Hold: Sendable {
    /// The number of turns after which work without a pause ends by itself, so that a test ends whose request waits for
    /// it: many times as many as any request takes.
    private static let turns = 100_000_000

    private let hasPause: Bool
    private let isReleased = Atomic(false)
    private let isEnded = Atomic(false)
    private let releasing = DispatchSemaphore(value: 0)

    /// - Parameter hasPause: false if the work keeps a core busy meanwhile.
    init(hasPause: Bool = true) { self.hasPause = hasPause }

    /// True if the work has ended by itself.
    var hasEndedByItself: Bool { isEnded.load(ordering: .relaxed) }

    /// Holds every thread of some workers.
    func begin(in workers: Workers) async {
      for _ in 0..<workers.threadLimit {
        Task { try await workers.run { self.work() } }
      }
      while workers.begunCount < workers.threadLimit { await Task.yield() }
    }

    func release() {
      isReleased.store(true, ordering: .relaxed)
      releasing.signal()
    }

    private func work() {
      if hasPause {
        releasing.wait()
        releasing.signal()
        return
      }
      for _ in 0..<Self.turns {
        if isReleased.load(ordering: .relaxed) { return }
        sched_yield()
      }
      isEnded.store(true, ordering: .relaxed)
    }
  }

  /// A request for a page.
  private struct Asked: Sendable {
    private final class Flag: Sendable { let isSet = Atomic(false) }

    private let flag = Flag()
    private let answer: Task<TestClient.Response, any Error>

    init(_ client: TestClient, seed: Int) {
      answer = Task { [flag] in
        defer { flag.isSet.store(true, ordering: .relaxed) }
        return try await client.execute(uri: "/api/play/page?scenario=headline&seed=\(seed)", method: .get)
      }
    }

    /// Waits until a number of requests wait for a thread, or this one is answered.
    func wait(until count: Int, in workers: Workers) async throws {
      while workers.waitingCount < count && !flag.isSet.load(ordering: .relaxed) { await Task.yield() }
      try #require(workers.waitingCount == count)
    }

    var status: HTTPResponse.Status { get async throws { try await answer.value.status } }
  }

  private static func server() throws -> DemoServer {
    let folder = Programs.package.appendingPathComponent("scenarios").path
    return try DemoServer(DemoServer.Configuration(world: folder + "/worlds/spaceport.yaml", folder: folder))
  }

  @Test(.backstop) func requestsNeedNoneOfTheThreads() async throws {
    try await Self.server().test { client in
      let (workers, hold) = (Workers.forRequests(), Hold(hasPause: false))
      defer { hold.release() }
      await hold.begin(in: workers)
      let answer = try await client.execute(uri: "/", method: .get)
      #expect(answer.status == .ok)
      #expect(!hold.hasEndedByItself)
    }
  }

  @Test(.backstop) func everythingElseIsAnsweredWhilePagesWait() async throws {
    let (pages, hold) = (Workers.forPages(), Hold())
    defer { hold.release() }
    try await Self.server().test(pageWorkers: pages) { client in
      await hold.begin(in: pages)
      let page = Asked(client, seed: 1)
      try await page.wait(until: 1, in: pages)
      // Others wait, too.
      for _ in 1..<pages.waitingLimit { Task { try await pages.run {} } }
      while pages.waitingCount < pages.waitingLimit { await Task.yield() }
      let refused = try await client.execute(uri: "/api/play/page?scenario=headline&seed=2", method: .get)
      #expect(refused.status == .tooManyRequests)
      #expect(refused.headers[.retryAfter].flatMap { Int($0) } != nil)
      for path in ["/", "/api/catalogue", "/api/play?scenario=headline&seed=1"] {
        #expect(try await client.execute(uri: path, method: .get).status == .ok, "\(path)")
      }
      #expect(pages.begunCount == pages.threadLimit)
      hold.release()
      #expect(try await page.status == .ok)
    }
  }

  @Test(.backstop) func aPageIsNotMadeForAClientThatHasLeft() async throws {
    let (pages, hold) = (Workers.forPages(), Hold())
    let connections = ConnectionLimit(16)
    defer { hold.release() }
    try await Self.server().testListening(connections: connections, pageWorkers: pages) { client, port in
      await hold.begin(in: pages)
      let leaving = try await RawConnection.open(port: port)
      try await leaving.get("/api/play/page?scenario=headline&seed=1")
      let page = Asked(client, seed: 2)
      try await page.wait(until: 2, in: pages)
      try await leaving.leave()
      while !connections.clients.contains(where: \.hasLeft) { await Task.yield() }
      hold.release()
      #expect(try await page.status == .ok)
      // After everything that waited.
      try await pages.run {}
      #expect(pages.begunCount == pages.threadLimit + 2)
    }
  }

  @Test(.backstop) func workThatIsNotWantedMakesRoom() async throws {
    let (workers, hold) = (Workers.forPages(), Hold())
    defer { hold.release() }
    await hold.begin(in: workers)
    let (wish, isDone) = (Wish(), Wish())
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<workers.waitingLimit {
        group.addTask {
          do throws(HTTPProblem) {
            try await workers.run(isWanted: { wish.isWanted.load(ordering: .relaxed) }) {}
            Issue.record("work that is not wanted is done")
          } catch {
            #expect(error.status == .tooManyRequests)
          }
        }
      }
      while workers.waitingCount < workers.waitingLimit { await Task.yield() }
      await #expect(throws: HTTPProblem.self) { try await workers.run {} }
      wish.isWanted.store(false, ordering: .relaxed)
      group.addTask {
        do { try await workers.run {} } catch { Issue.record(error) }
        isDone.isWanted.store(false, ordering: .relaxed)
      }
      // All others are refused, although no thread is free.
      while workers.waitingCount != 1 && isDone.isWanted.load(ordering: .relaxed) { await Task.yield() }
      #expect(workers.waitingCount == 1 && workers.begunCount == workers.threadLimit)
      hold.release()
    }
  }

  private final class Wish: Sendable {
    let isWanted = Atomic(true)
  }
}
