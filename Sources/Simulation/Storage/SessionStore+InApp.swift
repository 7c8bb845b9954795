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
  package func insert(_ session: InAppSession) throws {
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
  package func markInAppUsed(_ identifier: String) throws -> Bool {
    try markUsed("UPDATE inAppSession SET isUsed = 1 WHERE identifier = ? AND isUsed = 0", identifier)
  }

  private static let inAppColumns =
    "identifier, nonce, merchantIdentifier, teamIdentifier, recipientKey, requests, expires, isUsed"
  private static let selectOneInApp = "SELECT \(inAppColumns) FROM inAppSession WHERE identifier = ?"
  private static let selectNewestInApp =
    "SELECT \(inAppColumns) FROM inAppSession WHERE identifier <> ? ORDER BY rowid DESC LIMIT ?"

  /// The session of an app's request with an identifier; nil if the store does not have it.
  package func inAppSession(_ identifier: String) throws -> InAppSession? {
    try inAppSessions(Self.selectOneInApp, [identifier]).first
  }

  /// The newest sessions of apps' requests, newest first.
  package func newestInApp(_ count: Int, besides identifier: String) throws -> [InAppSession] {
    try inAppSessions(Self.selectNewestInApp, [identifier, count])
  }

  private func inAppSessions(_ statement: String, _ arguments: StatementArguments) throws -> [InAppSession] {
    try store.rows(statement, arguments) { try Self.inAppSession(in: $0) }
  }

  private static func inAppSession(in row: Row) throws -> InAppSession {
    InAppSession(
      identifier: try row.decode(atIndex: 0), nonce: try [UInt8](row.decode(Data.self, atIndex: 1)),
      merchantIdentifier: try row.decode(atIndex: 2), teamIdentifier: try row.decode(atIndex: 3),
      recipientKey: try P256.KeyAgreement.PrivateKey(rawRepresentation: row.decode(Data.self, atIndex: 4)),
      requests: try requests(in: [UInt8](row.decode(Data.self, atIndex: 5))),
      expires: DateTime(secondsSince1970: try row.decode(atIndex: 6)), isUsed: try row.decode(atIndex: 7))
  }
}
