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
import ScenarioFiles
import Vocabulary

/// `presentment issue DOCUMENT.yaml|FOLDER… --out FILE`
struct IssueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "issue", abstract: "Issue a document, as an issuing authority does, for use with other software.",
    discussion: """
      The file has the document's type, elements and valid-for, as in a world. A new issuing authority signs it, or \
      one of a world (--world, --issuer), or a signer from files (--signer-key, --signer-certificates). The output is \
      IssuerSigned in CBOR, or for a type such as dc+sd-jwt urn:eudi:pid:1 an SD-JWT credential. Wallets store it, and \
      a world takes it as the file of a document. Several files, or a folder of them, are issued by the same authority: \
      the documents, NAME.cbor or NAME.sd-jwt, are in the folder that --out names, and new device keys, NAME.pem, in \
      that of --write-device-key. Exit codes: 0 if every document was issued, otherwise 2.
      """)

  @Argument(help: "YAML files with a document each, and folders of them.")
  var files: [String]

  @Option(help: "The device's public or private key in PEM or as a JSON Web Key, the same for every document.")
  var deviceKey: String?

  @Option(
    help: """
      Without --device-key: the output file for a new private key, in PEM; the folder for those of several documents.
      """)
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

  @Option(help: "The output file for the document; the folder for several.")
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
    let chosen = ChosenFiles(files, endings: [".yaml", ".yml"])
    let sources = chosen.files.map(Self.source)
    let documents = try chosen.places(at: out) { position in
      (try? sources[position].get()).map { Self.isSDJWT($0.documentType) } == true ? ".sd-jwt" : ".cbor"
    }
    let keys = try writeDeviceKey.map { try chosen.places(at: $0) { _ in ".pem" } }
    try Files.requireDistinct(
      documents.all + (keys?.all ?? []) + [issuerRoot],
      from: chosen.files + [deviceKey, signerKey, signerCertificates] + (world.map(WorldSources.paths) ?? []))
    let issuer = try common()
    let read = Dictionary(zip(chosen.files.map { Array($0.utf8) }, sources), uniquingKeysWith: { one, _ in one })
    // It is written with the first document.
    var rootPath = issuerRoot
    try chosen.each { file, _ in
      guard let source = try read[Array(file.utf8)]?.get() else { return 2 }
      let key = issuer.deviceKey.map { ($0, nil) } ?? Self.newDeviceKey()
      let validity = MobileSecurityObject.Validity(
        signed: issuer.moment, validFrom: issuer.moment, validUntil: issuer.moment.adding(days: source.validDays))
      let draft = DocumentDraft(
        documentType: source.documentType, nameSpaces: source.nameSpaces, deviceKey: COSEKey(key.0), validity: validity)
      let (issued, root) = try issue(draft, of: file, by: issuer)
      var outputs: [Files.Output] = []
      let form = Self.isSDJWT(source.documentType) ? "SD-JWT" : "IssuerSigned"
      var story = ["\(documents[file]): \(source.documentType) as \(form), valid until \(validity.validUntil)"]
      if let keys, let pem = key.1 {
        outputs.append(Files.Output(path: keys[file], bytes: pem, isSecret: true))
        story.append("\(keys[file]): the device key; keep it secret")
      }
      outputs.append(Files.Output(path: documents[file], bytes: issued, isSecret: true))
      if let path = rootPath, let root {
        outputs.append(Files.Output(path: path, bytes: root, isSecret: false))
        story.append("\(path): the root of the issuer, for verifiers to trust")
      }
      try Files.write(outputs, making: [documents.folder, keys?.folder])
      rootPath = nil
      try ExchangeCommands.say(story.joined(separator: "\n"))
      return 0
    }
  }

  /// Reads a document to issue.
  private static func source(_ file: String) -> Result<WorldDescription.Document, ExchangeFileError> {
    let problems = ProblemCollector()
    if let document = DocumentSource.read(file, problems) { return .success(document) }
    return .failure(
      ExchangeFileError(.content, nil, "it is not a document to issue:\n\(problems.rendered())", file: file))
  }

  private static func isSDJWT(_ documentType: String) -> Bool {
    CredentialFormat.ofRegisteredType(documentType).format == .sdJWT
  }

  private static func newDeviceKey() -> (P256.Signing.PublicKey, pem: [UInt8]?) {
    let key = P256.Signing.PrivateKey()
    return (key.publicKey, Array((key.pemRepresentation + "\n").utf8))
  }

  /// What the documents of a call have in common.
  private struct Issuer {
    let moment: DateTime
    /// The key that documents are bound to; nil for a new one for each.
    let deviceKey: P256.Signing.PublicKey?
    /// The signer; nil for the authority of a world.
    let signer: DocumentSigner?
  }

  private func common() throws -> Issuer {
    let moment = try ExchangeCommands.moment(at)
    let key = try deviceKey.map { (path) in try PrivateKeyFile.publicKey(try Files.read(path), name: path) }
    var signer: DocumentSigner?
    if let signerKey, let signerCertificates {
      signer = try DocumentSigner(
        certificates: (signerCertificates, try Files.read(signerCertificates)),
        key: (signerKey, try Files.read(signerKey)))
    } else if world == nil {
      signer = try DocumentSigner(madeAt: moment, from: AuthorityIngredients())
    }
    return Issuer(moment: moment, deviceKey: key, signer: signer)
  }

  /// Issues the document of a file.
  /// - Returns: The document, and the root of the issuing authority in PEM; nil with a signer from files.
  private func issue(
    _ draft: DocumentDraft, of file: String, by issuer: Issuer
  ) throws -> (document: [UInt8], root: [UInt8]?) {
    guard let signer = issuer.signer else { return try issue(draft, of: file, inWorld: ShippedFiles.path(world ?? "")) }
    var randomness = SystemIssuanceRandomness()
    let document = try ExchangeCommands.using(file) { try signer.issue(draft, randomness: &randomness) }
    return (document, signer.rootPEM.map { Array($0.utf8) })
  }

  private func issue(
    _ draft: DocumentDraft, of file: String, inWorld path: String
  ) throws -> (document: [UInt8], root: [UInt8]?) {
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
