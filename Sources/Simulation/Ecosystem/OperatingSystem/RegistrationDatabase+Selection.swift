import DevicePlatform
import Foundation
import GRDB
import IdentityDocumentServices
import MobileDocument
import Primitives

extension RegistrationDatabase {
  /// Which apps may answer a request and why the others may not; found by index, whatever the number of registrations.
  ///
  /// - Parameters:
  ///   - moment: the time for which registrations and reader certificates must be valid.
  ///   - reading: how authority key identifiers are compared with chains.
  /// - Throws: ``StorageError``.
  package func selection(
    for request: ISO18013MobileDocumentRequest, at moment: DateTime, reading: Selection.AuthorityReading = .root
  ) throws -> Selection {
    let criteria = SelectionCriteria(request, at: moment, reading: reading)
    return Selection.decide(try facts(for: criteria), by: criteria)
  }

  /// What the selection has to know of every app. The number of queries does not depend on that of the apps; what is read
  /// are the candidates, and one more registration of each app that they do not suffice.
  /// - Throws: ``StorageError``.
  package func facts(for criteria: SelectionCriteria) throws -> [AppFacts] {
    try store.read { database in
      var apps: [(identifier: Int64, name: String, isAuthorized: Bool)] = []
      let rows = try Row.fetchCursor(
        database.cachedStatement(sql: "SELECT id, name, status = ? FROM app ORDER BY name"),
        arguments: [Status.authorized.rawValue])
      while let row = try rows.next() {
        apps.append((try row.decode(atIndex: 0), try row.decode(atIndex: 1), try row.decode(atIndex: 2)))
      }
      let query = try SelectionQuery(criteria, in: database)
      let candidates = try query.candidates(of: Set(apps.filter(\.isAuthorized).map(\.identifier)))
      let hidden = apps.filter { app in
        app.isAuthorized && !criteria.canAnswer(with: candidates[app.identifier]?.map(\.candidate) ?? [])
      }.map(\.identifier)
      let nearest = try query.nearest(
        of: hidden, besides: hidden.flatMap { candidates[$0]?.map(\.identifier) ?? [] })
      return apps.map { app in
        AppFacts(
          name: app.name, isAuthorized: app.isAuthorized,
          candidates: candidates[app.identifier]?.map(\.candidate) ?? [], nearest: nearest[app.identifier])
      }
    }
  }
}

/// The criteria of a selection in the database's own numbers. Types and keys that it does not know match nothing.
private struct SelectionQuery {
  private let database: Database
  /// Names of the types that are asked for.
  private let typeNames: [Int64: String]
  private let types: String
  private let authorities: String
  private let issuers: [Int64: Data]
  /// Seconds since 2001 from which on an invalidation is not past.
  private let firstValid: Double

  init(_ criteria: SelectionCriteria, in database: Database) throws {
    self.database = database
    let type = try database.cachedStatement(sql: "SELECT id FROM documentType WHERE name = ?")
    var typeNames: [Int64: String] = [:]
    for name in criteria.documentTypes {
      if let identifier = try Int64.fetchOne(type, arguments: [name]) { typeNames[identifier] = name }
    }
    self.typeNames = typeNames
    types = Self.list(typeNames.keys)
    let key = try database.cachedStatement(sql: "SELECT id FROM keyIdentifier WHERE bytes = ?")
    func identifier(of bytes: Data) throws -> Int64? { try Int64.fetchOne(key, arguments: [bytes]) }
    authorities = Self.list(try criteria.authorityKeyIdentifiers.compactMap(identifier))
    var issuers: [Int64: Data] = [:]
    for bytes in criteria.issuerKeyIdentifiers {
      if let identifier = try identifier(of: bytes) { issuers[identifier] = bytes }
    }
    self.issuers = issuers
    firstValid = criteria.firstValidDate.timeIntervalSinceReferenceDate
  }

  /// Numbers as JSON, which is how a statement takes a list of any length.
  private static func list(_ numbers: some Sequence<Int64>) -> String {
    "[\(numbers.map(String.init).joined(separator: ","))]"
  }

  private func rows(_ sql: String, _ arguments: StatementArguments) throws -> RowCursor {
    try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
  }

  /// Columns of a registration, from an index on.
  private func selected(_ row: Row, from index: Int) throws -> SelectedRegistration {
    SelectedRegistration(
      documentIdentifier: try row.decode(atIndex: index), mobileDocumentType: try row.decode(atIndex: index + 1),
      invalidationDate: RegistrationDatabase.date(try row.decode(atIndex: index + 2)))
  }

  private static let selectedColumns = "registration.documentIdentifier, documentType.name, registration.invalidation"

  /// Candidates of some apps, by app, in the order of their document identifiers.
  func candidates(
    of apps: Set<Int64>
  ) throws -> [Int64: [(identifier: Int64, candidate: AppFacts.Candidate)]] {
    let found = try rows(
      """
      SELECT app, registration.id, registration.type, documentIdentifier, invalidation FROM (
        SELECT registration AS id FROM registrationAuthority
        WHERE key IN (SELECT value FROM json_each(?1)) AND type IN (SELECT value FROM json_each(?2))
        UNION
        SELECT id FROM registration WHERE acceptsAnyReader AND type IN (SELECT value FROM json_each(?2))
      ) AS found
      CROSS JOIN registration ON registration.id = found.id
      WHERE isEntitled AND invalidation >= ?3
      ORDER BY documentIdentifier
      """, [authorities, types, firstValid])
    var registrations: [(app: Int64, identifier: Int64, selected: SelectedRegistration)] = []
    while let row = try found.next() {
      let app = try row.decode(Int64.self, atIndex: 0)
      guard apps.contains(app), let type = typeNames[try row.decode(atIndex: 2)] else { continue }
      let selected = SelectedRegistration(
        documentIdentifier: try row.decode(atIndex: 3), mobileDocumentType: type,
        invalidationDate: RegistrationDatabase.date(try row.decode(atIndex: 4)))
      registrations.append((app, try row.decode(atIndex: 1), selected))
    }
    let issuers = try issuers(of: registrations.map(\.identifier))
    var candidates: [Int64: [(identifier: Int64, candidate: AppFacts.Candidate)]] = [:]
    for (app, identifier, selected) in registrations {
      let candidate = AppFacts.Candidate(
        registration: selected, issuerKeyIdentifiers: issuers[identifier] ?? [])
      candidates[app, default: []].append((identifier, candidate))
    }
    return candidates
  }

  /// Of the issuers that the request names those that registrations name, by registration.
  private func issuers(of registrations: [Int64]) throws -> [Int64: Set<Data>] {
    guard !issuers.isEmpty else { return [:] }
    let found = try rows(
      """
      SELECT registration, key FROM registrationIssuer
      WHERE registration IN (SELECT value FROM json_each(?1)) AND key IN (SELECT value FROM json_each(?2))
      """, [Self.list(registrations), Self.list(issuers.keys)])
    var named: [Int64: Set<Data>] = [:]
    while let row = try found.next() {
      guard let bytes = issuers[try row.decode(Int64.self, atIndex: 1)] else { continue }
      named[try row.decode(Int64.self, atIndex: 0), default: []].insert(bytes)
    }
    return named
  }

  /// Of each app the registration that came furthest of those that are no candidates.
  func nearest(of apps: [Int64], besides candidates: [Int64]) throws -> [Int64: AppFacts.Nearest] {
    guard !apps.isEmpty else { return [:] }
    let candidates = Self.list(candidates)
    // Those of a type that is asked for come further than others, and of these in turn the ones that last.
    var nearest = try registrations(
      """
      FROM json_each(?1) AS app
      CROSS JOIN json_each(?2) AS type
      CROSS JOIN registration ON registration.id = (
        SELECT id FROM registration
        WHERE app = app.value AND type = type.value AND id NOT IN (SELECT value FROM json_each(?3))
        ORDER BY invalidation DESC, documentIdentifier LIMIT 1)
      """, where: "WHERE isEntitled", [Self.list(apps), types, candidates])
    // Then those of a type that the entitlement lists, and at last any.
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

  /// Of each app the registration that lasts longest of some; for each a row, or one for each authority that it names.
  private func registrations(
    _ source: String, where condition: String = "", _ arguments: StatementArguments
  ) throws -> [Int64: AppFacts.Nearest] {
    let rows = try rows(
      """
      SELECT registration.app, registration.id, isEntitled, \(Self.selectedColumns), keyIdentifier.bytes
      \(source)
      CROSS JOIN documentType ON documentType.id = registration.type
      LEFT JOIN registrationAuthority AS named ON named.registration = registration.id
      LEFT JOIN keyIdentifier ON keyIdentifier.id = named.key
      \(condition)
      """, arguments)
    var nearest: [Int64: AppFacts.Nearest] = [:]
    var last: (identifier: Int64, app: Int64, registration: SelectedRegistration, isEntitled: Bool)?
    var authorities: [Data] = []
    func finish() {
      guard let last else { return }
      if nearest[last.app].map({ last.registration.outlasts($0.registration) }) ?? true {
        nearest[last.app] = AppFacts.Nearest(
          registration: last.registration, authorityKeyIdentifiers: authorities, isEntitled: last.isEntitled)
      }
      authorities = []
    }
    while let row = try rows.next() {
      let identifier = try row.decode(Int64.self, atIndex: 1)
      if last?.identifier != identifier {
        finish()
        last = (
          identifier, try row.decode(atIndex: 0), try selected(row, from: 3), try row.decode(atIndex: 2)
        )
      }
      if let bytes = try row.decode(Data?.self, atIndex: 6) { authorities.append(bytes) }
    }
    finish()
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
