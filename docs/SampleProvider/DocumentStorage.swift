import Crypto
import Foundation
import IdentityDocumentServices

/// A document as the app keeps it.
struct StoredDocument: Sendable {
  /// The app's own name for the document. Its registration goes by the same.
  let identifier: String
  /// What the issuer sent: CBOR of `IssuerSigned`.
  let issuedDocument: Data
  /// The key that the document is bound to. On a phone it lives in the Secure Enclave, in a keychain access group that
  /// app and extension share: the group cannot be changed once the key is made.
  let deviceKey: P256.Signing.PrivateKey

  /// The document, read and checked.
  func presentable() throws -> PresentableDocument {
    try PresentableDocument(issuedDocument: issuedDocument, deviceKey: deviceKey)
  }
}

/// Where the app keeps its documents. The extension is another process: on a phone this is a database in an App Group.
protocol DocumentStorage: Sendable {
  /// Every document, in the order in which the app prefers to present them.
  func documents() async throws -> [StoredDocument]
  /// Keeps a document; one with the same identifier is replaced.
  func add(_ document: StoredDocument) async throws
  /// Forgets a document.
  func remove(documentIdentifier: String) async throws
}

/// A storage that lasts as long as the process.
actor InMemoryDocumentStorage: DocumentStorage {
  private var kept: [StoredDocument]

  init(_ documents: [StoredDocument] = []) { kept = documents }

  func documents() -> [StoredDocument] { kept }

  func add(_ document: StoredDocument) {
    remove(documentIdentifier: document.identifier)
    kept.append(document)
  }

  func remove(documentIdentifier: String) { kept.removeAll { $0.identifier == documentIdentifier } }
}
