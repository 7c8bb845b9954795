import ArgumentParser
import COSE
import Certificates
import Checks
import CommandSupport
import CrossCheck
import ExchangeFiles
import MobileDocument
import Primitives

/// `presentment verify EXCHANGE.json|FOLDER…`
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Verify a wallet's response, as a website's server does, on real files.",
    discussion: """
      The exchange file contains origin, request, response, recipientPrivateKey and trustedIssuers; docs/guide.md \
      describes it. A DeviceResponse, Document or IssuerSigned in a file of its own, or an SD-JWT credential as text, \
      is verified as far as it goes: without a presentation the checks of its key binding are not made. Exit codes: 0 \
      verified, 1 refused, 2 if the file cannot be used or the report cannot be written, 3 if the issuer's data verify \
      and possession was not shown, because the session transcript is unknown. Several files are verified one after \
      the other, each report below the file's name; the exit code is then the worst: 2, 1, 3 or 0.
      """)

  @Argument(help: "Exchange files, and folders of them; - for standard input.")
  var files: [String]

  @Option(help: "The time of the verification, for example 2026-06-01T00:00:00Z; the default is now.")
  var at: String?

  @Option(help: "The findings that refuse: lenient, standard or strict; the default is the file's.")
  var policy: VerificationPolicy?

  @Option(help: "Additional issuing authority certificates to trust, in PEM or DER; repeatable.")
  var issuerRoot: [String] = []

  @Option(help: "A signed list of issuing authorities (VICAL) to trust after its verification; repeatable.")
  var vical: [String] = []

  @Option(help: "The certificate of the signer or provider of the lists, in PEM or DER; repeatable.")
  var vicalSigner: [String] = []

  @Flag(help: "Trust no issuing authority that the exchange file names.")
  var onlyIssuerRoot = false

  @Flag(help: "Print one JSON object for each file instead of text.")
  var json = false

  @Flag(help: "Check every signature and certificate chain again with the system's libcrypto.")
  var crossCheck = false

  func validate() throws {
    guard vical.isEmpty == vicalSigner.isEmpty else {
      throw ValidationError("--vical and --vical-signer belong together")
    }
    guard !onlyIssuerRoot || !issuerRoot.isEmpty || !vical.isEmpty else {
      throw ValidationError("--only-issuer-root requires --issuer-root or --vical")
    }
  }

  func run() throws {
    let (moment, issuers): (DateTime, TrustedIssuers)
    do throws(ExchangeFileError) {
      moment = try ExchangeCommands.moment(at)
      issuers = TrustedIssuers(
        try Files.trusted(issuerRoot, for: .documentSigner), lists: try IssuerLists.read(vical, signers: vicalSigner))
    } catch {
      if json { try ExchangeCommands.say(error.json) }
      throw error
    }
    try ChosenFiles(files).each(failed: { if json { try ExchangeCommands.say($0.json) } }) { file, heading in
      let exchange = try exchange(of: file, trusting: issuers)
      let report = try CallingThread.wait { [crossCheck] in
        crossCheck
          ? await Self.crossChecked(exchange, at: moment) : await ExchangeVerifier().verify(exchange, at: moment)
      }
      try ExchangeCommands.say(json ? report.json : heading + report.text)
      if exchange.trustedIssuers.isEmpty {
        StandardError.write("no issuing authority is trusted: name a root with --issuer-root, or a list with --vical")
      }
      return report.isVerified ? 0 : report.verdict.issuerData == nil ? 1 : 3
    }
  }

  private func exchange(of file: String, trusting issuers: TrustedIssuers) throws -> VerifiableExchange {
    let bytes = try Files.read(file)
    return try ExchangeCommands.using(file) {
      try VerifiableExchange(
        IssuedDocument.exchange(of: bytes, name: file), trusting: issuers, onlyOthers: onlyIssuerRoot, policy: policy,
        reading: Files.reader(beside: file))
    }
  }

  /// Verifies and checks every signature and chain again with libcrypto; a disagreement refuses.
  private static func crossChecked(_ exchange: VerifiableExchange, at moment: DateTime) async -> ExchangeReport {
    let ledger = CrossCheckLedger(CrossChecker.check)
    let verification = ExchangeVerifier { _ in
      guard ledger.disagreements.isEmpty else { return ledger.disagreements }
      let tally = ledger.tally
      return [
        tally.signatures > 0 ? ComparisonCheck.signature.passed : ComparisonCheck.signature.notReached("no signature"),
        tally.chains > 0 ? ComparisonCheck.chain.passed : ComparisonCheck.chain.notReached("no certificate chain"),
      ]
    }
    return await VerificationWitness.$current.withValue(ledger.witness) {
      await verification.verify(exchange, at: moment)
    }
  }
}

extension VerificationPolicy: ExpressibleByArgument {}
