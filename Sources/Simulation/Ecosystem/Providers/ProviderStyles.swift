import DevicePlatform
import Foundation
import IdentityDocumentServices
import MobileDocument

/// The wallet that comes with the system: a consent sheet with the requester's brand, the elements and which of them
/// are retained, answered with Face ID.
struct WalletProvider: IdentityDocumentProvider {
  let app: ProviderApp
  let presentment: Int?

  /// The labels of the consent sheet's controls that agree.
  static let agreeing = ["face-id"]
  /// The labels of the consent sheet's controls that decline.
  static let declining = ["Cancel"]

  var body: some IdentityDocumentRequestScene {
    ISO18013MobileDocumentRequestScene { context in
      await app.authorize(
        context, in: presentment, agreeing: Self.agreeing, declining: Self.declining, showsBrand: true)
    }
  }

  func performRegistrationUpdates() async { await app.updateRegistrations() }
}

/// A motor vehicle agency's app: a view of its own with Accept and Decline.
struct LocalDrivingAuthorityProvider: IdentityDocumentProvider {
  let app: ProviderApp
  let presentment: Int?

  var body: some IdentityDocumentRequestScene {
    ISO18013MobileDocumentRequestScene { context in
      await app.authorize(context, in: presentment, agreeing: ["Accept"], declining: ["Decline"], showsBrand: false)
    }
  }

  func performRegistrationUpdates() async { await app.updateRegistrations() }
}

extension ProviderApp {
  /// Shows the requester and the elements to the person, and answers or cancels.
  /// - Parameters:
  ///   - presentment: The number of the presentment for which the code runs.
  ///   - agreeing: The labels of the controls that agree: the system releases the raw request after a touch of one only.
  ///     `face-id` and `passcode` agree when the system has authenticated the owner.
  ///   - declining: The labels of the controls that decline.
  ///   - showsBrand: True if the view has the requester's brand icon.
  func authorize(
    _ context: ISO18013MobileDocumentRequestContext, in presentment: Int?, agreeing: [String], declining: [String],
    showsBrand: Bool
  ) async {
    let requester = await requester(of: context)
    if let refusal = requester.refusal, refusal.check != .domain || program.domainMismatch == .refuse {
      station.record(refusal.result)
      context.cancel()
      return
    }
    let decision = await ask(
      AuthorizationScreen(
        app: name, requester: requester.name, icon: showsBrand ? requester.icon : nil,
        isRequesterCertified: requester.isCertified, origin: context.requestingWebsiteOrigin?.serializedOrigin ?? "",
        elements: AuthorizationScreen.elements(of: context.request), agreeing: agreeing, declining: declining),
      in: presentment)
    switch decision {
    case .agrees: await respond(to: context)
    case .declines: context.cancel()
    case .ended: break
    }
  }
}

/// An app's view for the person before it answers: the requester, the elements, and which of them are retained.
public struct AuthorizationScreen: Codable, Sendable, Equatable {
  /// A requested element.
  public struct Element: Codable, Sendable, Hashable {
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

  /// The elements of a request, each once. Dictionaries have no order, so theirs is alphabetical.
  static func elements(of request: ISO18013MobileDocumentRequest) -> [Element] {
    var found: [Element] = []
    var seen: Set<Element> = []
    for document in request.presentmentRequests.flatMap(\.documentRequestSets).flatMap(\.requests) {
      for (nameSpace, elements) in document.namespaces.sorted(by: { $0.key < $1.key }) {
        for (identifier, info) in elements.sorted(by: { $0.key < $1.key }) {
          let element = Element(
            documentType: document.documentType, nameSpace: nameSpace, identifier: identifier,
            label: DataElementCatalogue.label(nameSpace: nameSpace, identifier: identifier),
            isRetained: info.isRetaining)
          if seen.insert(element).inserted { found.append(element) }
        }
      }
    }
    return found
  }
}
