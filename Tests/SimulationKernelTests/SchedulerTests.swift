import Synchronization
import Testing

@testable import SimulationKernel

@Suite("The world's scheduler")
struct SchedulerTests {
  /// Records the order of the runs.
  final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  actor Counter {
    nonisolated let executor: ActorExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let name: String
    private let log: Log
    private var count = 0

    init(_ name: String, _ scheduler: WorldScheduler, _ log: Log) {
      executor = scheduler.makeExecutor()
      self.name = name
      self.log = log
    }

    func step(_ caller: Int) {
      count += 1
      log.add("\(name)\(count)<\(caller)")
    }
  }

  static func makeScheduler(seed: UInt64) -> WorldScheduler {
    WorldScheduler(
      start: WorldClock.Instant(secondsSince1970: 1_000), choices: Entropy(seed: seed).stream("schedule"))
  }

  static func schedule(seed: UInt64) -> [String] {
    let scheduler = makeScheduler(seed: seed)
    let log = Log()
    let actors = ["a", "b", "c"].map { Counter($0, scheduler, log) }
    for caller in 0..<3 {
      scheduler.spawn {
        await withTaskGroup(of: Void.self) { group in
          for actor in actors { group.addTask { await actor.step(caller) } }
        }
        try? await scheduler.clock.sleep(for: .milliseconds(10 * caller))
        log.add("awake \(caller) at \(scheduler.clock.now.nanosecondsSince1970 / 1_000_000)")
      }
    }
    #expect(scheduler.drain() == .quiet)
    return log.all
  }

  @Test("The same seed gives the same schedule")
  func repeats() {
    for seed in 0..<20 as Range<UInt64> { #expect(Self.schedule(seed: seed) == Self.schedule(seed: seed)) }
  }

  @Test("Other seeds give other schedules of the same work")
  func explores() {
    let schedules = (0..<40 as Range<UInt64>).map { Self.schedule(seed: $0) }
    #expect(Set(schedules).count > 10)
    // Seeds change the order of the calls, but not the number of calls.
    for schedule in schedules {
      #expect(schedule.count == 12)
      #expect(schedule.suffix(1) == ["awake 2 at 1000020"])
    }
  }

  @Test("Time stops while a job is ready, and moves to the next timer")
  func time() {
    let scheduler = Self.makeScheduler(seed: 1)
    let log = Log()
    scheduler.call(at: scheduler.clock.now.advanced(by: .seconds(5)), keepsAwake: true) { log.add("five") }
    scheduler.call(at: scheduler.clock.now.advanced(by: .seconds(2)), keepsAwake: true) { log.add("two") }
    scheduler.call(at: scheduler.clock.now.advanced(by: .seconds(90)), keepsAwake: false) { log.add("limit") }
    #expect(scheduler.drain() == .quiet)
    #expect(log.all == ["two", "five"])
    #expect(scheduler.clock.now.secondsSince1970 == 1_005)
    #expect(scheduler.advance(by: .seconds(85)) == .quiet)
    #expect(log.all == ["two", "five", "limit"])
    #expect(scheduler.clock.now.secondsSince1970 == 1_090)
  }

  @Test("A sleep can be cancelled before, during and after")
  func cancellation() {
    let scheduler = Self.makeScheduler(seed: 3)
    let log = Log()
    // A cancelled sleep does not keep the world awake until a later time limit.
    scheduler.call(at: scheduler.clock.now.advanced(by: .seconds(50)), keepsAwake: false) { log.add("limit") }
    scheduler.spawn {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          do {
            try await scheduler.clock.sleep(for: .seconds(100))
            log.add("slept")
          } catch {
            log.add("cancelled")
          }
        }
        try? await scheduler.clock.sleep(for: .seconds(1))
        group.cancelAll()
      }
    }
    #expect(scheduler.drain() == .quiet)
    #expect(log.all == ["cancelled"])
    #expect(scheduler.clock.now.secondsSince1970 == 1_001)
  }

  @Test("Discarded timers do not act, and do not keep the world awake")
  func discarding() {
    let scheduler = Self.makeScheduler(seed: 3)
    let log = Log()
    let start = scheduler.clock.now
    scheduler.call(at: start.advanced(by: .seconds(1)), keepsAwake: true) { log.add("discarded") }
    scheduler.spawn {
      do {
        try await scheduler.clock.sleep(for: .seconds(2))
      } catch {
        log.add("cancelled")
      }
    }
    #expect(scheduler.advance(by: .milliseconds(1)) == .quiet)
    scheduler.discardTimers()
    scheduler.call(at: start.advanced(by: .seconds(3)), keepsAwake: false) { log.add("limit") }
    #expect(scheduler.drain() == .quiet)
    #expect(log.all == ["cancelled"])
  }

  @Test("An instant before 1970 is rounded down to its second")
  func instants() {
    #expect(WorldClock.Instant(nanosecondsSince1970: -1).secondsSince1970 == -1)
    #expect(WorldClock.Instant(nanosecondsSince1970: 1_999_999_999).secondsSince1970 == 1)
    #expect(Duration.milliseconds(1_500).nanoseconds == 1_500_000_000)
  }
}
