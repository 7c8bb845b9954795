import DevicePlatform
import IdentityDocumentServices
import JSON
import MobileDocument
import Primitives

/// The style of the wallet that comes with the system.
struct WalletStyle: ProviderStyle {
  let name = WorldDescription.App.Style.wallet.rawValue
  let meaning = "a consent sheet answered with Face ID"

  func provider(in surroundings: ProviderSurroundings) -> any IdentityDocumentProvider {
    WalletProvider(surroundings: surroundings)
  }
}

/// The wallet that comes with the system: a consent sheet with the requester's brand, the elements and which of them
/// are retained, answered with Face ID.
struct WalletProvider: IdentityDocumentProvider {
  let surroundings: ProviderSurroundings

  /// The labels of the consent sheet's controls that agree.
  static let agreeing = ["face-id"]
  /// The labels of the consent sheet's controls that decline.
  static let declining = ["Cancel"]

  var body: some IdentityDocumentRequestScene {
    ISO18013MobileDocumentRequestScene { context in
      await surroundings.authorize(context) { _, _ in
        ProviderView(agreeing: Self.agreeing, declining: Self.declining, showsBrand: true)
      }
    }
  }

  func performRegistrationUpdates() async { await surroundings.updateRegistrations() }
}

/// The style of an authority's app.
struct CustomStyle: ProviderStyle {
  let name = WorldDescription.App.Style.custom.rawValue
  let meaning = "a view of the app with Accept and Decline"

  func provider(in surroundings: ProviderSurroundings) -> any IdentityDocumentProvider {
    LocalDrivingAuthorityProvider(surroundings: surroundings)
  }
}

/// A motor vehicle agency's app: a view of its own with Accept and Decline.
struct LocalDrivingAuthorityProvider: IdentityDocumentProvider {
  let surroundings: ProviderSurroundings

  var body: some IdentityDocumentRequestScene {
    ISO18013MobileDocumentRequestScene { context in
      await surroundings.authorize(context) { _, _ in
        ProviderView(agreeing: ["Accept"], declining: ["Decline"], showsBrand: true)
      }
    }
  }

  func performRegistrationUpdates() async { await surroundings.updateRegistrations() }
}

extension ProviderApp {
  /// Shows the requester and the elements to the person, and answers or cancels.
  /// - Parameters:
  ///   - presentment: The number of the presentment for which the code runs.
  ///   - view: Makes the view from the requester's identity and the requested elements.
  func authorize(
    _ context: ISO18013MobileDocumentRequestContext, in presentment: Int?,
    view: @Sendable (RequesterIdentity, [AuthorizationScreen.Element]) -> ProviderView
  ) async {
    let requester = await requester(of: context)
    if let refusal = requester.refusal {
      station.record(refusal.result)
      context.cancel()
      return
    }
    let elements = AuthorizationScreen.elements(of: context.request)
    let view = view(requester, elements)
    switch await ask(screen(view, of: requester, elements, about: context), in: presentment) {
    case .agrees: await respond(to: context)
    case .declines: context.cancel()
    case .ended: break
    }
  }

  /// Shows a view of the app's own code and waits for the person's decision.
  func ask(
    _ view: ProviderView, about context: ISO18013MobileDocumentRequestContext, in presentment: Int?
  ) async -> ProviderMachine.Decision {
    let elements = AuthorizationScreen.elements(of: context.request)
    return await ask(screen(view, of: await requester(of: context), elements, about: context), in: presentment)
  }

  private func screen(
    _ view: ProviderView, of requester: RequesterIdentity, _ elements: [AuthorizationScreen.Element],
    about context: ISO18013MobileDocumentRequestContext
  ) -> AuthorizationScreen {
    AuthorizationScreen(
      app: name, title: view.title, lines: view.lines.isEmpty ? nil : view.lines, requester: requester.name,
      icon: view.showsBrand ? requester.icon : nil, isRequesterCertified: requester.isCertified,
      origin: context.requestingWebsiteOrigin?.serializedOrigin ?? "",
      elements: elements, agreeing: view.agreeing, declining: view.declining)
  }
}

/// An app's view for the person before it answers: the requester, the elements, and which of them are retained.
public struct AuthorizationScreen: Sendable, Equatable {
  /// A requested element.
  public struct Element: Sendable, Hashable {
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

    /// The intention to store the element, in words.
    public var storageText: String { storage ?? (isRetained ? "will be stored" : "will not be stored") }
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
  /// True if a reader authority that the app trusts has certified the requester.
  public var isRequesterCertified: Bool
  /// Origin of the website; empty for a requesting app.
  public var origin: String
  /// The name of the requesting app; nil for a website.
  public var requestingApp: String?

  /// The app or the host that asks.
  public var asker: String {
    requestingApp ?? origin.split(separator: "//", maxSplits: 1).last.map(String.init) ?? origin
  }

  /// Elements, in the order of document type, name space and identifier.
  public var elements: [Element]
  /// Labels of the controls that agree, as the app declares them to the system.
  public var agreeing: [String]
  /// Labels of the controls that decline.
  public var declining: [String]
  /// A message about the person's last attempt.
  public var notice: String?

  /// Labels of all controls, those that agree first.
  public var buttons: [String] { agreeing + declining }

  /// Says why the owner was not authenticated, and offers the passcode.
  mutating func show(_ failure: OwnerAuthentication.Failure) {
    notice = failure.message
    let (face, passcode) = (OwnerAuthentication.Method.faceID.rawValue, OwnerAuthentication.Method.passcode.rawValue)
    if !agreeing.contains(passcode) { agreeing.append(passcode) }
    if failure == .faceLocked { agreeing.removeAll { $0 == face } }
  }

  /// The app's own text: the heading and the lines.
  public var text: [String] { [title].compactMap(\.self) + (lines ?? []) }

  /// The elements of a request, each once. Dictionaries have no order, so theirs is alphabetical.
  static func elements(of request: ISO18013MobileDocumentRequest) -> [Element] {
    var found: [Element] = []
    var seen = HandfulSet<Element>()
    for document in request.presentmentRequests.flatMap(\.documentRequestSets).flatMap(\.requests) {
      for (nameSpace, elements) in document.namespaces.sorted(by: { $0.key < $1.key }) {
        for (identifier, info) in elements.sorted(by: { $0.key < $1.key }) {
          let element = Element(
            documentType: document.documentType, nameSpace: nameSpace, identifier: identifier,
            label: DataElementCatalogue.label(nameSpace: nameSpace, identifier: identifier),
            isRetained: info.isRetaining)
          if seen.insert(element) { found.append(element) }
        }
      }
    }
    return found
  }
}

extension AuthorizationScreen.Element: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("documentType", \.documentType), Member("nameSpace", \.nameSpace),
    Member("identifier", \.identifier), Member("label", \.label), Member("isRetained", \.isRetained),
    Member(optional: "storage", \.storage))
}

extension AuthorizationScreen: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("app", \.app), Member(optional: "title", \.title), Member(optional: "lines", \.lines),
    Member("requester", \.requester), Member(optional: "icon", \.icon),
    Member("isRequesterCertified", \.isRequesterCertified), Member("origin", \.origin),
    Member(optional: "requestingApp", \.requestingApp), Member("elements", \.elements), Member("agreeing", \.agreeing),
    Member("declining", \.declining), Member(optional: "notice", \.notice))
}
