import CrossCheckTrait
import IdentityDocumentServices
import Messaging
import MobileDocument
import Primitives
import SimulationKernel
import Testing

@testable import Devices
@testable import Ecosystem
@testable import Storage
@testable import Vocabulary

@Suite("The life of a world", .crossChecked)
struct WorldLifeTests {
  private static let start = DateTime(secondsSince1970: 1_757_955_600)

  private static func description() -> WorldDescription {
    var world = WorldDescription()
    world.issuers = [WorldDescription.Issuer(identifier: "dmv", name: "DMV", country: "US")]
    let document = WorldDescription.Document(
      identifier: "mDL", documentType: DocumentType.drivingLicence, issuer: "dmv",
      nameSpaces: [
        DocumentDraft.NameSpace("org.iso.18013.5.1", [DocumentDraft.Element("given_name", .text("Ada"))])
      ])
    world.devices = [
      WorldDescription.Device(
        identifier: "phone",
        apps: [
          WorldDescription.App(name: "Wallet", style: .wallet, documents: [document]),
          WorldDescription.App(name: "Asks", style: .custom, status: .notDetermined, documents: [document]),
        ])
    ]
    return world
  }

  @Test("a world that has ended is deallocated with its actors", arguments: [false, true])
  func nothingIsLeft(restarts: Bool) throws {
    weak var scheduler: WorldScheduler?
    weak var network: Network?
    weak var system: OperatingSystem?
    weak var app: ProviderApp?
    do {
      let world = try World(Self.description(), seed: 1, start: Self.start)
      #expect(world.prepare() == .quiet)
      #expect(world.view().prompt(on: "phone")?.app == "Asks")
      scheduler = world.scheduler
      network = world.network
      system = world.parts(of: "phone")?.system
      app = world.parts(of: "phone")?.apps.last
      #expect(system != nil && app != nil)
      if restarts { #expect(try world.perform(.person(.restart(device: "phone"))) == .quiet) }
      #expect(try world.perform(.person(.wait(.seconds(20 * 86_400)))) == .quiet)
      world.close()
    }
    #expect(scheduler == nil)
    #expect(network == nil)
    #expect(system == nil)
    #expect(app == nil)
  }

  @Test("a world is the same after others have ended, and a closed one has no databases")
  func independent() throws {
    func life(seed: UInt64, wait: Int) throws -> [UInt8] {
      let world = try World(Self.description(), seed: seed, start: Self.start)
      #expect(world.prepare() == .quiet)
      #expect(try world.perform(.person(.touch(.answerPrompt(app: "Asks", isAllowed: true)))) == .quiet)
      #expect(try world.perform(.person(.restart(device: "phone"))) == .quiet)
      #expect(try world.perform(.person(.wait(.seconds(wait)))) == .quiet)
      let memory = try #require(world.parts(of: "phone")?.memory)
      #expect(try memory.registrations.appNames() == ["Asks", "Wallet"])
      world.close()
      #expect(throws: StorageError.self) { try memory.registrations.appNames() }
      #expect(throws: StorageError.self) { try memory.documents(of: "Wallet")?.identifiers() }
      return world.journal.trace()
    }
    let first = try life(seed: 1, wait: 60)
    #expect(try life(seed: 2, wait: 20 * 86_400) != first)
    #expect(try life(seed: 1, wait: 60) == first)
  }

  @Test("a restarted device draws new randomness and keeps its stored data")
  func restartedDevice() throws {
    let world = try World(Self.description(), seed: 1, start: Self.start)
    #expect(world.prepare() == .quiet)
    let kept = try world.parts(of: "phone")?.memory.registrations.registrations(of: "Wallet")
    #expect(kept?.map(\.documentIdentifier) == ["mDL"])
    let draft = Action.Registration(documentType: DocumentType.drivingLicence)
    #expect(try world.perform(.app(.add(draft), name: "Wallet")) == .quiet)
    #expect(try world.perform(.person(.restart(device: "phone"))) == .quiet)
    #expect(try world.perform(.app(.add(draft), name: "Wallet")) == .quiet)
    let identifiers = try world.parts(of: "phone")?.memory.registrations.registrations(of: "Wallet")
      .map(\.documentIdentifier)
    #expect(Set(identifiers ?? []).count == 3, "two generated identifiers differ: \(identifiers ?? [])")
    world.close()
  }

  @Test("a world in files continues where it stopped, with the same authorities")
  func restartedWorld() throws {
    let folder = try TemporaryFolder()
    let first = try World(Self.description(), seed: 5, start: Self.start, folder: folder.path)
    #expect(first.prepare() == .quiet)
    #expect(try first.perform(.person(.touch(.answerPrompt(app: "Asks", isAllowed: true)))) == .quiet)
    #expect(try first.perform(.person(.wait(.seconds(3_600)))) == .quiet)
    let second = try first.restarted()
    #expect(second.prepare() == .quiet)
    #expect(second.now >= first.now)
    let numbers = second.journal.entries.map(\.number)
    #expect(numbers == Array(1...numbers.count), "the journal continues")
    for app in ["Wallet", "Asks"] {
      let kept = try second.parts(of: "phone")?.memory.registrations.registrations(of: app)
      #expect(kept?.map(\.documentIdentifier) == ["mDL"], "\(app)")
    }
    let issued = second.journal.entries.filter { entry in
      if case .message(let sent) = entry.event { sent.kind == .document } else { false }
    }
    #expect(issued.count == 2, "a document was issued again")
    second.close()
    #expect(throws: StorageError.self) {
      try World(Self.description(), seed: 6, start: Self.start, folder: folder.path)
    }
  }
}
