import COSE
import Certificates
import Foundation
import GRDB
import MobileDocument
import OpenID4VP
import Primitives
import SimulationKernel
import X509

/// A document in an app, with the key that was made for it on the device.
package struct StoredDocument: Sendable {
  /// The name of the document in the app.
  package let identifier: String
  /// `IssuerSigned`, or the SD-JWT, as the issuing authority sent it.
  package let issued: [UInt8]
  /// The device key that the issuing authority signed.
  package let boundKey: COSEKey
  /// The decoded document.
  package let credential: HeldCredential
  /// The key that the app signs with: the signed one, unless the document is a copy from another device; nil if a program
  /// outside the world has it.
  package let deviceKey: DeterministicSigningKey?
  /// The date from which its registration is invalid.
  package let invalidationDate: DateTime?

  package init(
    identifier: String, issued: [UInt8], boundKey: COSEKey, credential: HeldCredential,
    deviceKey: DeterministicSigningKey?,
    invalidationDate: DateTime?
  ) {
    (self.identifier, self.issued, self.boundKey, self.credential, self.deviceKey, self.invalidationDate) = (
      identifier, issued, boundKey, credential, deviceKey, invalidationDate
    )
  }
}

extension StoredDocument {
  /// The mobile document; nil for a credential of another format.
  package var document: HeldDocument? { credential.mobileDocument }

  /// Returns the document with another date from which its registration is invalid.
  package func registered(until invalidationDate: DateTime?) -> StoredDocument {
    StoredDocument(
      identifier: identifier, issued: issued, boundKey: boundKey, credential: credential, deviceKey: deviceKey,
      invalidationDate: invalidationDate)
  }
}

/// An app's documents with their keys, and the roots that it trusts, in SQLite.
package struct DocumentDatabase: Sendable {
  /// A reader authority that the app trusts.
  package struct Anchor: Sendable {
    /// The authority's name in the world.
    package let authority: String
    package let der: [UInt8]
    package let root: Certificate
    /// The key identifier in the app's registrations.
    package let keyIdentifier: [UInt8]

    package init(authority: String, der: [UInt8], root: Certificate, keyIdentifier: [UInt8]) {
      (self.authority, self.der, self.root, self.keyIdentifier) = (authority, der, root, keyIdentifier)
    }
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

  /// Opens the documents, or creates an empty database.
  /// - Parameters:
  ///   - path: Path of the file, or nil for memory.
  ///   - scheduler: The scheduler of the world, which a failure of this machine disturbs.
  /// - Throws: ``StorageError``.
  package init(at path: String?, in scheduler: WorldScheduler? = nil) throws {
    store = try DatabaseStore(Self.kind, at: path, in: scheduler)
  }

  /// Every document, in the order of arrival.
  /// - Throws: ``StorageError``, or an error if a document cannot be read.
  package func documents() throws -> [StoredDocument] {
    try store.rows("SELECT identifier, issued, boundKey, deviceKey, invalidation FROM document ORDER BY rowid") {
      try Self.document(in: $0)
    }
  }

  private static func document(in row: Row) throws -> StoredDocument {
    let issued = try [UInt8](row.decode(Data.self, atIndex: 1))
    let boundKey = try COSEKey(reading: [UInt8](row.decode(Data.self, atIndex: 2)))
    let key = try row.decode(Data.self, atIndex: 3)
    return StoredDocument(
      identifier: try row.decode(atIndex: 0), issued: issued, boundKey: boundKey,
      credential: try HeldCredential(issued: issued, holderKey: boundKey),
      deviceKey: try key.isEmpty ? nil : DeterministicSigningKey(rawRepresentation: [UInt8](key)),
      invalidationDate: try row.decode(Int64?.self, atIndex: 4).map { DateTime(secondsSince1970: $0) })
  }

  /// The identifiers of every document, in the order of arrival.
  /// - Throws: ``StorageError``.
  package func identifiers() throws -> [String] { try store.texts("SELECT identifier FROM document ORDER BY rowid") }

  /// Stores a document, replacing an earlier one with its identifier.
  /// - Throws: ``StorageError``.
  package func save(_ document: StoredDocument) throws {
    try store.write(
      """
      INSERT INTO document (identifier, issued, boundKey, deviceKey, invalidation) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (identifier) DO UPDATE SET issued = excluded.issued, boundKey = excluded.boundKey,
        deviceKey = excluded.deviceKey, invalidation = excluded.invalidation
      """,
      [
        document.identifier, Data(document.issued), Data(document.boundKey.encoded),
        Data(document.deviceKey?.rawRepresentation ?? []), document.invalidationDate?.secondsSince1970,
      ])
  }

  /// Deletes a document if it exists.
  /// - Throws: ``StorageError``.
  package func delete(_ identifier: String) throws {
    try store.write("DELETE FROM document WHERE identifier = ?", [identifier])
  }

  /// The reader authorities that the app trusts.
  /// - Throws: ``StorageError``, or an error if a certificate cannot be read.
  package func anchors() throws -> [Anchor] {
    try store.rows("SELECT authority, certificate, keyIdentifier FROM anchor ORDER BY position") { row in
      let der = try [UInt8](row.decode(Data.self, atIndex: 1))
      return Anchor(
        authority: try row.decode(atIndex: 0), der: der, root: try Certificate(derEncoded: der),
        keyIdentifier: try [UInt8](row.decode(Data.self, atIndex: 2)))
    }
  }

  /// Stores the reader authorities that the app trusts.
  /// - Throws: ``StorageError``.
  package func setAnchors(_ anchors: [Anchor]) throws {
    try store.write { database in
      try database.run("DELETE FROM anchor")
      for anchor in anchors {
        try database.run(
          "INSERT INTO anchor (authority, certificate, keyIdentifier) VALUES (?, ?, ?)",
          [anchor.authority, Data(anchor.der), Data(anchor.keyIdentifier)])
      }
    }
  }

  /// Returns true if the app was opened before and received its documents then.
  /// - Throws: ``StorageError``.
  package func isPrepared() throws -> Bool { try store.value("SELECT isPrepared FROM prepared") ?? false }

  /// Records that the app has received its documents: from now on deleted documents are not ordered again.
  /// - Throws: ``StorageError``.
  package func markPrepared() throws { try store.write("INSERT INTO prepared (isPrepared) VALUES (1)", []) }

  /// Deletes everything.
  /// - Throws: ``StorageError``.
  package func clear() throws {
    try store.write { database in
      for table in ["document", "anchor", "prepared"] { try database.run("DELETE FROM \(table)") }
    }
  }

  /// Limits the database to its current size, as on a full disk, or ends the limit.
  /// - Throws: ``StorageError``.
  package func setFull(_ isFull: Bool) throws { try store.setFull(isFull) }

  /// Closes the database; every later operation fails. If closing fails the file stays as it is: SQLite recovers the
  /// content of its log.
  package func close() { try? store.close() }
}
