import Faults
import Messaging
import Primitives
import ScenarioLanguage
import ScenarioRunner
import Synchronization

/// A sweep of one case: every message of the case is changed in every way, one change in each run.
package struct SweepPlan: Sendable {
  /// The case.
  package var scenario: Scenario
  /// The seed of the world instead of the case's own.
  package var seed: UInt64?
  /// The number of runs at the same time.
  package var jobs = 1
  /// The bit that is flipped in each byte, from 0 for the lowest.
  package var bit = 0
  /// Flips a bit in every byte of this many.
  package var stride = 1
  /// The maximum number of flips, which the stride grows for; nil for no limit. Every message has at least one.
  package var flipLimit: Int?
  /// Flips bits only, and leaves messages whole.
  package var flipsOnly = false
  /// Adds the faults of the catalogue.
  package var usesFaults = false
  /// The number of the only message to change; nil for all.
  package var onlyMessage: Int?

  /// The name of the only change to make; nil for all.
  package var onlyChange: String?
  /// The reasons why an alteration may stay unnoticed.
  var reasons = SweepReason.all

  /// A sweep of a case.
  package init(_ scenario: Scenario) { self.scenario = scenario }

  /// Runs the case with every alteration.
  /// - Parameters:
  ///   - isWanted: Returns false if the result has become useless; then no further run begins, and the result lacks
  ///     those that have not begun.
  ///   - begins: Called before each altered run, on the thread of its world.
  ///   - progress: Called with the number of runs that have ended and the number of all, in order.
  /// - Throws: ``SweepError`` if the unaltered case does not pass, or has no message of that number.
  package func run(
    isWanted: @escaping @Sendable () -> Bool = { true },
    begins: @escaping @Sendable (Alteration) -> Void = { _ in },
    progress: @escaping @Sendable (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(SweepError) -> SweepResult {
    let subject = try SweepSubject(scenario, seed: seed ?? scenario.seed, reasons: reasons)
    let count = subject.messages.count
    if let onlyMessage, !(1...count).contains(onlyMessage) {
      throw SweepError(.noMessage, "the case has no message \(onlyMessage); its messages are 1 to \(count)")
    }
    let distance = distance(in: subject)
    let alterations = alterations(of: subject, every: distance)
    if let onlyChange, alterations.isEmpty {
      throw SweepError(.noChange, "the message has no alteration '\(onlyChange)'")
    }
    let board = WorkBoard<SweepResult.Outcome>(count: alterations.count)
    let ended = Counter()
    let outcomes = board.run(threads: min(jobs, alterations.count)) { board in
      while isWanted(),
        board.next({ number in
          begins(alterations[number])
          defer { progress(ended.next(), alterations.count) }
          return subject.outcome(of: alterations[number])
        })
      {}
    }
    // Faults of parties come to the messages that carry their effects; equal numbers keep their order.
    let order = outcomes.indices.sorted { (outcomes[$0].alteration.number, $0) < (outcomes[$1].alteration.number, $1) }
    return SweepResult(subject: subject, stride: distance, outcomes: order.map { outcomes[$0] })
  }

  /// The messages to change.
  private func messages(of subject: SweepSubject) -> [Message] {
    subject.messages.filter { onlyMessage == nil || $0.number == onlyMessage }
  }

  /// The distance of two flips in a message: the stride, or more if the limit needs it.
  private func distance(in subject: SweepSubject) -> Int {
    guard let flipLimit else { return max(1, stride) }
    let bytes = messages(of: subject).reduce(0) { $0 + $1.bytes.count }
    return max(1, stride, (bytes + flipLimit - 1) / max(1, flipLimit))
  }

  /// Every alteration, in the order of the messages; then the faults of parties.
  func alterations(of subject: SweepSubject, every distance: Int) -> [Alteration] {
    let ofMessages = messages(of: subject).flatMap { message in
      alterations(of: message, in: subject, every: distance).map { Alteration(number: message.number, change: $0) }
    }
    let ofParties =
      usesFaults && onlyMessage == nil
      ? FaultCatalogue.all.filter { $0.messageKind == nil }.map { Alteration(number: 1, change: .fault($0)) } : []
    return (ofMessages + ofParties).filter { onlyChange == nil || $0.name == onlyChange }
  }

  private func alterations(of message: Message, in subject: SweepSubject, every distance: Int) -> [Alteration.Change] {
    let count = message.bytes.count
    let flips = Swift.stride(from: 0, to: count, by: distance).map { Alteration.Change.flipped(byte: $0, bit: bit) }
    if flipsOnly { return flips }
    var lengths: [Int] = []
    for length in [0, count / 2, count - 1] where length >= 0 && length < count && !lengths.contains(length) {
      lengths.append(length)
    }
    let faults = usesFaults ? FaultCatalogue.all.filter { $0.messageKind == message.kind } : []
    return flips + lengths.map { .truncated(to: $0) } + [.dropped, .duplicated]
      + subject.donors(for: message).map { .swapped($0) } + faults.map { .fault($0) }
  }
}

/// A number that several threads count up.
final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  /// Counts up by one, and returns the new number.
  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}

/// The reason why a case cannot be swept.
package typealias SweepError = CodedFailure<SweepErrorCode>

/// The kinds of reasons.
package enum SweepErrorCode: String, Sendable {
  /// The case does not pass without an alteration.
  case notPassed = "sweep.not-passed"
  /// The case has no message of that number.
  case noMessage = "sweep.no-message"
  /// The message has no alteration of that name.
  case noChange = "sweep.no-change"
}
