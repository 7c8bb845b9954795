import DevicePlatform
import Foundation
import Primitives

/// The partial request and the origin for an app.
package struct AuthorizeBody: Codable, Sendable {
  package var origin: String
  package var partialRequest: PartialRequestBody
}

/// The raw request for an app, after the person acted.
package struct RawRequestBody: Codable, Sendable {
  /// UTF-8 JSON in base64url.
  package var requestData: String
}

/// An app's reason for abandoning a presentment.
struct AbandonBody: Codable, Sendable {
  var reason: String
}

/// Removal of a registration.
struct RemoveRegistrationBody: Codable, Sendable {
  var documentIdentifier: String
}

/// The prompt that asks the person, once, whether an app may provide documents.
public struct PromptScreen: Codable, Sendable, Equatable {
  /// Name of the app.
  public var app: String
  /// The question.
  public var question: String
  /// Labels of the answers.
  public var buttons: [String]

  /// The label of the button that allows the app.
  public static let allow = "Allow"
  /// The label of the button that does not allow the app.
  public static let doNotAllow = "Don't Allow"

  init(app: String) {
    self.app = app
    question = "\(app) would like to provide identity documents to websites."
    buttons = [Self.doNotAllow, Self.allow]
  }
}

/// The selector on the person's screen.
public struct SelectorScreen: Codable, Sendable, Equatable {
  /// An app that may answer.
  public struct Offered: Codable, Sendable, Equatable {
    /// Name of the app.
    public var app: String
    /// The document types of its possible answers.
    public var documents: [String]
  }

  /// An app that may not answer. A real selector does not show it; this one explains it on demand.
  public struct Hidden: Codable, Sendable, Equatable {
    /// Name of the app.
    public var app: String
    /// Code of the first condition that did not hold.
    public var code: String
    /// The message of the condition.
    public var message: String
    /// The change that makes the app appear.
    public var remedy: String
  }

  /// Origin of the website.
  public var origin: String
  /// Apps to choose from.
  public var offered: [Offered]
  /// Apps that cannot be chosen.
  public var hidden: [Hidden]
}

extension SelectorScreen {
  init(_ selection: Selection, origin: String) {
    self.origin = origin
    offered = selection.offered.map { offer in
      Offered(app: offer.app, documents: offer.registrations.map(\.mobileDocumentType).uniqued())
    }
    hidden = selection.hidden.map {
      Hidden(app: $0.app, code: $0.finding.name, message: $0.message, remedy: $0.remedy)
    }
  }
}
