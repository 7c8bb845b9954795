import Foundation
import IdentityDocumentServices
import MobileDocument
import Simulation

/// The system's end of the registration store: answers the calls of apps out of the database, each app for itself.
struct RegistrationService: Sendable {
  private let database: RegistrationDatabase

  private typealias StoreError = IdentityDocumentProviderRegistrationStore.RegistrationError

  /// A service with the apps of a device installed.
  /// - Throws: when the database cannot be set up.
  init(apps: [WorldDescription.App]) throws {
    database = try RegistrationDatabase(at: nil)
    for app in apps {
      try database.install(
        app.name, entitlement: app.entitlement ?? app.documents.map(\.documentType),
        status: app.isAuthorized ? .authorized : .notAuthorized)
    }
  }

  /// Which apps may answer a request and why the others may not.
  func selection(
    for request: ISO18013MobileDocumentRequest, at moment: DateTime, reading: Selection.AuthorityReading
  ) throws -> Selection {
    try database.selection(for: request, at: moment, reading: reading)
  }

  /// The answer to an app's call: its subject, and JSON.
  func answer(_ message: Message, of app: String) -> (subject: String, bytes: [UInt8]) {
    do {
      return (Subject.done, try perform(message, of: app))
    } catch {
      let code = error as? StoreError ?? .unknown
      return (
        Subject.refused,
        JSONBody.encode(RefusalBody(code: code.rawValue, sentence: code.errorDescription ?? ""))
      )
    }
  }

  private func perform(_ message: Message, of app: String) throws -> [UInt8] {
    let status = try database.status(of: app) ?? .notSupported
    if message.subject == Subject.status { return JSONBody.encode([status.rawValue]) }
    guard status == .authorized else { throw StoreError.notAuthorized }
    switch message.subject {
    case Subject.registrations:
      return JSONBody.encode(try database.registrations(of: app))
    case Subject.addRegistration:
      guard let registration = JSONBody.decode(MobileDocumentRegistration.self, from: message.bytes),
        registration.isWithinLimits,
        try database.entitlement(of: app).contains(registration.mobileDocumentType)
      else { throw StoreError.invalidRequest }
      try database.add(registration, of: app)
    case Subject.removeRegistration:
      guard let body = JSONBody.decode(RemoveRegistrationBody.self, from: message.bytes) else {
        throw StoreError.invalidRequest
      }
      try database.remove(body.documentIdentifier, of: app)
    default:
      throw StoreError.unknown
    }
    return JSONBody.encode([String]())
  }
}
