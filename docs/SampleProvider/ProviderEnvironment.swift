import Crypto
import Foundation
import IdentityDocumentServices

/// The values that app and extension share.
struct ProviderEnvironment: Sendable {
  /// The app's documents.
  let storage: any DocumentStorage
  /// Answers requests, with the roots of the reader authorities that the app trusts.
  let responder: MobileDocumentResponder
  /// Returns the time.
  var now: @Sendable () -> Date = { Date() }
  /// Returns the key of one response.
  var ephemeralKey: @Sendable () async -> P256.KeyAgreement.PrivateKey = { P256.KeyAgreement.PrivateKey() }
  /// Shows a notice to the person.
  let show: @Sendable (Notice) async -> Void
}

/// A notice to the person, outside the authorization view.
enum Notice: Sendable, Equatable {
  /// The system does not support presentment on the web.
  case webPresentmentNotSupported
  /// The person declined when the system asked; only Settings can change that.
  case allowInSettings
  /// A document could not be registered, or its registration could not be removed.
  case registrationFailed(documentIdentifier: String, reason: String)
  /// The registrations could not be brought up to date.
  case updateFailed(reason: String)
  /// The website got its answer.
  case answered
  /// The app refused to answer.
  case refused(reason: String)
  /// The answer could not be given.
  case failed(reason: String)

  /// The notice in words.
  var text: String {
    switch self {
    case .webPresentmentNotSupported: "This device cannot show documents to websites."
    case .allowInSettings: "To show your documents to websites, allow this app in Settings."
    case .registrationFailed(let identifier, let reason): "Websites cannot be offered \(identifier): \(reason)"
    case .updateFailed(let reason): "Your documents could not be offered to websites: \(reason)"
    case .answered: "Your information was sent."
    case .refused(let reason): "Nothing was sent, for your protection: \(reason)"
    case .failed(let reason): "Nothing was sent: \(reason)"
    }
  }
}
