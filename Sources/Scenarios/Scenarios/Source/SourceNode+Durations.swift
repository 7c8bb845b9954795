extension SourceNode {
  /// A duration: a whole number and a unit, as in `250 ms`, `90 s`, `5 min`, `2 h`, `1 day` or `40 days`.
  ///
  /// Throws `source.wrong-type`, `source.bad-duration`, or `source.out-of-range` when it is not in `range`.
  public func duration(
    in range: ClosedRange<Duration> = .zero...SourceLimits.duration
  ) throws(SourceProblem) -> Duration {
    guard let scalar else { throw wrongType("a duration") }
    switch scalar.value {
    case .text(let text):
      let duration = try duration(of: text)
      guard range.contains(duration) else { throw outOfRange(range) }
      return duration
    case .integer(let amount) where amount >= 0:
      throw SourceProblem(.badDuration, "the duration \(amount) has no unit", at: position, suggestion: "\(amount) s")
    default:
      throw wrongType("a duration")
    }
  }

  private func duration(of text: String) throws(SourceProblem) -> Duration {
    let amount = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(amount.count).drop { $0 == " " }
    guard !amount.isEmpty, !unit.isEmpty else { throw badDuration("is not a whole number and a unit") }
    guard let known = DurationUnit.all.first(where: { $0.names.contains(String(unit)) }) else {
      let near = NearestName.of(String(unit), in: DurationUnit.all.flatMap(\.names))
      throw badDuration("has no known unit", suggestion: near.map { "\(amount) \($0)" })
    }
    // No such number overflows when multiplied by the longest unit.
    let longestAmount = 9
    let digits = amount.drop { $0 == "0" }
    guard digits.count <= longestAmount, let count = Int64(amount.suffix(longestAmount)) else {
      throw outOfRange(.zero...SourceLimits.duration)
    }
    return known.length * Int(count)
  }

  private func badDuration(_ clause: String, suggestion: String? = nil) -> SourceProblem {
    SourceProblem(
      .badDuration, "\(phrase) \(clause)", at: position, suggestion: suggestion,
      hint: "a duration is written as 250 ms, 90 s, 5 min, 2 h or 40 days")
  }

  private func outOfRange(_ range: ClosedRange<Duration>) -> SourceProblem {
    let (low, high) = (DurationUnit.text(range.lowerBound), DurationUnit.text(range.upperBound))
    return SourceProblem(.outOfRange, "\(phrase) is not between \(low) and \(high)", at: position)
  }
}

/// A unit of duration and the names it goes by, the one to print first.
private struct DurationUnit {
  let names: [String]
  let length: Duration

  static let all = [
    DurationUnit(names: ["ms", "millisecond", "milliseconds"], length: .milliseconds(1)),
    DurationUnit(names: ["s", "second", "seconds"], length: .seconds(1)),
    DurationUnit(names: ["min", "minute", "minutes"], length: .seconds(60)),
    DurationUnit(names: ["h", "hour", "hours"], length: .seconds(3600)),
    DurationUnit(names: ["days", "day"], length: .seconds(86_400)),
  ]

  /// The duration in the longest unit of which it is a multiple.
  static func text(_ duration: Duration) -> String {
    guard duration != .zero else { return "0 s" }
    for unit in all.reversed() {
      let count = Int(exactly: (duration / unit.length).rounded())
      if let count, unit.length * count == duration { return "\(count) \(unit.names[0])" }
    }
    return "\(duration)"
  }
}
