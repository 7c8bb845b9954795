import Crypto
import Foundation
import IdentityDocumentServices
import Vocabulary

/// What a world gives to the code of a provider app.
package protocol ProviderWorld: Sendable {
  /// The name of the app.
  var name: String { get }
  var now: Date { get }
  var language: Language { get }

  func providedDocuments() async -> [ProviderSurroundings.Document]
  func responder() async -> MobileDocumentResponder
  func ephemeralKey() async -> P256.KeyAgreement.PrivateKey
  func ask(
    _ choice: DocumentChoice, about context: ISO18013MobileDocumentRequestContext, in presentment: Int?,
    view: @escaping @Sendable (DocumentChoice) -> ProviderView
  ) async -> ProviderSurroundings.Decision
  func authorize(
    _ context: ISO18013MobileDocumentRequestContext, in presentment: Int?,
    view: @escaping @Sendable (RequesterIdentity, [AuthorizationScreen.Element]) -> ProviderView
  ) async
  func updateRegistrations() async
  func report(_ message: String) async
}

/// The place of a provider app in a world: its documents and keys, the time, and the screen. The registration store and
/// the contexts of presentments are those of `IdentityDocumentServices`.
public struct ProviderSurroundings: Sendable {
  private let app: any ProviderWorld
  /// The number of the presentment for which the code runs; nil for another call.
  private let presentment: Int?

  package init(app: any ProviderWorld, presentment: Int?) { (self.app, self.presentment) = (app, presentment) }

  /// A document of the app.
  public struct Document: Sendable {
    /// The identifier of the document and of its registration.
    public let identifier: String
    /// The `IssuerSigned` from the issuer, in CBOR.
    public let issuedDocument: Data
    /// The device key, 32 bytes.
    public let deviceKey: Data
    /// The document with its device key. Its signatures follow from the world's seed.
    public let presentable: PresentableDocument
    /// The end of the registration; nil for never.
    public let invalidationDate: Date?

    package init(
      identifier: String, issuedDocument: Data, deviceKey: Data, presentable: PresentableDocument,
      invalidationDate: Date?
    ) {
      (self.identifier, self.issuedDocument, self.deviceKey) = (identifier, issuedDocument, deviceKey)
      (self.presentable, self.invalidationDate) = (presentable, invalidationDate)
    }
  }

  /// The name of the app.
  public var name: String { app.name }

  /// The world's time.
  public var now: Date { app.now }

  /// The language of the device, for the app's own texts.
  public var language: Language { app.language }

  /// The documents that the app holds, in the order of preference.
  public func documents() async -> [Document] { await app.providedDocuments() }

  /// A responder that trusts the reader authorities of the app, as the world describes them.
  public func responder() async -> MobileDocumentResponder { await app.responder() }

  /// A key for one response, from the world's seed.
  public func ephemeralKey() async -> P256.KeyAgreement.PrivateKey { await app.ephemeralKey() }

  /// The person's decision in a view.
  public enum Decision: Sendable {
    /// The person agrees that the app gives these documents.
    case agrees(DocumentChoice)
    /// The person declines.
    case declines
    /// The presentment has ended.
    case ended
  }

  /// Shows a view and waits for the person's decision. The view has the documents of the choice, and the person can choose
  /// others.
  /// - Parameters:
  ///   - choice: The documents that the app gives, and the others that can answer.
  ///   - context: The context of the presentment.
  ///   - view: Makes the view; again after the person has chosen another document.
  public func ask(
    _ choice: DocumentChoice, about context: ISO18013MobileDocumentRequestContext,
    view: @escaping @Sendable (DocumentChoice) -> ProviderView
  ) async -> Decision {
    await app.ask(choice, about: context, in: presentment, view: view)
  }

  /// Shows a view, and answers the request with the app's documents or cancels it, as the person decides.
  /// - Parameters:
  ///   - context: The context of the presentment.
  ///   - view: Makes the view from the requester's identity and the requested elements; again after the person has chosen
  ///     another document.
  public func authorize(
    _ context: ISO18013MobileDocumentRequestContext,
    view: @escaping @Sendable (RequesterIdentity, [AuthorizationScreen.Element]) -> ProviderView
  ) async {
    await app.authorize(context, in: presentment, view: view)
  }

  /// Brings the registrations of the app's documents up to date.
  public func updateRegistrations() async { await app.updateRegistrations() }

  /// Records a message of the app.
  public func report(_ message: String) async { await app.report(message) }
}
