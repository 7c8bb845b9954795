import CommandSupport
import Foundation
import Glibc
import InteractiveWorlds
import LocatedYAML
import ScenarioFiles

/// Measurements of the command itself, in child processes.
struct ProgramMeasures {
  private let program: URL

  /// - Throws: ``ProgramError`` if the program's file is unknown.
  init() throws { program = try ChildProcess.ownProgram() }

  /// The processor time of the command until it has printed its help.
  var start: Measure {
    Measure.timed("start the command: print its help, processor time") { [program] in
      let count = 10
      var time = 0.0
      for _ in 0..<count { time += try ChildProcess.run(program, ["--help"]).processor }
      return Measure.Batch(microseconds: time, count: count)
    }
  }

  /// The number of shared libraries that are loaded into this process.
  var libraryCount: Int {
    // The file has no size, and reading it as a whole file stops early.
    let maps =
      (try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()).map { String(decoding: $0, as: UTF8.self) }
      ?? ""
    let files = maps.split(separator: "\n").compactMap { $0.split(separator: " ", maxSplits: 5).last }
    return Set(files.filter { $0.contains(".so") }).count
  }

  /// The size of the program's file in bytes.
  var size: Int { (try? FileManager.default.attributesOfItem(atPath: program.path)[.size] as? Int) ?? 0 }
}

/// Measurements of shipped scenarios in cold processes, in the project's folder.
struct ScenarioMeasures {
  /// The number of cases of the short run.
  static let coldCount = 200
  private static let folder = "scenarios"
  /// A scenario in which a process computes until its limit of processor time ends it.
  private static let spinning = "process-misbehaves"

  /// Every scenario on one core and on two.
  struct Scaling {
    /// The place where requests are parsed, in the names of the measures.
    let place: String
    fileprivate let options: [String]

    /// The names of the measures on one core and on two, and of their ratio.
    var names: (one: String, two: String, ratio: String) {
      (
        "every scenario on one core, \(place), elapsed, a case",
        "every scenario on two cores, \(place), elapsed, a case", "two cores against one, \(place)"
      )
    }
  }

  /// With requests parsed in the program's process, and in confined processes, which take the cores too.
  static let scalings = [
    Scaling(place: "parsed in this process", options: ["--sandbox", "in-process"]),
    Scaling(place: "with its processes", options: []),
  ]

  private let program: URL
  private let files: [String]

  /// - Throws: ``ProgramError`` if this is not the project's folder.
  init() throws {
    program = try ChildProcess.ownProgram()
    files = ScenarioFinder.files(at: [Self.folder], ProblemCollector()).filter { !$0.contains(Self.spinning) }
    guard !files.isEmpty else { throw ProgramError(.measurement, "the folder \(Self.folder) is not here") }
  }

  /// Measures, each of few runs because a run takes seconds.
  var measures: [Measure] {
    [
      Measure.timed("\(Self.coldCount) scenarios from cold start to report on one core, elapsed") {
        let run = try run(first: Self.coldCount)
        return Measure.Batch(microseconds: run.elapsed * Double(Self.coldCount) / Double(run.cases), count: 1)
      }
    ]
      + Self.scalings.map { scaling in
        Measure.timed("a shipped scenario, mean, \(scaling.place), processor time") {
          let run = try run(scaling.options)
          return Measure.Batch(microseconds: run.processor, count: run.cases)
        }
      }
      + Self.scalings.flatMap { scaling in
        [(1, scaling.names.one), (2, scaling.names.two)].map { jobs, name in
          Measure.timed(name) {
            let run = try run(scaling.options, cores: jobs)
            return Measure.Batch(microseconds: run.elapsed, count: run.cases)
          }
        }
      }
  }

  /// Runs about this many cases, taken evenly from all files.
  private func run(first count: Int) throws -> ChildProcess.Usage {
    // The files have about six cases each.
    let step = max(1, files.count * 6 / count)
    return try run([], of: files.indices.filter { $0 % step == 0 }.map { files[$0] })
  }

  private func run(_ options: [String], of files: [String]? = nil, cores: Int = 1) throws -> ChildProcess.Usage {
    let usage = try ChildProcess.run(
      program, ["run"] + (files ?? self.files) + ["--jobs", "\(cores)"] + options, cores: cores)
    guard usage.status == 0, usage.cases > 0 else {
      throw ProgramError(.measurement, "the scenarios do not pass: \(usage.lastLine)")
    }
    return usage
  }
}

/// A child process, with the time that it takes.
enum ChildProcess {
  /// The use of the machine by a process and its own children.
  struct Usage {
    /// The elapsed time in microseconds.
    let elapsed: Double
    /// The processor time in microseconds.
    let processor: Double
    let status: Int32
    /// The lines of the output that are not empty.
    let lines: [String]

    /// The last line of the output.
    var lastLine: String { lines.last ?? "" }
    /// The number of cases in a report's last line.
    var cases: Int { lastLine.split(separator: " ").first.flatMap { Int($0) } ?? 0 }
  }

  /// - Throws: ``ProgramError`` if the program's file is unknown.
  static func ownProgram() throws -> URL {
    guard let program = Bundle.main.executableURL else {
      throw ProgramError(.measurement, "the program's own file is unknown")
    }
    return program
  }

  /// Runs a program to its end.
  /// - Parameter cores: The number of processors that it may use; nil for all.
  static func run(_ program: URL, _ arguments: [String], cores: Int? = nil) throws -> Usage {
    let process = Process()
    let taskset = URL(fileURLWithPath: "/usr/bin/taskset")
    if let cores, FileManager.default.isExecutableFile(atPath: taskset.path) {
      process.executableURL = taskset
      process.arguments = ["--cpu-list", "0-\(cores - 1)", program.path] + arguments
    } else {
      process.executableURL = program
      process.arguments = arguments
    }
    let before = childrenTime
    let start = Stopwatch.now(.elapsed)
    let (child, output) = try ChildProgram.start(process) { process in
      let output = Pipe()
      process.standardOutput = output
      return output
    }
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    let code = child.wait()
    return Usage(
      elapsed: Stopwatch.now(.elapsed) - start, processor: childrenTime - before, status: code,
      lines: text.split(separator: "\n").map(String.init))
  }

  /// The processor time of all ended children in microseconds.
  private static var childrenTime: Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) * 1e6 + Double($1.tv_usec) }
  }
}
