import ArgumentParser
import CommandSupport
import Foundation

/// `presentment serve [--world FILE] [--port N]`
///
/// The web server is a program of its own, so that the other commands are built without its packages.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Show the app selector and the consent flow in a web page.",
    discussion: """
      Prints the address of the stage, and serves until SIGTERM or Control-C. By default only this machine can reach \
      it; see --address. Pages of this machine can use the phone with the script presentment.js; POST /api/answer \
      answers a request without a page. Exit codes: 0 at the end, 2 if it cannot start.
      """)

  @OptionGroup var options: ServeOptions

  /// Becomes the program `presentment-serve`, with the arguments of this command.
  func run() throws {
    let program = ServeOptions.program
    // The arguments have been parsed: the name of the command is the first.
    let arguments = [program] + CommandLine.arguments.dropFirst(2)
    let error = Self.become(program, arguments)
    let cause = error == ENOENT ? "; \(ServeOptions.howToBuild)" : ""
    throw ExitCode.failing("cannot start \(program): \(String(cString: strerror(error)))\(cause)")
  }

  /// Replaces this process.
  /// - Returns: The number of the error, if that is not possible.
  private static func become(_ program: String, _ arguments: [String]) -> Int32 {
    // A new program keeps the blocked signals.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    var texts: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    execv(program, &texts)
    let error = errno
    for text in texts { free(text) }
    return error
  }
}
