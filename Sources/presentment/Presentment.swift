import ArgumentParser

/// The command.
@main
struct Presentment: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presentment",
    abstract: "A whole ecosystem for online identity-document verification in one process.",
    discussion: """
      Exit codes: 0 when all is as expected, 1 when an expectation failed, 2 when a file could not be read or a run
      could not decide.
      """,
    subcommands: [RunCommand.self])
}

/// Exit codes of the command.
enum PresentmentExit {
  static let expectationFailed = ExitCode(1)
  static let undecided = ExitCode(2)
}
