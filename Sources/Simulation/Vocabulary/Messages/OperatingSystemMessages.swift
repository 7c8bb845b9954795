import DevicePlatform
import JSON
import Proximity

/// The partial request and the origin for an app.
package struct AuthorizeBody: Sendable, JSONObject {
  package var origin: String
  package var partialRequest: PartialRequestBody

  package init(origin: String, partialRequest: PartialRequestBody) {
    (self.origin, self.partialRequest) = (origin, partialRequest)
  }

  package static let json = JSONForm<Self>(
    Self.init, Member("origin", \.origin), Member("partialRequest", \.partialRequest))
}

/// The reason why the system did not authenticate the owner, for the app whose view is on the screen.
package struct AuthenticationFailedBody: Sendable, JSONObject {
  package var reason: OwnerAuthentication.Failure

  package init(reason: OwnerAuthentication.Failure) { self.reason = reason }

  package static let json = JSONForm<Self>(Self.init, Member("reason", \.reason))
}

/// The end of the selector or of an app's view, on the person's screen.
public struct DismissScreen: LocalScreen, Equatable, JSONObject {
  /// A message for the person.
  public var notice: String?
  /// The texts in the language of the device; nil for English.
  public var local: LocalTexts?

  package static let json = JSONForm<Self>(
    Self.init, Member(optional: "notice", \.notice), Member(optional: "local", \.local))
}

extension DismissScreen {
  package init(notice: PresentmentNotice? = nil, in language: Language = .english) {
    self.notice = notice?.message
    local = notice.flatMap { LocalTexts(language, about: $0) }
  }
}

/// An app's reason for abandoning a presentment.
package struct AbandonBody: Sendable, JSONObject {
  package var reason: String

  package init(reason: String) { self.reason = reason }

  package static let json = JSONForm<Self>(Self.init, Member("reason", \.reason))
}

/// Removal of a registration.
package struct RemoveRegistrationBody: Sendable, JSONObject {
  package var documentIdentifier: String

  package init(documentIdentifier: String) { self.documentIdentifier = documentIdentifier }

  package static let json = JSONForm<Self>(Self.init, Member("documentIdentifier", \.documentIdentifier))
}

/// The prompt that asks the person, once, whether an app may provide documents.
public struct PromptScreen: LocalScreen, Equatable, JSONObject {
  /// Name of the app.
  public var app: String
  /// The question.
  public var question: String
  /// Labels of the answers.
  public var buttons: [String]
  /// The texts in the language of the device; nil for English.
  public var local: LocalTexts?

  /// The label of the button that allows the app.
  public static let allow = "Allow"
  /// The label of the button that does not allow the app.
  public static let doNotAllow = "Don't Allow"

  package static let json = JSONForm<Self>(
    Self.init, Member("app", \.app), Member("question", \.question), Member("buttons", \.buttons),
    Member(optional: "local", \.local))
}

extension PromptScreen {
  package init(app: String, in language: Language = .english) {
    self.app = app
    let asked = ScreenText(.promptQuestion, ["app": .name(app)])
    question = asked.english
    buttons = [Self.doNotAllow, Self.allow]
    local = LocalTexts(language, [asked] + buttons.map(ScreenWord.control))
  }
}

/// The selector on the person's screen.
public struct SelectorScreen: LocalScreen, Equatable, JSONObject {
  /// An app that may answer.
  public struct Offered: Sendable, Equatable, JSONObject {
    /// Name of the app.
    public var app: String
    /// The document types of its possible answers.
    public var documents: [String]
    /// The number of its documents, in words; nil for one of each type.
    public var count: String?

    /// What the app offers, in words: the types, and the number of documents.
    public var words: String { words(in: .english) { $0 } }

    fileprivate func words(in language: Language, _ says: (String) -> String) -> String {
      let types = documents.map { ElementNames.label(documentType: $0, in: language) }
        .joined(separator: language.listSeparator)
      guard let count else { return types }
      return ScreenText(.severalOf, ["documents": .name(types), "count": .name(says(count))]).text(in: language)
    }

    package static let json = JSONForm<Self>(
      Self.init, Member("app", \.app), Member("documents", \.documents), Member(optional: "count", \.count))
  }

  /// An app that may not answer. A real selector does not show it; this one explains it on demand.
  public struct Hidden: Sendable, Equatable, JSONObject {
    /// Name of the app.
    public var app: String
    /// Code of the first condition that did not hold.
    public var code: String
    /// The message of the condition.
    public var message: String
    /// The change that makes the app appear.
    public var remedy: String

    package static let json = JSONForm<Self>(
      Self.init, Member("app", \.app), Member("code", \.code), Member("message", \.message), Member("remedy", \.remedy))
  }

  /// Origin of the website.
  public var origin: String
  /// Apps to choose from.
  public var offered: [Offered]
  /// Apps that cannot be chosen.
  public var hidden: [Hidden]
  /// A message about an app that can no longer be chosen.
  public var notice: String?
  /// The label of the entry that continues on another device; nil without one.
  public var anotherDevice: String?
  /// The texts in the language of the device; nil for English.
  public var local: LocalTexts?

  /// The label of the entry that continues on another device.
  public static let anotherDeviceLabel = "Another Device"

  /// The party that asks, at the beginning of a sentence.
  public var asker: String { origin == InPersonRequest.origin ? "The reader" : "The website" }

  /// Returns what an app offers, in words of the device's language.
  public func words(of offer: Offered) -> String { offer.words(in: language, says) }

  package static let json = JSONForm<Self>(
    Self.init, Member("origin", \.origin), Member("offered", \.offered), Member("hidden", \.hidden),
    Member(optional: "notice", \.notice), Member(optional: "anotherDevice", \.anotherDevice),
    Member(optional: "local", \.local))
}

extension SelectorScreen {
  package init(
    _ selection: Selection, origin: String, notice: PresentmentNotice? = nil, offersAnotherDevice: Bool,
    in language: Language = .english
  ) {
    self.origin = origin
    self.notice = notice?.message
    anotherDevice = offersAnotherDevice ? Self.anotherDeviceLabel : nil
    offered = selection.offered.map { offer in
      Offered(
        app: offer.app, documents: offer.registrations.map(\.mobileDocumentType).uniqued(),
        count: offer.documentCount?.english)
    }
    hidden = selection.hidden.map { Hidden(app: $0.app, code: $0.finding.name, message: $0.message, remedy: $0.remedy) }
    var texts = [anotherDevice.flatMap(ScreenWord.control), LocalTexts.nearby(origin)]
    for offer in selection.offered where offer.registrations.count > 1 { texts.append(offer.documentCount) }
    local = LocalTexts(language, texts, about: notice)
    guard local != nil else { return }
    for type in offered.flatMap(\.documents) { local?.add(ElementNames.translations(documentType: type), for: type) }
    for app in selection.hidden {
      let type = app.documentType.map { ElementNames.label(documentType: $0, in: language) } ?? ""
      local?.add(ScreenText(app.finding.words.hidden), for: app.message)
      local?.add(ScreenText(app.finding.words.help, ["app": .name(app.app), "type": .name(type)]), for: app.remedy)
    }
  }
}

extension Selection.Offer {
  /// The number of documents, if there are several of one type.
  fileprivate var documentCount: ScreenText? {
    guard registrations.count > 1 else { return nil }
    let types = registrations.map(\.mobileDocumentType)
    guard types.count > types.uniqued().count else { return nil }
    return ScreenText(.documentCount, ["count": .name("\(types.count)")])
  }
}

/// The operating system's task for the sandbox: the call whose request is to be parsed, and the origin of its page.
package struct ParseTaskBody: Sendable, JSONObject {
  /// The holder's number of the call.
  package var call: Int
  package var origin: String
  /// The protocol of OpenID4VP; nil for a request for mobile documents.
  package var openID4VP: String?
  /// The role of the party that holds the request.
  package var holder: String

  package init(call: Int, origin: String, openID4VP: String? = nil, holder: String) {
    (self.call, self.origin, self.openID4VP, self.holder) = (call, origin, openID4VP, holder)
  }

  package static let json = JSONForm<Self>(
    Self.init, Member("call", \.call), Member("origin", \.origin), Member(optional: "openID4VP", \.openID4VP),
    Member("holder", \.holder))
}
