import Messaging

/// The limits of a live world's journal. A journal only grows, so a world ends when it reaches them.
public struct InteractiveWorldLimits: Sendable {
  /// The maximum number of journal lines. A presentment adds about a hundred: one every 15 seconds for eight hours. A
  /// new viewer receives all lines.
  public var lines: Int
  /// The maximum size of all messages in the journal, in bytes. A presentment's messages have about 50 KiB; the options
  /// of a page's call may have a MiB, and are in several messages.
  public var bytes: Int

  /// Creates limits; the defaults are those of a demonstration.
  public init(lines: Int = 200_000, bytes: Int = 256 << 20) {
    self.lines = lines
    self.bytes = bytes
  }
}

/// The size of a journal, counted as it grows.
struct JournalSize {
  private(set) var lines = 0
  private var bytes = 0

  /// Counts the new lines.
  mutating func count(_ journal: Journal) {
    let entries = journal.entries
    for entry in entries.dropFirst(lines) {
      if case .message(let message) = entry.event { bytes += message.bytes.count }
    }
    lines = entries.count
  }

  /// Returns the error of a world of this size, or nil if it is within the limits.
  func excess(over limits: InteractiveWorldLimits) -> InteractiveWorldError? {
    if lines > limits.lines {
      return InteractiveWorldError(
        .full, "the world has ended: its journal has more than \(limits.lines) lines; begin it again")
    }
    if bytes > limits.bytes {
      return InteractiveWorldError(
        .full, "the world has ended: the messages in its journal have more than \(limits.bytes) bytes; begin it again")
    }
    return nil
  }
}
