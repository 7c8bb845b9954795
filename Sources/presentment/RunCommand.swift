import ArgumentParser
import Foundation
import Reports
import Scenarios

/// `presentment run PATH...`
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run scenario files, or every scenario in a folder.")

  @Argument(help: "Scenario files or folders; the ending .yaml may be left out.")
  var paths: [String]

  @Option(help: "Seed of every world, instead of the scenarios' own.")
  var seed: UInt64?

  @Option(help: "How many worlds run at the same time.")
  var jobs: Int = 1

  @Option(help: "Write the journal of each case to DIR, as FILE.trace.jsonl.")
  var trace: String?

  @Option(help: "Run only the cases whose path or name contains this text.")
  var filter: String?

  @Flag(help: "Tell what happens in each case, step by step.")
  var story = false

  func validate() throws {
    if jobs < 1 || jobs > 256 { throw ValidationError("--jobs takes a number from 1 to 256") }
  }

  func run() throws {
    let reading = ProblemCollector()
    let files = ScenarioFinder.files(at: paths, reading)
    var scenarios: [Scenario] = []
    var unread = 0
    var rendered = reading.isEmpty ? [] : [reading.rendered()]
    unread += reading.problems.count
    for file in files {
      let problems = ProblemCollector()
      if let cases = ScenarioReader.read(file, problems) {
        scenarios += cases
      } else {
        unread += 1
        rendered.append(problems.rendered())
      }
    }
    for text in rendered { FileHandle.standardError.write(Data((text + "\n\n").utf8)) }
    if let filter {
      scenarios = scenarios.filter { $0.path.contains(filter) || $0.name.contains(filter) }
    }
    let tracer = try trace.map(TraceFolder.init)
    let showsStory = story
    let results = ScenarioRunner.run(ScenarioRunner.Plan(scenarios: scenarios, seed: seed, jobs: jobs)) { result in
      if showsStory { print(StoryReport.text(of: result)) }
      print(TextReport.line(for: result))
      if let detail = TextReport.detail(for: result) { print(detail + "\n") }
      tracer?.write(result)
    }
    let passed = results.count(where: \.isPassed)
    let failed = results.count - passed + unread
    print("\(passed) passed, \(failed) failed")
    if let problem = tracer?.problem {
      FileHandle.standardError.write(Data("\(problem)\n".utf8))
      throw PresentmentExit.undecided
    }
    if unread > 0 || results.contains(where: \.isUndecided) { throw PresentmentExit.undecided }
    if results.contains(where: { !$0.isPassed }) { throw PresentmentExit.expectationFailed }
  }
}

extension CaseResult {
  var isUndecided: Bool { if case .undecided = outcome { true } else { false } }
}
