import SimulationKernel

/// How much may happen in a live world. Its journal forgets nothing, so a world that is used without end ends.
public struct InteractiveWorldLimits: Sendable {
  /// Most lines of the journal. A presentment leaves about a hundred: one can follow the other every 15 seconds for eight
  /// hours. Whoever begins to look is told all of them.
  public var lines: Int
  /// Most bytes of all messages in the journal. Those of a presentment have some 50 KiB; the options of a page's call may
  /// have a MiB, and are in several messages.
  public var bytes: Int

  /// The limits of a demonstration, unless others are given.
  public init(lines: Int = 200_000, bytes: Int = 256 << 20) {
    self.lines = lines
    self.bytes = bytes
  }
}

/// Counts what a journal holds, line by line as it grows.
struct JournalSize {
  private(set) var lines = 0
  private var bytes = 0

  /// Counts the lines that are new.
  mutating func count(_ journal: Journal) {
    let entries = journal.entries
    for entry in entries.dropFirst(lines) {
      if case .message(let message) = entry.event { bytes += message.bytes.count }
    }
    lines = entries.count
  }

  /// Why a world of this size ends; nil when it need not.
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
