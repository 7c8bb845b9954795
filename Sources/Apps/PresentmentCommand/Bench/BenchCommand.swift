import ArgumentParser
import CommandSupport
import Foundation
import MobileDocument
import Primitives
import Reports

/// The topics of measurement.
enum BenchTopic: String, CaseIterable, Codable, ExpressibleByArgument {
  case formats, worlds, growth, memory, program, scenarios, selector, serve, peers

  /// A short description for the help.
  var summary: String {
    switch self {
    case .formats: "signatures, CBOR, JSON, HPKE, JWE, certificate paths, documents, exchanges in both protocols"
    case .worlds: "making a world ready, a presentment in it, with and without a confined process for its request"
    case .growth: "the same with more apps, documents, elements and presentments"
    case .memory: "the memory of a world and of a further presentment"
    case .program: "the start of the command, its libraries and its size"
    case .scenarios: "shipped scenarios from cold start to report, on one core and on two"
    case .selector: "the selection among 1,000 to 1,000,000 registrations in a file"
    case .serve: "answers over HTTP on 16 connections, and the memory that they take"
    case .peers: "other implementations on the same document, which make bench installs"
    }
  }
}

/// `presentment bench`
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure the work of a presentment on this machine.",
    discussion: """
      Times are processor times of one thread. The unit u is one P-256 signature of the cryptographic library, \
      measured before and after each batch of a subject. The columns are the best time, and the best and the median \
      time in u. Compare machines by u only.

      Topics: \(BenchTopic.allCases.map { "  \($0.rawValue): \($0.summary)" }.joined(separator: "\n"))
      """)

  @Argument(help: "The topics; the default is formats, worlds, memory, program and peers.")
  var topics: [BenchTopic] = [.formats, .worlds, .memory, .program, .peers]

  @Flag(help: "Measure every topic.")
  var all = false

  @Flag(help: "Print values separated by tabs: topic, name, best, median, kind, microseconds of a signature.")
  var tsv = false

  @Flag(help: "Print the report as JSON.")
  var json = false

  @Option(help: "Compare with the report in this file, which --json wrote.")
  var compare: String?

  @Option(help: "Write the figures into this file, as one page with curves of what grows.")
  var html: String?

  @Option(help: "The least time for each measurement, in milliseconds.")
  var milliseconds = 400

  @Option(help: "The number of registrations for the selector instead of 1,000 to 1,000,000.")
  var registrations: Int?

  /// The maximum number of registrations: ten times the system's stated limit.
  private static let maximumRegistrations = 10_000_000

  func validate() throws {
    guard (1...60_000).contains(milliseconds) else {
      throw ValidationError("--milliseconds takes a number from 1 to 60000")
    }
    guard registrations.map({ (1...Self.maximumRegistrations).contains($0) }) ?? true else {
      throw ValidationError("--registrations takes a number from 1 to \(Self.maximumRegistrations)")
    }
    guard !(json && tsv) else { throw ValidationError("--json and --tsv exclude each other") }
  }

  func run() throws {
    let old: BenchReport?
    do {
      old = try compare.map { try BenchReport(path: $0) }
      try ReportFile.check([html].compactMap(\.self), inputs: [compare].compactMap(\.self))
    } catch {
      throw ExitCode.failing("\(error)")
    }
    let bench = Bench(milliseconds: milliseconds, form: json ? .json : tsv ? .tabSeparated : .text)
    for topic in BenchTopic.allCases where all || topics.contains(topic) {
      try bench.measure(topic, registrations: registrations.map { [$0] } ?? SelectorMeasures.sizes)
    }
    let report = bench.report
    if json { StandardOutput.print(report.json) }
    if let html {
      do { try ReportFile.write(Array(BenchPage(report, beside: old).text.utf8), to: html) } catch {
        throw ExitCode.failing("the page cannot be written: \(error)")
      }
    }
    guard let old else { return }
    let lines = report.comparison(with: old)
    let text = "\nBefore -> now, and the ratio; times in u:\n" + lines.joined(separator: "\n")
    // Other programs read the other forms.
    if json || tsv { StandardError.write(text) } else { StandardOutput.print(text) }
  }
}
