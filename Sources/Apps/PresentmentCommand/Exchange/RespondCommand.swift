import ArgumentParser
import CommandSupport
import Crypto
import ExchangeFiles
import IdentityDocumentServices
import OpenID4VP
import ScenarioLanguage

/// `presentment respond EXCHANGE.json --out FILE`
struct RespondCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "respond", abstract: "Answer a request, as a wallet does, on real files.",
    discussion: """
      The wallet is an app of a world's device (--world, --device, --app, and --document to pick one of its \
      documents), or a document with its key from files (--document, --device-key). It checks the reader signatures \
      and does not ask for consent. With --error it answers a request with OpenID4VP with an error code. Exit codes: 0 \
      answered, 1 refused by the wallet, 2 if a file cannot be used.
      """)

  @Argument(help: "The exchange file, or a page's options for navigator.credentials.get; - for standard input.")
  var file: String

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

  @Option(help: "The output file for the exchange with the response.")
  var out: String

  func validate() throws { if error == nil { try holder.check() } }

  func run() throws {
    do {
      try respond()
    } catch let error as ExchangeFileError {
      throw ExchangeCommands.fail(error)
    } catch let refusal as ProviderRefusal {
      for line in refusal.lines { StandardError.write(line) }
      throw ExitCode(1)
    }
  }

  private func respond() throws {
    let moment = try ExchangeCommands.moment(at)
    try Files.requireDistinct(
      [out, holder.issuerRoot, holder.writeDocument, holder.writeDeviceKey],
      from: [holder.deviceKey, holder.world == nil ? holder.document : nil] + trustedReaders
        + (holder.world.map(WorldSources.paths) ?? []))
    // Only the exchange may replace the request's file.
    try Files.requireDistinct([holder.issuerRoot, holder.writeDocument, holder.writeDeviceKey], from: [file])
    let bytes = try Files.read(file)
    let request = try ExchangeCommands.using(file) { try ExchangeFile(bytes) }
    if let error { return try respond(to: request, with: error) }
    let held = try holder.documents(at: moment)
    var wallet = WalletResponder(
      documents: held.documents, limits: ElementLimits(shown: elements, withheld: withhold))
    wallet.unbound = held.unbound
    if !trustedReaders.isEmpty { wallet.trustedReaders = try Files.trusted(trustedReaders, for: .reader) }
    let answered: WalletResponder.Answered
    do {
      answered = try ExchangeCommands.using(file) {
        try CallingThread.wait { [wallet, origin, wanted = `protocol`] in
          if try request.isInApp() {
            return try wallet.answerInApp(request, ephemeralKey: P256.KeyAgreement.PrivateKey())
          }
          if let text = try PresentationRequestText(anywhereIn: request, wanting: wanted) {
            return try await wallet.answer(
              request, with: text, origin: origin, at: moment,
              seal: PresentationSeal(
                ephemeralKey: P256.KeyAgreement.PrivateKey(), initializationVector: SystemBytes.draw(12)))
          }
          return try await wallet.answer(
            request, origin: origin, at: moment, ephemeralKey: P256.KeyAgreement.PrivateKey())
        }
      }
    } catch {
      let findings = try CallingThread.wait { [wallet, origin] in
        await wallet.findings(about: request, origin: origin, at: moment)
      }
      for line in findings { StandardError.write(line) }
      throw error
    }
    try write(answered, with: held.outputs)
    try ExchangeCommands.say("\(out): the exchange with the \(answered.isSealed ? "sealed " : "")response")
  }

  private func respond(to request: ExchangeFile, with error: PresentationErrorCode) throws {
    let answered = try ExchangeCommands.using(file) {
      guard let text = try PresentationRequestText(anywhereIn: request, wanting: `protocol`) else {
        throw ExchangeFileError(.content, "--error", "the request is not one with OpenID4VP")
      }
      return try WalletResponder.answer(request, with: text, origin: origin, error: error)
    }
    try write(answered)
    try ExchangeCommands.say("\(out): the exchange with the error")
  }

  /// Writes an answered exchange. A refused request writes no files.
  private func write(_ answered: WalletResponder.Answered, with outputs: [Files.Output] = []) throws {
    let exchange = answered.exchange.moved(from: Files.folder(of: file), to: Files.folder(of: out))
    try Files.write(outputs + [Files.Output(path: out, bytes: exchange.bytes, isSecret: true)])
    for line in answered.story { try ExchangeCommands.say(line) }
  }
}

extension PresentationErrorCode: ExpressibleByArgument {}
