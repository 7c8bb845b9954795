import Foundation
import IdentityDocumentServices
import Storage
import TestSupport

/// A sequence of changes to a device's registrations. Each depends only on the seed and its number, so the numbers of
/// the completed changes determine the registrations.
struct Churn {
  static let apps = ["Wallet", "Agency", "Atlas"]
  static let types = (0..<4).map { "type.\($0)" }
  private static let documentsOfApp = 30

  /// One change.
  enum Change: Equatable {
    /// Adds a document, or replaces it; the revision is the number of the change.
    case add(document: String, revision: Int)
    /// Removes a document if it exists.
    case remove(document: String)
    /// Installs the app with another entitlement.
    case update(entitlement: [String])
    /// Removes the app and installs it again, in two transactions.
    case uninstall
  }

  let seed: UInt64

  /// The change with a number, and its app.
  func change(_ number: Int) -> (app: String, change: Change) {
    var draw = SeededGenerator(seed: seed &+ UInt64(number) &* 0x9e37_79b9_7f4a_7c15)
    let app = Self.apps[Int.random(in: 0..<Self.apps.count, using: &draw)]
    let document = "document \(Int.random(in: 0..<Self.documentsOfApp, using: &draw))"
    switch Int.random(in: 0..<100, using: &draw) {
    case 0..<65: return (app, .add(document: document, revision: number))
    case 65..<90: return (app, .remove(document: document))
    case 90..<98: return (app, .update(entitlement: Self.types.filter { _ in Bool.random(using: &draw) }))
    default: return (app, .uninstall)
    }
  }

  /// The registration of a document; it depends only on the document and the revision.
  static func registration(_ document: String, revision: Int) -> MobileDocumentRegistration {
    func keys(_ name: String, _ count: Int) -> [Data] {
      (0..<count).map { Data("\(name) \(document) \(revision) \($0 % 3)".utf8) }
    }
    return MobileDocumentRegistration(
      mobileDocumentType: types[revision % types.count],
      supportedIssuerKeyIdentifiers: keys("issuer", revision % 5),
      supportedAuthorityKeyIdentifiers: keys("authority", revision % 7), documentIdentifier: document,
      invalidationDate: revision % 3 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(revision) + 0.1))
  }

  /// Makes a change.
  static func perform(_ change: Change, of app: String, in database: RegistrationDatabase) throws {
    switch change {
    case .add(let document, let revision):
      try database.add(registration(document, revision: revision), of: app)
    case .remove(let document): try database.remove(document, of: app)
    case .update(let entitlement): try database.install(app, entitlement: entitlement, status: .authorized)
    case .uninstall:
      try database.uninstall(app)
      try database.install(app, entitlement: [], status: .authorized)
    }
  }
}
