import Certificates
import DevicePlatform
import IdentityDocumentServices
import JSON
import MobileDocument
import PassKit
import Primitives
import Proximity

/// An app's view for the person before it answers: the requester, the documents, the elements, and which of them are
/// retained.
public struct AuthorizationScreen: LocalScreen, Equatable, JSONObject {
  /// A document that can answer.
  public struct Document: Sendable, Hashable, JSONObject {
    /// The app's identifier of the document.
    public var identifier: String
    /// `DocType`.
    public var documentType: String
    /// The display name of the document type.
    public var title: String
    /// The name of the issuing authority.
    public var issuer: String
    /// True if the app gives this document when the person agrees.
    public var isChosen: Bool
    /// The reason for which the app would not give it, or nil.
    public var problem: String?
    /// The finding behind that reason, which only the app knows.
    private(set) var finding: ProviderFinding?

    package init(
      identifier: String, documentType: String, title: String, issuer: String, isChosen: Bool, problem: String? = nil,
      finding: ProviderFinding? = nil
    ) {
      self.identifier = identifier
      self.documentType = documentType
      self.title = title
      self.issuer = issuer
      self.isChosen = isChosen
      self.problem = problem ?? finding?.message
      self.finding = finding
    }

    /// The document in words: its title, its issuer, and the reason for which the app would not give it.
    public var words: String { words(in: .english) { $0 } }

    fileprivate func words(in language: Language, _ says: (String) -> String) -> String {
      var names = ["document": says(title), "issuer": issuer]
      names["problem"] = problem.map(says)
      return ScreenText(problem == nil ? .documentOf : .problemOf, names.mapValues { .name($0) }).text(in: language)
    }

    package init(_ option: DocumentChoice.Option) {
      self.init(
        identifier: option.documentIdentifier, documentType: option.documentType,
        title: DataElementCatalogue.label(documentType: option.documentType), issuer: option.issuerName,
        isChosen: option.isChosen, finding: option.finding)
    }

    package static let json = JSONForm<Self>(
      { Self(identifier: $0, documentType: $1, title: $2, issuer: $3, isChosen: $4, problem: $5) },
      Member("identifier", \.identifier), Member("documentType", \.documentType), Member("title", \.title),
      Member("issuer", \.issuer), Member("isChosen", \.isChosen), Member(optional: "problem", \.problem))
  }

  /// A requested element.
  public struct Element: Sendable, Hashable, JSONObject {
    /// `DocType`.
    public var documentType: String
    /// `NameSpace`.
    public var nameSpace: String
    /// `DataElementIdentifier`.
    public var identifier: String
    /// The label.
    public var label: String
    /// True if the requester intends to retain the element.
    public var isRetained: Bool
    /// A requesting app's intention to store the element, in words; nil for a website.
    public var storage: String?
    /// That intention, which only the app knows.
    private(set) var intent: PKIdentityIntentToStore?
    /// The reason for which the element is not given; nil for one that is.
    public var absence: Absence?

    /// The reason for which an element is not given.
    public enum Absence: String, Sendable, CaseIterable, JSONWritable, JSONReadable {
      /// The chosen document does not have the element.
      case notHeld
      /// Another document is given in place of the one with the element.
      case notNeeded

      /// The reason in words.
      public var words: String { text.english }
    }

    package init(
      documentType: String, nameSpace: String, identifier: String, label: String, isRetained: Bool,
      storage: String? = nil, intent: PKIdentityIntentToStore? = nil, absence: Absence? = nil
    ) {
      self.documentType = documentType
      self.nameSpace = nameSpace
      self.identifier = identifier
      self.label = label
      self.isRetained = isRetained
      self.storage = storage ?? intent?.description
      self.intent = intent
      self.absence = absence
    }

    /// The intention to store the element, in words, or the reason for which it is not given.
    public var storageText: String {
      absence?.words ?? storage ?? (isRetained ? "will be stored" : "will not be stored")
    }

    package static let json = JSONForm<Self>(
      { Self(documentType: $0, nameSpace: $1, identifier: $2, label: $3, isRetained: $4, storage: $5, absence: $6) },
      Member("documentType", \.documentType), Member("nameSpace", \.nameSpace),
      Member("identifier", \.identifier), Member("label", \.label), Member("isRetained", \.isRetained),
      Member(optional: "storage", \.storage), Member(optional: "absence", \.absence))
  }

  /// Name of the app.
  public var app: String
  /// The heading of the app's own view; nil for the heading of the shipped views.
  public var title: String?
  /// Lines of the app's own text; nil for a shipped view.
  public var lines: [String]?
  /// The requester's brand name, or its domain without a certified brand.
  public var requester: String
  /// The requester's brand icon.
  public var icon: String?
  /// The picture in the requester's certificate.
  public var logotype: Logotype?
  /// True if a reader authority that the app trusts has certified the requester.
  public var isRequesterCertified: Bool
  /// Origin of the website; empty for a requesting app, and `A reader nearby` for a reader near the device.
  public var origin: String
  /// The name of the requesting app; nil for a website.
  public var requestingApp: String?

  /// True for the request of a reader near the device.
  public var isInPerson: Bool { origin == InPersonRequest.origin }

  /// The app or the host that asks.
  public var asker: String { requestingApp ?? origin.withoutScheme }

  /// The documents that can answer, in the app's order.
  public var documents: [Document]
  /// The requested elements, in the order of the request's documents; within one by name space and identifier.
  public var elements: [Element]
  /// Labels of the controls that agree, as the app declares them to the system.
  public var agreeing: [String]
  /// Labels of the controls that decline.
  public var declining: [String]
  /// A message about the person's last attempt.
  public var notice: String?
  /// The number of the view, which a touch names: from the app to the system the app's own, and to the person the system's.
  public var number: Int
  /// The texts in the language of the device; nil for English.
  public var local: LocalTexts?
  /// The failure of the person's last attempt, which only the app knows.
  private var failure: OwnerAuthentication.Failure?
  /// The app's own texts with their translations, which only the app knows.
  package var ownTexts: [ScreenText] = []

  /// The number in the message. The first view has none.
  fileprivate var laterNumber: Int? { number > 1 ? number : nil }

  package init(
    app: String, title: String? = nil, lines: [String]? = nil, requester: String, icon: String? = nil,
    logotype: Logotype? = nil, isRequesterCertified: Bool, origin: String, requestingApp: String? = nil,
    documents: [Document] = [], elements: [Element], agreeing: [String], declining: [String], notice: String? = nil,
    number: Int? = nil, local: LocalTexts? = nil
  ) {
    self.app = app
    self.title = title
    self.lines = lines
    self.requester = requester
    self.icon = icon
    self.logotype = logotype
    self.isRequesterCertified = isRequesterCertified
    self.origin = origin
    self.requestingApp = requestingApp
    self.documents = documents
    self.elements = elements
    self.agreeing = agreeing
    self.declining = declining
    self.notice = notice
    self.number = number ?? 1
    self.local = local
  }

  /// Returns a document in words of the device's language.
  public func words(of document: Document) -> String { document.words(in: language, says) }

  /// The documents that the app gives when the person agrees.
  public var chosen: [Document] { documents.filter(\.isChosen) }

  /// The documents that the person can choose instead.
  public var others: [Document] { documents.filter { !$0.isChosen } }

  /// The elements that the app gives when the person agrees.
  public var given: [Element] { elements.filter { $0.absence == nil } }

  /// The requested elements that the app does not give.
  public var absent: [Element] { elements.filter { $0.absence != nil } }

  /// Labels of all controls, those that agree first.
  public var buttons: [String] { agreeing + declining }

  /// Says why the owner was not authenticated, and offers the passcode.
  package mutating func show(_ failure: OwnerAuthentication.Failure) {
    (notice, self.failure) = (failure.message, failure)
    let (face, passcode) = (OwnerAuthentication.Method.faceID.rawValue, OwnerAuthentication.Method.passcode.rawValue)
    if !agreeing.contains(passcode) { agreeing.append(passcode) }
    if [.faceLocked, .faceOff].contains(failure) { agreeing.removeAll { $0 == face } }
  }

  /// Takes over the last attempt in another view for the same request: its message, and the controls that are left.
  package mutating func keepAttempt(of view: AuthorizationScreen) {
    guard view.notice != nil else { return }
    (agreeing, notice, failure) = (view.agreeing, view.notice, view.failure)
  }

  /// The app's own text: the heading and the lines.
  public var text: [String] { [title].compactMap(\.self) + (lines ?? []) }

  /// The elements of a request, with what the chosen documents answer.
  package static func elements(of choice: DocumentChoice) -> [Element] {
    choice.elements.map { element in
      Element(
        documentType: element.documentType, nameSpace: element.nameSpace, identifier: element.identifier,
        label: DataElementCatalogue.label(nameSpace: element.nameSpace, identifier: element.identifier),
        isRetained: element.isRetaining, absence: Element.Absence(rawValue: element.disclosure.rawValue))
    }
  }

  package static let json = JSONForm<Self>(
    Self.init, Member("app", \.app), Member(optional: "title", \.title), Member(optional: "lines", \.lines),
    Member("requester", \.requester), Member(optional: "icon", \.icon),
    Member(optional: "logotype", \.logotype), Member("isRequesterCertified", \.isRequesterCertified),
    Member("origin", \.origin),
    Member(optional: "requestingApp", \.requestingApp), Member("documents", \.documents),
    Member("elements", \.elements), Member("agreeing", \.agreeing),
    Member("declining", \.declining), Member(optional: "notice", \.notice), Member(optional: "number", \.laterNumber),
    Member(optional: "local", \.local))
}

extension AuthorizationScreen {
  /// The view on a device with a language. A text of an app of its own stays as it is.
  package func shown(in language: Language) -> AuthorizationScreen {
    guard language != .english else { return self }
    var view = self
    view.local = LocalTexts(
      language,
      ownTexts + buttons.map(ScreenWord.control) + [failure?.text, LocalTexts.nearby(origin)]
        + documents.map(\.finding?.text) + elements.flatMap { [$0.intent?.text, $0.absence?.text] })
    for document in documents { view.local?.add(ElementNames.translations(documentType: document.documentType)) }
    for element in elements {
      view.local?.add(ElementNames.translations(nameSpace: element.nameSpace, identifier: element.identifier))
    }
    return view
  }
}

extension String {
  /// An origin without its scheme, by which screens name a website.
  package var withoutScheme: String { split(separator: "//", maxSplits: 1).last.map(String.init) ?? self }
}
