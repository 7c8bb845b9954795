import Messaging
import MobileDocument
import RelyingParty
import SimulationKernel
import Storage
import Vocabulary

/// Decides what a verifier server keeps of a response when its session ends.
package protocol RetentionPolicy: Sendable {
  /// Returns what the server keeps.
  /// - Parameters:
  ///   - documents: The verified documents; empty if the response is refused.
  ///   - requests: The requested elements, with the intent to retain each.
  ///   - response: The encrypted response as submitted.
  ///   - station: The server's journal.
  func kept(
    of documents: [VerifiedDocument], asking requests: [ItemsRequest], response: [UInt8], at station: Station
  ) -> [SessionStore.KeptItem]
}

/// The retention of a world without faults: the server keeps verified elements that it asked for with the intent to retain
/// them. It never stores another element, nor the response, which it holds in memory until it is verified.
package struct PromisedRetention: RetentionPolicy {
  /// Creates the standard retention.
  package init() {}

  /// Returns the elements of the promise.
  package func kept(
    of documents: [VerifiedDocument], asking requests: [ItemsRequest], response: [UInt8], at station: Station
  ) -> [SessionStore.KeptItem] {
    guard !documents.isEmpty else { return [] }
    let promise = RetentionPromise(requests)
    return documents.flatMap { document in
      document.elements.filter {
        promise.covers(documentType: document.documentType, nameSpace: $0.nameSpace, identifier: $0.identifier)
      }.map { SessionStore.KeptItem($0, of: document) }
    }
  }
}

extension SessionStore.KeptItem {
  /// A verified element of a document.
  package init(_ element: VerifiedDocument.Element, of document: VerifiedDocument) {
    self.init(
      documentType: document.documentType, nameSpace: element.nameSpace, identifier: element.identifier,
      value: element.value)
  }
}

extension VerifierServer {
  /// Notes what the store holds of a session that has ended. A store that holds nothing of it is not noted.
  func noteKept(of session: String) {
    do {
      let kept = try sessions.kept(of: session)
      guard !kept.isEmpty else { return }
      let names = kept.map { kind in
        if case .element(_, _, let identifier) = kind { identifier } else { "the encrypted response" }
      }
      station.note(
        .websiteKept, "after the session the store holds \(names.joined(separator: ", "))",
        facts: [Note.Fact(Note.Kept.session, session)]
          + kept.map { kind in
            switch kind {
            case .element(let documentType, let nameSpace, let identifier):
              Note.Kept.Element(documentType: documentType, nameSpace: nameSpace, identifier: identifier).fact
            case .response: Note.Fact(Note.Kept.response, "encrypted")
            }
          })
    } catch {
      station.note(.websiteStorage, "the kept elements cannot be read: \(journalMessage(of: error))")
    }
  }
}
