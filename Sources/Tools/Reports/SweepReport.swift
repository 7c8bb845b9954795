import JSON
import Messaging
import Primitives
import ScenarioSearch
import Vocabulary

/// The findings of a sweep, as a table and a page for people and as JSON for tools.
package struct SweepReport {
  let result: SweepResult
  let hops: [Hop]

  /// The alterations listed for a message before the rest is only counted: enough to see the pattern.
  private static let listedDefects = 20

  /// The classes of findings, in the order of the table.
  enum Class: String, CaseIterable {
    case noticed, seen, unnoticed, unexplained, violation, undecided

    /// The class in sums.
    var sum: String {
      switch self {
      case .noticed: "noticed by a party"
      case .seen: "noticed only by the person"
      case .unnoticed: "unnoticed for a listed reason"
      case .unexplained: "unexplained"
      case .violation: "that break a rule"
      case .undecided: "undecided"
      }
    }

    /// The class in a line of the table. Defects are in capitals.
    var word: String {
      switch self {
      case .noticed, .seen, .unnoticed: rawValue
      case .unexplained, .violation, .undecided: rawValue.uppercased()
      }
    }
  }

  /// One kind of finding about one message.
  struct Line: Hashable {
    let type: Class
    /// The party that noticed.
    var party: String?
    /// The check, the failed expectation, the reason, the rule or the cause.
    var text: String?

    init?(_ finding: SweepResult.Finding) {
      switch finding {
      case .noticed(let signal):
        type = .noticed
        (party, text) = (signal.party.description, signal.name)
      case .seen(let failure): (type, text) = (.seen, failure)
      case .unnoticed(let reason): (type, text) = (.unnoticed, reason.name)
      case .unexplained: type = .unexplained
      case .violation(let rule): (type, text) = (.violation, rule)
      case .undecided(let cause): (type, text) = (.undecided, cause)
      case .notApplicable: return nil
      }
    }

    /// The line without its count.
    var description: String { [type.word, party.map { "by \($0):" }, text].compactMap(\.self).joined(separator: " ") }
  }

  /// The findings about one message.
  struct Hop {
    let message: Message
    var outcomes: [SweepResult.Outcome] = []
    var counts: [(line: Line, count: Int)] = []
    var defects: [SweepResult.Outcome] = []

    var alterations: Int { counts.reduce(0) { $0 + $1.count } }

    mutating func add(_ outcome: SweepResult.Outcome) {
      guard let line = Line(outcome.finding) else { return }
      outcomes.append(outcome)
      if outcome.finding.isDefect { defects.append(outcome) }
      if let place = counts.firstIndex(where: { $0.line == line }) {
        counts[place].count += 1
      } else {
        counts.append((line, 1))
      }
    }

    /// The lines by class, the most frequent first.
    var lines: [(line: Line, count: Int)] {
      Class.allCases.flatMap { type in
        counts.enumerated().filter { $0.element.line.type == type }
          .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }.map(\.element)
      }
    }
  }

  /// A report of a sweep.
  package init(_ result: SweepResult) {
    self.result = result
    var hops: [Hop] = []
    for outcome in result.outcomes {
      if hops.last?.message.number != outcome.alteration.number {
        hops.append(Hop(message: result.message(of: outcome.alteration)))
      }
      hops[hops.count - 1].add(outcome)
    }
    self.hops = hops
  }

  func total(_ type: Class) -> Int {
    hops.reduce(0) { sum, hop in hop.counts.filter { $0.line.type == type }.reduce(sum) { $0 + $1.count } }
  }

  /// The reasons that cover an alteration of this sweep, in the order of the list.
  var usedReasons: [SweepReason] {
    SweepReason.all.filter { reason in
      hops.contains { $0.counts.contains { $0.line.type == .unnoticed && $0.line.text == reason.name } }
    }
  }

  // MARK: Text

  /// The table, the reasons and the sums, in lines of text.
  package var text: String { hops.map(text).joined() + reasons + summary }

  private func text(of hop: Hop) -> String {
    let message = hop.message
    var text = "\(message.number)  \(message.kind.rawValue)  \(message.sender) -> \(message.recipient)"
    text += "  \(message.bytes.count.counted("byte")), \(hop.alterations.counted("alteration"))\n"
    for (line, count) in hop.lines { text += "\(String(count).leftPadded(to: 8))  \(line.description)\n" }
    for defect in hop.defects.prefix(Self.listedDefects) {
      let place = result.place(of: defect.alteration).map { "  in \($0)" } ?? ""
      text += "          --only \(message.number) --change \(defect.alteration.name)\(place)\n"
    }
    let more = hop.defects.count - Self.listedDefects
    return more > 0 ? text + "          and \(more) more\n" : text
  }

  private var reasons: String {
    guard !usedReasons.isEmpty else { return "" }
    return "\nunnoticed, because\n" + usedReasons.map { "  \($0.name): \($0.text)\n" }.joined()
  }

  private var summary: String { "\n" + sums + "\n" + place.searchNote }

  /// The sums in a line.
  var sums: String { counts.text }

  /// The sums.
  var counts: Counts {
    Counts(
      messages: hops.count, alterations: hops.reduce(0) { $0 + $1.alterations },
      findings: Dictionary(uniqueKeysWithValues: Class.allCases.map { ($0, total($0)) }))
  }

  /// Numbers of messages, alterations and findings.
  struct Counts {
    var messages = 0
    var alterations = 0
    /// The findings of each class.
    var findings: [Class: Int] = [:]

    static func += (sum: inout Counts, one: Counts) {
      sum.messages += one.messages
      sum.alterations += one.alterations
      sum.findings.merge(one.findings, uniquingKeysWith: +)
    }

    /// The numbers in a line.
    var text: String {
      let parts = Class.allCases.map { ($0, findings[$0, default: 0]) }
        .filter { $0.1 > 0 || $0.0 == .unexplained }.map { "\($0.1) \($0.0.sum)" }
      return "\(messages.counted("message")), \(alterations.counted("alteration")): " + parts.joined(separator: ", ")
    }
  }

  /// The place of the sandboxes.
  var place: WorldDescription.SandboxPlace {
    result.subject.scenario.world.devices.contains { $0.sandbox == .inProcess } ? .inProcess : .process
  }

}

/// The report for tools.
extension SweepReport {
  /// The table, the unnoticed alterations and the sums, in JSON with members in alphabetical order.
  package var json: [UInt8] {
    JSONWriter.indented { json in
      json.object { json in
        json.member("messages", objects: hops, write)
        json.member("reasons", usedReasons.map { ["name": $0.name, "text": $0.text] })
        json.member("sandbox", place.rawValue)
        json.member("scenario", result.subject.scenario.path)
        json.member("seed", Int(clamping: result.subject.seed))
        json.member("sums", Dictionary(uniqueKeysWithValues: Class.allCases.map { ($0.rawValue, total($0)) }))
      }
    }
  }

  private func write(_ hop: Hop, to json: inout JSONWriter) {
    json.member("alterations", hop.alterations)
    json.member("bytes", hop.message.bytes.count)
    json.member("defects", objects: hop.defects) { defect, json in
      json.member("change", defect.alteration.name)
      json.member("finding", Line(defect.finding)?.type.rawValue)
      json.member("place", result.place(of: defect.alteration))
    }
    json.member("findings", objects: hop.lines) { line, json in
      json.member("count", line.count)
      json.member("finding", line.line.type.rawValue)
      json.member("party", line.line.party)
      json.member("text", line.line.text)
    }
    json.member("from", hop.message.sender.description)
    json.member("kind", hop.message.kind.rawValue)
    json.member("number", hop.message.number)
    json.member("to", hop.message.recipient.description)
  }
}

/// The sums of the sweeps of several scenarios, a line for each, and one for all.
package struct SweepSums {
  private var lines: [String] = []
  private var counts = SweepReport.Counts()
  private var unswept = 0

  /// Sums without a scenario.
  package init() {}

  /// Adds the sweep of a scenario.
  /// - Parameter path: The file of the scenario.
  package mutating func add(_ report: SweepReport, of path: String) {
    counts += report.counts
    lines.append("\(TerminalSafe.text(path)): \(report.sums)")
  }

  /// Adds a file whose scenario could not be swept.
  package mutating func addUnswept(_ path: String) {
    unswept += 1
    lines.append("\(TerminalSafe.text(path)): not swept")
  }

  /// The lines.
  package var text: String {
    let missing = unswept > 0 ? ", \(unswept) not swept" : ""
    return lines.map { $0 + "\n" }.joined() + "\n\(lines.count.counted("scenario"))\(missing): \(counts.text)\n"
  }
}
