import ArgumentParser
import CommandSupport
import Reports

/// `presentment merge REPORT...`
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Join the JSON reports of a run's shards, or write a JSON report in other formats.",
    discussion: """
      Prints what did not pass, and the totals. Exits as 'run' does. A missing, incomplete or doubled shard, or a \
      report of another run, is an error. With --matrix the reports are of several servers or wallets, and are \
      compared.
      """)

  @Argument(help: ArgumentHelp("The JSON reports of all shards of a run, or one of a whole run.", valueName: "report"))
  var paths: [String]

  @Option(name: .customLong("report"), help: ReportOption.help, transform: { try ReportOrder($0) })
  var orders: [ReportOrder] = []

  @Option(
    help: ArgumentHelp(
      "Compare the reports of several targets of a suite: write a page with a column for each.", valueName: "file"))
  var matrix: String?

  func validate() throws {
    guard matrix == nil || orders.isEmpty else { throw ValidationError("--matrix and --report exclude each other") }
    do {
      try ReportOrder.check(orders)
    } catch {
      throw ValidationError("\(error)")
    }
  }

  func run() throws {
    let report: RunReport
    do {
      // Merged reports may replace the parts that they have.
      let others = orders.filter { $0.format != .json }.map(\.path) + [matrix].compactMap(\.self)
      try ReportFile.check(others, inputs: paths)
      var parts: [NamedReport] = []
      for path in paths { parts.append(NamedReport(name: path, report: try ReportFile.read(path))) }
      if let matrix { return try ReportFile.write(TargetMatrix(parts).page, to: matrix) }
      report = try RunReport(merging: parts)
      try report.write(orders)
    } catch {
      throw ExitCode.failing("Error: \(error)")
    }
    if orders.contains(where: \.ownsStandardOutput) {
      StandardError.write(report.problemsAndTotals(TextReport()))
    } else {
      StandardOutput.print(report.problemsAndTotals(TextReport(isColored: Terminal.showsColors)))
      try StandardOutput.requireWritten()
    }
    if report.verdict != .passed { throw ExitCode(report.verdict.exitCode) }
  }
}

/// The option `--report` of the commands that write reports.
enum ReportOption {
  /// The help of the option: each format with its description.
  static var help: ArgumentHelp {
    let formats = ReportFormat.allCases.map { format in
      "\(format.rawValue)\(format == .github ? "" : "=FILE"): \(format.abstract)"
    }
    return ArgumentHelp(
      "Write a report; give it several times for several. \(formats.joined(separator: "; ")). FILE may be - for standard output.",
      valueName: "format=file")
  }
}
