import Foundation
import GRDB
import IdentityDocumentServices
import MobileDocument

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
  /// are the candidates and one more registration of each app.
  /// - Throws: ``StorageError``.
  package func facts(for criteria: SelectionCriteria) throws -> [AppFacts] {
    try store.read { database in
      let apps = try Row.fetchAll(
        database.cachedStatement(sql: "SELECT id, name, status = ? FROM app ORDER BY name"),
        arguments: [Status.authorized.rawValue]
      ).map { row in
        (
          identifier: try row.decode(Int64.self, atIndex: 0), name: try row.decode(String.self, atIndex: 1),
          isAuthorized: try row.decode(Bool.self, atIndex: 2)
        )
      }
      let asked = try Asked(criteria, in: database)
      let candidates = try asked.candidates(in: database)
      let nearest = try asked.nearest(
        besides: candidates, of: apps.filter(\.isAuthorized).map(\.identifier), in: database)
      let wanted = Self.list(candidates + nearest)
      let isNearest = Set(nearest)
      var candidatesOfApp: [Int64: [MobileDocumentRegistration]] = [:]
      var nearestOfApp: [Int64: AppFacts.Nearest] = [:]
      for stored in try Self.fetch("registration.id IN (SELECT value FROM json_each(?))", [wanted], in: database) {
        if isNearest.contains(stored.identifier) {
          nearestOfApp[stored.app] = AppFacts.Nearest(
            registration: stored.registration, isEntitled: stored.isEntitled)
        } else {
          candidatesOfApp[stored.app, default: []].append(stored.registration)
        }
      }
      return apps.map { app in
        AppFacts(
          name: app.name, isAuthorized: app.isAuthorized, candidates: candidatesOfApp[app.identifier] ?? [],
          nearest: nearestOfApp[app.identifier])
      }
    }
  }

  /// Numbers as JSON, which is how a statement takes a list of any length.
  private static func list(_ numbers: [Int64]) -> String { "[\(numbers.map(String.init).joined(separator: ","))]" }

  /// The criteria in the database's numbers. Types and keys that it does not know match nothing.
  private struct Asked {
    private let types: String
    private let keys: String
    /// Seconds since 2001 from which on an invalidation is in the future: see
    /// ``MobileDocumentRegistration/isInvalidated(at:)``.
    private let valid: Double

    init(_ criteria: SelectionCriteria, in database: Database) throws {
      let type = try database.cachedStatement(sql: "SELECT id FROM documentType WHERE name = ?")
      types = list(try criteria.documentTypes.compactMap { try Int64.fetchOne(type, arguments: [$0]) })
      let key = try database.cachedStatement(sql: "SELECT id FROM keyIdentifier WHERE bytes = ?")
      keys = list(
        try criteria.authorityKeyIdentifiers.compactMap { try Int64.fetchOne(key, arguments: [$0]) }.sorted())
      valid = criteria.moment.adding(seconds: 1).date.timeIntervalSinceReferenceDate
    }

    /// Registrations of authorized apps for which the criteria find no failure.
    func candidates(in database: Database) throws -> [Int64] {
      try Int64.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT found.id FROM (
              SELECT registration AS id FROM registrationAuthority
              WHERE key IN (SELECT value FROM json_each(?1)) AND type IN (SELECT value FROM json_each(?2))
              UNION
              SELECT id FROM registration WHERE acceptsAnyReader AND type IN (SELECT value FROM json_each(?2))
            ) AS found
            CROSS JOIN registration ON registration.id = found.id
            CROSS JOIN app ON app.id = registration.app
            WHERE isEntitled AND invalidation >= ?3 AND app.status = ?4
            """),
        arguments: [keys, types, valid, Status.authorized.rawValue])
    }

    /// Of each app the registration that came furthest of those that are no candidates.
    func nearest(besides candidates: [Int64], of apps: [Int64], in database: Database) throws -> [Int64] {
      let candidates = list(candidates)
      // Those of a type that is asked for come further than others, and of those in turn the ones that last.
      let found = try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT app, id FROM (
              SELECT registration.app, registration.id,
                row_number() OVER (PARTITION BY registration.app ORDER BY invalidation DESC, documentIdentifier) AS place
              FROM json_each(?1) AS app
              CROSS JOIN json_each(?2) AS type
              CROSS JOIN registration ON registration.id = (
                SELECT id FROM registration
                WHERE app = app.value AND type = type.value AND isEntitled
                  AND id NOT IN (SELECT value FROM json_each(?3))
                ORDER BY invalidation DESC, documentIdentifier LIMIT 1)
            ) WHERE place = 1
            """),
        arguments: [list(apps), types, candidates]
      ).map { (app: try $0.decode(Int64.self, atIndex: 0), registration: try $0.decode(Int64.self, atIndex: 1)) }
      let settled = Set(found.map(\.app))
      // Then those of a type that the entitlement lists, and at last any.
      let others = try Int64.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT found FROM (
              SELECT coalesce(\(Self.longestLasting(isEntitled: true)), \(Self.longestLasting(isEntitled: false)))
                AS found
              FROM json_each(?1) AS app
            ) WHERE found IS NOT NULL
            """),
        arguments: [list(apps.filter { !settled.contains($0) }), candidates])
      return found.map(\.registration) + others
    }

    private static func longestLasting(isEntitled: Bool) -> String {
      """
      (SELECT id FROM registration
      WHERE app = app.value AND isEntitled = \(isEntitled ? 1 : 0) AND id NOT IN (SELECT value FROM json_each(?2))
      ORDER BY invalidation DESC, documentIdentifier LIMIT 1)
      """
    }
  }
}
