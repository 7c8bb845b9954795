import ArgumentParser
import CaseSuites
import CommandSupport
import DigitalCredentials
import ExchangeFiles
import Foundation
import OwnServers
import Primitives
import VerifierSuite

/// `presentment new-target URL`
struct NewTargetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new-target", abstract: "Write the file of a verifier under test, by calling it.",
    discussion: """
      The file is printed, with what was found and what was guessed as comments. Exit codes: 0 if it is complete, 2 if \
      something is left to fill in or the server begins no session.
      """)

  @Argument(help: ArgumentHelp("The address of the call that begins a session.", valueName: "url"))
  var begin: String

  @Option(help: "The address of the call that takes the credential.")
  var submit: String?

  @Option(help: "The origin of the page; by default that of the address.")
  var origin: String?

  @Option(help: "The seed of keys and certificates; the same seed gives the same roots.")
  var seed: UInt64 = 1

  @Flag(help: "Call addresses of other machines; by default only this machine is called.")
  var remote = false

  func validate() throws {
    for address in [begin, submit].compactMap(\.self) {
      guard let isLoopback = VerifierTarget.isLoopback(address) else {
        throw ValidationError("'\(TerminalSafe.text(address))' is not an address of HTTP")
      }
      guard remote || isLoopback else {
        throw ValidationError(
          "\(TerminalSafe.text(address)) is not an address of this machine; --remote calls it all the same")
      }
    }
    if let origin, (try? Origin(serialized: origin)) == nil {
      throw ValidationError("'\(TerminalSafe.text(origin))' is not an origin")
    }
  }

  func run() throws {
    try TemporaryFolder.with { folder in
      let draft: TargetDraft
      do throws(SuiteStop) {
        draft = try TargetDraft(
          begin: begin, submit: submit, origin: try? origin.map { try Origin(serialized: $0) }, seed: seed,
          folder: folder)
      } catch {
        throw ExitCode.failing(([error.message] + error.details.map { "  \($0)" }).joined(separator: "\n"))
      }
      try ExchangeCommands.say(draft.text)
      if !draft.isComplete { throw ExitCode(2) }
    }
  }
}
