import ArgumentParser
import CommandSupport
import Foundation
import InteractiveWorlds
import ScenarioFiles
import TerminalDemo
import Vocabulary

/// `presentment demo [SCENARIO]`
struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Play a scenario step by step: the device's screen, and the readers of each message.",
    discussion: """
      On a terminal it is full screen and controlled by keys: Space and the arrow keys move in the scenario, and any \
      choice on the device's screen takes over from there. Otherwise it prints each screen with its choices and reads \
      lines from standard input, also the words next, previous, start, end and play, and the text of a code. Exit \
      codes: 0 at the end, 1 after a line that was not a choice, 2 if the scenario cannot be used.
      """)

  @Argument(help: "A scenario or a world; the extension .yaml is optional.")
  var scenario = Self.shipped

  private static let shipped = "scenarios/headline"

  @Option(help: "A case of the scenario, if it has several.")
  var `case`: String?

  @Option(help: "The world's seed; the default is the scenario's.")
  var seed: UInt64?

  @Option(
    help:
      "The name of a fault; one of those that `presentment faults` lists, or unsigned, or another-authority. Repeatable."
  )
  var fault: [String] = []

  @Option(help: "The language of every device; the default is each device's own.")
  var language: Language?

  @Option(help: SandboxOption.help)
  var sandbox: WorldDescription.SandboxPlace?

  @Option(
    help: ArgumentHelp(
      "Record the steps in this file, as a scenario. If its name ends in .cast: the screens, as an asciicast."))
  var record: String?

  private var recordsScreens: Bool { record?.hasSuffix(".cast") ?? false }

  func validate() throws {
    for name in fault where DemoFault.named(name) == nil { throw ValidationError(DemoFault.unknown(name)) }
  }

  func run() throws {
    let hasEnding = scenario.hasSuffix(".yaml") || FileManager.default.fileExists(atPath: scenario)
    let path = ShippedFiles.path(hasEnding ? scenario : scenario + ".yaml")
    try Files.requireDistinct([record], from: record == nil ? [] : WorldSources.paths(usedBy: path))
    let demonstration: Demonstration
    do {
      var setting = DemoConfiguration(
        path: path, caseName: self.case, seed: seed, faults: fault.compactMap(DemoFault.named))
      setting.sandbox = sandbox
      setting.language = language
      demonstration = try Demonstration(setting, screens: recordsScreens ? ScreenRecording(title: scenario) : nil)
    } catch {
      throw ExitCode.failing(error.message)
    }
    defer { demonstration.end() }
    let code = try show(demonstration)
    if let record {
      let text = try demonstration.screens?.asciicast ?? steps(of: demonstration, for: record)
      try Files.write([Files.Output(path: record, bytes: Array(text.utf8), isSecret: false)])
    }
    if code != .success { throw code }
  }

  /// The steps as a scenario.
  private func steps(of demonstration: Demonstration, for file: String) throws -> String {
    do {
      let recording = try demonstration.recording()
      if recording.isTooLong {
        StandardError.write("\(file): the recording is longer than the limit of a scenario, so it cannot be run")
      }
      return recording.yaml
    } catch {
      throw ExitCode.failing(error.message)
    }
  }

  private func show(_ demonstration: Demonstration) throws -> ExitCode {
    guard Terminal.isTerminal(STDIN_FILENO), Terminal.rewritesLines(STDOUT_FILENO) else {
      let isUnderstood = LineDemo.run(demonstration, input: { readLine() }, output: { StandardOutput.print($0) })
      return isUnderstood ? .success : ExitCode(1)
    }
    do {
      let signal = try TerminalDemo.run(demonstration)
      // The exit code that a shell gives for a process ended by a signal.
      return signal.map { ExitCode(128 + $0) } ?? .success
    } catch {
      StandardError.write(error.message)
      return ExitCode(2)
    }
  }
}

extension Language: ExpressibleByArgument {}
