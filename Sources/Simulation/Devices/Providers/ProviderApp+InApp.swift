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
      let holds = documents.contains { $0.document.documentType == type }
      station.send(.done, [holds], to: message.sender, answering: message)
    default:
      guard let request = message.body(WalletRequest.self) else {
        return station.ignore(message)
      }
      inquire(IdentityInquiry(message: message, request: request))
    }
  }

  /// Shows the consent sheet, and answers.
  func answer(_ inquiry: IdentityInquiry, in presentment: Int) async {
    let (message, request) = (inquiry.message, inquiry.request)
    guard let description = request.request.description,
      let stored = documents.first(where: { $0.document.documentType == description.documentType })
    else {
      return station.send(.identityUnavailable, [String](), to: message.sender, answering: message)
    }
    let held = stored.document.elementNames
    let items = description.itemsRequest { nameSpace, identifier in
      held.contains(AlternativeElements.Name(nameSpace, identifier))
    }
    guard !items.nameSpaces.isEmpty else {
      return station.send(.identityUnavailable, [String](), to: message.sender, answering: message)
    }
    let decision = await ask(
      AuthorizationScreen(
        app: name, requester: request.organization, icon: nil, isRequesterCertified: true, origin: "",
        requestingApp: request.app, elements: AuthorizationScreen.elements(of: items, described: description),
        agreeing: WalletProvider.agreeing, declining: WalletProvider.declining),
      in: presentment)
    switch decision {
    case .agrees where !documents.contains(where: { $0.identifier == stored.identifier }):
      station.send(.identityUnavailable, [String](), to: message.sender, answering: message)
    case .agrees:
      do {
        let envelope = try await identityAnswers.envelope(
          to: ApprovedIdentityRequest(request: request, items: items), with: stored, from: self)
        station.record(.consent(.answered(app: name)))
        station.send(.identityEnvelope, bytes: envelope, as: MediaType.cbor, to: message.sender, answering: message)
      } catch {
        station.note(.providerFailed, "\(error)")
        station.send(.identityFailed, [String](), to: message.sender, answering: message)
      }
    case .declines: station.send(.identityDeclined, [String](), to: message.sender, answering: message)
    case .ended: break
    }
  }
}

extension HeldDocument {
  /// The names of the document's elements.
  fileprivate var elementNames: [AlternativeElements.Name] {
    nameSpaces.flatMap { space in
      space.items.map { AlternativeElements.Name(space.name, $0.value.elementIdentifier) }
    }
  }
}

extension AuthorizationScreen {
  /// The elements of an app's request, with the app's intention to store each.
  fileprivate static func elements(of items: ItemsRequest, described description: IdentityDescription) -> [Element] {
    items.nameSpaces.flatMap { space in
      space.elements.map { element in
        Element(
          documentType: items.documentType, nameSpace: space.name, identifier: element.identifier,
          label: DataElementCatalogue.label(nameSpace: space.name, identifier: element.identifier),
          isRetained: element.intentToRetain,
          storage: description.intent(nameSpace: space.name, identifier: element.identifier)?.description)
      }
    }
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
    try PresentableDocument(document.document, deviceKey: document.deviceKey)
      .envelope(
        answering: request.items, of: try request.handover(), to: try request.recipientKey(),
        ephemeralKey: app.ephemeralKey()
      ).encoded
  }
}
