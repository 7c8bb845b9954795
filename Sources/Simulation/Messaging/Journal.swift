import Checks
import SimulationKernel
import Synchronization

/// The events of a world, in order. The journal is the only output of a run; reports, traces and expectations are
/// functions of it.
public final class Journal: Sendable {
  private let lines = Mutex<[JournalEntry]>([])

  /// Creates an empty journal.
  public init() {}

  /// The lines so far.
  public var entries: [JournalEntry] { lines.withLock { $0 } }

  /// The number of messages.
  var messageCount: Int {
    lines.withLock { lines in
      lines.reduce(into: 0) { count, line in if case .message = line.event { count += 1 } }
    }
  }

  /// Appends a line.
  public func record(_ event: JournalEvent, by party: Party, at time: WorldClock.Instant) {
    lines.withLock { $0.append(JournalEntry(number: $0.count + 1, time: time, party: party, event: event)) }
  }
}

/// A line of a journal.
public struct JournalEntry: Sendable, Equatable {
  /// The line number, from 1.
  public let number: Int
  /// The time.
  public let time: WorldClock.Instant
  /// The party at which the event happened. For a message: the sender.
  public let party: Party
  /// The event.
  public let event: JournalEvent
}
