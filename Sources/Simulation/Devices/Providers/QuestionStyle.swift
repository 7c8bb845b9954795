import IdentityDocumentServices
import ProviderStyles
import Vocabulary

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
        func count(_ number: Int) -> ScreenText.Value { .name(String(number)) }
        return ProviderView(
          title: ScreenText(.shareWith, ["requester": .name(requester.name)]),
          lines: [
            ScreenText(
              given.count == 1 ? .getsDetail : .getsDetails, ["count": count(given.count), "kept": count(kept)]),
            absent == 0 ? nil : ScreenText(absent == 1 ? .lacksDetail : .lacksDetails, ["count": count(absent)]),
            ScreenText(.nothingBeforeShare),
          ].compactMap(\.self),
          agreeing: .share, declining: .notNow)
      }
    }
  }

  func performRegistrationUpdates() async { await surroundings.updateRegistrations() }
}
