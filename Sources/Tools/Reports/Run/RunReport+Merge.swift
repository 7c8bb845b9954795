/// A JSON report and the file that it was read from.
public struct NamedReport: Sendable {
  /// The file, as it was named.
  public let name: String
  /// The report.
  public let report: RunReport

  /// A report.
  public init(name: String, report: RunReport) {
    self.name = name
    self.report = report
  }
}

extension RunReport {
  /// Joins the reports of all shards of a run into the report of the whole run: what one machine would have reported,
  /// except for the times. A single report of a whole run stays as it is.
  ///
  /// - Throws: ``ReportError`` if a shard is missing, incomplete or there twice, or if the reports are of different runs.
  public init(merging parts: [NamedReport]) throws(ReportError) {
    guard let first = parts.first else { throw ReportError(.merge, "no report") }
    if parts.count == 1, first.report.shard == nil {
      self = first.report
      return
    }
    for part in parts { try Self.checkSameRun(first, part) }
    try Self.checkShards(parts)
    for part in parts {
      if let reason = part.report.stopped { throw ReportError(.merge, "\(part.name) is incomplete: \(reason.message)") }
    }
    try Self.checkCases(parts)
    self.init(
      settings: first.report.settings, entries: first.report.entries,
      cases: parts.flatMap(\.report.cases).sorted { $0.number < $1.number }, unreadable: first.report.unreadable,
      time: parts.map(\.report.time).max() ?? first.report.time)
  }

  private static func checkSameRun(_ first: NamedReport, _ other: NamedReport) throws(ReportError) {
    func refuse(_ difference: String) -> ReportError {
      ReportError(.merge, "\(first.name) and \(other.name) are of different runs: \(difference)")
    }
    let names = Set(first.report.settings.keys).union(other.report.settings.keys)
    for name in names.sorted() {
      let values = [first, other].map { $0.report.settings[name] ?? "not set" }
      guard values[0] == values[1] else {
        throw refuse("\(name) is \(values[0]) in the first and \(values[1]) in the second")
      }
    }
    let entries = (first.report.entries, other.report.entries)
    guard entries.0.count == entries.1.count else {
      throw refuse("\(entries.0.count) cases and unreadable files in the first, and \(entries.1.count) in the second")
    }
    guard entries.0.digest == entries.1.digest, first.report.unreadable == other.report.unreadable else {
      throw refuse("their scenarios differ")
    }
  }

  private static func checkShards(_ parts: [NamedReport]) throws(ReportError) {
    var names: [Int: String] = [:]
    var counts: [(name: String, shard: Shard)] = []
    for part in parts {
      guard let shard = part.report.shard else {
        throw ReportError(.merge, "\(part.name) is the report of a whole run, not of a shard")
      }
      if let other = counts.first, other.shard.count != shard.count {
        throw ReportError(.merge, "\(other.name) is shard \(other.shard), but \(part.name) is shard \(shard)")
      }
      counts.append((part.name, shard))
      if let other = names.updateValue(part.name, forKey: shard.index) {
        throw ReportError(.merge, "shard \(shard) is there twice: \(other) and \(part.name)")
      }
    }
    let count = counts.first?.shard.count ?? 0
    let missing = (1...max(1, count)).filter { names[$0] == nil }
    guard missing.isEmpty else {
      let list = missing.prefix(listed).map { "\($0)/\(count)" }.joined(separator: ", ")
      let more = missing.count > listed ? " and \(missing.count - listed) more" : ""
      throw ReportError(.merge, "missing shard\(missing.count == 1 ? "" : "s"): \(list)\(more)")
    }
  }

  private static func checkCases(_ parts: [NamedReport]) throws(ReportError) {
    let hint = "give every shard the same --durations"
    var names: [Int: String] = [:]
    for part in parts {
      for found in part.report.cases {
        guard let other = names.updateValue(part.name, forKey: found.number) else { continue }
        throw ReportError(.merge, "\(other) and \(part.name) both have the case '\(found.name)'; \(hint)")
      }
    }
    let unreadable = parts.first?.report.unreadable.count ?? 0
    let missing = (parts.first?.report.entries.count ?? 0) - unreadable - names.count
    guard missing == 0 else {
      throw ReportError(.merge, "\(missing) case\(missing == 1 ? " is" : "s are") in none of the reports; \(hint)")
    }
  }

  /// The most missing shards that a message names.
  private static let listed = 20
}
