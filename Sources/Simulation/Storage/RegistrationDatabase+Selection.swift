import DevicePlatform
import Foundation
import GRDB
import IdentityDocumentServices
import MobileDocument
import Primitives

extension RegistrationDatabase {
  /// Returns the apps that may answer a request, and the reasons why the others may not. Uses indexes, for any number
  /// of registrations.
  ///
  /// - Parameters:
  ///   - moment: The time at which registrations and reader certificates must be valid.
  ///   - reading: The comparison of authority key identifiers with chains.
  ///   - signatures: The evidence that an authority certified a signature.
  ///   - silentApps: The names of the apps that do not answer requests in the protocol.
  /// - Throws: ``StorageError``.
  package func selection(
    for request: ISO18013MobileDocumentRequest, at moment: DateTime, reading: Selection.AuthorityReading = .root,
    signatures: Selection.AuthoritySignatures = .verified, silentApps: Set<String> = []
  ) throws -> Selection {
    let criteria = SelectionCriteria(
      request, at: moment, reading: reading, signatures: signatures, silentApps: silentApps, certified: certified)
    return Selection.decide(try facts(for: criteria), by: criteria)
  }

  /// Returns the next time at which a date changes the selection for a request, or nil if none does: an invalidation date of
  /// a requested type, or the start or the end of a reader certificate.
  /// - Throws: ``StorageError``.
  package func nextChange(for request: ISO18013MobileDocumentRequest, after moment: DateTime) throws -> DateTime? {
    let dates = SelectionDates(of: request, after: moment)
    let invalidation = try store.read { try Self.nextInvalidation(dates, in: $0) }
    return [dates.nextCertificateChange, invalidation.map { DateTime($0) }].compactMap(\.self).min()
  }

  /// The earliest invalidation date of a requested type that is not past.
  private static func nextInvalidation(_ dates: SelectionDates, in database: Database) throws -> Date? {
    let earliest = try database.cachedStatement(
      sql: """
        SELECT MIN((
          SELECT invalidation FROM registration
          WHERE app = app.id AND type = documentType.id AND invalidation >= ?2
          ORDER BY invalidation LIMIT 1
        )) FROM documentType CROSS JOIN app WHERE documentType.name = ?1
        """)
    let firstValid = dates.firstValidDate.timeIntervalSinceReferenceDate
    return try dates.documentTypes.compactMap { try Double.fetchOne(earliest, arguments: [$0, firstValid]) }
      .min().flatMap(date)
  }

  /// Returns the facts about every app for a selection. The number of queries does not depend on the number of apps. It
  /// reads the candidates, and one more registration of each app for which they are not enough.
  /// - Throws: ``StorageError``.
  package func facts(for criteria: SelectionCriteria) throws -> [AppFacts] {
    try store.read { database in
      var apps: [(identifier: Int64, name: String, isAuthorized: Bool)] = []
      let rows = try database.rows("SELECT id, name, status = ? FROM app ORDER BY name", [Status.authorized.rawValue])
      while let row = try rows.next() {
        apps.append((try row.decode(atIndex: 0), try row.decode(atIndex: 1), try row.decode(atIndex: 2)))
      }
      let query = SelectionQuery(database: database, criteria: criteria)
      let candidates = try query.candidates(of: Set(apps.filter(\.isAuthorized).map(\.identifier)))
      let hidden = apps.filter { app in
        app.isAuthorized && !criteria.canAnswer(with: candidates[app.identifier]?.map(\.candidate) ?? [])
      }.map(\.identifier)
      let nearest = try query.nearest(of: hidden, besides: hidden.flatMap { candidates[$0]?.map(\.identifier) ?? [] })
      return apps.map { app in
        AppFacts(
          name: app.name, isAuthorized: app.isAuthorized,
          candidates: candidates[app.identifier]?.map(\.candidate) ?? [], nearest: nearest[app.identifier])
      }
    }
  }
}

/// The queries of a selection. Types and keys that are not in the database match nothing.
private struct SelectionQuery {
  let database: Database
  let criteria: SelectionCriteria

  /// The first invalidation date that is not past, in seconds since 2001.
  private var firstValid: Double { criteria.firstValidDate.timeIntervalSinceReferenceDate }

  /// Numbers as JSON, which passes a list of any length to a statement.
  private static func list(_ numbers: some Sequence<Int64>) -> String {
    "[\(numbers.map(String.init).joined(separator: ","))]"
  }

  /// A registration that may be a candidate.
  private struct Found {
    let app: Int64
    let identifier: Int64
    let selected: SelectedRegistration
    /// The row identifiers of the authorities that it names and of their certificates; nil if it has no certificates.
    let authorities: String?

    /// Returns whether two registrations are in the order of their document identifiers as UTF-8.
    static func isOrdered(_ first: Found, _ second: Found) -> Bool {
      let names = (first.selected.documentIdentifier.utf8, second.selected.documentIdentifier.utf8)
      return names.0.elementsEqual(names.1)
        ? first.identifier < second.identifier : names.0.lexicographicallyPrecedes(names.1)
    }
  }

  /// The candidates of some apps, by app, in the order of their document identifiers.
  func candidates(of apps: Set<Int64>) throws -> [Int64: [(identifier: Int64, candidate: AppFacts.Candidate)]] {
    // Few types and authorities are requested, and most registrations do not match: a query for each pair.
    var found: [Int64: Found] = [:]
    for type in criteria.documentTypes {
      try add(to: &found, type, try database.rows(Self.ofAnyReader, [type, firstValid]))
      for key in criteria.authorityKeyIdentifiers {
        try add(to: &found, type, try database.rows(Self.ofAuthority, [type, firstValid, key]))
      }
    }
    let ordered = found.values.filter { apps.contains($0.app) }.sorted(by: Found.isOrdered)
    var candidates: [Int64: [(identifier: Int64, candidate: AppFacts.Candidate)]] = [:]
    let certified = try certified(ordered)
    let issuers = try issuers(of: certified.map(\.identifier))
    for found in certified {
      let candidate = AppFacts.Candidate(
        registration: found.selected, issuerKeyIdentifiers: issuers[found.identifier] ?? [])
      candidates[found.app, default: []].append((found.identifier, candidate))
    }
    return candidates
  }

  private static let ofAnyReader = """
    SELECT app, registration.id, documentIdentifier, invalidation, NULL
    FROM registration
    WHERE acceptsAnyReader AND type = (SELECT id FROM documentType WHERE name = ?1)
      AND isEntitled AND invalidation >= ?2
    """
  private static let ofAuthority = """
    SELECT app, registration.id, documentIdentifier, invalidation,
      (SELECT group_concat(key) FROM registrationAuthority AS list WHERE list.registration = registration.id) || ' ' ||
      (SELECT group_concat(key) FROM registrationCertificate AS list WHERE list.registration = registration.id)
    FROM registrationAuthority AS named CROSS JOIN registration ON registration.id = named.registration
    WHERE named.key = (SELECT id FROM keyIdentifier WHERE bytes = ?3)
      AND named.type = (SELECT id FROM documentType WHERE name = ?1) AND isEntitled AND invalidation >= ?2
    """

  private func add(to found: inout [Int64: Found], _ type: String, _ rows: RowCursor) throws {
    while let row = try rows.next() {
      let identifier = try row.decode(Int64.self, atIndex: 1)
      found[identifier] = Found(
        app: try row.decode(atIndex: 0), identifier: identifier,
        selected: SelectedRegistration(
          documentIdentifier: try row.decode(atIndex: 2), mobileDocumentType: type,
          invalidationDate: RegistrationDatabase.date(try row.decode(atIndex: 3))),
        authorities: try row.decode(atIndex: 4))
    }
  }

  /// The registrations without those that the request names an authority of, without being certified by it. Most
  /// registrations share their lists of authorities, so each list is read and compared once.
  private func certified(_ registrations: [Found]) throws -> [Found] {
    guard criteria.needsCertificates else { return registrations }
    var known: [String: Bool] = [:]
    return try registrations.filter { registration in
      guard let authorities = registration.authorities else { return true }
      let isCertified =
        try known[authorities] ?? criteria.isCertified(by: self.authorities(of: registration.identifier))
      known[authorities] = isCertified
      return isCertified
    }
  }

  /// The authorities that a registration names.
  private func authorities(of registration: Int64) throws -> RegisteredAuthorities {
    let rows = try database.rows(Self.namedAuthorities, [registration])
    var keyIdentifiers: [Data] = []
    var certificates: [Data] = []
    while let row = try rows.next() {
      let bytes = try row.decode(Data.self, atIndex: 1)
      if try row.decode(Bool.self, atIndex: 0) { certificates.append(bytes) } else { keyIdentifiers.append(bytes) }
    }
    return RegisteredAuthorities(keyIdentifiers: keyIdentifiers, certificates: certificates)
  }

  // Each row has 0 and a key identifier, or 1 and a certificate.
  private static let namedAuthorities = """
    SELECT 0, value.bytes FROM registrationAuthority AS list CROSS JOIN keyIdentifier AS value ON value.id = list.key
    WHERE list.registration = ?1
    UNION ALL
    SELECT 1, value.bytes
    FROM registrationCertificate AS list CROSS JOIN authorityCertificate AS value ON value.id = list.key
    WHERE list.registration = ?1
    """

  private static let authorityCertificates = values(in: "registrationCertificate", naming: "authorityCertificate")
  private static let issuerKeys = values(in: "registrationIssuer", naming: "keyIdentifier")

  private static func values(in table: String, naming values: String) -> String {
    """
    SELECT list.registration, value.bytes FROM \(table) AS list JOIN \(values) AS value ON value.id = list.key
    WHERE list.registration IN (SELECT value FROM json_each(?1)) ORDER BY list.registration, list.position
    """
  }

  /// The values of a list of some registrations, by registration.
  private func values(_ statement: String, of registrations: some Collection<Int64>) throws -> [Int64: [Data]] {
    guard !registrations.isEmpty else { return [:] }
    return try RegistrationDatabase.lists(in: database.rows(statement, [Self.list(registrations)]))
  }

  /// The issuers that both the request and a registration name, by registration.
  private func issuers(of registrations: [Int64]) throws -> [Int64: Set<Data>] {
    guard !criteria.issuerKeyIdentifiers.isEmpty else { return [:] }
    return try values(Self.issuerKeys, of: registrations).mapValues(criteria.issuerKeyIdentifiers.intersection)
  }

  /// For each app, the registration that is nearest to a candidate.
  func nearest(of apps: [Int64], besides candidates: [Int64]) throws -> [Int64: AppFacts.Nearest] {
    guard !apps.isEmpty else { return [:] }
    let candidates = Self.list(candidates)
    let type = try database.cachedStatement(sql: "SELECT id FROM documentType WHERE name = ?")
    let types = Self.list(try criteria.documentTypes.compactMap { try Int64.fetchOne(type, arguments: [$0]) })
    // Registrations of a requested type are nearer than others, and of these the longest valid one is the nearest.
    var nearest = try registrations(
      """
      FROM json_each(?1) AS app
      CROSS JOIN json_each(?2) AS type
      CROSS JOIN registration ON registration.id = (
        SELECT id FROM registration
        WHERE app = app.value AND type = type.value AND id NOT IN (SELECT value FROM json_each(?3))
        ORDER BY invalidation DESC, documentIdentifier LIMIT 1)
      """, where: "WHERE isEntitled", [Self.list(apps), types, candidates])
    // Then those of a type of the entitlement, and finally any other.
    let others = apps.filter { nearest[$0] == nil }
    if !others.isEmpty {
      nearest.merge(
        try registrations(
          """
          FROM json_each(?1) AS app
          CROSS JOIN registration ON registration.id = coalesce(
            \(Self.longestLasting(isEntitled: true)), \(Self.longestLasting(isEntitled: false)))
          """, [Self.list(others), candidates])
      ) { first, _ in first }
    }
    return nearest
  }

  /// For each app, the registration that is valid longest: one row, or one row for each authority that it names.
  private func registrations(
    _ source: String, where condition: String = "", _ arguments: StatementArguments
  ) throws -> [Int64: AppFacts.Nearest] {
    let rows = try database.rows(
      """
      SELECT registration.app, registration.id, isEntitled, registration.documentIdentifier, documentType.name,
        registration.invalidation, keyIdentifier.bytes
      \(source)
      CROSS JOIN documentType ON documentType.id = registration.type
      LEFT JOIN registrationAuthority AS named ON named.registration = registration.id
      LEFT JOIN keyIdentifier ON keyIdentifier.id = named.key
      \(condition)
      """, arguments)
    typealias Found = (
      identifier: Int64, app: Int64, registration: SelectedRegistration, isEntitled: Bool, keys: [Data]
    )
    var found: [Found] = []
    while let row = try rows.next() {
      let identifier = try row.decode(Int64.self, atIndex: 1)
      if found.last?.identifier != identifier {
        let registration = SelectedRegistration(
          documentIdentifier: try row.decode(atIndex: 3), mobileDocumentType: try row.decode(atIndex: 4),
          invalidationDate: RegistrationDatabase.date(try row.decode(atIndex: 5)))
        found.append((identifier, try row.decode(atIndex: 0), registration, try row.decode(atIndex: 2), []))
      }
      if let bytes = try row.decode(Data?.self, atIndex: 6) { found[found.count - 1].keys.append(bytes) }
    }
    let certificates = try values(Self.authorityCertificates, of: found.map(\.identifier))
    var nearest: [Int64: AppFacts.Nearest] = [:]
    for row in found where nearest[row.app].map({ row.registration.outlasts($0.registration) }) ?? true {
      nearest[row.app] = AppFacts.Nearest(
        registration: row.registration,
        authorities: RegisteredAuthorities(keyIdentifiers: row.keys, certificates: certificates[row.identifier] ?? []),
        isEntitled: row.isEntitled)
    }
    return nearest
  }

  private static func longestLasting(isEntitled: Bool) -> String {
    """
    (SELECT id FROM registration
    WHERE app = app.value AND isEntitled = \(isEntitled ? 1 : 0) AND id NOT IN (SELECT value FROM json_each(?2))
    ORDER BY invalidation DESC, documentIdentifier LIMIT 1)
    """
  }
}
