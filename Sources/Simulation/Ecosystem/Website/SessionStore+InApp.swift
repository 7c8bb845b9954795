import CBOR
import Crypto
import Foundation
import GRDB
import MobileDocument
import Primitives
import RelyingParty

/// The sessions of apps' requests, in a table of their own: an answer to a website's request finds none of them, and the
/// reverse.
extension SessionStore {
  static let inAppMigration = DatabaseKind.Migration(
    identifier: "sessions of apps' requests",
    statements: """
      CREATE TABLE inAppSession (
        identifier TEXT NOT NULL PRIMARY KEY, nonce BLOB NOT NULL, merchantIdentifier TEXT NOT NULL,
        teamIdentifier TEXT NOT NULL, recipientKey BLOB NOT NULL, requests BLOB NOT NULL, expires INTEGER NOT NULL,
        isUsed INTEGER NOT NULL
      );
      """)

  /// Adds a session of an app's request.
  func insert(_ session: InAppSession) throws {
    try store.write(
      """
      INSERT INTO inAppSession
        (identifier, nonce, merchantIdentifier, teamIdentifier, recipientKey, requests, expires, isUsed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        session.identifier, Data(session.nonce), session.merchantIdentifier, session.teamIdentifier,
        session.recipientKey.rawRepresentation, Data(Self.encoded(session.requests ?? [])),
        session.expires.secondsSince1970, session.isUsed,
      ])
  }

  /// Marks a session of an app's request as used.
  /// - Returns: False if it was used already.
  func markInAppUsed(_ identifier: String) throws -> Bool {
    try markUsed("UPDATE inAppSession SET isUsed = 1 WHERE identifier = ? AND isUsed = 0", identifier)
  }

  /// The session of an app's request with an identifier; nil if the store does not have it.
  func inAppSession(_ identifier: String) throws -> InAppSession? {
    let row = try store.read { database in
      try Row.fetchOne(
        database.cachedStatement(sql: "SELECT * FROM inAppSession WHERE identifier = ?"), arguments: [identifier])
    }
    return try row.map(Self.inAppSession(in:))
  }

  /// The newest sessions of apps' requests, newest first.
  func newestInApp(_ count: Int, besides identifier: String) throws -> [InAppSession] {
    let rows = try store.read { database in
      try Row.fetchAll(
        database.cachedStatement(sql: "SELECT * FROM inAppSession WHERE identifier <> ? ORDER BY rowid DESC LIMIT ?"),
        arguments: [identifier, count])
    }
    return try rows.map(Self.inAppSession(in:))
  }

  private static func inAppSession(in row: Row) throws -> InAppSession {
    let nonce = try row.decode(Data.self, forColumn: "nonce")
    let key = try row.decode(Data.self, forColumn: "recipientKey")
    return InAppSession(
      identifier: try row.decode(forColumn: "identifier"), nonce: [UInt8](nonce),
      merchantIdentifier: try row.decode(forColumn: "merchantIdentifier"),
      teamIdentifier: try row.decode(forColumn: "teamIdentifier"),
      recipientKey: try P256.KeyAgreement.PrivateKey(rawRepresentation: key),
      requests: try requests(in: [UInt8](row.decode(Data.self, forColumn: "requests"))),
      expires: DateTime(secondsSince1970: try row.decode(forColumn: "expires")),
      isUsed: try row.decode(forColumn: "isUsed"))
  }
}
