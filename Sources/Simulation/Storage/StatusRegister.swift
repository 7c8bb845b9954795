import Foundation
import GRDB
import MobileDocument
import SimulationKernel

/// An issuing authority's record of its documents' list entries, in SQLite, so that revocations survive a restart of
/// the world.
package struct StatusRegister: Sendable {
  /// The list entry of one document.
  package struct Entry: Sendable, Equatable {
    /// The record in the register of people that the document was issued for.
    package let record: String
    /// The index in the status list.
    package let index: Int
    /// The identifier in the identifier list.
    package let identifier: [UInt8]
    /// The status in the lists.
    package var status: Status

    package init(record: String, index: Int, identifier: [UInt8], status: Status) {
      (self.record, self.index, self.identifier, self.status) = (record, index, identifier, status)
    }
  }

  /// The status of a document in the lists.
  package enum Status: Int, Sendable {
    case valid = 0
    case revoked = 1
    case suspended = 2
  }

  private static let kind = DatabaseKind(
    name: "statuses of an issuing authority", letters: "PrSt",
    migrations: [
      DatabaseKind.Migration(
        identifier: "entries",
        statements: """
          CREATE TABLE entry (
            listIndex INTEGER NOT NULL PRIMARY KEY, identifier BLOB NOT NULL UNIQUE, record TEXT NOT NULL,
            status INTEGER NOT NULL
          );
          """)
    ])

  private let store: DatabaseStore

  /// Opens the register, or creates an empty one.
  /// - Parameters:
  ///   - path: Path of the file, or nil for memory.
  ///   - scheduler: The scheduler of the world, which a failure of this machine disturbs.
  /// - Throws: ``StorageError``.
  package init(at path: String?, in scheduler: WorldScheduler? = nil) throws {
    store = try DatabaseStore(Self.kind, at: path, in: scheduler)
  }

  /// Closes the register; every later operation fails.
  package func close() { try? store.close() }

  /// Adds an entry.
  /// - Throws: ``StorageError``, also when another document has its index or identifier.
  package func insert(_ entry: Entry) throws {
    try store.write(
      "INSERT INTO entry (listIndex, identifier, record, status) VALUES (?, ?, ?, ?)",
      [entry.index, Data(entry.identifier), entry.record, entry.status.rawValue])
  }

  /// Changes the status of every document that was issued for a record. Revocations are permanent.
  /// - Throws: ``StorageError``.
  package func set(_ status: Status, for record: String) throws {
    try store.write(
      "UPDATE entry SET status = ? WHERE record = ? AND status <> ?",
      [status.rawValue, record, Status.revoked.rawValue])
  }

  /// Every entry, in the order of indexes.
  /// - Throws: ``StorageError``.
  package func entries() throws -> [Entry] {
    try store.rows("SELECT record, listIndex, identifier, status FROM entry ORDER BY listIndex") { row in
      Entry(
        record: try row.decode(atIndex: 0), index: try row.decode(atIndex: 1),
        identifier: try [UInt8](row.decode(Data.self, atIndex: 2)),
        status: Status(rawValue: try row.decode(atIndex: 3)) ?? .revoked)
    }
  }
}
