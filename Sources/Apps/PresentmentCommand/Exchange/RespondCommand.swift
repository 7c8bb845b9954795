import ArgumentParser
import CommandSupport
import Crypto
import ExchangeFiles
import IdentityDocumentServices
import OpenID4VP
import Primitives
import ScenarioFiles

/// `presentment respond EXCHANGE.json|FOLDER… --out FILE`
struct RespondCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "respond", abstract: "Answer a request, as a wallet does, on real files.",
    discussion: """
      The wallet is an app of a world's device (--world, --device, --app, and --document to pick one of its \
      documents), or a document with its key from files (--document, --device-key). It checks the reader signatures \
      and does not ask for consent. With --error it answers a request with OpenID4VP with an error code. Several \
      requests, or a folder of them, are answered one after the other, each as NAME.json in the folder that --out names. \
      Exit codes: 0 answered, 1 refused by the wallet, 2 if a file cannot be used; of several the worst: 2, 1 or 0.
      """)

  @Argument(
    help: """
      Exchange files, or a page's options for navigator.credentials.get, and folders of them, of which it takes the files \
      NAME.json; - for standard input.
      """)
  var files: [String]

  @Option(help: "The website's origin, instead of the file's.")
  var origin: String?

  @Option(help: "The protocol to answer, of a page that asks in several; the default is that for mobile documents.")
  var `protocol`: String?

  @OptionGroup var holder: HolderOptions

  @Option(help: "A requested element to disclose, as IDENTIFIER or NAMESPACE:IDENTIFIER; repeatable.")
  var elements: [String] = []

  @Option(help: "An element to withhold, as IDENTIFIER or NAMESPACE:IDENTIFIER; repeatable.")
  var withhold: [String] = []

  @Option(
    help:
      "Answer only readers certified under these certificates in PEM or DER; repeatable. The default is every reader.")
  var trustedReaders: [String] = []

  @Option(
    help: ArgumentHelp(
      "With OpenID4VP: answer with this error code in place of presentations: "
        + PresentationErrorCode.allCases.map(\.rawValue).joined(separator: ", ") + ".", valueName: "code"))
  var error: PresentationErrorCode?

  @Option(help: "The time of the answer, for example 2026-06-01T00:00:00Z; the default is now.")
  var at: String?

  @Option(help: "The output file for the exchange with the response; the folder for those of several requests.")
  var out: String

  func validate() throws { if error == nil { try holder.check() } }

  func run() throws {
    let chosen = ChosenFiles(files, endings: [".json"])
    let exchanges = try chosen.places(at: out) { _ in ".json" }
    try requireDistinct(exchanges, from: chosen)
    let moment = try ExchangeCommands.moment(at)
    let wallet = error == nil ? try wallet(at: moment) : nil
    // They are written with the first response: a refused request writes no files.
    var outputs = wallet?.outputs ?? []
    try chosen.each { file, heading in
      do {
        let answered = try answer(file, by: wallet, heading)
        let exchange = answered.exchange.moved(from: Files.folder(of: file), to: Files.folder(of: exchanges[file]))
        try Files.write(
          outputs + [Files.Output(path: exchanges[file], bytes: exchange.bytes, isSecret: true)],
          making: [exchanges.folder])
        outputs = []
        let content = error != nil ? "error" : answered.isSealed ? "sealed response" : "response"
        let story = answered.story + ["\(exchanges[file]): the exchange with the \(content)"]
        try ExchangeCommands.say(heading + story.joined(separator: "\n"))
        return 0
      } catch is ProviderRefusal {
        return 1
      }
    }
  }

  /// The wallet that answers.
  private struct Wallet {
    let responder: WalletResponder
    let moment: DateTime
    /// The files that are written with the first response.
    let outputs: [Files.Output]
  }

  private func wallet(at moment: DateTime) throws -> Wallet {
    let held = try holder.documents(at: moment)
    var responder = WalletResponder(
      documents: held.documents, limits: ElementLimits(shown: elements, withheld: withhold))
    responder.unbound = held.unbound
    if !trustedReaders.isEmpty { responder.trustedReaders = try Files.trusted(trustedReaders, for: .reader) }
    return Wallet(responder: responder, moment: moment, outputs: held.outputs)
  }

  /// Answers a request. What the wallet finds before it refuses is written to standard error.
  private func answer(_ file: String, by wallet: Wallet?, _ heading: String) throws -> WalletResponder.Answered {
    let bytes = try Files.read(file)
    let request = try ExchangeCommands.using(file) { try ExchangeFile(bytes) }
    do {
      return try ExchangeCommands.using(file) {
        guard let wallet else { return try answerWithError(request) }
        return try CallingThread.wait { [wallet, origin, wanted = `protocol`] in
          let (responder, moment) = (wallet.responder, wallet.moment)
          if try request.isInApp() {
            return try responder.answerInApp(request, ephemeralKey: P256.KeyAgreement.PrivateKey())
          }
          if let text = try PresentationRequestText(anywhereIn: request, wanting: wanted) {
            return try await responder.answer(
              request, with: text, origin: origin, at: moment,
              seal: PresentationSeal(
                ephemeralKey: P256.KeyAgreement.PrivateKey(), initializationVector: SystemBytes.draw(12)))
          }
          return try await responder.answer(
            request, origin: origin, at: moment, ephemeralKey: P256.KeyAgreement.PrivateKey())
        }
      }
    } catch {
      let findings = try wallet.map { wallet in
        try CallingThread.wait { [origin] in
          await wallet.responder.findings(about: request, origin: origin, at: wallet.moment)
        }
      }
      let lines = (findings ?? []) + ((error as? ProviderRefusal)?.lines ?? [])
      if !lines.isEmpty { StandardError.write(heading + lines.joined(separator: "\n")) }
      throw error
    }
  }

  private func answerWithError(_ request: ExchangeFile) throws -> WalletResponder.Answered {
    guard let error, let text = try PresentationRequestText(anywhereIn: request, wanting: `protocol`) else {
      throw ExchangeFileError(.content, "--error", "the request is not one with OpenID4VP")
    }
    return try WalletResponder.answer(request, with: text, origin: origin, error: error)
  }

  /// Refuses outputs that would replace an input. Only the exchange may replace the file of the request, if there is one.
  private func requireDistinct(_ exchanges: ChosenFiles.Places, from chosen: ChosenFiles) throws(ExchangeFileError) {
    let others = [holder.issuerRoot, holder.writeDocument, holder.writeDeviceKey]
    try Files.requireDistinct(
      exchanges.all + others,
      from: [holder.deviceKey, holder.world == nil ? holder.document : nil] + trustedReaders
        + (holder.world.map(WorldSources.paths) ?? []))
    try Files.requireDistinct(others + (chosen.areSeveral ? exchanges.all : []), from: chosen.files)
  }
}

extension PresentationErrorCode: ExpressibleByArgument {}
