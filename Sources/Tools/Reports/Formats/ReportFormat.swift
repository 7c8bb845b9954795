import Foundation
import JSON
import ScenarioLanguage

/// The formats of reports.
public enum ReportFormat: String, Sendable, CaseIterable {
  /// JUnit's XML, which most CI systems read.
  case junit
  /// Test Anything Protocol, version 14.
  case tap
  /// Every fact of the run, to be read back by presentment.
  case json
  /// One line of JSON for each event, while the run goes on.
  case jsonl
  /// One page for a browser.
  case html
  /// Annotations of GitHub Actions on the lines of scenario files.
  case github

  /// A description for help texts.
  public var abstract: String {
    switch self {
    case .junit: "JUnit's XML"
    case .tap: "TAP, version 14"
    case .json: "JSON, for merge, --only-failed and --durations"
    case .jsonl: "one line of JSON for each event of the run"
    case .html: "one page for a browser"
    case .github: "annotations for GitHub Actions, on standard output"
    }
  }
}

/// A report to write: `junit=FILE`.
public struct ReportOrder: Sendable, Hashable {
  /// The format.
  public let format: ReportFormat
  /// The file, or `-` for standard output.
  public let path: String

  /// A report to write.
  public init(_ format: ReportFormat, path: String) {
    self.format = format
    self.path = path
  }

  /// Reads the value of the option `--report`.
  /// - Throws: ``ReportError``.
  public init(_ text: String) throws(ReportError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let format = ReportFormat(rawValue: parts[0]) else {
      let known = ReportFormat.allCases.map { $0 == .github ? $0.rawValue : "\($0.rawValue)=FILE" }
      throw ReportError(.format, "unknown report '\(text)'; expected \(known.joined(separator: ", "))")
    }
    self.format = format
    if parts.count == 1, format == .github {
      path = ReportFile.standardOutput
      return
    }
    guard parts.count == 2, !parts[1].isEmpty else {
      throw ReportError(
        .format, "the report '\(format.rawValue)' needs a file: \(format.rawValue)=FILE, or - for standard output")
    }
    path = parts[1]
  }

  /// True if standard output must have nothing but this report. Annotations may be among other lines.
  public var ownsStandardOutput: Bool { path == ReportFile.standardOutput && format != .github }

  /// Checks that no two reports have the same file.
  /// - Throws: ``ReportError``.
  public static func check(_ orders: [ReportOrder]) throws(ReportError) {
    var formats: [String: ReportFormat] = [:]
    for order in orders {
      guard let other = formats.updateValue(order.format, forKey: order.path) else { continue }
      let place = order.path == ReportFile.standardOutput ? "standard output" : order.path
      throw ReportError(.format, "two reports on \(place): \(other.rawValue) and \(order.format.rawValue)")
    }
  }

  /// Checks that no report replaces a file that its run reads, under any name.
  /// - Throws: ``ReportError``.
  public static func check(_ orders: [ReportOrder], inputs: some Sequence<String>) throws(ReportError) {
    try ReportFile.check(orders.map(\.path), inputs: inputs)
  }

  /// Checks that no report has the name of a trace, or of its page, in the folder with traces.
  /// - Throws: ``ReportError``.
  public static func check(_ orders: [ReportOrder], besides names: Set<String>, in folder: String) throws(ReportError) {
    let folder = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL.path
    for order in orders {
      let file = URL(fileURLWithPath: order.path).standardizedFileURL
      guard file.deletingLastPathComponent().path == folder, names.contains(file.lastPathComponent) else { continue }
      throw ReportError(.unwritable, "\(order.path): the run writes traces there; give the report another name")
    }
  }
}

extension RunReport {
  /// The text of a report.
  ///
  /// - Parameter path: The file that the text is for: links in it are relative to its folder.
  public func text(_ format: ReportFormat, for path: String) -> [UInt8] {
    switch format {
    case .junit: Array(JUnitReport.text(of: self).utf8)
    case .tap: Array(TAPReport.text(of: self).utf8)
    case .json: JSONWriter.indented(write)
    case .jsonl: EventStream.lines(of: self)
    case .html: Array(HTMLReport.text(of: self, for: path).utf8)
    case .github: Array(GitHubAnnotations.text(of: self).utf8)
    }
  }

  /// Writes reports. An error with one does not keep the others from being written.
  /// - Throws: ``ReportError``: the first one.
  public func write(_ orders: [ReportOrder]) throws(ReportError) {
    var problem: ReportError?
    for order in orders {
      do {
        try ReportFile.write(text(order.format, for: order.path), to: order.path)
      } catch {
        problem = problem ?? error
      }
    }
    if let problem { throw problem }
  }
}
