import CBOR
import Foundation
import GRDB

/// The data that a website keeps of its visitors' documents, by session: verified elements, and nothing else unless a fault
/// acts.
extension SessionStore {
  /// Something that a website keeps after a session.
  package struct KeptItem: Sendable {
    /// The kinds of what is kept.
    package enum Kind: Sendable, Equatable {
      case element(documentType: String, nameSpace: String, identifier: String)
      /// The encrypted response as submitted.
      case response
    }

    /// The kind, which a journal may have.
    package let kind: Kind
    /// The element's value as CBOR, or the response.
    let content: [UInt8]

    /// A verified element.
    package init(documentType: String, nameSpace: String, identifier: String, value: CBORValue) {
      kind = .element(documentType: documentType, nameSpace: nameSpace, identifier: identifier)
      content = CBORWriter.encode { $0.value(value) }
    }

    /// An encrypted response.
    package init(response: [UInt8]) {
      kind = .response
      content = response
    }
  }

  static let keptMigration = DatabaseKind.Migration(
    identifier: "kept elements",
    statements: """
      CREATE TABLE kept (
        session TEXT NOT NULL, documentType TEXT, nameSpace TEXT, identifier TEXT, content BLOB NOT NULL
      );
      CREATE INDEX keptOfSession ON kept (session);
      """)

  /// Keeps what a website keeps after a session, in one transaction.
  package func keep(_ items: [KeptItem], of session: String) throws {
    guard !items.isEmpty else { return }
    try store.write { database in
      let statement = try database.cachedStatement(
        sql: "INSERT INTO kept (session, documentType, nameSpace, identifier, content) VALUES (?, ?, ?, ?, ?)")
      for item in items {
        let content = Data(item.content)
        switch item.kind {
        case .element(let documentType, let nameSpace, let identifier):
          try statement.execute(arguments: [session, documentType, nameSpace, identifier, content])
        case .response: try statement.execute(arguments: [session, nil, nil, nil, content])
        }
      }
    }
  }

  /// The kinds of everything that the store has of a session's response, in the order in which it was kept. Read from the
  /// table, not from what the server meant to keep.
  package func kept(of session: String) throws -> [KeptItem.Kind] {
    try store.rows("SELECT documentType, nameSpace, identifier FROM kept WHERE session = ? ORDER BY rowid", [session]) {
      guard let documentType: String = try $0.decode(atIndex: 0) else { return .response }
      return .element(
        documentType: documentType, nameSpace: try $0.decode(atIndex: 1), identifier: try $0.decode(atIndex: 2))
    }
  }
}
