import Foundation
import IdentityDocumentServices

/// The wallet that comes with the system: a consent sheet with the requester's brand, the elements and which of them
/// are retained, answered with Face ID.
struct WalletProvider: IdentityDocumentProvider {
  let app: ProviderApp

  static let faceID = "face-id"
  static let cancel = "Cancel"

  var body: some IdentityDocumentRequestScene {
    ISO18013MobileDocumentRequestScene { context in await authorize(context) }
  }

  func performRegistrationUpdates() async { await app.updateRegistrations() }

  private func authorize(_ context: ISO18013MobileDocumentRequestContext) async {
    let requester = await app.requester(of: context)
    let decision = await app.ask(
      AuthorizationScreen(
        app: app.name, requester: requester.name, icon: requester.icon, isRequesterCertified: requester.isCertified,
        origin: context.requestingWebsiteOrigin?.serializedOrigin ?? "",
        elements: AuthorizationScreen.elements(of: context.request), buttons: [Self.faceID, Self.cancel]))
    switch decision {
    case Self.faceID: await app.respond(to: context)
    case .some: context.cancel()
    case .none: break
    }
  }
}
