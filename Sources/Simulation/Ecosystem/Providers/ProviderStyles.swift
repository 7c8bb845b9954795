import Foundation
import IdentityDocumentServices

/// The wallet that comes with the system: a consent sheet with the requester's brand, the elements and which of them
/// are retained, answered with Face ID.
struct WalletProvider: IdentityDocumentProvider {
  let app: ProviderApp
  let presentment: Int?

  var body: some IdentityDocumentRequestScene {
    ISO18013MobileDocumentRequestScene { context in
      await app.authorize(context, in: presentment, buttons: ["face-id", "Cancel"], showsBrand: true)
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
      await app.authorize(context, in: presentment, buttons: ["Accept", "Decline"], showsBrand: false)
    }
  }

  func performRegistrationUpdates() async { await app.updateRegistrations() }
}

extension ProviderApp {
  /// Shows the requester and the elements to the person, and answers or cancels.
  /// - Parameters:
  ///   - presentment: The number of the presentment for which the code runs.
  ///   - buttons: The labels of the buttons, the one that agrees first.
  ///   - showsBrand: True if the view has the requester's brand icon.
  func authorize(
    _ context: ISO18013MobileDocumentRequestContext, in presentment: Int?, buttons: [String], showsBrand: Bool
  ) async {
    let requester = await requester(of: context)
    let decision = await ask(
      AuthorizationScreen(
        app: name, requester: requester.name, icon: showsBrand ? requester.icon : nil,
        isRequesterCertified: requester.isCertified, origin: context.requestingWebsiteOrigin?.serializedOrigin ?? "",
        elements: AuthorizationScreen.elements(of: context.request), buttons: buttons),
      in: presentment)
    switch decision {
    case .agrees: await respond(to: context)
    case .declines: context.cancel()
    case .ended: break
    }
  }
}
