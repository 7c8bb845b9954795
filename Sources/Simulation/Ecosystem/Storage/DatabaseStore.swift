import Foundation
import GRDB

/// An open database, the same for every store of the ecosystem: SQLite in a file, or in memory.
///
/// What a write returned from is on the disk, whole. A file stays with one store at a time: the second process is told
/// that it is in use, and within a process the owner closes it before it opens it again.
struct DatabaseStore: Sendable {
  /// For how many seconds a file that another connection holds is waited for: longer than any transaction here takes.
  private static let busyTimeout = 5.0
  /// Memory for pages of a file, in KiB: what selections among a million registrations touch, and a bound for it.
  private static let cacheKibibytes = 16_384
  /// Most pages of a file (SQLite's own bound).
  private static let maximumPageCount = 1_073_741_823

  private let queue: DatabaseQueue
  private let path: String?

  /// Opens a database, or makes it.
  ///
  /// - Parameter path: of a file in a folder that is there; nil keeps everything in memory.
  /// - Throws: ``StorageError``; a file that was there is then byte for byte as before, and nothing new lies beside it.
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
      // In this mode a commit is on the disk when it returns, also if the power fails.
      try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA cache_size = -\(cacheKibibytes)")
      if isNew { try database.execute(sql: "PRAGMA application_id = \(kind.applicationIdentifier)") }
    }
    try kind.migrator.migrate(queue)
    return queue
  }

  /// Reads, best by cached statements only, and without a transaction: nobody writes meanwhile, for a store is one
  /// connection. Beginning a transaction compiles a statement, and whenever GRDB compiles one SQLite compiles all cached
  /// ones anew.
  /// - Throws: ``StorageError``, and what the body throws.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    do {
      return try queue.inDatabase(body)
    } catch {
      throw translated(error)
    }
  }

  /// Writes by one statement, which is a transaction by itself: all that it says, or nothing.
  /// - Throws: ``StorageError``.
  func write(_ statement: String, _ arguments: StatementArguments) throws {
    do {
      try queue.inDatabase { try $0.cachedStatement(sql: statement).execute(arguments: arguments) }
    } catch {
      throw translated(error)
    }
  }

  /// Writes, in one transaction: all of it, or nothing when the body throws.
  /// - Throws: ``StorageError``, and what the body throws.
  func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
    do {
      return try queue.write(body)
    } catch {
      throw translated(error)
    }
  }

  /// Looks through the whole database.
  /// - Throws: ``StorageError`` with the first thing that is wrong.
  func checkIntegrity() throws {
    try read { database in
      let finding = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") ?? "no answer"
      guard finding == "ok" else { throw StorageError(.corrupt, at: path, finding) }
      if let row = try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") {
        throw StorageError(.corrupt, at: path, "a reference leads nowhere: \(row)")
      }
    }
  }

  /// Throws ``StorageError`` when a query that looks for contradictions finds one.
  func expectNone(_ finding: String, _ query: String) throws {
    guard try read({ try Row.fetchOne($0, sql: query) }) == nil else {
      throw StorageError(.corrupt, at: path, finding)
    }
  }

  /// From now on the database cannot grow, as on a full disk. What fits into the pages that are there still succeeds.
  func limitSize() throws {
    try withoutTransaction { database in
      let count = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 1
      _ = try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(count)")
    }
  }

  /// The database can grow again.
  func liftSizeLimit() throws {
    try withoutTransaction { database in
      _ = try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(Self.maximumPageCount)")
    }
  }

  /// Closes it; everything after that fails.
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
    case let error as RowDecodingError: StorageError(.corrupt, at: path, "\(error)")
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
