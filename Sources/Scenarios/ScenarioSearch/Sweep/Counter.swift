import Synchronization

/// A number that several threads count up.
final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  /// Counts up by one, and returns the new number.
  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
