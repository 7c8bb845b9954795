import Foundation
import GRDB
import IdentityDocumentServices

extension RegistrationDatabase {
  /// Adds a registration, replacing an earlier one with its identifier.
  /// - Returns: True if there was an earlier one.
  /// - Throws: ``StorageError``; `SimulationError` if the app is not installed.
  @discardableResult
  package func add(_ registration: MobileDocumentRegistration, of app: String) throws -> Bool {
    try store.write { try Self.add(registration, of: app, in: $0) }
  }

  /// Adds registrations: all or none.
  /// - Throws: ``StorageError``; `SimulationError` if the app is not installed.
  package func add(_ registrations: some Sequence<MobileDocumentRegistration>, of app: String) throws {
    try store.write { database in
      _ = try Self.requireIdentifier(of: app, in: database)
      for registration in registrations { _ = try Self.add(registration, of: app, in: database) }
    }
  }

  /// Returns true if the registration replaced an earlier one.
  private static func add(
    _ registration: MobileDocumentRegistration, of app: String, in database: Database
  ) throws -> Bool {
    try intern(type: registration.mobileDocumentType, in: database)
    try database.cachedStatement(sql: insertion).execute(arguments: [
      app, registration.documentIdentifier, registration.mobileDocumentType, invalidation(of: registration),
      acceptsAnyReader(registration),
    ])
    let isNew = database.changesCount > 0
    let identifier = try isNew ? database.lastInsertedRowID : replace(registration, of: app, in: database)
    let authorities = registration.supportedAuthorityKeyIdentifiers
    try add(authorities, in: "keyIdentifier", to: authorityInsertion, of: identifier, in: database)
    let issuers = registration.supportedIssuerKeyIdentifiers
    try add(issuers, in: "keyIdentifier", to: issuerInsertion, of: identifier, in: database)
    let certificates = registration.supportedAuthorityCertificates
    try add(certificates, in: "authorityCertificate", to: certificateInsertion, of: identifier, in: database)
    return !isNew
  }

  private static func invalidation(of registration: MobileDocumentRegistration) -> Double {
    registration.invalidationDate?.timeIntervalSinceReferenceDate ?? .infinity
  }

  private static func acceptsAnyReader(_ registration: MobileDocumentRegistration) -> Bool {
    registration.supportedAuthorityKeyIdentifiers.isEmpty
  }

  // Inserts nothing if the app has a registration of this identifier, or is not installed.
  private static let insertion = """
    INSERT INTO registration (app, documentIdentifier, type, invalidation, acceptsAnyReader, isEntitled)
    SELECT app.id, ?2, documentType.id, ?4, ?5,
      EXISTS (SELECT 1 FROM entitlement WHERE entitlement.app = app.id AND entitlement.type = documentType.id)
    FROM app CROSS JOIN documentType WHERE app.name = ?1 AND documentType.name = ?3
    ON CONFLICT (app, documentIdentifier) DO NOTHING
    """

  /// Changes the registration that an app has of an identifier, and empties its lists.
  /// - Returns: Its row.
  private static func replace(
    _ registration: MobileDocumentRegistration, of app: String, in database: Database
  ) throws -> Int64 {
    let app = try requireIdentifier(of: app, in: database)
    guard
      let identifier = try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT id FROM registration WHERE app = ? AND documentIdentifier = ?"),
        arguments: [app, registration.documentIdentifier])
    else { throw DatabaseError(resultCode: .SQLITE_CONSTRAINT, message: "the registration is neither new nor stored") }
    for table in ["registrationAuthority", "registrationIssuer", "registrationCertificate"] {
      try database.run("DELETE FROM \(table) WHERE registration = ?", [identifier])
    }
    try database.cachedStatement(
      sql: """
        UPDATE registration SET type = documentType.id, invalidation = ?3, acceptsAnyReader = ?4,
          isEntitled = EXISTS (
            SELECT 1 FROM entitlement
            WHERE entitlement.app = registration.app AND entitlement.type = documentType.id)
        FROM documentType WHERE registration.id = ?1 AND documentType.name = ?2
        """
    ).execute(arguments: [
      identifier, registration.mobileDocumentType, invalidation(of: registration), acceptsAnyReader(registration),
    ])
    return identifier
  }

  /// Adds values to a list of a registration. A table has each value once.
  private static func add(
    _ values: [Data], in table: String, to listInsertion: String, of registration: Int64, in database: Database
  ) throws {
    for (position, bytes) in values.enumerated() {
      try database.run("INSERT INTO \(table) (bytes) VALUES (?) ON CONFLICT (bytes) DO NOTHING", [bytes])
      try database.run(listInsertion, [registration, position, bytes])
    }
  }

  private static let authorityInsertion = """
    INSERT INTO registrationAuthority (registration, position, key, type)
    SELECT registration.id, ?2, keyIdentifier.id, registration.type
    FROM keyIdentifier CROSS JOIN registration WHERE keyIdentifier.bytes = ?3 AND registration.id = ?1
    """
  private static let issuerInsertion = """
    INSERT INTO registrationIssuer (registration, position, key) SELECT ?1, ?2, id FROM keyIdentifier WHERE bytes = ?3
    """
  private static let certificateInsertion = """
    INSERT INTO registrationCertificate (registration, position, key)
    SELECT ?1, ?2, id FROM authorityCertificate WHERE bytes = ?3
    """

  /// Returns true if an app has a registration with an identifier.
  /// - Throws: ``StorageError``.
  package func holds(_ documentIdentifier: String, of app: String) throws -> Bool {
    try store.value(
      """
      SELECT EXISTS (
        SELECT 1 FROM registration JOIN app ON app.id = registration.app
        WHERE app.name = ? AND registration.documentIdentifier = ?)
      """, [app, documentIdentifier]) ?? false
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
      let rows = try database.rows(
        """
        SELECT registration.id, documentType.name, documentIdentifier, invalidation
        FROM app CROSS JOIN registration ON registration.app = app.id
        JOIN documentType ON documentType.id = registration.type
        WHERE app.name = ? ORDER BY documentIdentifier
        """, [app])
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
    in table: String, naming values: String = "keyIdentifier", of app: String, in database: Database
  ) throws -> [Int64: [Data]] {
    let rows = try database.rows(
      """
      SELECT list.registration, value.bytes
      FROM app CROSS JOIN registration ON registration.app = app.id
      JOIN \(table) AS list ON list.registration = registration.id
      JOIN \(values) AS value ON value.id = list.key
      WHERE app.name = ? ORDER BY list.registration, list.position
      """, [app])
    return try lists(in: rows)
  }

  /// The values of lists by registration, from rows with both.
  static func lists(in rows: RowCursor) throws -> [Int64: [Data]] {
    var lists: [Int64: [Data]] = [:]
    while let row = try rows.next() {
      lists[try row.decode(Int64.self, atIndex: 0), default: []].append(try row.decode(Data.self, atIndex: 1))
    }
    return lists
  }
}
