import Foundation
import GRDB
import Primitives
import TrustLists

/// The newest list of issuing authorities of each operator that the server verified. A restarted server refuses an older one,
/// and goes on with this one while it gets no other.
extension SessionStore {
  /// A list that was verified.
  package struct KeptIssuerList: Sendable {
    /// The place among the lists of the operator.
    package let issue: VICAL.Issue
    /// The signed list, which is verified again before it counts.
    package let content: [UInt8]

    /// Creates a list.
    package init(issue: VICAL.Issue, content: [UInt8]) { (self.issue, self.content) = (issue, content) }
  }

  static let issuerListMigration = DatabaseKind.Migration(
    identifier: "lists of issuing authorities",
    statements: """
      CREATE TABLE issuerList (
        operator TEXT NOT NULL PRIMARY KEY, issue INTEGER, date INTEGER NOT NULL, content BLOB NOT NULL
      );
      """)

  /// Keeps the list of an operator in place of an older one. Another server with the same database may have kept a newer one
  /// meanwhile.
  package func keep(_ list: KeptIssuerList, of listOperator: String) throws {
    try store.write { database in
      if let last = try Self.issuerList(of: listOperator, in: database)?.issue, list.issue.isOlder(than: last) {
        return
      }
      try database.run(
        "INSERT OR REPLACE INTO issuerList (operator, issue, date, content) VALUES (?, ?, ?, ?)",
        [
          listOperator, list.issue.number.map { Int64(bitPattern: $0) }, list.issue.date.secondsSince1970,
          Data(list.content),
        ])
    }
  }

  /// The list of an operator; nil if none was kept.
  package func issuerList(of listOperator: String) throws -> KeptIssuerList? {
    try store.read { database in try Self.issuerList(of: listOperator, in: database) }
  }

  private static func issuerList(of listOperator: String, in database: Database) throws -> KeptIssuerList? {
    let rows = try database.rows("SELECT issue, date, content FROM issuerList WHERE operator = ?", [listOperator])
    return try rows.next().map { row in
      let number: Int64? = try row.decode(atIndex: 0)
      return KeptIssuerList(
        issue: VICAL.Issue(
          number: number.map { UInt64(bitPattern: $0) }, date: DateTime(secondsSince1970: try row.decode(atIndex: 1))),
        content: [UInt8](try row.decode(Data.self, atIndex: 2)))
    }
  }
}
