import Crypto
import Foundation
import GRDB
import Primitives
import RelyingParty
import TrustLists

/// The sessions, a row each, in SQLite. Several processes may share the file.
///
/// The row's content is encrypted with the key of the configuration, because it opens the answer. It goes with the first
/// answer; the row stays until it expires, so that a second answer is told from one to an unknown session.
struct SessionStore: Sendable {
  private let database: DatabasePool
  private let key: SymmetricKey

  struct UnusableKey: Error, CustomStringConvertible {
    let description = "the key of the sessions is not 32 bytes; make it with: head -c 32 /dev/urandom > FILE"
  }

  init(_ configuration: Configuration.Sessions) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: configuration.key))
    guard bytes.count == 32 else { throw UnusableKey() }
    key = SymmetricKey(data: bytes)
    var options = GRDB.Configuration()
    // In seconds. SQLite does not queue: of several processes, one may wait for many others.
    options.busyMode = .timeout(30)
    database = try DatabasePool(path: configuration.file, configuration: options)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("sessions") { database in
      try database.execute(
        sql: """
          CREATE TABLE session (
            identifier TEXT NOT NULL PRIMARY KEY, expires INTEGER NOT NULL, isUsed INTEGER NOT NULL, content BLOB
          ) WITHOUT ROWID;
          CREATE INDEX sessionByEnd ON session (expires);
          CREATE TABLE list (file TEXT NOT NULL PRIMARY KEY, number INTEGER, date INTEGER NOT NULL) WITHOUT ROWID;
          """)
    }
    try migrator.migrate(database)
  }

  /// Adds a session.
  func insert(_ session: VerifierSession) async throws {
    let content = try AES.GCM.seal(
      session.stored, using: key, authenticating: Data(session.identifier.utf8)
    ).combined
    try await database.write { database in
      try database.execute(
        sql: "INSERT INTO session (identifier, expires, isUsed, content) VALUES (?, ?, 0, ?)",
        arguments: [session.identifier, session.expires.secondsSince1970, content])
    }
  }

  /// The session of an identifier; nil if it is unknown or was deleted.
  func find(_ identifier: String) async throws -> VerifierSession? {
    let row = try await database.read { database in
      try Row.fetchOne(
        database, sql: "SELECT expires, isUsed, content FROM session WHERE identifier = ?", arguments: [identifier]
      ).map { row -> (expires: Int64, isUsed: Bool, content: Data?) in (row["expires"], row["isUsed"], row["content"]) }
    }
    guard let row else { return nil }
    guard let content = row.content else {
      return VerifierSession(
        identifier: identifier, origin: "", requests: [], expires: DateTime(secondsSince1970: row.expires),
        isUsed: true)
    }
    let opened = try AES.GCM.open(
      AES.GCM.SealedBox(combined: content), using: key, authenticating: Data(identifier.utf8))
    return try VerifierSession(stored: [UInt8](opened), isUsed: row.isUsed)
  }

  /// Marks a session as used and deletes its keys, in one statement: of all answers, in all processes, one gets true.
  func markUsed(_ identifier: String) async throws -> Bool {
    try await database.write { database in
      try database.execute(
        sql: "UPDATE session SET isUsed = 1, content = NULL WHERE identifier = ? AND NOT isUsed",
        arguments: [identifier])
      return database.changesCount == 1
    }
  }

  /// Deletes the sessions that ended.
  /// - Returns: Their number.
  func deleteExpired(at moment: DateTime) async throws -> Int {
    try await database.write { database in
      try database.execute(sql: "DELETE FROM session WHERE expires <= ?", arguments: [moment.secondsSince1970])
      return database.changesCount
    }
  }

  /// The newest issue of a list of issuing authorities that was accepted.
  func lastIssue(ofList file: String) async throws -> VICAL.Issue? {
    try await database.read { database in try Self.lastIssue(ofList: file, in: database) }
  }

  private static func lastIssue(ofList file: String, in database: Database) throws -> VICAL.Issue? {
    try Row.fetchOne(database, sql: "SELECT number, date FROM list WHERE file = ?", arguments: [file]).map { row in
      let number: Int64? = row["number"]
      return VICAL.Issue(
        number: number.map { UInt64(bitPattern: $0) }, date: DateTime(secondsSince1970: row["date"]))
    }
  }

  /// Keeps the issue of a list that was accepted.
  /// - Returns: False if another server has kept a newer one meanwhile.
  func keep(_ issue: VICAL.Issue, ofList file: String) async throws -> Bool {
    try await database.write { database in
      if let last = try Self.lastIssue(ofList: file, in: database), issue.isOlder(than: last) { return false }
      try database.execute(
        sql: "INSERT OR REPLACE INTO list (file, number, date) VALUES (?, ?, ?)",
        arguments: [file, issue.number.map { Int64(bitPattern: $0) }, issue.date.secondsSince1970])
      return true
    }
  }
}
