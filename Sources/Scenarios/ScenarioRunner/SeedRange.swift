import Primitives

/// The seeds of a run of each case under many schedules and draws.
public struct SeedRange: Sendable, Equatable, CustomStringConvertible {
  /// The first and the last seed.
  public let seeds: ClosedRange<UInt64>

  /// The largest number of seeds: a case takes milliseconds, so more take days.
  public static let maximumCount: UInt64 = 10_000_000

  /// The seeds of a range; nil if they are too many.
  public init?(_ seeds: ClosedRange<UInt64>) {
    guard seeds.upperBound - seeds.lowerBound < Self.maximumCount else { return nil }
    self.seeds = seeds
  }

  /// Reads a range such as `1..1000`, or returns nil for another text.
  public init?(_ text: String) {
    let ends = text.split(separator: "..", omittingEmptySubsequences: false)
    guard ends.count == 2, !text.contains("+"), let first = UInt64(ends[0]), let last = UInt64(ends[1]), first <= last
    else { return nil }
    self.init(first...last)
  }

  /// The range as it is written.
  public var description: String { "\(seeds.lowerBound)..\(seeds.upperBound)" }

  /// The number of seeds.
  public var count: Int { Int(seeds.upperBound - seeds.lowerBound) + 1 }
}

/// The results of one case under many seeds, in numbers.
public struct SeedTally: Sendable, Equatable {
  /// The seeds.
  public let seeds: SeedRange
  /// Seeds under which the case failed or was undecided, in order; at most ``maximumNamed`` of them.
  public internal(set) var failed: [UInt64] = []
  /// The number of seeds under which the case failed or was undecided.
  public internal(set) var failures = 0

  /// The largest number of seeds that a report names: the first one is what to look at.
  public static let maximumNamed = 20

  init(_ seeds: SeedRange) { self.seeds = seeds }

  mutating func add(_ result: CaseResult) {
    guard result.isBad else { return }
    failures += 1
    if failed.count < Self.maximumNamed { failed.append(result.seed) }
  }

  /// The tally in one line.
  public var text: String {
    let range = "\(seeds.count.counted("seed")) (\(seeds))"
    guard failures > 0 else { return "\(range), all as expected" }
    let more = failures > failed.count ? " and \(failures - failed.count) more" : ""
    return "\(range), \(failures) not as expected: \(failed.map(String.init).joined(separator: ", "))\(more)"
  }
}
