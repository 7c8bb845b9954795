import Foundation
import GRDB
import SimulationKernel

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

  private let connection: DatabaseConnection
  private let path: String?
  private let scheduler: WorldScheduler?

  /// Opens or creates a database.
  ///
  /// - Parameters:
  ///   - path: Path of a file in an existing folder, or nil for memory.
  ///   - scheduler: The scheduler of the world, which a failure of this machine disturbs: such a failure is never the
  ///     outcome of a world.
  /// - Throws: ``StorageError``. An existing file is then unchanged, and no new file is next to it.
  package init(_ kind: DatabaseKind, at path: String?, in scheduler: WorldScheduler? = nil) throws {
    self.scheduler = scheduler
    let path = path.map { URL(fileURLWithPath: $0).path }
    self.path = path
    do {
      connection =
        if let path {
          try DatabaseConnection { try Self.open(kind, at: path) }
        } else {
          try DatabaseConnection(memory: kind.inMemory)
        }
    } catch let error as DatabaseError {
      throw StorageError(error, at: path)
    }
  }

  /// Indicates whether the database is in a file, and may have been opened before.
  var isFile: Bool { path != nil }

  private static func open(_ kind: DatabaseKind, at path: String) throws -> DatabaseQueue {
    try DatabaseInspection(kind: kind, path: path).inspect()
    var configuration = Configuration()
    configuration.busyMode = .timeout(busyTimeout)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.inDatabase { database in
      guard try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") == "wal" else {
        throw DatabaseError(message: "it cannot have a log")
      }
      // In this mode a commit is on the disk when it returns, even after a power failure.
      try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA cache_size = -\(cacheKibibytes)")
      try kind.migrate(database)
    }
    return queue
  }

  /// Reads without a transaction of its own: a store is one connection, so no other write can intervene.
  /// - Throws: ``StorageError``, and errors of the body.
  func read<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value { try use(body) }

  /// Reads what a function makes of each row of a query.
  /// - Throws: ``StorageError``, and errors of the function.
  func rows<Value: Sendable>(
    _ query: String, _ arguments: StatementArguments? = nil, _ make: @escaping (Row) throws -> Value
  ) throws -> [Value] {
    try use { try Array($0.rows(query, arguments).map(make)) }
  }

  /// Reads the texts in the only column of a query.
  /// - Throws: ``StorageError``.
  func texts(_ query: String, _ arguments: StatementArguments? = nil) throws -> [String] {
    try use { try String.fetchAll($0.cachedStatement(sql: query), arguments: arguments) }
  }

  /// Reads the only value of a query; nil if it finds none.
  /// - Throws: ``StorageError``.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible & Sendable>(
    _ query: String, _ arguments: StatementArguments? = nil
  ) throws -> Value? {
    try use { try Value.fetchOne($0.cachedStatement(sql: query), arguments: arguments) }
  }

  /// Writes with one statement, which is a transaction: all or nothing.
  /// - Throws: ``StorageError``.
  func write(_ statement: String, _ arguments: StatementArguments) throws {
    try use { try $0.run(statement, arguments) }
  }

  /// Writes in one transaction: all, or nothing if the body throws.
  /// - Throws: ``StorageError``, and errors of the body.
  func write<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
    try use { database in
      let statements = database.isInsideTransaction ? WriteStatements.savepoint : .transaction
      try database.run(statements.begin)
      do {
        let value = try body(database)
        try database.run(statements.commit)
        return value
      } catch {
        // After some errors, for example on a full disk, SQLite has ended the transaction itself.
        if database.isInsideTransaction {
          for statement in statements.cancel { try? database.run(statement) }
        }
        throw error
      }
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
    guard try read({ try Row.fetchOne($0, sql: query) == nil }) else {
      throw StorageError(.integrity, at: path, finding)
    }
  }

  /// Limits the database to its current size, as on a full disk, or ends the limit. Writes that fit into existing pages
  /// succeed.
  func setFull(_ isFull: Bool) throws {
    // The limit stays with the connection. And without space, SQLite may undo a whole transaction.
    try translatingErrors { try connection.endReuse() }
    try use { database in
      let count = try isFull ? Int.fetchOne(database, sql: "PRAGMA page_count") ?? 1 : Self.maximumPageCount
      _ = try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(count)")
    }
    connection.hasSizeLimit = isFull
  }

  /// Closes the database; every later operation fails.
  func close() throws { try translatingErrors { try connection.close() } }

  private func use<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
    try translatingErrors { try connection.use(body) }
  }

  private func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError {
      let failure = StorageError(error, at: path)
      if error.isByMachine(hasSizeLimit: connection.hasSizeLimit) {
        scheduler?.disturb("a database cannot be used on this machine: \(journalMessage(of: failure))")
      }
      throw failure
    } catch let error as RowDecodingError {
      // A value of another type than its column's: no statement of ours wrote it.
      throw StorageError(.integrity, at: path, "\(error)")
    }
  }
}

extension Database {
  /// Executes a statement, which is compiled once.
  func run(_ statement: String, _ arguments: StatementArguments? = nil) throws {
    try cachedStatement(sql: statement).execute(arguments: arguments)
  }

  /// The rows of a query, which is compiled once.
  func rows(_ query: String, _ arguments: StatementArguments? = nil) throws -> RowCursor {
    try Row.fetchCursor(cachedStatement(sql: query), arguments: arguments)
  }
}

extension DatabaseError {
  /// True if this machine failed, whatever the database contains and whatever the world did to it.
  /// - Parameter hasSizeLimit: Whether the world limits the size of the database.
  fileprivate func isByMachine(hasSizeLimit: Bool) -> Bool {
    switch resultCode.primaryResultCode {
    case .SQLITE_FULL: !hasSizeLimit
    case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_BUSY, .SQLITE_NOMEM, .SQLITE_PROTOCOL,
      .SQLITE_NOLFS:
      true
    default: false
    }
  }
}

/// The statements around a write: those of a transaction, or of a savepoint in the transaction of a database in memory.
private struct WriteStatements {
  let begin: String
  let commit: String
  let cancel: [String]

  static let transaction = Self(begin: "BEGIN IMMEDIATE", commit: "COMMIT", cancel: ["ROLLBACK"])
  static let savepoint = Self(
    begin: "SAVEPOINT write", commit: "RELEASE write", cancel: ["ROLLBACK TO write", "RELEASE write"])
}
