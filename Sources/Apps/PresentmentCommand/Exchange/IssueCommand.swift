import ArgumentParser
import COSE
import Certificates
import CommandSupport
import Crypto
import Ecosystem
import ExchangeFiles
import LocatedYAML
import MobileDocument
import OpenID4VP
import Primitives
import SDJWT
import ScenarioLanguage
import Vocabulary

/// `presentment issue DOCUMENT.yaml --out FILE`
struct IssueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "issue", abstract: "Issue a document, as an issuing authority does, for use with other software.",
    discussion: """
      The file has the document's type, elements and valid-for, as in a world. A new issuing authority signs it, or \
      one of a world (--world, --issuer), or a signer from files (--signer-key, --signer-certificates). The output is \
      IssuerSigned in CBOR, or for a type such as dc+sd-jwt urn:eudi:pid:1 an SD-JWT credential. Wallets store it, and \
      a world takes it as the file of a document.
      """)

  @Argument(help: "The YAML file with the document.")
  var file: String

  @Option(help: "The device's public or private key in PEM or as a JSON Web Key.")
  var deviceKey: String?

  @Option(help: "Without --device-key: the output file for a new private key, in PEM.")
  var writeDeviceKey: String?

  @Option(help: "A file with a world, whose issuing authority signs.")
  var world: String?

  @Option(help: "With --world: the issuing authority; optional if the world has one.")
  var issuer: String?

  @Option(help: "With --world: the world's seed; the same seed gives the same authority. The default is 1.")
  var seed: UInt64?

  @Option(help: "The document signer's private key in PEM or as a JSON Web Key.")
  var signerKey: String?

  @Option(help: "The document signer's certificates in PEM, leaf first.")
  var signerCertificates: String?

  @Option(help: "The output file for the root of the issuing authority, in PEM.")
  var issuerRoot: String?

  @Option(help: "The time of the issue, for example 2026-06-01T00:00:00Z; the default is now.")
  var at: String?

  @Option(help: "The output file for the document.")
  var out: String

  func validate() throws {
    guard (deviceKey == nil) != (writeDeviceKey == nil) else {
      throw ValidationError("Missing device key: use --device-key, or --write-device-key for a new one")
    }
    guard (signerKey == nil) == (signerCertificates == nil) else {
      throw ValidationError("--signer-key and --signer-certificates belong together")
    }
    guard world == nil || signerKey == nil else {
      throw ValidationError("A world's authority has its own key: use --world or --signer-key")
    }
    guard world != nil || (issuer == nil && seed == nil) else {
      throw ValidationError("--issuer and --seed require --world")
    }
    guard signerKey == nil || issuerRoot == nil else {
      throw ValidationError("--issuer-root is for a new authority or one of a world, not for --signer-key")
    }
    guard signerKey != nil || world != nil || issuerRoot != nil else {
      throw ValidationError("Missing issuer: use --issuer-root for a new one, or --world, or --signer-key")
    }
  }

  func run() throws {
    do {
      try issue()
    } catch let error as ExchangeFileError {
      throw ExchangeCommands.fail(error)
    }
  }

  private func issue() throws {
    try Files.requireDistinct(
      [out, writeDeviceKey, issuerRoot],
      from: [file, deviceKey, signerKey, signerCertificates] + (world.map(WorldSources.paths) ?? []))
    let moment = try ExchangeCommands.moment(at)
    let problems = ProblemCollector()
    guard let document = DocumentSource.read(file, problems) else {
      throw ExchangeFileError(.content, nil, "it is not a document to issue:\n\(problems.rendered())", file: file)
    }
    var outputs: [Files.Output] = []
    let key: P256.Signing.PublicKey
    if let deviceKey {
      key = try PrivateKeyFile.publicKey(try Files.read(deviceKey), name: deviceKey)
    } else {
      let new = P256.Signing.PrivateKey()
      key = new.publicKey
      let pem = Array((new.pemRepresentation + "\n").utf8)
      outputs.append(Files.Output(path: writeDeviceKey ?? "", bytes: pem, isSecret: true))
    }
    let draft = DocumentDraft(
      documentType: document.documentType, nameSpaces: document.nameSpaces, deviceKey: COSEKey(key),
      validity: MobileSecurityObject.Validity(
        signed: moment, validFrom: moment, validUntil: moment.adding(days: document.validDays)))
    let (issued, root) = try issued(draft)
    outputs.append(Files.Output(path: out, bytes: issued, isSecret: true))
    if let issuerRoot, let root { outputs.append(Files.Output(path: issuerRoot, bytes: root, isSecret: false)) }
    try Files.write(outputs)
    let form = CredentialFormat.ofRegisteredType(draft.documentType).format == .sdJWT ? "SD-JWT" : "IssuerSigned"
    try ExchangeCommands.say("\(out): \(document.documentType) as \(form), valid until \(draft.validity.validUntil)")
    if let writeDeviceKey { try ExchangeCommands.say("\(writeDeviceKey): the device key; keep it secret") }
    if let issuerRoot { try ExchangeCommands.say("\(issuerRoot): the root of the issuer, for verifiers to trust") }
  }

  /// Issues the document.
  /// - Returns: `IssuerSigned`, and the root of the issuing authority in PEM; nil with a signer from files.
  private func issued(_ draft: DocumentDraft) throws -> (document: [UInt8], root: [UInt8]?) {
    if let world { return try issued(draft, inWorld: world) }
    let signer: DocumentSigner
    if let signerKey, let signerCertificates {
      signer = try DocumentSigner(
        certificates: (signerCertificates, try Files.read(signerCertificates)),
        key: (signerKey, try Files.read(signerKey)))
    } else {
      signer = try DocumentSigner(madeAt: draft.validity.signed, from: AuthorityIngredients())
    }
    var randomness = SystemIssuanceRandomness()
    return (try signer.issue(draft, randomness: &randomness), signer.rootPEM.map { Array($0.utf8) })
  }

  private func issued(_ draft: DocumentDraft, inWorld path: String) throws -> (document: [UInt8], root: [UInt8]?) {
    var description = try HolderOptions.description(of: path)
    let names = description.issuers.filter { $0.outsideRoot == nil }.map(\.identifier)
    let issuer = try HolderOptions.pick(self.issuer, of: names, named: \.self, option: "--issuer", in: path)
    // The authority's keys depend on no other party.
    description.devices = []
    description.websites = []
    description.terminals = []
    description.requestingApps = []
    return try HolderOptions.inWorld(description, from: path, seed: seed ?? 1, at: draft.validity.signed) { world in
      do {
        let document = try world.issue(draft, by: issuer)
        return (document, world.issuerRoots[issuer].map { CertificateChain.pem([$0]) })
      } catch let error as DocumentError {
        throw ExchangeFileError(.element, nil, error.message, file: file)
      } catch let error as SDJWTError {
        throw ExchangeFileError(.element, nil, error.message, file: file)
      }
    }
  }
}
