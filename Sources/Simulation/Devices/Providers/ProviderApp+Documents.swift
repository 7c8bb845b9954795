import COSE
import Certificates
import Checks
import Foundation
import IdentityDocumentServices
import Messaging
import MobileDocument
import OpenID4VP
import Primitives
import Storage
import Vocabulary
import WebPresentment
import X509

/// Ordering, renewing and deleting an app's documents.
extension ProviderApp {
  /// Gets the roots that the app trusts and the app's documents, and registers the documents, when the app is opened
  /// for the first time.
  func prepare() async {
    var roots: [DocumentDatabase.Anchor] = []
    for authority in program.trustsReaders {
      do {
        let encoded = try await PublicationFetcher(station: station)
          .root(of: Party(.readerAuthority, authority), from: program.rootSource)
        let root = try fingerprints.certificate(encoded, of: authority)
        if program.rootSource == .address { station.record(RootCheck.fingerprint.passed) }
        roots.append(
          DocumentDatabase.Anchor(
            authority: authority, der: encoded, root: root,
            keyIdentifier: await keyIdentifier(of: authority, root: root)))
      } catch {
        if let failure = error as? CheckFailure<RootCheck> { station.record(failure.result) }
        station.note(.providerNoReaderRoot, "from \(authority): \(journalMessage(of: error))")
      }
    }
    anchors = roots
    do {
      try database.setAnchors(roots)
      for document in program.documents where document.isIssuedAtFirst {
        let stored: StoredDocument
        do {
          stored = try await provision(document)
        } catch {
          notProvisioned(document, error)
          continue
        }
        try keep(stored)
      }
      // Documents that could not be stored are ordered again the next time.
      try database.markPrepared()
    } catch {
      storageFailed(error)
    }
    await withStore { await updateRegistrations() }
  }

  /// Returns the key identifier for an authority in registrations: its root's, or its issuing certificate's.
  private func keyIdentifier(of authority: String, root: Certificate) async -> [UInt8] {
    let rootIdentifier = root.subjectKeyIdentifier ?? []
    if program.authorityKey == .root { return rootIdentifier }
    do {
      let answer = try await station.request(.issuing, [String](), to: Party(.readerAuthority, authority))
      let issuing = try Certificate(derEncoded: answer.bytes)
      if issuing == root { return rootIdentifier }
      // The root must have signed the authority's intermediate.
      let path = try await TrustedCertificates([root], for: .readerIntermediate).validate([issuing], at: station.now)
        .get()
      return path.leaf.subjectKeyIdentifier ?? rootIdentifier
    } catch {
      station.note(.providerAuthorityNotNamed, "\(authority) is named by its root: \(error)")
      return rootIdentifier
    }
  }

  private func notProvisioned(_ document: AppProgram.Order, _ error: any Error) {
    station.note(.providerNotProvisioned, "\(document.identifier): \(journalMessage(of: error))")
  }

  /// Orders a document from its issuing authority.
  /// - Returns: The encoded `IssuerSigned`, unread.
  /// - Throws: `DocumentError` if the authority refuses.
  package func order(_ document: AppProgram.Order, boundTo deviceKey: COSEKey) async throws -> [UInt8] {
    let order = ProvisioningOrder(
      documentType: document.documentType, record: "\(station.party.name)/\(document.identifier)",
      deviceKey: Base64URL.encode(deviceKey.encoded))
    let answer = try await station.request(.provision, order, to: Party(.issuer, document.issuer))
    guard answer.kind == .document else { throw DocumentError(.notIssued, "the issuing authority refused") }
    return answer.bytes
  }

  private func provision(_ document: AppProgram.Order) async throws -> StoredDocument {
    if program.outside != nil { return try await provisionByProgram(document) }
    // A document from outside the world is bound to the key that came with it.
    let key = try document.outsideKey ?? deviceKeys.signingKey()
    let publicKey = COSEKey(key.publicKey)
    let issued = try await order(document, boundTo: publicKey)
    let credential = try HeldCredential(issued: issued, holderKey: publicKey)
    // A copy has the document without the key, which does not leave the secure hardware of its device.
    let presentingKey = document.isCopy ? try deviceKeys.signingKey() : key
    return StoredDocument(
      identifier: document.identifier, issued: issued, boundKey: publicKey, credential: credential,
      deviceKey: presentingKey,
      invalidationDate: document.registersInvalidationDate ? credential.validUntil?.moment : nil)
  }

  /// Stores a document, replacing an earlier one with its identifier.
  private func keep(_ stored: StoredDocument) throws {
    try database.save(stored)
    if let position = documents.firstIndex(where: { $0.identifier == stored.identifier }) {
      documents[position] = stored
    } else {
      documents.append(stored)
    }
  }

  /// Keeps the end of a document's registration, by which the app judges whether it answers.
  func keepEnd(of registration: MobileDocumentRegistration) {
    guard let stored = documents.first(where: { $0.identifier == registration.documentIdentifier }) else { return }
    do {
      try keep(stored.registered(until: registration.invalidationDate.map { DateTime($0) }))
    } catch {
      storageFailed(error)
    }
  }

  /// Gets a document from its issuing authority, stores it in place of an earlier copy, and registers it at once. This is
  /// code of the app and not of its extension: the app registers a document as soon as it has it.
  func acquire(_ identifier: String) async {
    guard let document = program.documents.first(where: { $0.identifier == identifier }) else { return }
    let isRenewal = documents.contains { $0.identifier == identifier }
    do {
      let stored = try await provision(document)
      try keep(stored)
      station.note(
        .providerDocumentIssued,
        "\(identifier) is issued\(isRenewal ? " again" : "")"
          + (stored.credential.validUntil.map { ", valid until \($0.moment)" } ?? ""))
    } catch {
      return notProvisioned(document, error)
    }
    await withStore { await updateRegistrations() }
  }

  /// Deletes a document after its registration. In the reverse order, a failure in between could leave an offer without a
  /// document. While the app is off, the registration is not offered and cannot be removed; the next update removes it.
  func deleteDocument(_ identifier: String) async {
    let error = await withStore { await remove(registration: identifier) }
    guard error == nil || error == .notAuthorized || error == .notSupported else {
      return station.note(.providerStorage, "\(identifier) stays, because its registration cannot be removed")
    }
    do {
      if let stored = documents.first(where: { $0.identifier == identifier }) { await deleteInProgram(stored) }
      try database.delete(identifier)
    } catch {
      return storageFailed(error)
    }
    documents.removeAll { $0.identifier == identifier }
    station.note(.providerDocumentDeleted, "\(name) deletes \(identifier)")
  }
}
