import ArgumentParser
import CaseSuites
import CommandSupport
import ExchangeFiles
import Foundation
import InteractiveWorlds
import LocatedYAML
import Primitives
import ProviderStyles
import Reports
import ScenarioFiles
import TraceViews

/// The program `presentment`, for a package that adds provider apps of its own.
public enum PresentmentProgram {
  /// Runs the command that the arguments name, and ends the process: with 0 if all expectations hold, 1 if one failed, 2 if
  /// something could not be used or decided.
  /// - Parameter styles: The provider apps that worlds can name, besides the shipped ones.
  public static func run(adding styles: [any ProviderStyle] = []) -> Never {
    AddedStyles.add(styles)
    Presentment.main()
    exit(0)
  }
}

/// The command.
struct Presentment: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presentment",
    abstract: "A whole ecosystem for online identity-document verification in one process.",
    discussion: """
      Exit codes: 0 if all expectations hold, 1 if an expectation failed, 2 if a file could not be used or a run was \
      undecided.
      """,
    version: "presentment \(ProgramVersion.text)",
    groupedSubcommands: [
      CommandGroup(
        name: "Scenario",
        subcommands: [
          RunCommand.self, NewCommand.self, LintCommand.self, FormatCommand.self, SchemaCommand.self,
          FaultsCommand.self,
          WhyCommand.self,
        ]),
      CommandGroup(
        name: "Play",
        subcommands: [
          DemoCommand.self, ServeCommand.self, AnswerCommand.self, BrowserChecklistCommand.self,
        ]),
      CommandGroup(
        name: "Test",
        subcommands: [
          TestVerifierCommand.self, NewTargetCommand.self, TestWalletCommand.self,
        ]),
      CommandGroup(name: "Report", subcommands: [MergeCommand.self, TraceCommand.self, DiffCommand.self]),
      CommandGroup(name: "Search", subcommands: [SweepCommand.self, ExploreCommand.self, VacuousCommand.self]),
      CommandGroup(
        name: "File",
        subcommands: [
          InspectCommand.self, VerifyCommand.self, RequestCommand.self, RespondCommand.self, IssueCommand.self,
          TrustCommand.self, QRCommand.self,
        ]),
      CommandGroup(name: "Measure", subcommands: [BenchCommand.self]),
    ])

  /// Like the library's implementation, except that wrong usage exits with 2, as for every other unusable input.
  static func main() {
    StandardStreams.prepare()
    Terminal.widenHelp()
    MachineNeeds.require()
    requireTextualArguments()
    requireKnownSubcommand()
    do {
      var command = try parseAsRoot()
      try command.run()
      try StandardOutput.requireWritten()
    } catch {
      if isCompleteMessage(error) { exit(withError: ExitCode.failing("\(error)")) }
      let code = exitCode(for: error)
      let text = fullMessage(for: error)
      if code == .success {
        StandardOutput.print(HelpText.wrapped(text, toColumns: Terminal.helpWidth))
      } else if !text.isEmpty {
        StandardError.write(
          Terminal.isTerminal(STDERR_FILENO) ? HelpText.wrapped(text, toColumns: Terminal.helpWidth) : text)
      }
      // A failure that could not be printed is an error. The other codes are of errors or signals.
      if code.rawValue <= 1 { do { try StandardOutput.requireWritten() } catch { exit(withError: error) } }
      // Exit code 1 is a verdict: no other error has it.
      let isUnusable = code == .validationFailure || code == .failure && !(error is ExitCode)
      exit(withError: isUnusable ? ExitCode(2) : code)
    }
  }

  /// True for an error about a file or a world that the command uses, which is reported as it is: others get a heading.
  private static func isCompleteMessage(_ error: any Error) -> Bool {
    error is ExchangeFileError || error is SuiteFolderError || error is InteractiveWorldError || error is TraceViewError
  }

  /// Refuses a subcommand that does not exist, with the nearest one: the library takes it for a surplus argument, and prints
  /// the overview in the place of help about it.
  private static func requireKnownSubcommand() {
    let arguments = CommandLine.arguments.dropFirst()
    let names = configuration.subcommands.map { $0._commandName }
    let subject = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
    guard let name = subject, !name.isEmpty, !name.hasPrefix("-"), !(names + ["help"]).contains(name) else { return }
    let hint =
      NearestName.of(name, in: names).map { "did you mean '\($0)'?" }
      ?? "'presentment --help' lists the known ones"
    StandardError.write("Error: unknown subcommand '\(TerminalSafe.text(name))'; \(hint)")
    exit(withError: ExitCode(2))
  }

  /// Refuses arguments that are not UTF-8: repaired, they would name other files.
  private static func requireTextualArguments() {
    for argument in UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst() {
      guard let argument, String(validatingCString: argument) == nil else { continue }
      let bytes = UnsafeBufferPointer(start: argument, count: strlen(argument)).map { UInt8(bitPattern: $0) }
      StandardError.write("Error: the argument '\(TerminalSafe.text(FolderListing.escaped(bytes)))' is not UTF-8")
      exit(withError: ExitCode(2))
    }
  }
}
