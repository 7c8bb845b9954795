import CBOR
import Crypto
import Foundation
import GRDB
import JSON
import MobileDocument
import OpenID4VP
import Primitives
import RelyingParty
import SimulationKernel
import Synchronization

/// The verifier server's sessions, in SQLite: request, nonce and recipient key of each exchange. A session stays after its
/// answer, so that a second answer is distinguished from an answer to an unknown session.
package struct SessionStore: Sendable {
  private static let kind = DatabaseKind(
    name: "sessions of a website", letters: "PrSe",
    migrations: [
      DatabaseKind.Migration(
        identifier: "sessions",
        statements: """
          CREATE TABLE session (
            identifier TEXT NOT NULL PRIMARY KEY, origin TEXT NOT NULL, requests BLOB NOT NULL,
            requestInfo BLOB NOT NULL, encryptionInfo TEXT NOT NULL, recipientKey BLOB NOT NULL,
            expires INTEGER NOT NULL, isUsed INTEGER NOT NULL
          );
          """),
      DatabaseKind.Migration(
        identifier: "orders",
        statements: """
          ALTER TABLE session ADD COLUMN isVerified INTEGER NOT NULL DEFAULT 0;
          CREATE TABLE customerOrder (
            session TEXT NOT NULL PRIMARY KEY, number TEXT NOT NULL, item TEXT, identity TEXT NOT NULL,
            scanName TEXT, scanType TEXT, scan BLOB
          );
          """), inAppMigration, keptMigration, issuerListMigration,
      DatabaseKind.Migration(
        identifier: "OpenID4VP",
        statements: """
          ALTER TABLE session ADD COLUMN asksForMobileDocuments INTEGER NOT NULL DEFAULT 1;
          ALTER TABLE session ADD COLUMN presentationRequests BLOB NOT NULL DEFAULT '[]';
          """),
    ])

  let store: DatabaseStore
  private let recipientKeys = RecipientKeyMemory()

  /// Opens the sessions, or creates an empty database.
  /// - Parameters:
  ///   - path: Path of the file, or nil for memory.
  ///   - scheduler: The scheduler of the world, which a failure of this machine disturbs.
  /// - Throws: ``StorageError``.
  package init(at path: String?, in scheduler: WorldScheduler? = nil) throws {
    store = try DatabaseStore(Self.kind, at: path, in: scheduler)
  }

  /// Closes the database; every later operation fails. If closing fails the file stays as it is: SQLite recovers the
  /// content of its log.
  package func close() { try? store.close() }

  /// Adds a session.
  package func insert(_ session: VerifierSession) throws {
    let annexC = session.annexC
    try store.write(
      """
      INSERT INTO session (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        session.identifier, session.origin, Data(Self.encoded(annexC?.documents ?? [])),
        Data(annexC?.encodedUseCases ?? []), annexC?.encryptionInfoText ?? "",
        annexC.map { recipientKeys.keep($0.recipientKey) } ?? Data(), session.expires.secondsSince1970, session.isUsed,
        annexC != nil,
        Data(JSONValue.array(session.openID4VP.map { $0.stored { [UInt8](recipientKeys.keep($0)) } }).bytes),
      ])
  }

  /// Marks a session as used.
  /// - Returns: False if it was used already.
  package func markUsed(_ identifier: String) throws -> Bool {
    try markUsed("UPDATE session SET isUsed = 1 WHERE identifier = ? AND isUsed = 0", identifier)
  }

  /// Marks a session as used with a statement of its table, and returns whether the statement changed it.
  func markUsed(_ statement: String, _ identifier: String) throws -> Bool {
    try store.write { database in
      try database.run(statement, [identifier])
      return database.changesCount > 0
    }
  }

  /// Keeps that the documents of a session are verified.
  package func markVerified(_ identifier: String) throws {
    try store.write("UPDATE session SET isVerified = 1 WHERE identifier = ?", [identifier])
  }

  /// Returns true if the documents of a session are verified.
  package func isVerified(_ identifier: String) throws -> Bool {
    try store.value("SELECT isVerified FROM session WHERE identifier = ?", [identifier]) ?? false
  }

  /// Keeps an order, with the picture that it waits for. It replaces an earlier order of the session.
  package func keep(_ order: CustomerOrder, with scan: IdentityScan? = nil) throws {
    try store.write(
      """
      INSERT OR REPLACE INTO customerOrder (session, number, item, identity, scanName, scanType, scan)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        order.session, order.number, order.item, order.identity.rawValue, scan?.fileName, scan?.format.rawValue,
        scan.map { Data($0.bytes) },
      ])
  }

  private static let columns = """
    identifier, origin, requests, requestInfo, encryptionInfo, recipientKey, expires, isUsed, asksForMobileDocuments,
    presentationRequests
    """
  private static let selectOne = "SELECT \(columns) FROM session WHERE identifier = ?"
  private static let selectNewest = "SELECT \(columns) FROM session WHERE identifier <> ? ORDER BY rowid DESC LIMIT ?"

  /// The session of an identifier; nil if the store does not have it.
  package func session(_ identifier: String) throws -> VerifierSession? {
    try sessions(Self.selectOne, [identifier]).first
  }

  /// The newest sessions, newest first.
  package func newest(_ count: Int, besides identifier: String) throws -> [VerifierSession] {
    try sessions(Self.selectNewest, [identifier, count])
  }

  private func sessions(_ statement: String, _ arguments: StatementArguments) throws -> [VerifierSession] {
    try store.rows(statement, arguments, session(in:))
  }

  private func session(in row: Row) throws -> VerifierSession {
    let requests = try Self.requests(in: [UInt8](row.decode(Data.self, atIndex: 2)))
    let useCases = try AnnexCSession.useCases(
      in: [UInt8](row.decode(Data.self, atIndex: 3)), documentCount: requests.count)
    var asked: [SessionRequest] = []
    if try row.decode(Bool.self, atIndex: 8) {
      asked.append(
        .annexC(
          AnnexCSession(
            documents: requests, useCases: useCases, encryptionInfoText: try row.decode(atIndex: 4),
            recipientKey: try recipientKeys.key(row.decode(atIndex: 5)))))
    }
    for item in try JSONReader.item([UInt8](row.decode(Data.self, atIndex: 9))).elements() {
      asked.append(.openID4VP(try OpenID4VPSession(stored: item) { try recipientKeys.key(Data($0)) }))
    }
    return VerifierSession(
      identifier: try row.decode(atIndex: 0), origin: try row.decode(atIndex: 1), requests: asked,
      expires: DateTime(secondsSince1970: try row.decode(atIndex: 6)), isUsed: try row.decode(atIndex: 7))
  }

  static func encoded(_ requests: [ItemsRequest]) -> [UInt8] {
    CBORWriter.encode(capacity: 512) { writer in
      writer.array(requests.count)
      for request in requests { writer.encoded(request.encoded) }
    }
  }

  static func requests(in encoded: [UInt8]) throws -> [ItemsRequest] {
    var requests: [ItemsRequest] = []
    for item in try CBORReader.read(encoded).array() { requests.append(try ItemsRequest(item)) }
    return requests
  }
}

/// The recipient keys of the newest sessions of a verifier server, beside the rows of its database. Making a key from its
/// row multiplies the base point again, and most answers are for one of these sessions.
final class RecipientKeyMemory: Sendable {
  /// The most keys that are kept: more sessions than a website has open on the devices of a world.
  static let maximumCount = 16

  private struct Entry {
    let rawRepresentation: Data
    let key: P256.KeyAgreement.PrivateKey
  }

  private let entries = Mutex<[Entry]>([])

  /// Keeps the key of a new session.
  /// - Returns: The key as its row has it: 32 bytes.
  func keep(_ key: P256.KeyAgreement.PrivateKey) -> Data {
    let entry = Entry(rawRepresentation: key.rawRepresentation, key: key)
    entries.withLock { entries in
      if entries.count >= Self.maximumCount { entries.removeFirst() }
      entries.append(entry)
    }
    return entry.rawRepresentation
  }

  /// The key of a row.
  /// - Parameter rawRepresentation: 32 bytes.
  /// - Throws: `CryptoKitError` if the bytes are not a private key.
  func key(_ rawRepresentation: Data) throws -> P256.KeyAgreement.PrivateKey {
    let known = entries.withLock { entries in entries.last { $0.rawRepresentation == rawRepresentation } }
    return try known?.key ?? P256.KeyAgreement.PrivateKey(rawRepresentation: rawRepresentation)
  }
}
