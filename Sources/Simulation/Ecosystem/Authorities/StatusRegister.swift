import Foundation
import GRDB
import MobileDocument

/// An issuing authority's record of the entries that it gave its documents in its lists, in SQLite: what it revoked stays
/// revoked when its world begins again.
struct StatusRegister: Sendable {
  /// What stands for one document in the lists, and what they say about it.
  struct Entry: Sendable, Equatable {
    /// Which record of the register of people the document was issued for.
    let record: String
    /// Its place in the status list.
    let index: Int
    /// Its identifier in the identifier list.
    let identifier: [UInt8]
    /// What the lists say.
    var status: Status
  }

  /// What lists say about a document.
  enum Status: Int, Sendable {
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

  /// Opens the register, or makes an empty one.
  /// - Parameter path: of the file; nil keeps everything in memory.
  /// - Throws: ``StorageError``.
  init(at path: String?) throws { store = try DatabaseStore(Self.kind, at: path) }

  /// Closes it; everything after that fails.
  func close() { try? store.close() }

  /// Keeps a new entry.
  /// - Throws: ``StorageError``, also when another document has its index or identifier.
  func insert(_ entry: Entry) throws {
    try store.write(
      "INSERT INTO entry (listIndex, identifier, record, status) VALUES (?, ?, ?, ?)",
      [entry.index, Data(entry.identifier), entry.record, entry.status.rawValue])
  }

  /// Changes what the lists say about every document that was issued for a record. What was revoked stays revoked.
  /// - Throws: ``StorageError``.
  func set(_ status: Status, for record: String) throws {
    try store.write(
      "UPDATE entry SET status = ? WHERE record = ? AND status <> ?",
      [status.rawValue, record, Status.revoked.rawValue])
  }

  /// Every entry, in the order of indexes.
  /// - Throws: ``StorageError``.
  func entries() throws -> [Entry] {
    try store.read { database in
      try Row.fetchAll(database.cachedStatement(sql: "SELECT * FROM entry ORDER BY listIndex")).map { row in
        Entry(
          record: try row.decode(forColumn: "record"), index: try row.decode(forColumn: "listIndex"),
          identifier: [UInt8](try row.decode(Data.self, forColumn: "identifier")),
          status: Status(rawValue: try row.decode(forColumn: "status")) ?? .revoked)
      }
    }
  }
}
