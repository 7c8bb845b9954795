import IdentityDocumentServices
import MobileDocument
import Primitives
import SimulationKernel
import Testing

@testable import Ecosystem
@testable import Vocabulary

@Suite("Trust boundaries in memory")
struct TrustBoundaryTests {
  /// The world: an app with a document of an issuing authority, whose elements have the value `Kelly`.
  private static func world() throws -> World {
    var description = WorldDescription()
    description.issuers = [WorldDescription.Issuer(identifier: "dmv", name: "DMV", country: "US")]
    description.devices = [
      WorldDescription.Device(
        identifier: "phone",
        apps: [
          WorldDescription.App(
            name: "Wallet", style: .wallet,
            documents: [
              WorldDescription.Document(
                identifier: "mDL", documentType: DocumentType.drivingLicence, issuer: "dmv",
                nameSpaces: [
                  DocumentDraft.NameSpace("org.iso.18013.5.1", [DocumentDraft.Element("given_name", .text(value))])
                ])
            ])
        ])
    ]
    return try World(description, seed: 1, start: DateTime(secondsSince1970: 1_757_955_600))
  }

  private static let value = "Kelly"

  /// True if a value or anything that it holds is the person's value. The shared parts of the simulation are left out:
  /// network, scheduler and journal have every message.
  private static func holdsValue(_ value: Any, depth: Int = 0) -> Bool {
    if value is Station || depth > 24 { return false }
    if let text = value as? String { return text.contains(self.value) }
    if let bytes = value as? [UInt8] {
      return bytes.count >= self.value.utf8.count && String(decoding: bytes, as: UTF8.self).contains(self.value)
    }
    return Mirror(reflecting: value).children.contains { holdsValue($0.value, depth: depth + 1) }
  }

  @Test("the operating system holds no element value, before and after the app has its document")
  func system() throws {
    let world = try Self.world()
    defer { world.close() }
    let system = try #require(world.parts(of: "phone")).system
    #expect(!Self.holdsValue(system))
    #expect(world.prepare() == .quiet)
    #expect(!Self.holdsValue(system))
  }

  @Test("an app holds no element value before its document is issued, and holds it then")
  func app() throws {
    let world = try Self.world()
    defer { world.close() }
    let app = try #require(world.parts(of: "phone")?.apps.first)
    #expect(!Self.holdsValue(app))
    #expect(world.prepare() == .quiet)
    #expect(Self.holdsValue(app))
  }

  @Test("the issuing authority holds the values from the beginning")
  func issuer() throws {
    let world = try Self.world()
    defer { world.close() }
    #expect(Self.holdsValue(try #require(world.issuers["dmv"])))
  }
}
