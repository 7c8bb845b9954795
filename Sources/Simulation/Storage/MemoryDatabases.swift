import GRDB
import Synchronization

/// The databases of one kind in memory. A database that was closed is used again, with its compiled statements.
///
/// ```
/// made       empty tables, committed
/// opened     BEGIN
/// in use     every write is part of this transaction
/// closed     ROLLBACK: SQLite restores each page that was written
/// ```
///
/// So the next user finds the same bytes as in a new database: the same tables, the same row identifiers, the same free
/// pages.
final class MemoryDatabases: Sendable {
  /// The maximum number of unused databases: those of the apps of a large world, or of the worlds on many threads. The
  /// largest, the registrations of a device with their compiled statements, take 200 KiB each.
  static let maximumUnused = 32

  private let pageSize: Int
  private let schema: String
  private let unused = Mutex<[DatabaseQueue]>([])

  /// Databases with a schema.
  /// - Parameters:
  ///   - pageSize: The size of a page in bytes.
  ///   - schema: The statements that create the tables.
  init(pageSize: Int, schema: String) {
    self.pageSize = pageSize
    self.schema = schema
  }

  /// Opens an empty database.
  /// - Throws: `DatabaseError`.
  func open() throws -> DatabaseQueue {
    let queue = try unused.withLock { $0.popLast() } ?? create()
    try queue.inDatabase { try $0.cachedStatement(sql: "BEGIN").execute() }
    return queue
  }

  /// Takes back a database of ``open()`` that has no other user and whose transaction has not ended.
  /// - Throws: `DatabaseError` if it cannot be emptied.
  func close(_ queue: DatabaseQueue) throws {
    try queue.inDatabase { try $0.cachedStatement(sql: "ROLLBACK").execute() }
    let isKept = unused.withLock { unused in
      guard unused.count < Self.maximumUnused else { return false }
      unused.append(queue)
      return true
    }
    if !isKept { try queue.close() }
  }

  private func create() throws -> DatabaseQueue {
    var configuration = Configuration()
    // The transaction of a database in use outlives each access to it.
    configuration.allowsUnsafeTransactions = true
    let queue = try DatabaseQueue(configuration: configuration)
    try queue.inDatabase { database in
      // A temporary file that cannot be written would end the transaction.
      try database.execute(sql: "PRAGMA page_size = \(pageSize); PRAGMA temp_store = MEMORY")
      try database.execute(sql: schema)
    }
    return queue
  }
}
