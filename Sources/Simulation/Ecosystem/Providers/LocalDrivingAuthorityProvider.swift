import Foundation
import IdentityDocumentServices

/// A motor vehicle agency's app: a view of its own with Accept and Decline.
struct LocalDrivingAuthorityProvider: IdentityDocumentProvider {
  let app: ProviderApp

  static let accept = "Accept"
  static let decline = "Decline"

  var body: some IdentityDocumentRequestScene {
    ISO18013MobileDocumentRequestScene { context in await authorize(context) }
  }

  func performRegistrationUpdates() async { await app.updateRegistrations() }

  private func authorize(_ context: ISO18013MobileDocumentRequestContext) async {
    let requester = await app.requester(of: context)
    let origin = context.requestingWebsiteOrigin?.serializedOrigin ?? ""
    let decision = await app.ask(
      AuthorizationScreen(
        app: app.name, requester: requester.name, icon: nil, isRequesterCertified: requester.isCertified,
        origin: origin, elements: AuthorizationScreen.elements(of: context.request),
        buttons: [Self.accept, Self.decline]))
    switch decision {
    case Self.accept: await app.respond(to: context)
    case .some: context.cancel()
    case .none: break
    }
  }
}
