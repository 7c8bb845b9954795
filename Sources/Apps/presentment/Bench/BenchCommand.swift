import ArgumentParser
import DemoServer
import Ecosystem
import Foundation
import MobileDocument
import Primitives

/// `presentment bench`
struct BenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure the work of a presentment on this machine.",
    discussion: """
      Compare the results of one run with each other only, not with another machine's. With --tsv each line has a name,
      microseconds and operations per second, separated by tabs; for a size it has a name, the number and the word bytes.
      "serve" answers presentments over HTTP on 16 connections and prints the memory that this takes.
      "selector" fills a file with the registrations of a large device and selects among them.
      """)

  /// The subject of a measurement.
  enum Subject: String, ExpressibleByArgument, CaseIterable {
    case presentment, selector, serve
  }

  @Argument(help: "The subject: presentment, selector or serve.")
  var subject = Subject.presentment

  @Flag(help: "Print tab-separated values.")
  var tsv = false

  @Option(help: "The time for each measurement, in milliseconds.")
  var milliseconds = 400

  @Option(help: "The number of registrations for the selector.")
  var registrations = 1_000_000

  /// The maximum number of registrations: ten times the system's stated limit.
  private static let maximumRegistrations = 10_000_000

  func run() async throws {
    guard (1...60_000).contains(milliseconds) else {
      throw ValidationError("--milliseconds takes a number from 1 to 60000")
    }
    guard (1...Self.maximumRegistrations).contains(registrations) else {
      throw ValidationError("--registrations takes a number from 1 to \(Self.maximumRegistrations)")
    }
    switch subject {
    case .presentment: try measurePresentment()
    case .selector: try measureSelector()
    case .serve: try await measureServe()
    }
  }

  private func measurePresentment() throws {
    let formats = try FormatMeasures(at: DateTime(Date()))
    var lines: [(name: String, microseconds: Double)] = []
    for measure in formats.all + WorldMeasures().all {
      let microseconds = try time(measure)
      lines.append((measure.name, microseconds))
      show(measure.name, microseconds: microseconds)
    }
    showRatios(lines)
    showSandboxRatio(lines)
    try measureNeighbours(beside: lines, on: formats)
  }

  private func measureNeighbours(
    beside lines: [(name: String, microseconds: Double)], on document: FormatMeasures
  ) throws {
    guard let neighbours = Neighbours() else {
      return StandardError.write(
        "pymdoccbor and isomdoc are not measured: there is no \(Neighbours.environment); make bench installs them")
    }
    if !tsv { print("\nOther implementations on the same document, relative to this one:") }
    for (name, time) in try neighbours.measure(document, milliseconds: milliseconds) {
      show(name, microseconds: time)
      let ours = name.contains("verify") ? FormatMeasures.verifying : FormatMeasures.issuing
      if !tsv, let here = lines.first(where: { $0.name == ours })?.microseconds {
        print("  \(decimal(time / here)) times: \(ours)")
      }
    }
  }

  private func measureSelector() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("presentment-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("registrations.sqlite").path
    let measures = try SelectorMeasures(registrationCount: registrations)
    let clock = ContinuousClock()
    var lines: [(name: String, microseconds: Double)] = []
    func once<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
      let start = clock.now
      let value = try body()
      lines.append((name, microseconds(start.duration(to: clock.now))))
      show(name, microseconds: lines[lines.count - 1].microseconds)
      return value
    }
    if let signature = try FormatMeasures(at: DateTime(Date())).all.first(where: {
      $0.name == FormatMeasures.librarySignature
    }) {
      let microseconds = try time(signature)
      lines.append((signature.name, microseconds))
      show(signature.name, microseconds: microseconds)
    }
    try once("create a file with \(registrations) registrations") { try measures.fill(path) }
    show("size of the file", bytes: FileManager.default.sizeOfFile(path))
    ResidentMemory.reset()
    let before = ResidentMemory.read()
    let database = try once("open and inspect it") { try RegistrationDatabase(at: path) }
    let selection = try once("the first selection") { try measures.select(in: database) }
    if let before, let after = ResidentMemory.read() {
      show("memory for both", bytes: max(0, after.most - before.now))
    }
    let offers = selection.offered.map(\.registrations.count).reduce(0, +)
    let measure = Measure(
      name: "a selection: \(selection.offered.count) apps offered with \(offers), \(selection.hidden.count) hidden"
    ) { _ = try measures.select(in: database) }
    let median = try median(measure)
    lines.append((measure.name, median))
    show(measure.name, microseconds: median)
    try database.close()
    showRatios(lines)
  }

  func show(_ name: String, microseconds: Double) {
    print(
      tsv ? "\(name)\t\(decimal(microseconds))\t\(decimal(1_000_000 / microseconds))" : line(name, microseconds))
  }

  func show(_ name: String, bytes: Int) {
    print(tsv ? "\(name)\t\(bytes)\tbytes" : padded(name) + "\(decimal(Double(bytes) / 1_048_576)) MiB")
  }

  private func showRatios(_ lines: [(name: String, microseconds: Double)]) {
    guard !tsv, let signature = lines.first(where: { $0.name == FormatMeasures.librarySignature })?.microseconds else {
      return
    }
    print("\nIn signatures of the cryptographic library, which take \(decimal(signature)) us here:")
    for (name, microseconds) in lines { print("  \(name): \(decimal(microseconds / signature))") }
  }

  private func showSandboxRatio(_ lines: [(name: String, microseconds: Double)]) {
    guard !tsv, let index = lines.firstIndex(where: { $0.name == WorldMeasures.unconfined }), index > 0 else { return }
    let (confined, open) = (lines[index - 1].microseconds, lines[index].microseconds)
    print(
      "\nA presentment with its request parsed in a confined process: \(decimal(confined / open)) times one without; "
        + "the process takes \(decimal(confined - open)) us")
  }

  /// The time of one round, in microseconds: the best of five batches, because other load only adds time.
  private func time(_ measure: Measure) throws -> Double {
    let clock = ContinuousClock()
    var best = Double.infinity
    for _ in 0..<5 {
      let end = clock.now.advanced(by: .milliseconds(milliseconds / 5 + 1))
      let start = clock.now
      var rounds = 0
      repeat {
        try measure.round()
        rounds += 1
      } while clock.now < end
      let microseconds = microseconds(start.duration(to: clock.now))
      best = min(best, microseconds / Double(rounds) / Double(measure.countInRound))
    }
    return best
  }

  /// The median time of the rounds, in microseconds.
  private func median(_ measure: Measure) throws -> Double {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: .milliseconds(milliseconds))
    var rounds: [Double] = []
    repeat {
      let start = clock.now
      try measure.round()
      rounds.append(microseconds(start.duration(to: clock.now)))
    } while clock.now < end
    return rounds.sorted()[rounds.count / 2]
  }

  private func microseconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) * 1_000_000 + Double(duration.components.attoseconds) / 1e12
  }

  private func line(_ name: String, _ microseconds: Double) -> String {
    "\(padded(name))\(decimal(microseconds)) us   \(decimal(1_000_000 / microseconds)) a second"
  }

  private func padded(_ name: String) -> String { name + String(repeating: " ", count: max(1, 58 - name.count)) }

  private func decimal(_ value: Double) -> String {
    value >= 100 ? String(Int(value.rounded())) : String((value * 100).rounded() / 100)
  }
}

extension FileManager {
  /// The size of a file in bytes, or 0 if it does not exist.
  fileprivate func sizeOfFile(_ path: String) -> Int {
    (try? attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }
}

/// A measurement.
struct Measure {
  let name: String
  /// The number of operations in one round.
  var countInRound = 1
  let round: () throws -> Void
}

/// `presentment bench serve`
extension BenchCommand {
  /// The number of presentments in each half: about a morning of tests.
  private static let presentments = 250

  /// Answers presentments over HTTP, and prints the time of each and the memory that the second half adds: the first
  /// half fills the caches.
  func measureServe() async throws {
    let measures = try await ServeMeasures()
    defer { measures.stop() }
    let first = try await measures.answer(Self.presentments)
    let before = ResidentMemory.read()?.now
    let second = try await measures.answer(Self.presentments)
    let after = ResidentMemory.read()?.now
    let microseconds = (first + second) / Double(2 * Self.presentments) * 1e6
    show("answer over HTTP, \(ServeMeasures.connections) connections", microseconds: microseconds)
    if let before, let after {
      show("memory after \(Self.presentments) answers", bytes: before)
      show("memory after \(2 * Self.presentments) answers", bytes: after)
    }
  }
}
