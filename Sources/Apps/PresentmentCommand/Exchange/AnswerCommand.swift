import ArgumentParser
import CommandSupport
import ExchangeFiles
import Foundation
import InteractiveWorlds
import MobileDocument
import Primitives
import ScenarioFiles
import Vocabulary

/// `presentment answer --request REQUEST.json --origin ORIGIN --world FILE`
struct AnswerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "answer", abstract: "Let a world's phone answer the request of a real page.",
    discussion: """
      The whole phone takes part: browser, operating system, app selector, sandbox and app. The answer is printed as \
      the result of navigator.credentials.get, or as a command for a browser's virtual wallet. Exit codes: 0 answered, \
      1 refused by the phone, 2 if a file cannot be used or this machine cannot run the world.
      """)

  @Option(help: "The page's options for navigator.credentials.get, one request of them, or an exchange file.")
  var request: String

  @Option(help: "The page's origin.")
  var origin: String

  @Option(help: "A file with a world, for example from scenarios/worlds, or with a scenario.")
  var world: String

  @Option(help: "The world's device; optional if it has one.")
  var device: String?

  @Option(help: "The app that the person picks; the default is the first offered app.")
  var app: String?

  @Option(help: "The world's seed; the same seed gives the same issuer and keys.")
  var seed: UInt64?

  @Option(help: "The time of the answer, for example 2026-06-01T00:00:00Z; the default is now.")
  var at: String?

  @Option(help: SandboxOption.help)
  var sandbox: WorldDescription.SandboxPlace?

  @Option(help: "The output format of the answer.")
  var format: WalletResponse.Format = .credential

  @Option(help: "A fault of the phone, its issuers or its browser; `presentment faults` lists them. Can be repeated.")
  var fault: [String] = []

  @Option(help: "The output file for the roots of the world's issuing authorities, in PEM, for the site to trust.")
  var issuerRoots: String?

  func validate() throws {
    do throws(InteractiveWorldError) {
      _ = try DemoFault.forExternalSite(fault)
    } catch {
      throw ValidationError(error.message)
    }
  }

  func run() throws {
    let world = ShippedFiles.path(world)
    do {
      try Files.requireDistinct(
        [issuerRoots], from: [request] + (issuerRoots == nil ? [] : WorldSources.paths(usedBy: world)))
      let bytes = try Files.read(request)
      let options = try ExchangeCommands.using(request) {
        try PresentationRequestText.pageOptions(in: try ExchangeFile(bytes))
      }
      let moment = try ExchangeCommands.moment(at)
      let answer = try WalletResponse(
        to: options,
        WalletQuery(
          world: world, device: device, app: app, origin: origin, seed: seed, moment: moment, sandbox: sandbox,
          faults: try DemoFault.forExternalSite(fault)))
      if let issuerRoots {
        try Files.write([Files.Output(path: issuerRoots, bytes: answer.issuerRootsPEM, isSecret: false)])
      }
      try ExchangeCommands.say(String(decoding: answer.text(as: format), as: UTF8.self))
    } catch let refusal as InteractiveWorldError {
      // Evidence may contain text of the page's author.
      let lines = ["not answered: \(TerminalSafe.text(refusal.message)) [\(refusal.code.rawValue)]"]
      StandardError.write((lines + refusal.details.map { "  \(TerminalSafe.text($0))" }).joined(separator: "\n"))
      throw ExitCode(refusal.isBeforeAnyDecision ? 2 : 1)
    }
  }
}

extension WalletResponse.Format: ExpressibleByArgument {}
