import ArgumentParser
import ExchangeFiles
import Foundation
import InteractiveWorlds
import MobileDocument
import Primitives

/// `presentment answer --request REQUEST.json --origin ORIGIN --world FILE`
struct AnswerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "answer", abstract: "Let a world's phone answer the request of a real page.",
    discussion: """
      The whole phone answers: browser, operating system, app selector, sandbox and app. The answer is printed as what
      navigator.credentials.get resolves to, or as a command for a browser's virtual wallet. Exit codes: 0 answered, 1
      when the phone refuses, 2 when a file cannot be used.
      """)

  @Option(help: "What a page passes to navigator.credentials.get, one request of it, or an exchange file.")
  var request: String

  @Option(help: "The page's origin.")
  var origin: String

  @Option(help: "A file with a world, as those in scenarios/worlds, or a scenario.")
  var world: String

  @Option(help: "The world's device; may be left out when there is one.")
  var device: String?

  @Option(help: "The app that the person picks; the first that the selector offers when left out.")
  var app: String?

  @Option(help: "Seed of the world; the same seed gives the same issuer and the same keys.")
  var seed: UInt64?

  @Option(help: "The moment of the answer, as 2026-06-01T00:00:00Z, instead of now.")
  var at: String?

  @Option(help: "How the answer is printed.")
  var format: WalletResponse.Format = .credential

  @Option(help: "Where the roots of the world's issuing authorities are written, in PEM, for the site to trust.")
  var issuerRoots: String?

  func run() throws {
    do {
      try Files.requireDistinct([issuerRoots], from: [request, world])
      let bytes = try Files.read(request)
      let options = try ExchangeCommands.using(request) {
        try RequestTexts(anywhereIn: try ExchangeFile(bytes)).options
      }
      let moment = try ExchangeCommands.moment(at)
      let answer = try WalletResponse(
        to: options,
        WalletQuery(
          world: world, device: device, app: app, origin: origin, seed: seed, moment: moment))
      if let issuerRoots {
        try Files.write([Files.Output(path: issuerRoots, bytes: answer.issuerRootsPEM, isSecret: false)])
      }
      try ExchangeCommands.say(String(decoding: answer.text(as: format), as: UTF8.self))
    } catch let error as ExchangeFileError {
      throw ExchangeCommands.fail(error)
    } catch let refusal as WalletResponseError {
      // Evidence may hold what the page's author wrote.
      let lines = ["not answered: \(TerminalSafe.text(refusal.message)) [\(refusal.code)]"]
      StandardError.write((lines + refusal.evidence.map { "  \(TerminalSafe.text($0))" }).joined(separator: "\n"))
      throw ExitCode(refusal.isAboutTheQuestion ? 2 : 1)
    } catch let refusal as InteractiveWorldError {
      StandardError.write("not answered: \(TerminalSafe.text(refusal.message)) [\(refusal.code)]")
      throw ExitCode(1)
    }
  }
}

extension WalletResponse.Format: ExpressibleByArgument {}
