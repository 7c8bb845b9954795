import Foundation
import GRDB
import IdentityDocumentServices

extension RegistrationDatabase {
  /// Adds a registration, replacing an earlier one with its identifier.
  /// - Returns: True if there was an earlier one.
  /// - Throws: ``StorageError``; `SimulationError` if the app is not installed.
  @discardableResult
  package func add(_ registration: MobileDocumentRegistration, of app: String) throws -> Bool {
    try store.write { database in
      try Self.insert(registration, of: Self.requireIdentifier(of: app, in: database), in: database)
    }
  }

  /// Adds registrations: all or none.
  /// - Throws: ``StorageError``; `SimulationError` if the app is not installed.
  package func add(_ registrations: some Sequence<MobileDocumentRegistration>, of app: String) throws {
    try store.write { database in
      let app = try Self.requireIdentifier(of: app, in: database)
      for registration in registrations { _ = try Self.insert(registration, of: app, in: database) }
    }
  }

  /// Returns true if the registration replaced an earlier one.
  private static func insert(
    _ registration: MobileDocumentRegistration, of app: Int64, in database: Database
  ) throws -> Bool {
    let type = try intern(type: registration.mobileDocumentType, in: database)
    let invalidation = registration.invalidationDate?.timeIntervalSinceReferenceDate ?? .infinity
    let acceptsAnyReader = registration.supportedAuthorityKeyIdentifiers.isEmpty
    let earlier = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT id FROM registration WHERE app = ? AND documentIdentifier = ?"),
      arguments: [app, registration.documentIdentifier])
    let identifier: Int64
    if let earlier {
      identifier = earlier
      for table in ["registrationAuthority", "registrationIssuer", "registrationCertificate"] {
        try database.cachedStatement(sql: "DELETE FROM \(table) WHERE registration = ?").execute(arguments: [earlier])
      }
      try database.cachedStatement(
        sql: """
          UPDATE registration SET type = ?3, invalidation = ?4, acceptsAnyReader = ?5,
            isEntitled = EXISTS (SELECT 1 FROM entitlement WHERE app = ?2 AND type = ?3)
          WHERE id = ?1
          """
      ).execute(arguments: [earlier, app, type, invalidation, acceptsAnyReader])
    } else {
      try database.cachedStatement(
        sql: """
          INSERT INTO registration (app, type, documentIdentifier, invalidation, acceptsAnyReader, isEntitled)
          VALUES (?1, ?2, ?3, ?4, ?5, EXISTS (SELECT 1 FROM entitlement WHERE app = ?1 AND type = ?2))
          """
      ).execute(arguments: [app, type, registration.documentIdentifier, invalidation, acceptsAnyReader])
      identifier = database.lastInsertedRowID
    }
    for (position, key) in registration.supportedAuthorityKeyIdentifiers.enumerated() {
      try database.cachedStatement(
        sql: "INSERT INTO registrationAuthority (registration, position, key, type) VALUES (?, ?, ?, ?)"
      ).execute(arguments: [identifier, position, intern(key, in: "keyIdentifier", of: database), type])
    }
    for (list, table, values) in [
      ("registrationIssuer", "keyIdentifier", registration.supportedIssuerKeyIdentifiers),
      ("registrationCertificate", "authorityCertificate", registration.supportedAuthorityCertificates),
    ] {
      for (position, bytes) in values.enumerated() {
        try database.cachedStatement(sql: "INSERT INTO \(list) (registration, position, key) VALUES (?, ?, ?)")
          .execute(arguments: [identifier, position, intern(bytes, in: table, of: database)])
      }
    }
    return earlier != nil
  }

  /// Returns true if an app has a registration with an identifier.
  /// - Throws: ``StorageError``.
  package func holds(_ documentIdentifier: String, of app: String) throws -> Bool {
    try store.read { database in
      try Bool.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT EXISTS (
              SELECT 1 FROM registration JOIN app ON app.id = registration.app
              WHERE app.name = ? AND registration.documentIdentifier = ?)
            """), arguments: [app, documentIdentifier])
    } ?? false
  }

  /// Removes a registration if it exists.
  package func remove(_ documentIdentifier: String, of app: String) throws {
    try store.write(
      "DELETE FROM registration WHERE app = (SELECT id FROM app WHERE name = ?) AND documentIdentifier = ?",
      [app, documentIdentifier])
  }

  /// The registrations of an app, in the order of their identifiers as UTF-8.
  package func registrations(of app: String) throws -> [MobileDocumentRegistration] {
    try store.read { database in
      guard let app = try Self.identifier(of: app, in: database) else { return [] }
      let rows = try Row.fetchCursor(
        database.cachedStatement(
          sql: """
            SELECT registration.id, documentType.name, documentIdentifier, invalidation
            FROM registration JOIN documentType ON documentType.id = registration.type
            WHERE app = ? ORDER BY documentIdentifier
            """), arguments: [app])
      var found: [(identifier: Int64, registration: MobileDocumentRegistration)] = []
      while let row = try rows.next() {
        let registration = MobileDocumentRegistration(
          mobileDocumentType: try row.decode(atIndex: 1), supportedIssuerKeyIdentifiers: [],
          supportedAuthorityKeyIdentifiers: [], documentIdentifier: try row.decode(atIndex: 2),
          invalidationDate: Self.date(try row.decode(atIndex: 3)))
        found.append((try row.decode(atIndex: 0), registration))
      }
      guard !found.isEmpty else { return [] }
      let issuers = try Self.keys(in: "registrationIssuer", of: app, in: database)
      let authorities = try Self.keys(in: "registrationAuthority", of: app, in: database)
      let certificates = try Self.keys(
        in: "registrationCertificate", naming: "authorityCertificate", of: app, in: database)
      return found.map { identifier, registration in
        var registration = registration
        registration.supportedIssuerKeyIdentifiers = issuers[identifier] ?? []
        registration.supportedAuthorityKeyIdentifiers = authorities[identifier] ?? []
        registration.supportedAuthorityCertificates = certificates[identifier] ?? []
        return registration
      }
    }
  }

  /// The date for a number in the table.
  static func date(_ invalidation: Double) -> Date? {
    invalidation.isFinite ? Date(timeIntervalSinceReferenceDate: invalidation) : nil
  }

  /// The lists of key identifiers or certificates of an app's registrations, by registration.
  private static func keys(
    in table: String, naming values: String = "keyIdentifier", of app: Int64, in database: Database
  ) throws -> [Int64: [Data]] {
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT list.registration, value.bytes
          FROM registration JOIN \(table) AS list ON list.registration = registration.id
          JOIN \(values) AS value ON value.id = list.key
          WHERE app = ? ORDER BY list.registration, list.position
          """), arguments: [app])
    var lists: [Int64: [Data]] = [:]
    while let row = try rows.next() {
      lists[try row.decode(Int64.self, atIndex: 0), default: []].append(try row.decode(Data.self, atIndex: 1))
    }
    return lists
  }
}
