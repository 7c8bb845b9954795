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
  ///   - moment: the time at which registrations and reader certificates must be valid.
  ///   - reading: the comparison of authority key identifiers with chains.
  ///   - signatures: the evidence that an authority certified a signature.
  /// - Throws: ``StorageError``.
  package func selection(
    for request: ISO18013MobileDocumentRequest, at moment: DateTime, reading: Selection.AuthorityReading = .root,
    signatures: Selection.AuthoritySignatures = .verified
  ) throws -> Selection {
    let criteria = SelectionCriteria(request, at: moment, reading: reading, signatures: signatures)
    return Selection.decide(try facts(for: criteria), by: criteria)
  }

  /// Returns the next time at which a date changes the selection for a request, or nil if none does: an invalidation date of
  /// a requested type, or the start or the end of a reader certificate.
  /// - Throws: ``StorageError``.
  package func nextChange(for request: ISO18013MobileDocumentRequest, after moment: DateTime) throws -> DateTime? {
    let criteria = SelectionCriteria(request, at: moment)
    let invalidation = try store.read { try SelectionQuery(criteria, in: $0).nextInvalidation() }
    return [criteria.nextCertificateChange, invalidation.map { DateTime($0) }].compactMap(\.self).min()
  }

  /// Returns the facts about every app for a selection. The number of queries does not depend on the number of apps. It
  /// reads the candidates, and one more registration of each app for which they are not enough.
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

/// The criteria of a selection as row identifiers. Types and keys that are not in the database match nothing.
private struct SelectionQuery {
  private let database: Database
  private let criteria: SelectionCriteria
  /// The names of the requested types.
  private let typeNames: [Int64: String]
  private let types: String
  private let authorities: String
  private let issuers: [Int64: Data]
  /// The first invalidation date that is not past, in seconds since 2001.
  private let firstValid: Double

  init(_ criteria: SelectionCriteria, in database: Database) throws {
    self.database = database
    self.criteria = criteria
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

  /// Numbers as JSON, which passes a list of any length to a statement.
  private static func list(_ numbers: some Sequence<Int64>) -> String {
    "[\(numbers.map(String.init).joined(separator: ","))]"
  }

  private func rows(_ sql: String, _ arguments: StatementArguments) throws -> RowCursor {
    try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
  }

  /// The columns of a registration, starting at an index.
  private func selected(_ row: Row, from index: Int) throws -> SelectedRegistration {
    SelectedRegistration(
      documentIdentifier: try row.decode(atIndex: index), mobileDocumentType: try row.decode(atIndex: index + 1),
      invalidationDate: RegistrationDatabase.date(try row.decode(atIndex: index + 2)))
  }

  private static let selectedColumns = "registration.documentIdentifier, documentType.name, registration.invalidation"

  /// The earliest invalidation date of a requested type that is not past.
  func nextInvalidation() throws -> Date? {
    let found = try Double.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT MIN((
            SELECT invalidation FROM registration
            WHERE app = app.id AND type = requested.value AND invalidation >= ?2
            ORDER BY invalidation LIMIT 1
          )) FROM app CROSS JOIN json_each(?1) AS requested
          """), arguments: [types, firstValid])
    return found.flatMap(RegistrationDatabase.date)
  }

  /// The candidates of some apps, by app, in the order of their document identifiers.
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
    let uncertified = try uncertified(among: registrations.map(\.identifier))
    registrations.removeAll { uncertified.contains($0.identifier) }
    let issuers = try issuers(of: registrations.map(\.identifier))
    var candidates: [Int64: [(identifier: Int64, candidate: AppFacts.Candidate)]] = [:]
    for (app, identifier, selected) in registrations {
      let candidate = AppFacts.Candidate(
        registration: selected, issuerKeyIdentifiers: issuers[identifier] ?? [])
      candidates[app, default: []].append((identifier, candidate))
    }
    return candidates
  }

  /// The registrations that the request names an authority of, without being certified by it. Most registrations share
  /// their lists of authorities, so each list is compared once.
  private func uncertified(among registrations: [Int64]) throws -> Set<Int64> {
    guard criteria.needsCertificates, !registrations.isEmpty else { return [] }
    let list = Self.list(registrations)
    let certificates = try self.list("registrationCertificate", naming: "authorityCertificate", of: list)
    guard !certificates.isEmpty else { return [] }
    let keys = try self.list("registrationAuthority", naming: "keyIdentifier", of: list)
    var known: [[[Data]]: Bool] = [:]
    return Set(
      certificates.keys.filter { registration in
        guard let keys = keys[registration] else { return false }
        let certificates = certificates[registration] ?? []
        let isCertified =
          known[[keys, certificates]]
          ?? criteria.isCertified(by: RegisteredAuthorities(keyIdentifiers: keys, certificates: certificates))
        known[[keys, certificates]] = isCertified
        return !isCertified
      })
  }

  /// The values of a list of some registrations, by registration.
  private func list(_ table: String, naming values: String, of registrations: String) throws -> [Int64: [Data]] {
    let found = try rows(
      """
      SELECT list.registration, value.bytes FROM \(table) AS list JOIN \(values) AS value ON value.id = list.key
      WHERE list.registration IN (SELECT value FROM json_each(?1)) ORDER BY list.registration, list.position
      """, [registrations])
    var lists: [Int64: [Data]] = [:]
    while let row = try found.next() {
      lists[try row.decode(Int64.self, atIndex: 0), default: []].append(try row.decode(Data.self, atIndex: 1))
    }
    return lists
  }

  /// The issuers that both the request and a registration name, by registration.
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

  /// For each app, the registration that is nearest to a candidate.
  func nearest(of apps: [Int64], besides candidates: [Int64]) throws -> [Int64: AppFacts.Nearest] {
    guard !apps.isEmpty else { return [:] }
    let candidates = Self.list(candidates)
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
    let rows = try rows(
      """
      SELECT registration.app, registration.id, isEntitled, \(Self.selectedColumns), keyIdentifier.bytes
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
        found.append(
          (identifier, try row.decode(atIndex: 0), try selected(row, from: 3), try row.decode(atIndex: 2), []))
      }
      if let bytes = try row.decode(Data?.self, atIndex: 6) { found[found.count - 1].keys.append(bytes) }
    }
    let certificates = try list(
      "registrationCertificate", naming: "authorityCertificate", of: Self.list(found.map(\.identifier)))
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
