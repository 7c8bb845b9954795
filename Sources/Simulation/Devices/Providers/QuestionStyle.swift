import IdentityDocumentServices
import Primitives

/// An app with a look of its own: one question, the elements in a sentence, Share and Not Now. An example of a provider
/// app that is neither the system's nor an authority's.
struct QuestionStyle: ProviderStyle {
  let name = "question"
  let meaning = "one question with Share and Not Now"

  func provider(in surroundings: ProviderSurroundings) -> any IdentityDocumentProvider {
    QuestionProvider(surroundings: surroundings)
  }
}

/// The extension of that app.
struct QuestionProvider: IdentityDocumentProvider {
  let surroundings: ProviderSurroundings

  var body: some IdentityDocumentRequestScene {
    ISO18013MobileDocumentRequestScene { context in
      await surroundings.authorize(context) { requester, elements in
        let given = elements.filter { $0.absence == nil }
        let (kept, absent) = (given.count(where: \.isRetained), elements.count - given.count)
        return ProviderView(
          title: "Share with \(requester.name)?",
          lines: [
            "It gets \(given.count.counted("detail")) and stores \(kept) of them.",
            absent == 0 ? nil : "It also asks for \(absent.counted("detail")) that it does not get.",
            "Nothing is shared before you press Share.",
          ].compactMap(\.self),
          agreeing: ["Share"], declining: ["Not Now"])
      }
    }
  }

  func performRegistrationUpdates() async { await surroundings.updateRegistrations() }
}
