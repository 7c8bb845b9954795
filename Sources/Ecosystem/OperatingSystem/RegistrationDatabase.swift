import Foundation
import GRDB
import IdentityDocumentServices

/// The system's registrations, in SQLite: which app holds which documents and whether the person allows it.
struct RegistrationDatabase: Sendable {
  private let database: DatabaseQueue

  /// A database in memory.
  /// - Throws: when it cannot be set up.
  init() throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    database = try DatabaseQueue(configuration: configuration)
    try Self.migrator.migrate(database)
  }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("registrations") { database in
      try database.create(table: "app") { table in
        table.primaryKey("name", .text)
        table.column("status", .text).notNull()
        table.column("entitlement", .text).notNull()
      }
      try database.create(table: "registration") { table in
        table.column("app", .text).notNull().references("app", onDelete: .cascade)
        table.column("documentIdentifier", .text).notNull()
        table.column("registration", .text).notNull()
        table.primaryKey(["app", "documentIdentifier"])
      }
    }
    return migrator
  }

  /// Installs an app, or changes what the person allows it.
  func setApp(
    _ name: String, status: IdentityDocumentProviderRegistrationStore.Status, entitlement: [String]
  ) throws {
    try database.write { database in
      try database.execute(
        sql: """
          INSERT INTO app (name, status, entitlement) VALUES (?, ?, ?)
          ON CONFLICT (name) DO UPDATE SET status = excluded.status, entitlement = excluded.entitlement
          """,
        arguments: [name, status.rawValue, entitlement.sorted().joined(separator: "\n")])
    }
  }

  /// What the person allows an app; nil when it is not installed.
  func status(of app: String) throws -> IdentityDocumentProviderRegistrationStore.Status? {
    let text = try database.read { database in
      try String.fetchOne(database, sql: "SELECT status FROM app WHERE name = ?", arguments: [app])
    }
    return text.flatMap(IdentityDocumentProviderRegistrationStore.Status.init(rawValue:))
  }

  /// Document types of an app's entitlement.
  func entitlement(of app: String) throws -> [String] {
    let text = try database.read { database in
      try String.fetchOne(database, sql: "SELECT entitlement FROM app WHERE name = ?", arguments: [app])
    }
    return text?.split(separator: "\n").map(String.init) ?? []
  }

  /// Adds a registration, in place of an earlier one with its identifier.
  func add(_ registration: MobileDocumentRegistration, of app: String) throws {
    let text = String(decoding: JSONBody.encode(registration), as: UTF8.self)
    try database.write { database in
      try database.execute(
        sql: """
          INSERT INTO registration (app, documentIdentifier, registration) VALUES (?, ?, ?)
          ON CONFLICT (app, documentIdentifier) DO UPDATE SET registration = excluded.registration
          """,
        arguments: [app, registration.documentIdentifier, text])
    }
  }

  /// Removes a registration, if it is there.
  func remove(_ documentIdentifier: String, of app: String) throws {
    try database.write { database in
      try database.execute(
        sql: "DELETE FROM registration WHERE app = ? AND documentIdentifier = ?",
        arguments: [app, documentIdentifier])
    }
  }

  /// Registrations of an app, in the order of their identifiers.
  func registrations(of app: String) throws -> [MobileDocumentRegistration] {
    let texts = try database.read { database in
      try String.fetchAll(
        database, sql: "SELECT registration FROM registration WHERE app = ? ORDER BY documentIdentifier",
        arguments: [app])
    }
    return texts.compactMap { JSONBody.decode(MobileDocumentRegistration.self, from: Array($0.utf8)) }
  }

  /// Every app with its registrations, in the order of their names.
  func apps() throws -> [InstalledApp] {
    let names = try database.read { database in
      try String.fetchAll(database, sql: "SELECT name FROM app ORDER BY name")
    }
    return try names.map { name in
      InstalledApp(
        name: name, isAuthorized: try status(of: name) == .authorized,
        entitledDocumentTypes: try entitlement(of: name), registrations: try registrations(of: name))
    }
  }
}
