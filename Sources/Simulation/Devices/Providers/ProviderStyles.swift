import DevicePlatform
import IdentityDocumentServices
import JSON
import MobileDocument
import Primitives
import Vocabulary

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
