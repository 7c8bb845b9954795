import CSQLite
import GRDB
import Synchronization

/// The one connection of a ``DatabaseStore`` to its database. After it is closed every use of it fails, also when another
/// connection uses the database then.
final class DatabaseConnection: Sendable {
  private struct State {
    /// Nil after the connection is closed.
    var queue: DatabaseQueue?
    /// Takes the database back. Nil for a file, and for a database in memory that is not used again.
    var reuse: MemoryDatabases?
    var hasSizeLimit = false
  }

  // Locked during each use: a database that is in use is not handed to another connection.
  private let state: Mutex<State>

  /// Worlds on several threads would otherwise wait for each other at each allocation of SQLite.
  private static let memoryStatisticsAreOff: Void = csqlite_disable_memory_statistics()

  /// Opens a file.
  /// - Throws: Errors of the body, which opens it.
  package init(_ file: () throws -> DatabaseQueue) throws {
    Self.memoryStatisticsAreOff
    state = Mutex(State(queue: try file()))
  }

  /// Opens an empty database in memory.
  /// - Throws: `DatabaseError`.
  package init(memory: MemoryDatabases) throws {
    Self.memoryStatisticsAreOff
    state = Mutex(State(queue: try memory.open(), reuse: memory))
  }

  /// True while the world limits the size of the database, as on a full disk.
  var hasSizeLimit: Bool {
    get { state.withLock { $0.hasSizeLimit } }
    set { state.withLock { $0.hasSizeLimit = newValue } }
  }

  /// Uses the database. After an error, a database in memory will not be used by another connection.
  /// - Throws: `DatabaseError`, also after the connection is closed, and errors of the body.
  func use<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
    try state.withLock { state in
      guard let queue = state.queue else { throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "it is closed") }
      do {
        return try queue.inDatabase(body)
      } catch {
        try? Self.endReuse(&state)
        throw error
      }
    }
  }

  /// Keeps a database in memory from being used by another connection, and ends the transaction that it was opened with.
  /// - Throws: `DatabaseError`.
  func endReuse() throws { try state.withLock { try Self.endReuse(&$0) } }

  private static func endReuse(_ state: inout State) throws {
    guard state.reuse != nil else { return }
    state.reuse = nil
    // SQLite has ended the transaction already if an error made it undo everything.
    try state.queue?.inDatabase { if $0.isInsideTransaction { try $0.run("COMMIT") } }
  }

  /// Closes the connection, or does nothing if it is closed.
  /// - Throws: `DatabaseError`.
  func close() throws {
    try state.withLock { state in
      guard let queue = state.queue.take() else { return }
      if let reuse = state.reuse { try reuse.close(queue) } else { try queue.close() }
    }
  }
}
