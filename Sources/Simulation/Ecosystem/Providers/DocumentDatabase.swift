import COSE
import Certificates
import Foundation
import GRDB
import MobileDocument
import Primitives
import SimulationKernel
import X509

/// A document that an app keeps, with the key that was made for it on the device.
package struct StoredDocument: Sendable {
  /// The name of the document in the app.
  package let identifier: String
  /// `IssuerSigned` as the issuing authority sent it.
  package let issued: [UInt8]
  /// The device key that the issuing authority signed.
  package let boundKey: COSEKey
  /// The document as the app has read it.
  package let document: HeldDocument
  /// The key that the app signs with: the one that was signed, unless the document is a copy from another device.
  package let deviceKey: DeterministicSigningKey
  /// When its registration becomes invalid.
  package let invalidationDate: DateTime?
}

/// An app's documents with their keys, and the roots that it trusts, in SQLite.
struct DocumentDatabase: Sendable {
  /// A reader authority that the app trusts.
  struct Anchor: Sendable {
    /// The authority's name in the world.
    let authority: String
    let der: [UInt8]
    let root: Certificate
    /// By which the app's registrations name it.
    let keyIdentifier: [UInt8]
  }

  private static let kind = DatabaseKind(
    name: "documents of an app", letters: "PrDo",
    migrations: [
      DatabaseKind.Migration(
        identifier: "documents",
        statements: """
          CREATE TABLE document (
            identifier TEXT NOT NULL PRIMARY KEY, issued BLOB NOT NULL, boundKey BLOB NOT NULL,
            deviceKey BLOB NOT NULL, invalidation INTEGER
          );
          CREATE TABLE anchor (
            position INTEGER PRIMARY KEY, authority TEXT NOT NULL, certificate BLOB NOT NULL, keyIdentifier BLOB NOT NULL
          );
          CREATE TABLE prepared (isPrepared INTEGER NOT NULL);
          """)
    ])

  private let store: DatabaseStore

  /// Opens the documents, or makes an empty database.
  /// - Parameter path: of the file; nil keeps everything in memory.
  /// - Throws: ``StorageError``.
  init(at path: String?) throws { store = try DatabaseStore(Self.kind, at: path) }

  /// Every document, in the order in which they came.
  /// - Throws: ``StorageError``; what is wrong with a document that cannot be read.
  func documents() throws -> [StoredDocument] {
    try store.read { try Row.fetchAll($0.cachedStatement(sql: "SELECT * FROM document ORDER BY rowid")) }.map { row in
      let issued = try [UInt8](row.decode(Data.self, forColumn: "issued"))
      let boundKey = try COSEKey(reading: [UInt8](row.decode(Data.self, forColumn: "boundKey")))
      let deviceKey = try [UInt8](row.decode(Data.self, forColumn: "deviceKey"))
      let invalidation = try row.decode(Int64?.self, forColumn: "invalidation")
      return StoredDocument(
        identifier: try row.decode(String.self, forColumn: "identifier"), issued: issued, boundKey: boundKey,
        document: try HeldDocument(issued: issued, deviceKey: boundKey),
        deviceKey: try DeterministicSigningKey(rawRepresentation: deviceKey),
        invalidationDate: invalidation.map { DateTime(secondsSince1970: $0) })
    }
  }

  /// Identifiers of every document, in the order in which they came.
  /// - Throws: ``StorageError``.
  func identifiers() throws -> [String] {
    try store.read { try String.fetchAll($0.cachedStatement(sql: "SELECT identifier FROM document ORDER BY rowid")) }
  }

  /// Keeps a document, in place of an earlier one with its identifier.
  /// - Throws: ``StorageError``.
  func save(_ document: StoredDocument) throws {
    try store.write(
      """
      INSERT INTO document (identifier, issued, boundKey, deviceKey, invalidation) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (identifier) DO UPDATE SET issued = excluded.issued, boundKey = excluded.boundKey,
        deviceKey = excluded.deviceKey, invalidation = excluded.invalidation
      """,
      [
        document.identifier, Data(document.issued), Data(document.boundKey.encoded),
        Data(document.deviceKey.rawRepresentation), document.invalidationDate?.secondsSince1970,
      ])
  }

  /// Deletes a document, if it is there.
  /// - Throws: ``StorageError``.
  func delete(_ identifier: String) throws {
    try store.write("DELETE FROM document WHERE identifier = ?", [identifier])
  }

  /// The reader authorities that the app trusts.
  /// - Throws: ``StorageError``; what is wrong with a certificate that cannot be read.
  func anchors() throws -> [Anchor] {
    try store.read { try Row.fetchAll($0.cachedStatement(sql: "SELECT * FROM anchor ORDER BY position")) }.map { row in
      let der = try [UInt8](row.decode(Data.self, forColumn: "certificate"))
      return Anchor(
        authority: try row.decode(String.self, forColumn: "authority"), der: der,
        root: try Certificate(derEncoded: der),
        keyIdentifier: try [UInt8](row.decode(Data.self, forColumn: "keyIdentifier")))
    }
  }

  /// Keeps the reader authorities that the app trusts.
  /// - Throws: ``StorageError``.
  func setAnchors(_ anchors: [Anchor]) throws {
    try store.write { database in
      try database.execute(sql: "DELETE FROM anchor")
      for anchor in anchors {
        try database.cachedStatement(
          sql: "INSERT INTO anchor (authority, certificate, keyIdentifier) VALUES (?, ?, ?)"
        ).execute(arguments: [anchor.authority, Data(anchor.der), Data(anchor.keyIdentifier)])
      }
    }
  }

  /// Whether the app was opened before and got its documents then.
  /// - Throws: ``StorageError``.
  func isPrepared() throws -> Bool {
    try store.read { try Bool.fetchOne($0.cachedStatement(sql: "SELECT isPrepared FROM prepared")) } ?? false
  }

  /// Remembers that the app has got its documents: those that are deleted from now on do not come back.
  /// - Throws: ``StorageError``.
  func markPrepared() throws {
    try store.write("INSERT INTO prepared (isPrepared) VALUES (1)", [])
  }

  /// Forgets everything.
  /// - Throws: ``StorageError``.
  func clear() throws {
    try store.write { try $0.execute(sql: "DELETE FROM document; DELETE FROM anchor; DELETE FROM prepared") }
  }

  /// As on a full disk: from now on the database cannot grow, or it can again.
  /// - Throws: ``StorageError``.
  func setFull(_ isFull: Bool) throws { try isFull ? store.limitSize() : store.liftSizeLimit() }

  /// Closes it; everything after that fails. A file that cannot be closed stays as it is: SQLite recovers what is in its
  /// log.
  func close() { try? store.close() }
}
