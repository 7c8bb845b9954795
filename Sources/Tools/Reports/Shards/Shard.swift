import Primitives

/// One of the equal parts of a run, which several machines share.
public struct Shard: Sendable, Hashable {
  /// The part, from 1.
  public let index: Int
  /// The number of parts.
  public let count: Int

  /// The most parts: Kubernetes' largest indexed job has as many.
  public static let maximumCount = 100_000

  /// A part.
  /// - Throws: ``ReportError`` if the numbers do not fit.
  public init(index: Int, count: Int) throws(ReportError) {
    guard 1...Self.maximumCount ~= count, 1...count ~= index else {
      throw ReportError(
        .shard,
        "shard \(index) of \(count) does not exist; count from 1, for example 1/3, up to \(Self.maximumCount) shards")
    }
    self.index = index
    self.count = count
  }

  /// Reads a part as it is written in options and reports: `2/5`.
  /// - Throws: ``ReportError``.
  public init(_ text: String) throws(ReportError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Self.number(parts[0]), let count = Self.number(parts[1]) else {
      throw ReportError(.shard, "'\(text)' is not a shard; expected for example 2/5 for the second of five, or auto")
    }
    try self.init(index: index, count: count)
  }

  /// Reads the value of an option: a part, or `auto` for the one that the environment names.
  /// - Throws: ``ReportError``.
  public static func parse(_ text: String, environment: [String: String]) throws(ReportError) -> Shard {
    text == "auto" ? try ShardEnvironment.shard(in: environment) : try Shard(text)
  }

  /// A decimal number without a sign.
  static func number(_ text: some StringProtocol) -> Int? { text.utf8.allSatisfy(\.isDigit) ? Int(text) : nil }
}

extension Shard: CustomStringConvertible {
  /// The part as it is written in options: `2/5`.
  public var description: String { "\(index)/\(count)" }
}

extension Shard {
  /// The cases of this part. The parts of a run have no case in common, and together all of them.
  ///
  /// With durations, the longest case goes first, and each to the part with the least to do so far; a case without a
  /// duration counts as the mean of the others. Without, the cases are dealt out in turn. Either way the result depends
  /// on the arguments alone, so that machines agree without talking to each other.
  ///
  /// - Parameters:
  ///   - cases: Every case of the run, in its order.
  ///   - durations: The time that cases took in an earlier run, or nothing.
  /// - Returns: The places of this part's cases in `cases`, in ascending order.
  public func places(of cases: [CaseIdentity], durations: [CaseIdentity: ReportedTime] = [:]) -> [Int] {
    let known = cases.compactMap { durations[$0] }
    guard !known.isEmpty else { return Array(stride(from: index - 1, to: cases.count, by: count)) }
    let shortest = ReportedTime(nanoseconds: 1)
    let mean = ReportedTime(nanoseconds: known.reduce(.zero, +).nanoseconds / Int64(known.count))
    let times = cases.map { durations[$0] ?? mean }
    let order = times.indices.sorted { (times[$1], $0) < (times[$0], $1) }
    var loads = Array(repeating: ReportedTime.zero, count: count)
    var places: [Int] = []
    for place in order {
      let least = loads.indices.min { (loads[$0], $0) < (loads[$1], $1) } ?? 0
      // A case without any time must still be dealt out in turn.
      loads[least] = loads[least] + max(shortest, times[place])
      if least == index - 1 { places.append(place) }
    }
    return places.sorted()
  }
}

extension RunReport {
  /// The time of each case; of a case that ran several times, the longest.
  public var durations: [CaseIdentity: ReportedTime] {
    Dictionary(
      cases.filter { $0.verdict != .skipped }.map { ($0.identity, $0.time) }, uniquingKeysWith: { max($0, $1) })
  }
}
