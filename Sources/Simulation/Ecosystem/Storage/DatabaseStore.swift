import Foundation
import GRDB
import Synchronization

/// An open database of the ecosystem: SQLite in a file or in memory.
///
/// When a write returns, it is complete and on the disk. One store at a time uses a file: a second process is refused,
/// and within a process the owner closes the file before opening it again.
struct DatabaseStore: Sendable {
  /// The time to wait for a file that another connection has locked, in seconds: longer than any transaction takes.
  private static let busyTimeout = 5.0
  /// The memory for cached pages of a file in KiB: enough for selections among a million registrations.
  private static let cacheKibibytes = 16_384
  /// The maximum number of pages of a file (SQLite's own limit).
  private static let maximumPageCount = 1_073_741_823

  private let queue: DatabaseQueue
  private let path: String?

  /// Opens or creates a database.
  ///
  /// - Parameter path: path of a file in an existing folder, or nil for memory.
  /// - Throws: ``StorageError``. An existing file is then unchanged, and no new file is next to it.
  init(_ kind: DatabaseKind, at path: String?) throws {
    let path = path.map { URL(fileURLWithPath: $0).path }
    self.path = path
    do {
      queue = if let path { try Self.open(kind, at: path) } else { try kind.inMemory() }
    } catch let error as DatabaseError {
      throw StorageError(error, at: path)
    }
  }

  private static func open(_ kind: DatabaseKind, at path: String) throws -> DatabaseQueue {
    let isNew = try DatabaseInspection(kind: kind, path: path).finds() == .nothing
    var configuration = Configuration()
    configuration.journalMode = .wal
    configuration.busyMode = .timeout(busyTimeout)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.inDatabase { database in
      // In this mode a commit is on the disk when it returns, even after a power failure.
      try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA cache_size = -\(cacheKibibytes)")
      if isNew { try database.execute(sql: "PRAGMA application_id = \(kind.applicationIdentifier)") }
    }
    try kind.migrator.migrate(queue)
    return queue
  }

  /// Reads, preferably with cached statements, without a transaction: a store is one connection, so no other write can
  /// intervene. Starting a transaction compiles a statement, and whenever GRDB compiles one, SQLite compiles all cached
  /// statements again.
  /// - Throws: ``StorageError``, and errors of the body.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    do {
      return try queue.inDatabase(body)
    } catch {
      throw translated(error)
    }
  }

  /// Writes with one statement, which is a transaction: all or nothing.
  /// - Throws: ``StorageError``.
  func write(_ statement: String, _ arguments: StatementArguments) throws {
    do {
      try queue.inDatabase { try $0.cachedStatement(sql: statement).execute(arguments: arguments) }
    } catch {
      throw translated(error)
    }
  }

  /// Writes in one transaction: all, or nothing if the body throws.
  /// - Throws: ``StorageError``, and errors of the body.
  func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
    do {
      return try queue.write(body)
    } catch {
      throw translated(error)
    }
  }

  /// Checks the whole database.
  /// - Throws: ``StorageError`` for the first fault.
  func checkIntegrity() throws {
    try read { database in
      let finding = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") ?? "no answer"
      guard finding == "ok" else { throw StorageError(.integrity, at: path, finding) }
      if let row = try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") {
        throw StorageError(.integrity, at: path, "a reference leads nowhere: \(row)")
      }
    }
  }

  /// Throws ``StorageError`` if a query for contradictions finds one.
  func expectNone(_ finding: String, _ query: String) throws {
    guard try read({ try Row.fetchOne($0, sql: query) }) == nil else {
      throw StorageError(.integrity, at: path, finding)
    }
  }

  /// Limits the database to its current size, as on a full disk. Writes that fit into existing pages succeed.
  func limitSize() throws {
    try withoutTransaction { database in
      let count = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 1
      _ = try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(count)")
    }
  }

  /// Ends the limit of ``limitSize()``.
  func liftSizeLimit() throws {
    try withoutTransaction { database in
      _ = try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(Self.maximumPageCount)")
    }
  }

  /// Closes the database; every later operation fails.
  func close() throws {
    do {
      try queue.close()
    } catch let error as DatabaseError {
      throw StorageError(error, at: path)
    }
  }

  private func translated(_ error: any Error) -> any Error {
    switch error {
    case let error as DatabaseError: StorageError(error, at: path)
    // A value of another type than its column's: no statement of ours wrote it.
    case let error as RowDecodingError: StorageError(.integrity, at: path, "\(error)")
    default: error
    }
  }

  private func withoutTransaction(_ body: (Database) throws -> Void) throws {
    do {
      try queue.inDatabase(body)
    } catch let error as DatabaseError {
      throw StorageError(error, at: path)
    }
  }
}

/// The purpose of a database: how its file is recognized, and the history of its tables.
struct DatabaseKind: Sendable {
  /// A step from one schema to the next. A file contains the identifiers of its completed steps, so a released step
  /// must not change; add another one instead.
  struct Migration: Sendable {
    let identifier: String
    /// The SQL statements.
    let statements: String
  }

  /// A human-readable name of the contents.
  let name: String
  /// SQLite's `application_id` in a file of this kind: four letters.
  let applicationIdentifier: Int32
  /// The steps from an empty file to the current schema.
  let migrations: [Migration]
  private let template: DatabaseTemplate

  /// Creates a kind.
  /// - Parameter letters: four ASCII letters.
  init(name: String, letters: StaticString, migrations: [Migration]) {
    self.name = name
    applicationIdentifier = letters.description.utf8.prefix(4).reduce(0) { $0 << 8 | Int32($1) }
    self.migrations = migrations
    template = DatabaseTemplate(statements: migrations.map(\.statements).joined(separator: "\n"))
  }

  /// An empty database in memory. It is opened only once, so it has no record of migrations.
  func inMemory() throws -> DatabaseQueue { try template.copied() }

  var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for migration in migrations {
      migrator.registerMigration(migration.identifier) { try $0.execute(sql: migration.statements) }
    }
    return migrator
  }
}

/// An empty database to copy: a copy takes a fifth of the statements' time, and every world opens several.
private final class DatabaseTemplate: Sendable {
  private let statements: String
  private let made = Mutex<DatabaseQueue?>(nil)

  init(statements: String) { self.statements = statements }

  func copied() throws -> DatabaseQueue {
    let copy = try DatabaseQueue()
    try made.withLock { made in
      let original = try made ?? DatabaseQueue()
      if made == nil {
        try original.write { try $0.execute(sql: statements) }
        made = original
      }
      try original.backup(to: copy)
    }
    return copy
  }
}
