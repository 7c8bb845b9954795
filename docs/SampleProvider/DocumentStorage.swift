import Crypto
import Foundation
import IdentityDocumentServices

/// A document in the app's storage.
struct StoredDocument: Sendable {
  /// The app's identifier of the document, and of its registration.
  let identifier: String
  /// The `IssuerSigned` from the issuer, in CBOR.
  let issuedDocument: Data
  /// The device key. On a phone it is in the Secure Enclave, in a keychain access group that app and extension share. The
  /// group of a key cannot be changed later.
  let deviceKey: P256.Signing.PrivateKey

  /// Parses and checks the document. Its registration ends when the document expires, so no other end is given.
  func presentable() throws -> PresentableDocument {
    try PresentableDocument(issuedDocument: issuedDocument, deviceKey: deviceKey, documentIdentifier: identifier)
  }
}

/// The app's storage of documents. The extension is another process: on a phone this is a database in an App Group.
protocol DocumentStorage: Sendable {
  /// Every document, in the order in which the app prefers to present them.
  func documents() async throws -> [StoredDocument]
  /// Stores a document, and replaces one with the same identifier.
  func add(_ document: StoredDocument) async throws
  /// Removes a document.
  func remove(documentIdentifier: String) async throws
  /// The documents with their device keys, without those that cannot be read.
  func presentableDocuments() async throws -> [PresentableDocument]
}

extension DocumentStorage {
  func presentableDocuments() async throws -> [PresentableDocument] {
    // Skips unreadable documents, so that the others can be presented.
    try await documents().compactMap { try? $0.presentable() }
  }
}

/// A storage in memory.
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
