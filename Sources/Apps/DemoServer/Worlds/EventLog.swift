import InteractiveWorlds
import JSON
import Messaging
import NIOCore
import StageViews
import Synchronization
import Telling
import TraceViews

/// The events of a world as readers get them (HTML, "Server-sent events"). Each is encoded once, when the world has a
/// reader, and all readers share its bytes; the acts by hand are encoded when a reader asks for them. A reader takes one
/// event after the other at its own pace.
final class EventLog: Sendable {
  /// The maximum number of readers of a world: a stage in each of a few browsers, and a phone over each page.
  static let maximumReaders = 64
  /// The maximum number of bytes that a world adds while a reader takes none: some 30 presentments. A reader that is
  /// further behind has stalled; it can come back with the identifier of its last event.
  static let maximumLag = 1 << 20

  /// The maximum number of journal lines in an event: an event is encoded and decoded as a whole.
  private static let batch = 500

  /// An event with lines of the journal.
  private struct Lines {
    let range: Range<Int>
    var bytes: ByteBuffer
    /// The bytes of all events with lines up to this one.
    let end: Int
  }

  private struct Position {
    /// The number of journal lines that the reader has.
    var lines: Int
    /// The next event with lines.
    var next: Int
    /// The number of the last screen that the reader has.
    var screen = 0
    /// The number of the screen whose acts by hand the reader has last.
    var hands = 0
    var hasEnding = false
    /// The bytes of the events that the reader took, or of all those before it came.
    var taken: Int
    let wake: @Sendable () -> Void
    let drop: @Sendable () -> Void
  }

  private struct State {
    /// Nil after the world has ended: the journal is not needed any more.
    var world: InteractiveWorld?
    var lines: [Lines] = []
    /// The openers of messages after the encoded lines.
    var openers: Openers
    var screen: (number: Int, bytes: ByteBuffer) = (0, ByteBuffer())
    /// The state of the world at the last screen.
    var snapshot: InteractiveWorld.Snapshot?
    /// The acts by hand at a screen.
    var hands: (screen: Int, bytes: ByteBuffer) = (0, ByteBuffer())
    /// The last event.
    var ending: ByteBuffer?
    var readers: [Int: Position] = [:]
    var nextReader = 0
    /// The number of readers, and of those that are about to be added.
    var readerCount = 0
    var isWatching = false
    /// True if something happened in the world that is not encoded yet.
    var isStale = false
    var isEncoding = false
    var hasEnded = false

    /// The number of lines that are encoded.
    var lineCount: Int { lines.last?.range.upperBound ?? 0 }
    /// The bytes of all events with lines.
    var byteCount: Int { lines.last?.end ?? 0 }

    /// Removes the readers that are too far behind, and returns the functions that end their connections.
    mutating func dropStalled() -> [@Sendable () -> Void] {
      let stalled = readers.filter { byteCount - $0.value.taken > EventLog.maximumLag }
      for reader in stalled.keys { readers[reader] = nil }
      return stalled.values.map(\.drop)
    }
  }

  /// The next thing for a reader.
  enum Next {
    case event(ByteBuffer)
    /// Nothing at the moment.
    case nothing
    /// The reader has every event, or was dropped.
    case end
  }

  private let session: String
  private let names: WorldNames
  private let state: Mutex<State>
  /// The readers of all worlds.
  private let all: ReaderCount

  /// - Parameter session: The name of the world in the identifiers of events.
  init(of world: InteractiveWorld, named session: String, among all: ReaderCount) {
    self.session = session
    self.all = all
    names = world.scenario.world.names
    state = Mutex(State(world: world, openers: Openers(names: names)))
  }

  /// The bytes of the encoded events.
  var byteCount: Int { state.withLock { $0.byteCount } }

  /// The number of readers.
  var readerCount: Int { state.withLock { $0.readerCount } }

  /// Adds a reader. It is removed when it is released.
  ///
  /// - Parameters:
  ///   - identifier: The identifier of the last event that the reader has. It starts at the first line if the identifier
  ///     is of another session, for example after a restart of the server.
  ///   - drop: Called if the reader falls too far behind.
  /// - Throws: ``HTTPProblem`` if there are too many readers, or the world has ended.
  func addReader(
    after identifier: String?, drop: @escaping @Sendable () -> Void = {}
  ) throws(HTTPProblem) -> EventReader {
    guard all.take() else { throw Self.tooMany }
    let reserved: Result<InteractiveWorld?, HTTPProblem> = state.withLock { state in
      guard let world = state.world else { return .failure(.noWorld) }
      guard state.readerCount < Self.maximumReaders else { return .failure(Self.tooMany) }
      state.readerCount += 1
      defer { state.isWatching = true }
      return .success(state.isWatching ? nil : world)
    }
    let unwatched: InteractiveWorld?
    do throws(HTTPProblem) {
      unwatched = try reserved.get()
    } catch {
      all.give()
      throw error
    }
    _ = unwatched?.watch({ [weak self] _ in self?.encodeNews() }, ended: { [weak self] in self?.end() })
    // Earlier events are encoded here and not on the world's thread, which all clients wait for.
    encodeNews()
    let (wakes, waking) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      let line = min(line(of: identifier), state.lineCount)
      // A world that has just ended keeps only its last events, for the readers that it had.
      let first = state.world == nil ? nil : state.lines.firstIndex { $0.range.upperBound > line }
      state.nextReader += 1
      state.readers[state.nextReader] = Position(
        lines: line, next: first ?? state.lines.count, taken: state.byteCount, wake: { waking.yield() },
        drop: {
          waking.finish()
          drop()
        })
      return state.nextReader
    }
    return EventReader(log: self, number: number, wakes: wakes, waking: waking)
  }

  static let tooMany = HTTPProblem(.tooManyRequests, .full, "too many pages watch; close one of them")

  /// The last line that an event's identifier, `SESSION:LINE`, names.
  private func line(of identifier: String?) -> Int {
    guard let parts = identifier?.split(separator: ":", maxSplits: 1), parts.count == 2, parts[0] == session,
      let line = Int(parts[1])
    else { return 0 }
    return max(0, line)
  }

  fileprivate func removeReader(_ number: Int) {
    state.withLock { state in
      state.readers[number] = nil
      state.readerCount -= 1
    }
    all.give()
  }

  fileprivate func next(for number: Int) -> Next {
    let found: Found = state.withLock { state in
      guard var reader = state.readers[number] else { return .next(.end) }
      defer { state.readers[number] = reader }
      if reader.next < state.lines.count {
        let event = state.lines[reader.next]
        let rest = max(event.range.lowerBound, reader.lines)..<event.range.upperBound
        (reader.lines, reader.next) = (event.range.upperBound, reader.next + 1)
        reader.taken = max(reader.taken, event.end)
        // A reader that came back has a part of the lines of its first event.
        if let world = state.world, rest != event.range { return .lines(world, rest) }
        return .next(.event(event.bytes))
      }
      if reader.screen < state.screen.number {
        reader.screen = state.screen.number
        return .next(.event(state.screen.bytes))
      }
      if reader.hands < state.screen.number, let world = state.world, world.isTakenOver, let shown = state.snapshot {
        reader.hands = state.screen.number
        return state.hands.screen == state.screen.number
          ? .next(.event(state.hands.bytes)) : .hands(world, shown, screen: state.screen.number)
      }
      guard let ending = state.ending else { return .next(.nothing) }
      if reader.hasEnding { return .next(.end) }
      reader.hasEnding = true
      return .next(.event(ending))
    }
    switch found {
    case .next(let next): return next
    case .lines(let world, let lines): return .event(rest(lines, of: world))
    case .hands(let world, let shown, let screen):
      guard let byHand = world.byHand else { return next(for: number) }
      let bytes = Self.event("hands", StageJSON.hands(shown, in: world.scenario.world, byHand: byHand))
      state.withLock { if $0.screen.number == screen { $0.hands = (screen, bytes) } }
      return .event(bytes)
    }
  }

  /// The next thing for a reader, or the values from which it is encoded without the lock.
  private enum Found {
    case next(Next)
    case lines(InteractiveWorld, Range<Int>)
    /// The acts by hand, encoded after the reader has the screen: the world and the person wait for the screen alone.
    case hands(InteractiveWorld, InteractiveWorld.Snapshot, screen: Int)
  }

  /// The event with a part of the lines of an event.
  private func rest(_ lines: Range<Int>, of world: InteractiveWorld) -> ByteBuffer {
    let entries = world.journal.entries[...]
    var openers = Openers(names: names)
    _ = openers.readers(of: entries[..<lines.lowerBound])
    return event(with: lines, of: entries, world.words, &openers)
  }

  /// Encodes what happened in the world, if it has a reader. If another thread does that, it goes on until everything is
  /// encoded.
  private func encodeNews() {
    let isFree = state.withLock { state in
      state.isStale = true
      guard !state.isEncoding, state.readerCount > 0 else { return false }
      state.isEncoding = true
      return true
    }
    guard isFree else { return }
    while let (world, line) = nextToEncode() { encode(world, from: line) }
  }

  private func nextToEncode() -> (InteractiveWorld, line: Int)? {
    let (next, drops): ((InteractiveWorld, line: Int)?, [@Sendable () -> Void]) = state.withLock { state in
      if state.isStale, let world = state.world {
        state.isStale = false
        return ((world, state.lineCount), [])
      }
      state.isEncoding = false
      return (nil, state.hasEnded ? Self.finish(&state) : [])
    }
    for drop in drops { drop() }
    return next
  }

  private func encode(_ world: InteractiveWorld, from first: Int) {
    guard let snapshot = world.snapshot else { return }
    // Lines of a step in progress are left for its end.
    let entries = world.journal.entries.prefix(snapshot.lines)
    let words = world.words
    var line = first
    var openers = state.withLock { $0.openers }
    while line < entries.count {
      let range = line..<min(line + Self.batch, entries.count)
      let bytes = event(with: range, of: entries, words, &openers)
      line = range.upperBound
      publish { [openers] state in
        state.openers = openers
        state.lines.append(Lines(range: range, bytes: bytes, end: state.byteCount + bytes.readableBytes))
      }
    }
    let screen = Self.event("screen", StageScreen(snapshot, of: world))
    let ending = snapshot.failure.map { Self.event("end", ["code": $0.code.rawValue, "message": $0.message]) }
    publish { state in
      (state.screen, state.snapshot) = ((state.screen.number + 1, screen), snapshot)
      state.ending = ending
    }
  }

  private func publish(_ change: (inout State) -> Void) {
    let calls = state.withLock { state in
      // A reader is judged by the events that it could have taken before.
      let drops = state.dropStalled()
      change(&state)
      return drops + state.readers.values.map(\.wake)
    }
    for call in calls { call() }
  }

  /// Called when the world has ended.
  private func end() {
    state.withLock { $0.hasEnded = true }
    encodeNews()
    let drops = state.withLock { state in
      // Otherwise another thread still encodes the last events.
      state.isEncoding ? [] : Self.finish(&state)
    }
    for drop in drops { drop() }
  }

  /// Releases everything that no reader needs, and wakes the readers for the last event.
  private static func finish(_ state: inout State) -> [@Sendable () -> Void] {
    guard state.world != nil else { return [] }
    (state.world, state.snapshot) = (nil, nil)
    state.ending =
      state.ending
      ?? event("end", ["code": InteractiveWorldError.Code.ended.rawValue, "message": "the world has ended"])
    // A reader that came a moment ago may have a whole journal to read. It would keep that from being released.
    for (number, reader) in state.readers {
      state.readers[number]?.taken = reader.next > 0 ? state.lines[reader.next - 1].end : 0
    }
    let drops = state.dropStalled()
    let needed = state.readers.values.map(\.next).min() ?? state.lines.count
    for index in state.lines.indices.prefix(needed) { state.lines[index].bytes = ByteBuffer() }
    return drops + state.readers.values.map(\.wake)
  }
}

/// A reader of a world's events.
final class EventReader: Sendable {
  private let log: EventLog
  private let number: Int
  /// An element when there may be a new event; ends when the reader is dropped.
  let wakes: AsyncStream<Void>
  private let waking: AsyncStream<Void>.Continuation

  fileprivate init(log: EventLog, number: Int, wakes: AsyncStream<Void>, waking: AsyncStream<Void>.Continuation) {
    (self.log, self.number, self.wakes, self.waking) = (log, number, wakes, waking)
  }

  deinit { log.removeReader(number) }

  /// Takes the next event.
  func next() -> EventLog.Next { log.next(for: number) }

  func wake() { waking.yield() }
}

/// The number of readers of all worlds.
final class ReaderCount: Sendable {
  /// The maximum number: each has a connection, and the other half of the connections stays free for requests.
  static let maximum = min(256, max(1, ConnectionLimit.ofProcess / 2))

  private let count = Mutex(0)

  /// Counts a reader, if there are not too many.
  func take() -> Bool {
    count.withLock { count in
      guard count < Self.maximum else { return false }
      count += 1
      return true
    }
  }

  func give() { count.withLock { $0 -= 1 } }
}

extension EventLog {
  /// The event with lines of a journal, without steps that have no consequences.
  ///
  /// - Parameters:
  ///   - words: The words of steps by the numbers of their lines.
  ///   - openers: The openers before the lines, and then after them.
  private func event(
    with lines: Range<Int>, of entries: ArraySlice<JournalEntry>, _ words: [Int: String], _ openers: inout Openers
  ) -> ByteBuffer {
    let readers = openers.readers(of: entries[lines])
    let told = lines.filter { !Self.isIdle(entries, at: $0) }.map { position in
      var entry = TimelineEntry(entries[position], readers: readers[position - lines.lowerBound], names: names)
      if entries[position].event.isStep {
        entry.phrase = words[entries[position].number].map(StepWords.withinASentence) ?? names.titled(entry.phrase)
      }
      return entry
    }
    return Self.event("entries", ["entries": told], identifier: "\(session):\(lines.upperBound)")
  }

  /// True for a step without consequences, such as a wait.
  private static func isIdle(_ entries: ArraySlice<JournalEntry>, at position: Int) -> Bool {
    position + 1 < entries.endIndex && entries[position].event.isStep && entries[position + 1].event.isStep
  }

  private static func event(_ name: String, _ value: some JSONWritable, identifier: String? = nil) -> ByteBuffer {
    var text = "event: \(name)\n"
    if let identifier { text += "id: \(identifier)\n" }
    // The encoder writes JSON on one line, so it is one line of data.
    return ByteBuffer(string: text + "data: " + JSONCoding.text(value) + "\n\n")
  }
}
