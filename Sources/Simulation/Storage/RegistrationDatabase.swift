import DevicePlatform
import Foundation
import GRDB
import IdentityDocumentServices
import Primitives
import SimulationKernel

/// The system's registrations in SQLite: apps, their documents and the person's authorization. Every change is one
/// transaction.
package struct RegistrationDatabase: Sendable {
  /// The person's authorization of an app.
  package typealias Status = IdentityDocumentProviderRegistrationStore.Status

  let store: DatabaseStore
  /// The reader certificates that registered authorities have certified, as far as this device has compared them.
  let certified = CertifiedChains()

  /// Opens the registrations of a device, or creates an empty database.
  /// - Parameters:
  ///   - path: Path of the file, or nil for memory.
  ///   - scheduler: The scheduler of the world, which a failure of this machine disturbs.
  /// - Throws: ``StorageError``.
  package init(at path: String?, in scheduler: WorldScheduler? = nil) throws {
    store = try DatabaseStore(RegistrationSchema.kind, at: path, in: scheduler)
  }

  /// Installs an app. An installed one gets the new entitlement, and keeps its status and its registrations, including
  /// those of types that are no longer in the entitlement.
  package func install(_ app: String, entitlement: [String], status: Status) throws {
    try store.write { try Self.install(app, entitlement: entitlement, status: status, in: $0) }
  }

  /// Installs the preinstalled apps of a device: all of them, once.
  package func setUp(_ apps: [(name: String, entitlement: [String], status: Status)]) throws {
    try store.write { database in
      // A file remembers that it is set up. In memory a database is new, and SQLite would compile both statements each time.
      if store.isFile, try Int.fetchOne(database.cachedStatement(sql: "PRAGMA user_version")) != 0 { return }
      for app in apps { try Self.install(app.name, entitlement: app.entitlement, status: app.status, in: database) }
      if store.isFile { try database.run("PRAGMA user_version = 1") }
    }
  }

  private static func install(_ app: String, entitlement: [String], status: Status, in database: Database) throws {
    try database.run(
      "INSERT INTO app (name, status) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", [app, status.rawValue])
    let isNew = database.changesCount > 0
    let identifier = try isNew ? database.lastInsertedRowID : requireIdentifier(of: app, in: database)
    if !isNew { try database.run("DELETE FROM entitlement WHERE app = ?", [identifier]) }
    for type in entitlement.uniqued() {
      try intern(type: type, in: database)
      try database.run(
        "INSERT INTO entitlement (app, type) SELECT ?, id FROM documentType WHERE name = ?", [identifier, type])
    }
    if !isNew {
      try database.run(
        """
        UPDATE registration SET isEntitled = NOT isEntitled
        WHERE app = ?1 AND isEntitled <> (type IN (SELECT type FROM entitlement WHERE app = ?1))
        """, [identifier])
    }
  }

  /// Removes an app with its registrations, if it is installed.
  package func uninstall(_ app: String) throws { try store.write("DELETE FROM app WHERE name = ?", [app]) }

  /// Changes the person's authorization of an app, if it is installed.
  package func setStatus(_ status: Status, of app: String) throws {
    try store.write("UPDATE app SET status = ? WHERE name = ?", [status.rawValue, app])
  }

  /// Keeps that an app has asked the person, if it is installed.
  package func rememberAsking(of app: String) throws {
    try store.write(
      """
      UPDATE app SET asked = (SELECT ifnull(max(asked), 0) + 1 FROM app) WHERE name = ? AND asked IS NULL
      """, [app])
  }

  /// The apps that have asked the person and that the person has not decided about, in the order in which they asked.
  package func undecidedApps() throws -> [String] {
    try store.texts(
      "SELECT name FROM app WHERE asked IS NOT NULL AND status = ? ORDER BY asked", [Status.notDetermined.rawValue])
  }

  /// The person's authorization of an app, or nil if it is not installed.
  package func status(of app: String) throws -> Status? {
    try store.value("SELECT status FROM app WHERE name = ?", [app]).flatMap(Status.init(rawValue:))
  }

  /// The document types of an app's entitlement, in the order of UTF-8.
  package func entitlement(of app: String) throws -> [String] {
    try store.texts(
      """
      SELECT documentType.name FROM app
      JOIN entitlement ON entitlement.app = app.id
      JOIN documentType ON documentType.id = entitlement.type
      WHERE app.name = ? ORDER BY documentType.name
      """, [app])
  }

  /// The names of the installed apps, in the order of UTF-8.
  package func appNames() throws -> [String] { try store.texts("SELECT name FROM app ORDER BY name") }

  /// Checks the whole database.
  /// - Throws: ``StorageError`` for the first fault.
  package func checkIntegrity() throws {
    try store.checkIntegrity()
    try store.expectNone(
      "a registration does not know what the entitlement lists",
      """
      SELECT 1 FROM registration AS r
      WHERE isEntitled <> EXISTS (SELECT 1 FROM entitlement AS e WHERE e.app = r.app AND e.type = r.type)
      """)
    try store.expectNone(
      "a registration does not know whether it names authorities",
      """
      SELECT 1 FROM registration AS r
      WHERE acceptsAnyReader = EXISTS (SELECT 1 FROM registrationAuthority AS a WHERE a.registration = r.id)
      """)
    try store.expectNone(
      "an authority stands under another type than its registration",
      """
      SELECT 1 FROM registrationAuthority AS a JOIN registration AS r ON r.id = a.registration WHERE a.type <> r.type
      """)
  }

  /// Limits the database to its current size, as on a full disk, or ends the limit. Writes that fit into existing pages
  /// succeed.
  package func setFull(_ isFull: Bool) throws { try store.setFull(isFull) }

  /// Closes the database; every later operation fails.
  package func close() throws { try store.close() }

  static func requireIdentifier(of app: String, in database: Database) throws -> Int64 {
    let statement = try database.cachedStatement(sql: "SELECT id FROM app WHERE name = ?")
    guard let identifier = try Int64.fetchOne(statement, arguments: [app]) else {
      throw SimulationError(.appNotInstalled, "\(app) is not installed")
    }
    return identifier
  }

  /// Adds a document type, unless it is there.
  static func intern(type: String, in database: Database) throws {
    try database.run("INSERT INTO documentType (name) VALUES (?) ON CONFLICT (name) DO NOTHING", [type])
  }
}

/// The tables of the registrations.
///
/// Types, key identifiers and certificates are stored once, and registrations refer to them by number. They are kept after their last
/// registration is removed: there are few, and most are used again.
enum RegistrationSchema {
  static let kind = DatabaseKind(
    // The rows of a device with many apps would fill many smaller pages.
    name: "registrations of a device", letters: "PrRg", pageSize: 1_024,
    migrations: [
      DatabaseKind.Migration(identifier: "registrations", statements: tables + indexes),
      // The rank of an app among those that have asked the person; null for one that has not.
      DatabaseKind.Migration(identifier: "asking", statements: "ALTER TABLE app ADD COLUMN asked INTEGER;"),
      DatabaseKind.Migration(identifier: "authority certificates", statements: certificates),
    ])

  // A registration without an end has an infinite invalidation, so that one order works for all. `isEntitled`,
  // `acceptsAnyReader` and the type of an authority repeat the content of other tables, because the indexes for the
  // selection need them. Dates are seconds since 2001-01-01T00:00:00Z, as in Foundation, so that they are read back
  // exactly.
  private static let tables = """
    CREATE TABLE app (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, status TEXT NOT NULL
    );
    CREATE TABLE documentType (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE
    );
    CREATE TABLE keyIdentifier (
      id INTEGER PRIMARY KEY, bytes BLOB NOT NULL UNIQUE
    );
    CREATE TABLE entitlement (
      app INTEGER NOT NULL REFERENCES app ON DELETE CASCADE,
      type INTEGER NOT NULL REFERENCES documentType,
      PRIMARY KEY (app, type)
    ) WITHOUT ROWID;
    CREATE TABLE registration (
      id INTEGER PRIMARY KEY,
      app INTEGER NOT NULL REFERENCES app ON DELETE CASCADE,
      type INTEGER NOT NULL REFERENCES documentType,
      documentIdentifier TEXT NOT NULL,
      invalidation REAL NOT NULL,
      isEntitled INTEGER NOT NULL,
      acceptsAnyReader INTEGER NOT NULL,
      UNIQUE (app, documentIdentifier)
    );
    CREATE TABLE registrationAuthority (
      registration INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
      position INTEGER NOT NULL,
      key INTEGER NOT NULL REFERENCES keyIdentifier,
      type INTEGER NOT NULL REFERENCES documentType,
      PRIMARY KEY (registration, position)
    ) WITHOUT ROWID;
    CREATE TABLE registrationIssuer (
      registration INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
      position INTEGER NOT NULL,
      key INTEGER NOT NULL REFERENCES keyIdentifier,
      PRIMARY KEY (registration, position)
    ) WITHOUT ROWID;
    """

  private static let certificates = """
    CREATE TABLE authorityCertificate (
      id INTEGER PRIMARY KEY, bytes BLOB NOT NULL UNIQUE
    );
    CREATE TABLE registrationCertificate (
      registration INTEGER NOT NULL REFERENCES registration ON DELETE CASCADE,
      position INTEGER NOT NULL,
      key INTEGER NOT NULL REFERENCES authorityCertificate,
      PRIMARY KEY (registration, position)
    ) WITHOUT ROWID;
    """

  // In this order: registrations of a type by authority; registrations without an authority; and the longest valid
  // registration of an app, by type and by entitlement.
  private static let indexes = """
    CREATE INDEX registrationAuthorityByKey ON registrationAuthority (key, type);
    CREATE INDEX registrationOfAnyReader ON registration (type) WHERE acceptsAnyReader;
    CREATE INDEX registrationByType ON registration (app, type, invalidation DESC, documentIdentifier);
    CREATE INDEX registrationByEntitlement ON registration (app, isEntitled, invalidation DESC, documentIdentifier);
    """
}
