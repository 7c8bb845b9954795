import ArgumentParser
import Certificates
import CommandSupport
import Crypto
import Ecosystem
import ExchangeFiles
import IdentityDocumentServices
import LocatedYAML
import MobileDocument
import Primitives
import SDJWT
import ScenarioFiles
import ScenarioLanguage
import Vocabulary
import WebPresentment

/// The documents to answer with: those of a world's app, or one from files.
struct HolderOptions: ParsableArguments {
  @Option(help: "A file with a world, for example from scenarios/worlds.")
  var world: String?

  @Option(help: "The world's device; optional if it has one.")
  var device: String?

  @Option(help: "The app on the device; optional if it has one.")
  var app: String?

  @Option(help: "The world's seed; the same seed gives the same issuer and device key.")
  var seed: UInt64 = 1

  @Option(help: "With --world, the document's name; otherwise a file with IssuerSigned or an SD-JWT.")
  var document: String?

  @Option(help: "The document's private key in PEM or as a JSON Web Key.")
  var deviceKey: String?

  @Option(help: "With --world: the output file for the root of the document's issuer, in PEM.")
  var issuerRoot: String?

  @Option(help: "With --world: the output file for the document, IssuerSigned in CBOR or an SD-JWT.")
  var writeDocument: String?

  @Option(help: "With --world: the output file for the document's private key, in PEM.")
  var writeDeviceKey: String?

  func check() throws {
    if world == nil {
      guard document != nil else {
        throw ValidationError("Missing holder: use --world, or --document with its --device-key")
      }
      guard device == nil, app == nil, issuerRoot == nil, writeDocument == nil, writeDeviceKey == nil else {
        throw ValidationError("--device, --app, --issuer-root and --write-… require --world")
      }
    } else if deviceKey != nil {
      throw ValidationError("--device-key is for a document from a file; a world's app has its own keys")
    }
  }

  /// A holder.
  struct Holder {
    /// The documents to answer with, in either format.
    let documents: [PresentableDocument]
    /// The SD-JWT credentials without holder binding to answer with.
    var unbound: [HeldSDJWT] = []
    /// The files to write after a successful answer.
    let outputs: [Files.Output]
  }

  /// The documents to answer with. The documents of a world are issued for the given time.
  func documents(at moment: DateTime) throws -> Holder {
    guard let world else {
      let name = document ?? ""
      let file = (name, try Files.read(name))
      let key = try deviceKey.map { (path) throws(ExchangeFileError) in (path, try Files.read(path)) }
      if key == nil, let credential = try DocumentFile.unboundCredential(file) {
        return Holder(documents: [], unbound: [credential], outputs: [])
      }
      return Holder(documents: [try DocumentFile.document(file, deviceKey: key)], outputs: [])
    }
    let path = ShippedFiles.path(world)
    return try documents(of: try Self.description(of: path), in: path, at: moment)
  }

  /// Reads a world, which keeps no state.
  static func description(of path: String) throws(ExchangeFileError) -> WorldDescription {
    let problems = ProblemCollector()
    guard var world = WorldFile.read(path, problems) else {
      throw ExchangeFileError(.content, nil, "it is not a valid world:\n\(problems.rendered())", file: path)
    }
    // It uses no state of an earlier run either.
    world.storage = .memory
    return world
  }

  private func documents(of description: WorldDescription, in path: String, at moment: DateTime) throws -> Holder {
    let device = try Self.pick(self.device, of: description.devices, named: \.identifier, option: "--device", in: path)
    let app = try Self.pick(self.app, of: device.apps, named: \.name, option: "--app", in: device.identifier)
    var (held, roots) = try Self.inWorld(description, from: path, seed: seed, at: moment) { world in
      (try world.provisionedDocuments(of: app.name, on: device.identifier), world.issuerRoots)
    }
    guard !held.isEmpty else { throw ExchangeFileError(.content, "--app", "\(app.name) holds no document") }
    if let document {
      held = [try Self.pick(document, of: held, named: \.identifier, option: "--document", in: app.name)]
    }
    return Holder(documents: held.map(\.presentable), outputs: try outputs(of: held, roots: roots))
  }

  /// Makes a world, prepares it, and gives it to a body.
  static func inWorld<Value>(
    _ description: WorldDescription, from path: String, seed: UInt64, at moment: DateTime,
    _ body: (World) throws -> Value
  ) throws -> Value {
    guard Scenario.clockRange.contains(moment) else {
      let (first, last) = (Scenario.clockRange.lowerBound, Scenario.clockRange.upperBound)
      throw ExchangeFileError(.content, "--at", "the time of a world is between \(first) and \(last)")
    }
    let world: World
    do {
      world = try World(description, seed: seed, start: moment)
    } catch {
      throw ExchangeFileError(.content, nil, "the world cannot be made: \(error)", file: path)
    }
    defer { world.close() }
    guard world.prepare() == .quiet else {
      throw ExchangeFileError(.content, nil, "the world does not become idle", file: path)
    }
    return try body(world)
  }

  private func outputs(of documents: [ProvisionedDocument], roots: [String: [UInt8]]) throws -> [Files.Output] {
    var outputs: [Files.Output] = []
    if let issuerRoot {
      let chain = documents.compactMap { $0.issuer.flatMap { roots[$0] } }.uniqued()
      outputs.append(Files.Output(path: issuerRoot, bytes: CertificateChain.pem(chain), isSecret: false))
    }
    guard writeDocument != nil || writeDeviceKey != nil else { return outputs }
    guard documents.count == 1, let document = documents.first else {
      throw ExchangeFileError(
        .content, "--document", "the app holds \(documents.count) documents; name the one to write")
    }
    if let writeDocument { outputs.append(Files.Output(path: writeDocument, bytes: document.issued, isSecret: true)) }
    if let writeDeviceKey {
      let key = try P256.Signing.PrivateKey(rawRepresentation: document.deviceKey)
      outputs.append(
        Files.Output(path: writeDeviceKey, bytes: Array((key.pemRepresentation + "\n").utf8), isSecret: true))
    }
    return outputs
  }

  /// The value with a name, or the only one.
  static func pick<Value>(
    _ name: String?, of values: [Value], named path: KeyPath<Value, String>, option: String, in place: String
  ) throws(ExchangeFileError) -> Value {
    let names = values.map { $0[keyPath: path] }.joined(separator: ", ")
    guard let name else {
      guard values.count == 1 else {
        throw ExchangeFileError(.content, option, "\(place) has several; choose one of \(names)")
      }
      return values[0]
    }
    guard let value = values.first(where: { $0[keyPath: path] == name }) else {
      throw ExchangeFileError(.content, option, "\(place) has no \(name); it has: \(names)")
    }
    return value
  }
}
