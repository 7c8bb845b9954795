import CommandSupport
import Devices
import Foundation
import InteractiveWorlds
import MeasuredWork
import MobileDocument
import Primitives
import Reports

/// A run of measurements, which prints each figure when it is known.
final class Bench {
  /// The form of the output.
  enum Form {
    case text, tabSeparated
    /// Nothing is printed before the end.
    case json
  }

  private(set) var report = BenchReport()
  private let milliseconds: Int
  private let form: Form
  private let unit = SignatureUnit()

  /// - Parameter milliseconds: The least time for each measurement.
  init(milliseconds: Int, form: Form) {
    self.milliseconds = milliseconds
    self.form = form
    if form == .text { StandardOutput.print(report.machine) }
  }

  /// Measures a topic.
  /// - Parameter sizes: Numbers of registrations for the selector.
  func measure(_ topic: BenchTopic, registrations sizes: [Int]) throws {
    if form == .text { StandardOutput.print("\n\(topic.rawValue): \(topic.summary)") }
    switch topic {
    case .formats: try add(FormatMeasures(document: MeasuredDocument(at: DateTime(Date()))).all, topic)
    case .worlds: try measureWorlds()
    case .growth: try measureGrowth()
    case .memory:
      for (name, bytes) in try WorldMeasures.memory() { add(BenchFigure(topic: topic, name: name, bytes, .bytes)) }
    case .program: try measureProgram()
    case .scenarios: try measureScenarios()
    case .selector: for size in sizes { try measureSelector(size) }
    case .serve: try measureServe()
    case .peers: try measurePeers()
    }
  }

  private func add(_ figure: BenchFigure) {
    report.add(figure)
    switch form {
    case .text: StandardOutput.print(BenchReport.line(figure))
    case .tabSeparated: StandardOutput.print(BenchReport.tabSeparated(figure))
    case .json: break
    }
  }

  private func add(_ measures: [Measure], _ topic: BenchTopic) throws {
    for measure in measures { add(try measure.figure(of: topic, milliseconds: milliseconds, unit: unit)) }
  }

  private func measureWorlds() throws {
    try add(WorldMeasures.all, .worlds)
    guard let confined = report.figure(WorldMeasures.confined, .worlds),
      let open = report.figure(WorldMeasures.unconfined, .worlds)
    else { return }
    add(
      BenchFigure(
        topic: .worlds, name: "the confined process beside parsing in this one, elapsed",
        times: [max(0, confined.best - open.best), max(0, confined.median - open.median)],
        signatures: [confined.signature ?? 1, confined.medianSignature ?? 1]))
  }

  private func measureGrowth() throws {
    for size in WorldMeasures.sizes { try add(WorldMeasures.measures(of: size), .growth) }
    try add(WorldMeasures.laterPresentments, .growth)
    for (name, bytes) in try WorldMeasures.memoryAfterWorlds() {
      add(BenchFigure(topic: .growth, name: name, bytes, .bytes))
    }
  }

  private func measureProgram() throws {
    let program = try ProgramMeasures()
    add(try program.start.figure(of: .program, milliseconds: milliseconds, unit: unit))
    add(BenchFigure(topic: .program, name: "shared libraries", Double(program.libraryCount), .count))
    add(BenchFigure(topic: .program, name: "size of the command", Double(program.size), .bytes))
  }

  private func measureScenarios() throws {
    let scenarios = try ScenarioMeasures()
    for measure in scenarios.measures { add(try measure.figure(of: .scenarios, milliseconds: 1, unit: unit)) }
    for names in ScenarioMeasures.scalings.map(\.names) {
      guard let one = report.figure(names.one, .scenarios), let two = report.figure(names.two, .scenarios) else {
        continue
      }
      add(BenchFigure(topic: .scenarios, name: names.ratio, one.best / two.best, .ratio))
    }
  }

  private func measureSelector(_ count: Int) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("presentment-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("registrations.sqlite").path
    let measures = try SelectorMeasures(registrationCount: count)
    let filling = try Stopwatch.time { try measures.fill(path) }
    let signatures = [try unit.measure()]
    add(
      BenchFigure(
        topic: .selector, name: "create a file with \(count) registrations", times: [filling], signatures: signatures))
    add(BenchFigure(topic: .selector, name: "size of the file with \(count)", Double(Self.size(path)), .bytes))
    ResidentMemory.reset()
    let before = ResidentMemory.read()
    var opened: SelectorMeasures.Opened?
    let opening = try Stopwatch.time { opened = try measures.open(path) }
    guard let opened else { return }
    add(
      BenchFigure(
        topic: .selector, name: "open and inspect it, with the first selection among \(count)", times: [opening],
        signatures: signatures))
    if let before, let after = ResidentMemory.read() {
      add(
        BenchFigure(
          topic: .selector, name: "memory for both with \(count)", Double(max(0, after.most - before.now)), .bytes))
    }
    try add(
      [
        Measure("a selection among \(count): \(opened.outcome)") { _ = try measures.select(in: opened.database) }
      ], .selector)
    try opened.database.close()
  }

  /// The size of a file in bytes, or 0 if it does not exist.
  private static func size(_ path: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }

  /// The number of presentments over HTTP in each half: about a morning of tests.
  private static let answers = 250

  /// Lets the web server answer presentments over HTTP, in a process of its own.
  private func measureServe() throws {
    let server = URL(fileURLWithPath: ServeOptions.program)
    guard FileManager.default.isExecutableFile(atPath: server.path) else {
      return StandardError.write(
        "answers over HTTP are not measured: there is no \(server.path); make release builds it")
    }
    let run = try ChildProcess.run(server, ["--measure", "\(Self.answers)"])
    guard run.status == 0, let answers = try? JSONDecoder().decode(MeasuredAnswers.self, from: Data(run.lastLine.utf8))
    else { throw ProgramError(.measurement, "the web server measured nothing: \(run.lastLine)") }
    add(
      BenchFigure(
        topic: .serve, name: "answer over HTTP, \(MeasuredAnswers.connections) connections, elapsed",
        times: answers.microseconds, signatures: [try unit.measure()]))
    for (half, bytes) in answers.memory.enumerated() {
      let count = (half + 1) * Self.answers
      add(BenchFigure(topic: .serve, name: "memory after \(count) answers", Double(bytes), .bytes))
    }
  }

  private func measurePeers() throws {
    guard let neighbours = Neighbours() else {
      return StandardError.write(
        "other implementations are not measured: there is no \(Neighbours.environment); make bench installs them")
    }
    let signatures = [try unit.measure()]
    let found = try neighbours.measure(MeasuredDocument(at: DateTime(Date())), milliseconds: milliseconds)
    for (name, time) in found {
      add(BenchFigure(topic: .peers, name: name, times: [time], signatures: signatures + [try unit.measure()]))
    }
    guard form == .text else { return }
    for (name, time) in found {
      let ours =
        name.hasPrefix("sd-jwt")
        ? FormatMeasures.verifying(.openID4VPWithSDJWT)
        : name.contains("verify") ? FormatMeasures.verifying : FormatMeasures.issuing
      guard let here = report.figure(ours, .formats) else { continue }
      StandardOutput.print("  \(name): \(ReportText.decimal(time / here.best)) times \"\(ours)\"")
    }
  }
}
