import Certificates
import DigitalCredentials
import Ecosystem
import IdentityDocumentServices
import MobileDocument
import Primitives
import Vocabulary

/// A world for measurements: a website and, for presentation in person, a terminal that sign for two reader authorities,
/// and a phone with provider apps.
package struct MeasuredWorld {
  /// The number of apps. The first trusts one reader authority, the others the second.
  package let apps: Int
  /// The number of documents of each app.
  package let documents: Int
  /// The number of elements of each document.
  package let elements: Int
  /// The place where the phone parses requests.
  package let sandbox: WorldDescription.SandboxPlace
  /// True for a world with a terminal.
  package let isInPerson: Bool
  /// The protocol in which the website asks and the apps answer.
  private let exchangeProtocol: DigitalCredentialPresentationProtocol

  private static let origin = "https://spaceship-rentals.example"
  private static let nameSpace = "org.iso.18013.5.1"
  private static let start = DateTime(secondsSince1970: 1_757_955_600)

  /// A world of a size.
  package init(
    apps: Int = 2, documents: Int = 1, elements: Int = 7, sandbox: WorldDescription.SandboxPlace = .inProcess,
    isInPerson: Bool = false, exchangeProtocol: DigitalCredentialPresentationProtocol = .mobileDocument
  ) {
    self.apps = apps
    self.documents = documents
    self.elements = elements
    self.sandbox = sandbox
    self.isInPerson = isInPerson
    self.exchangeProtocol = exchangeProtocol
  }

  private var description: WorldDescription {
    get throws {
      var world = WorldDescription()
      world.issuers = [WorldDescription.Issuer(identifier: "dmv", name: "DMV", country: "US")]
      world.readerAuthorities = ["one", "two"].map { WorldDescription.ReaderAuthority(identifier: $0, name: $0) }
      var website = WorldDescription.Website(
        identifier: "site", origin: try Origin(serialized: Self.origin),
        brand: BrandIdentity(name: "Spaceship Rentals", icon: "spaceship.svg"))
      website.signsFor = ["one", "two"]
      website.acceptsIssuers = ["dmv"]
      // What is usual is left as it is: making the world counts in budgets of work.
      let isUsual = exchangeProtocol == .mobileDocument
      if !isUsual { website.asksIn = [exchangeProtocol] }
      let identifiers = ["family_name", "given_name", "document_number", "resident_city", "resident_state"]
      website.asks = [
        ItemsRequest(
          documentType: DocumentType.drivingLicence,
          nameSpaces: [
            ItemsRequest.NameSpace(Self.nameSpace, identifiers.map { ItemsRequest.Element($0, intentToRetain: false) })
          ])
      ]
      world.websites = [website]
      if isInPerson {
        var terminal = WorldDescription.Terminal(identifier: "desk", brand: website.brand)
        terminal.signsFor = website.signsFor
        terminal.acceptsIssuers = website.acceptsIssuers
        terminal.asks = website.asks
        world.terminals = [terminal]
      }
      let further = ["birth_place", "resident_street"] + (0..<max(0, elements - 7)).map { "element_\($0)" }
      let drafts = (identifiers + further).map { DocumentDraft.Element($0, .text($0)) }
      let held = (0..<documents).map { number in
        WorldDescription.Document(
          identifier: "mDL-\(number)",
          documentType: number == 0 ? DocumentType.drivingLicence : "org.example.document.\(number)", issuer: "dmv",
          nameSpaces: [DocumentDraft.NameSpace(Self.nameSpace, drafts)])
      }
      let installed = (0..<apps).map { number in
        var app = WorldDescription.App(
          name: number == 0 ? "Wallet" : "App \(number)", style: number == 0 ? .wallet : .custom,
          trustsReaders: [number == 0 ? "one" : "two"], documents: held)
        if !isUsual { app.answersIn = [exchangeProtocol] }
        return app
      }
      world.devices = [WorldDescription.Device(identifier: "phone", sandbox: sandbox, apps: installed)]
      return world
    }
  }

  /// Starts such a world and prepares its parties.
  package func makeReady() throws -> World {
    let world = try World(description, seed: 1, start: Self.start)
    guard world.prepare() == .quiet else { throw MeasuredWorkError("the world does not come to rest") }
    return world
  }

  /// Visits the website, taps its button, picks the first app and agrees.
  package static func present(in world: World) throws {
    let actions: [Action.ByPerson] = [
      .visit(website: "site", device: nil), .tap("Verify Identity"), .touch(.pick(app: "Wallet")), .tap("face-id"),
    ]
    for action in actions { _ = try world.perform(.person(action)) }
    guard world.view().page(of: "site", on: "phone")?.verdict == "verified" else {
      throw MeasuredWorkError("the website does not verify the presentment")
    }
  }

  /// Shows the phone's code, holds it to the terminal, picks the first app and agrees.
  package static func presentInPerson(in world: World) throws {
    let actions: [Action.ByPerson] = [
      .showCode, .hold(terminal: "desk"), .touch(.pick(app: "Wallet")), .tap("face-id"),
    ]
    for action in actions { _ = try world.perform(.person(action)) }
    guard world.view().screen(ofTerminal: "desk")?.verdict == "verified" else {
      throw MeasuredWorkError("the terminal does not verify the presentment")
    }
  }
}

/// Work that was to be measured and did not have its expected result.
package struct MeasuredWorkError: CodedError, Equatable {
  /// The kinds of errors.
  package enum Code: String, Sendable {
    case result = "measurement.result"
  }

  package let code = Code.result
  /// A human-readable description.
  package let message: String

  init(_ message: String) { self.message = message }
}
