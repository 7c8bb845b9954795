import Foundation
import InteractiveWorlds
import Messaging
import NIOCore
import Synchronization
import TestSupport
import TestTraits
import Testing

@testable import DemoServer

/// The memory that worlds and their readers take.
@Suite("Bounds of worlds and readers") struct BoundsTests {
  private static func begin(in sessions: Sessions) throws -> Session {
    let setting = DemoConfiguration(
      path: Programs.package.appendingPathComponent("scenarios/worlds/spaceport.yaml").path)
    return sessions.add(try setting.begin(clock: StandingClock()), setting, worldName: nil, scenarioName: nil)
  }

  private static func visit(in session: Session) async throws {
    try await session.world.perform(.person(.visit(website: "spaceship-rentals", device: session.device)))
  }

  /// Takes every event that is there.
  private static func take(_ reader: EventReader) -> (events: [ByteBuffer], isOver: Bool) {
    var events: [ByteBuffer] = []
    while true {
      switch reader.next() {
      case .event(let event): events.append(event)
      case .nothing: return (events, false)
      case .end: return (events, true)
      }
    }
  }

  private static func place(_ buffer: ByteBuffer) -> UnsafeRawPointer? {
    buffer.withUnsafeReadableBytes { $0.baseAddress }
  }

  /// A reader's last identifier of an event.
  private static func identifier(_ events: [ByteBuffer]) -> String? {
    events.compactMap { event in
      String(buffer: event).split(separator: "\n").first { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
    }.last
  }

  @Test func readersShareTheBytesOfAnEvent() async throws {
    let sessions = Sessions()
    defer { sessions.end() }
    let session = try Self.begin(in: sessions)
    let readers = try (0..<3).map { _ in try session.events.addReader(after: nil) }
    try await Self.visit(in: session)
    let taken = readers.map { Self.take($0).events.map(Self.place) }
    #expect(taken[0].count >= 2 && Set(taken).count == 1)
  }

  @Test func aReaderThatStallsIsDroppedAndCanComeBack() async throws {
    let sessions = Sessions()
    defer { sessions.end() }
    let session = try Self.begin(in: sessions)
    let isDropped = Mutex(false)
    let stalled = try session.events.addReader(after: nil) { isDropped.withLock { $0 = true } }
    let other = try session.events.addReader(after: nil)
    let last = Self.identifier(Self.take(stalled).events)
    var steps = 0
    while !isDropped.withLock({ $0 }) {
      try #require(steps < 10_000)
      try await Self.visit(in: session)
      #expect(!Self.take(other).isOver)
      steps += 1
    }
    #expect(session.events.byteCount > EventLog.maximumLag)
    #expect(Self.take(stalled).isOver)
    #expect(Self.take(stalled).events.isEmpty)
    let again = Self.take(try session.events.addReader(after: last))
    #expect(
      !again.isOver && Self.identifier(again.events) == "\(session.identifier):\(session.world.journal.entries.count)")
  }

  @Test func theReadersOfAWorldAreLimited() throws {
    let sessions = Sessions()
    defer { sessions.end() }
    let session = try Self.begin(in: sessions)
    var readers: [EventReader] = []
    for _ in 0..<EventLog.maximumReaders { readers.append(try session.events.addReader(after: nil)) }
    #expect(throws: HTTPProblem.self) { try session.events.addReader(after: nil) }
    readers.removeLast()
    #expect(session.events.readerCount == EventLog.maximumReaders - 1)
    readers.append(try session.events.addReader(after: nil))
    readers = []
    #expect(session.events.readerCount == 0)
  }

  @Test func theReadersOfAllWorldsAreLimited() throws {
    let sessions = Sessions()
    defer { sessions.end() }
    var readers: [EventReader] = []
    while readers.count < ReaderCount.maximum {
      let session = try Self.begin(in: sessions)
      let free = min(EventLog.maximumReaders, ReaderCount.maximum - readers.count)
      for _ in 0..<free { readers.append(try session.events.addReader(after: nil)) }
    }
    let another = try Self.begin(in: sessions)
    #expect(throws: HTTPProblem.self) { try another.events.addReader(after: nil) }
    readers.removeLast()
    _ = try another.events.addReader(after: nil)
  }

  @Test(.backstop) func anEndedWorldReleasesItsJournalAlthoughAReaderIsLeft() async throws {
    final class Kept {
      weak var journal: Journal?
      init(_ journal: Journal) { self.journal = journal }
    }
    let sessions = Sessions()
    func begin() async throws -> (Kept, EventReader, String) {
      let session = try Self.begin(in: sessions)
      let reader = try session.events.addReader(after: nil)
      try await Self.visit(in: session)
      session.world.stop()
      return (Kept(session.world.journal), reader, session.identifier)
    }
    let (kept, reader, identifier) = try await begin()
    for await _ in reader.wakes where sessions.known(identifier) == nil { break }
    // The world's thread has it for a moment longer.
    while kept.journal != nil { await Task.yield() }
    let (events, isOver) = Self.take(reader)
    #expect(isOver && events.last.map { String(buffer: $0) }?.contains("live.ended") == true)
    #expect(events.contains { String(buffer: $0).hasPrefix("event: entries") })
  }

  @Test func allWorldsTogetherAreLimited() async throws {
    let measured = Sessions()
    defer { measured.end() }
    let size = try Self.begin(in: measured).byteCount
    try #require(size > 10_000)
    let sessions = Sessions(maximumBytes: size * 5 / 2)
    defer { sessions.end() }
    let first = try Self.begin(in: sessions)
    let second = try Self.begin(in: sessions)
    _ = try sessions.find(first.identifier)
    // The world that has been unused for the longest time makes room for a new one, and for one that grows.
    let third = try Self.begin(in: sessions)
    #expect(sessions.known(second.identifier) == nil)
    try #require(sessions.known(first.identifier) != nil)
    _ = try sessions.find(third.identifier)
    var steps = 0
    while third.byteCount + first.byteCount <= size * 5 / 2 {
      try #require(steps < 10_000)
      try await Self.visit(in: third)
      steps += 1
    }
    #expect(sessions.known(first.identifier) == nil)
    #expect(sessions.known(third.identifier) != nil)
  }
}
