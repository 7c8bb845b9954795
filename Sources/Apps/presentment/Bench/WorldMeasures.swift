import CBOR
import COSE
import Certificates
import DigitalCredentials
import Ecosystem
import IdentityDocumentServices
import InteractiveWorlds
import MobileDocument
import Primitives

/// Measurements of whole worlds: starting one, and a presentment in it.
struct WorldMeasures {
  private static let origin = "https://spaceship-rentals.example"
  private static let nameSpace = "org.iso.18013.5.1"
  private static let start = DateTime(secondsSince1970: 1_757_955_600)
  /// The number of presentments before a new world is made, which limits the journal's size.
  private static let presentmentsInWorld = 20

  private static let notVerified = ProgramError(.measurement, "a world does not verify its presentment")

  private static func description(sandbox: WorldDescription.SandboxPlace) throws -> WorldDescription {
    var world = WorldDescription()
    world.issuers = [WorldDescription.Issuer(identifier: "dmv", name: "DMV", country: "US")]
    world.readerAuthorities = ["one", "two"].map { WorldDescription.ReaderAuthority(identifier: $0, name: $0) }
    var website = WorldDescription.Website(
      identifier: "site", origin: try Origin(serialized: origin),
      brand: BrandIdentity(name: "Spaceship Rentals", icon: "spaceship.svg"))
    website.signsFor = ["one", "two"]
    website.acceptsIssuers = ["dmv"]
    let identifiers = ["family_name", "given_name", "document_number", "resident_city", "resident_state"]
    website.asks = [
      ItemsRequest(
        documentType: DocumentType.drivingLicence,
        nameSpaces: [
          ItemsRequest.NameSpace(nameSpace, identifiers.map { ItemsRequest.Element($0, intentToRetain: false) })
        ])
    ]
    world.websites = [website]
    let document = WorldDescription.Document(
      identifier: "mDL", documentType: DocumentType.drivingLicence, issuer: "dmv",
      nameSpaces: [
        DocumentDraft.NameSpace(
          nameSpace, (identifiers + ["birth_place", "resident_street"]).map { DocumentDraft.Element($0, .text($0)) })
      ])
    world.devices = [
      WorldDescription.Device(
        identifier: "phone", sandbox: sandbox,
        apps: [
          WorldDescription.App(name: "Wallet", style: .wallet, trustsReaders: ["one"], documents: [document]),
          WorldDescription.App(name: "Agency", style: .custom, trustsReaders: ["two"], documents: [document]),
        ])
    ]
    return world
  }

  private static func makeReady(sandbox: WorldDescription.SandboxPlace = .process) throws -> World {
    let world = try World(description(sandbox: sandbox), seed: 1, start: start)
    guard world.prepare() == .quiet else { throw notVerified }
    return world
  }

  private static func present(in world: World) throws {
    let actions: [Action.ByPerson] = [
      .visit(website: "site", device: nil), .tap("Verify Identity"), .pick(app: "Wallet"), .tap("face-id"),
    ]
    for action in actions { _ = try world.perform(.person(action)) }
    guard world.view().page(of: "site", on: "phone")?.verdict == "verified" else { throw notVerified }
  }

  var all: [Measure] {
    [
      Measure(name: "start a world with two apps") { try Self.makeReady().close() },
      presentment("one presentment signed for two apps, with its journal and its share of starting a world"),
      presentment(Self.unconfined, sandbox: .inProcess),
    ]
  }

  /// The measure of a presentment whose request is parsed in this process, to compare it with one in a confined process.
  static let unconfined = "the same with the request parsed in this process"

  private func presentment(_ name: String, sandbox: WorldDescription.SandboxPlace = .process) -> Measure {
    Measure(name: name, countInRound: Self.presentmentsInWorld) {
      let world = try Self.makeReady(sandbox: sandbox)
      for _ in 0..<Self.presentmentsInWorld { try Self.present(in: world) }
      world.close()
    }
  }
}
