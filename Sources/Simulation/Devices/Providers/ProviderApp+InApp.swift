import Crypto
import DevicePlatform
import IdentityDocumentServices
import Messaging
import MobileDocument
import PassKit
import Primitives
import Storage
import Vocabulary
import WebPresentment

/// Wallet's part in an app's request for a document, with the same consent sheet as for a website's.
extension ProviderApp {
  /// A request whose consent sheet has not been shown.
  struct IdentityInquiry {
    let message: Message
    let request: WalletRequest
  }

  /// Receives an app's request from the system.
  func receiveIdentityRequest(_ message: Message) {
    switch message.kind {
    case .holdsDocument:
      let type = message.body([String].self)?.first
      let holds = type.map { !presentable(ofType: $0).isEmpty } ?? false
      station.answer(message, .done, [holds])
    default:
      guard let request = station.body(WalletRequest.self, of: message) else { return }
      inquire(IdentityInquiry(message: message, request: request))
    }
  }

  /// The documents of a type, those first that Wallet can present now.
  private func candidates(ofType type: String) -> [StoredDocument] {
    let all = documents.filter { $0.document?.documentType == type }
    let presentable = presentable(ofType: type)
    return presentable + all.filter { document in !presentable.contains { $0.identifier == document.identifier } }
  }

  /// The documents of a type that Wallet can present now. Registrations play no part.
  private func presentable(ofType type: String) -> [StoredDocument] {
    documents.filter { $0.document?.documentType == type && refusal(of: $0) == nil }
  }

  private func refusal(of stored: StoredDocument) -> ProviderRefusal? {
    guard let deviceKey = stored.deviceKey else { return ProviderRefusal(.document) }
    return PresentableDocument(stored.credential, deviceKey: deviceKey).refusal(at: station.now)
  }

  /// Shows the consent sheet, and answers.
  func answer(_ inquiry: IdentityInquiry, in presentment: Int) async {
    let (message, request) = (inquiry.message, inquiry.request)
    func unavailable(_ reason: String? = nil) {
      station.answer(message, .identityUnavailable, [reason].compactMap(\.self))
    }
    guard let description = request.request.description else { return unavailable() }
    let candidates = candidates(ofType: description.documentType).filter {
      !($0.document?.items(answering: description).nameSpaces ?? []).isEmpty
    }
    guard let first = candidates.first else { return unavailable() }
    let problems = Dictionary(candidates.map { ($0.identifier, refusal(of: $0)?.finding) }) { $1 }
    let contents = ViewContents(showing: first.identifier) { [name] chosen in
      let shown = candidates.first { $0.identifier == chosen } ?? first
      return AuthorizationScreen(
        app: name, requester: request.organization, icon: nil, isRequesterCertified: true, origin: "",
        requestingApp: request.app,
        documents: candidates.map { candidate in
          AuthorizationScreen.Document(
            candidate, isChosen: candidate.identifier == shown.identifier,
            finding: problems[candidate.identifier] ?? nil)
        },
        elements: shown.document.map { AuthorizationScreen.elements(of: $0, described: description) } ?? [],
        agreeing: WalletStyle.agreeing, declining: WalletStyle.declining)
    }
    let answer = await ask(contents, in: presentment)
    switch answer.decision {
    case .agrees:
      // The document that the person saw: not a later copy, and not another one.
      let shown = candidates.first { $0.identifier == answer.screen.chosen.first?.identifier }
      guard let shown, let document = shown.document,
        documents.contains(where: { $0.identifier == shown.identifier && $0.issued == shown.issued })
      else { return unavailable() }
      if let refusal = refusal(of: shown) {
        station.record(refusal.result)
        return unavailable(refusal.message)
      }
      do {
        let items = document.items(answering: description)
        let envelope = try await identityAnswers.envelope(
          to: ApprovedIdentityRequest(request: request, items: items), with: shown, from: self)
        station.record(.consent(.answered(app: name)))
        station.answer(message, .identityEnvelope, bytes: envelope, as: MediaType.cbor)
      } catch {
        station.note(.providerFailed, "\(error)")
        station.answer(message, .identityFailed, [String]())
      }
    case .declines: station.answer(message, .identityDeclined, [String]())
    case .ended: break
    }
  }
}

extension HeldDocument {
  /// The names of the document's elements.
  fileprivate var elementNames: [AlternativeElements.Name] {
    nameSpaces.flatMap { space in space.items.map { AlternativeElements.Name(space.name, $0.value.elementIdentifier) } }
  }

  /// The elements that answer an app's request.
  fileprivate func items(answering description: IdentityDescription) -> ItemsRequest {
    let held = elementNames
    return description.itemsRequest { held.contains(AlternativeElements.Name($0, $1)) }
  }
}

extension AuthorizationScreen.Document {
  /// A document that an app holds.
  init(_ stored: StoredDocument, isChosen: Bool, finding: ProviderFinding? = nil) {
    self.init(
      identifier: stored.identifier, documentType: stored.credential.registeredType,
      title: DataElementCatalogue.label(documentType: stored.credential.registeredType),
      issuer: stored.credential.issuerName, isChosen: isChosen, finding: finding)
  }
}

extension AuthorizationScreen {
  /// The elements of an app's request, with the app's intention to store each: those that a document has, and those of the
  /// elements of PassKit that it has no part of.
  fileprivate static func elements(of document: HeldDocument, described description: IdentityDescription) -> [Element] {
    func elements(_ items: ItemsRequest, _ absence: Element.Absence? = nil) -> [Element] {
      items.nameSpaces.flatMap { space in
        space.elements.map { element in
          Element(
            documentType: items.documentType, nameSpace: space.name, identifier: element.identifier,
            label: DataElementCatalogue.label(nameSpace: space.name, identifier: element.identifier),
            isRetained: element.intentToRetain,
            intent: description.intent(nameSpace: space.name, identifier: element.identifier),
            absence: absence)
        }
      }
    }
    // An element of PassKit that covers several elements of the license is missing once, by its first.
    let absent = description.elements.map { element in
      IdentityDescription(documentType: description.documentType, elements: [element])
    }.filter { document.items(answering: $0).nameSpaces.isEmpty }
    return elements(document.items(answering: description))
      + absent.flatMap { elements($0.itemsRequest, .notHeld).prefix(1) }
  }
}

/// An app's request that the person has approved.
package struct ApprovedIdentityRequest: Sendable {
  /// The request, with the requester and the key to seal for.
  package let request: WalletRequest
  /// The elements to return.
  package let items: ItemsRequest

  /// The handover of the request.
  /// - Throws: An error of the key.
  package func handover() throws -> AppleHandover {
    AppleHandover(
      nonce: request.request.nonce, merchantIdentifier: request.request.merchantIdentifier,
      teamIdentifier: request.teamIdentifier, recipient: try recipientKey())
  }

  /// The key to seal for.
  /// - Throws: An error of the key.
  package func recipientKey() throws -> P256.KeyAgreement.PublicKey {
    try P256.KeyAgreement.PublicKey(x963Representation: request.recipientKey)
  }
}

/// Builds and seals Wallet's answers to apps' requests.
package protocol IdentityAnswerBuilder: Sendable {
  /// Returns the encoded envelope of an answer.
  /// - Throws: An error that makes Wallet abandon the request.
  func envelope(
    to request: ApprovedIdentityRequest, with document: StoredDocument, from app: isolated ProviderApp
  ) async throws -> [UInt8]
}

/// The builder of a world without faults.
package struct StandardIdentityAnswerBuilder: IdentityAnswerBuilder {
  /// Creates the standard builder.
  package init() {}

  /// Answers with the document.
  package func envelope(
    to request: ApprovedIdentityRequest, with document: StoredDocument, from app: isolated ProviderApp
  ) async throws -> [UInt8] {
    guard let deviceKey = document.deviceKey else { throw ProviderRefusal(.document) }
    return try PresentableDocument(document.credential, deviceKey: deviceKey)
      .envelope(
        answering: request.items, of: try request.handover(), to: try request.recipientKey(),
        ephemeralKey: app.ephemeralKey()
      ).encoded
  }
}
