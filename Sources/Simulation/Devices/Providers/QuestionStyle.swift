import IdentityDocumentServices

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
        let kept = elements.filter(\.isRetained).count
        return ProviderView(
          title: "Share with \(requester.name)?",
          lines: [
            "It asks for \(elements.count == 1 ? "1 detail" : "\(elements.count) details") and stores \(kept) of them.",
            "Nothing is shared before you press Share.",
          ],
          agreeing: ["Share"], declining: ["Not Now"])
      }
    }
  }

  func performRegistrationUpdates() async { await surroundings.updateRegistrations() }
}
