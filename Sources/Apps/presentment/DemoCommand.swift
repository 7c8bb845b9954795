import ArgumentParser
import ExchangeFiles
import Foundation
import InteractiveWorlds
import TerminalDemo

/// `presentment demo [SCENARIO]`
struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: "Show the app selector and the consent flow, and who can read what, step by step.",
    discussion: """
      On a terminal it is full screen and taken through by keys. Elsewhere it prints each screen with its choices and
      takes lines from standard input. Exit codes: 0 at the end, 1 when a line was no choice, 2 when there is no such
      world.
      """)

  @Argument(help: "A scenario or a world; the ending .yaml may be left out.")
  var scenario = "scenarios/headline"

  @Option(help: "A case of the scenario, when it has several.")
  var `case`: String?

  @Option(help: "Seed of the world, instead of the scenario's own.")
  var seed: UInt64?

  @Option(help: "Something that goes wrong, by its name; repeatable.")
  var fault: [String] = []

  @Option(help: "Write what was done into this file, as a scenario that does it again.")
  var record: String?

  func validate() throws {
    for name in fault where DemoFault.named(name) == nil {
      throw ValidationError(
        "There is no fault \(name). There are: \(DemoFault.all.map(\.name).joined(separator: ", "))")
    }
  }

  func run() throws {
    let path = FileManager.default.fileExists(atPath: scenario) ? scenario : scenario + ".yaml"
    do throws(ExchangeFileError) {
      try Files.requireDistinct([record], from: [path])
    } catch {
      throw ExchangeCommands.fail(error)
    }
    let demonstration: Demonstration
    do {
      demonstration = try Demonstration(
        DemoConfiguration(
          path: path, caseName: self.case, seed: seed, faults: fault.compactMap(DemoFault.named)))
    } catch {
      StandardError.write(error.message)
      throw ExitCode(2)
    }
    defer { demonstration.end() }
    let code = try show(demonstration)
    if let record {
      if demonstration.recording.isTooLong {
        StandardError.write("\(record): the recording is longer than a scenario may be, and cannot be run")
      }
      do throws(ExchangeFileError) {
        let file = Files.Output(path: record, bytes: Array(demonstration.recording.yaml.utf8), isSecret: false)
        try Files.write([file])
      } catch {
        throw ExchangeCommands.fail(error)
      }
    }
    if code != .success { throw code }
  }

  private func show(_ demonstration: Demonstration) throws -> ExitCode {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      let isUnderstood = LineDemo.run(demonstration, input: { readLine() }, output: { print($0) })
      return isUnderstood ? .success : ExitCode(1)
    }
    do {
      let signal = try TerminalDemo.run(demonstration)
      // As a shell says it of a process that a signal ended.
      return signal.map { ExitCode(128 + $0) } ?? .success
    } catch {
      StandardError.write(error.description)
      return ExitCode(2)
    }
  }
}
