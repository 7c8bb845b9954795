import Foundation
import InteractiveWorlds
import Primitives
import Reports

/// The results of one run of `bench`, with the machine they were measured on.
struct BenchReport: Codable {
  /// The number of processors, and the load in the minute before the run.
  let cores: Int
  let load: Double?
  private(set) var figures: [BenchFigure] = []

  /// Starts a report: reads the machine's load before measuring adds to it.
  init() {
    cores = ProcessInfo.processInfo.activeProcessorCount
    load = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8))
      .flatMap { $0.split(separator: " ").first }.flatMap { Double($0) }
  }

  /// The longest report in bytes: fifty times that of every topic.
  static let maximumLength = 1 << 20

  /// Reads a report that `--json` wrote.
  /// - Throws: ``ProgramError`` if the file cannot be read or is not a report.
  init(path: String) throws {
    do {
      let bytes = try Files.read(path, upTo: Self.maximumLength)
      guard bytes.count <= Self.maximumLength else {
        throw ProgramError(.measurement, "it is larger than a report may be, \(Self.maximumLength) bytes")
      }
      self = try JSONDecoder().decode(Self.self, from: Data(bytes))
    } catch {
      throw ProgramError(.measurement, "\(path) is not a report of 'bench --json': \(error)")
    }
  }

  mutating func add(_ figure: BenchFigure) { figures.append(figure) }

  /// The figure with a name.
  func figure(_ name: String, _ topic: BenchTopic) -> BenchFigure? {
    figures.first { $0.name == name && $0.topic == topic }
  }

  /// The report as JSON, members in alphabetical order.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }

  /// A description of the machine.
  var machine: String {
    "\(cores) cores, load \(load.map { ReportText.decimal($0) } ?? "unknown")"
      + ((load ?? 0) > Self.quietLoad ? ": not quiet, so elapsed times are too long" : "")
  }

  /// The load above which the machine is not quiet.
  private static let quietLoad = 0.5

  /// A line for people: the name, the best value, and for a time the best and the median in signatures.
  static func line(_ figure: BenchFigure) -> String {
    let name = figure.name.padding(toLength: max(62, figure.name.count + 1), withPad: " ", startingAt: 0)
    return switch figure.kind {
    case .microseconds:
      name + "\(ReportText.decimal(figure.best)) us".leftPadded(12)
        + "\(ReportText.decimal(figure.comparable)) u".leftPadded(10)
        + "\(ReportText.decimal(figure.comparableMedian)) u".leftPadded(10)
    case .bytes: name + "\(ReportText.decimal(figure.best / 1_024)) KiB".leftPadded(12)
    case .count, .ratio: name + ReportText.decimal(figure.best).leftPadded(12)
    }
  }

  /// A line of values separated by tabs: topic, name, best, median, kind, and the microseconds of a signature.
  static func tabSeparated(_ figure: BenchFigure) -> String {
    [
      figure.topic.rawValue, figure.name, ReportText.decimal(figure.best), ReportText.decimal(figure.median),
      figure.kind.rawValue,
      figure.signature.map { ReportText.decimal($0) } ?? "",
    ].joined(separator: "\t")
  }

  /// The least relative change that counts as one.
  private static let leastChange = 0.05

  /// A value beside that of an older report, times in signatures.
  struct Change {
    let before: Double
    let ratio: Double
    /// `worse` or `better` where the change is larger than the noise of both; otherwise empty.
    let mark: String
  }

  /// The change of a figure since an older report; nil if that does not have it.
  static func change(of new: BenchFigure, since old: BenchReport) -> Change? {
    guard let before = old.figure(new.name, new.topic), before.comparable > 0, new.comparable > 0 else { return nil }
    let ratio = new.comparable / before.comparable
    let noise = max(leastChange, before.spread, new.spread)
    // A larger ratio of cores is better; everything else is a cost.
    let change = new.kind == .ratio ? 1 / ratio : ratio
    let mark = change > 1 + noise ? "worse" : change < 1 / (1 + noise) ? "better" : ""
    return Change(before: before.comparable, ratio: ratio, mark: mark)
  }

  /// Lines that compare this report with an older one.
  func comparison(with old: BenchReport) -> [String] {
    figures.compactMap { new in
      guard let change = Self.change(of: new, since: old) else { return nil }
      let values = "\(ReportText.decimal(change.before)) -> \(ReportText.decimal(new.comparable))"
      return
        (new.name.padding(toLength: max(62, new.name.count + 1), withPad: " ", startingAt: 0)
        + values.leftPadded(20) + ReportText.decimal(change.ratio).leftPadded(8) + "  " + change.mark)
        .trimmingTrailingSpaces
    }
  }
}

extension String {
  fileprivate func leftPadded(_ width: Int) -> String { String(repeating: " ", count: max(1, width - count)) + self }
}
