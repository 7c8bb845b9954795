import IdentityDocumentServices
import ProviderStyles

/// The extension of a club's app. It shows the requester and how many details it keeps, with Show Card and Not Now.
struct MembersCard: IdentityDocumentProvider {
  let surroundings: ProviderSurroundings

  var body: some IdentityDocumentRequestScene {
    ISO18013MobileDocumentRequestScene { context in
      await surroundings.authorize(context) { requester, elements in
        let kept = elements.filter(\.isRetained).count
        return ProviderView(
          title: "Show your card to \(requester.name)?",
          lines: [kept == 0 ? "Nothing is kept." : "\(requester.name) keeps \(kept) of \(elements.count) details."],
          agreeing: ["Show Card"], declining: ["Not Now"])
      }
    }
  }

  func performRegistrationUpdates() async { await surroundings.updateRegistrations() }
}

/// The app in a world, by the name `members-card`.
public struct MembersCardStyle: ProviderStyle {
  /// The name in world files.
  public let name = "members-card"
  /// A short description of the view.
  public let meaning = "a club's card with Show Card and Not Now"

  /// Creates the style.
  public init() {}

  /// Returns the extension for one presentment, or for another call of the system.
  public func provider(in surroundings: ProviderSurroundings) async -> any IdentityDocumentProvider {
    MembersCard(surroundings: surroundings)
  }
}
