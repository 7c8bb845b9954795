import Crypto
import Foundation
import IdentityDocumentServices
import MobileDocument
import Vocabulary

/// The place of a provider app in a world: its documents and keys, the time, and the screen. The registration store and
/// the contexts of presentments are those of `IdentityDocumentServices`.
public struct ProviderSurroundings: Sendable {
  let app: ProviderApp
  /// The number of the presentment for which the code runs; nil for another call.
  let presentment: Int?

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
  }

  /// The name of the app.
  public var name: String { app.name }

  /// The world's time.
  public var now: Date { app.station.now.date }

  /// The language of the device, for the app's own texts.
  public var language: Language { app.station.language }

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
  /// - Parameter view: Makes the view; again after the person has chosen another document.
  public func ask(
    _ choice: DocumentChoice, about context: ISO18013MobileDocumentRequestContext,
    view: @escaping @Sendable (DocumentChoice) -> ProviderView
  ) async -> Decision {
    let answer = await app.ask(choice, about: context, in: presentment, view: view)
    return switch answer.decision {
    case .agrees: .agrees(answer.choice ?? choice)
    case .declines: .declines
    case .ended: .ended
    }
  }

  /// Shows a view, and answers the request with the app's documents or cancels it, as the person decides.
  /// - Parameter view: Makes the view from the requester's identity and the requested elements; again after the person has
  ///   chosen another document.
  public func authorize(
    _ context: ISO18013MobileDocumentRequestContext,
    view: @escaping @Sendable (RequesterIdentity, [AuthorizationScreen.Element]) -> ProviderView
  ) async {
    await app.authorize(context, in: presentment, view: view)
  }

  /// Brings the registrations of the app's documents up to date.
  public func updateRegistrations() async { await app.updateRegistrations() }

  /// Records a message of the app.
  public func report(_ message: String) async { app.station.note(.providerMessage, message) }
}
