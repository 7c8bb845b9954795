import DevicePlatform
import Foundation
import IdentityDocumentServices
import JSON
import MobileDocument
import Primitives
import ProviderStyles
import Proximity
import SampleProvider
import Synchronization
import Vocabulary

/// The provider apps that a world can run, by name.
package enum ProviderCatalogue {
  /// The shipped styles.
  package static let shipped: [any ProviderStyle] = [WalletStyle(), CustomStyle(), QuestionStyle(), SampleStyle()]

  private static let added = Mutex<[any ProviderStyle]>([])

  /// Every style: the shipped ones, and those that the program has added.
  package static var all: [any ProviderStyle] { shipped + added.withLock { $0 } }

  /// Adds a provider app of one's own, before world files are read.
  /// - Returns: False if another one has its name.
  package static func add(_ style: any ProviderStyle) -> Bool {
    added.withLock { styles in
      guard !(shipped + styles).contains(where: { $0.name == style.name }) else { return false }
      styles.append(style)
      return true
    }
  }

  /// The style with a name, or nil.
  package static func style(named name: String) -> (any ProviderStyle)? { all.first { $0.name == name } }
}

/// The style of the wallet that comes with the system: a consent sheet with the requester's brand, the document, the
/// elements and which of them are retained, answered with Face ID.
struct WalletStyle: ProviderStyle {
  let name = WorldDescription.App.Style.wallet.rawValue
  let meaning = "a consent sheet answered with Face ID"

  /// The labels of the consent sheet's controls that agree.
  static let agreeing = ["face-id"]
  /// The labels of the consent sheet's controls that decline.
  static let declining = ["Cancel"]

  func provider(in surroundings: ProviderSurroundings) -> any IdentityDocumentProvider {
    BrandedProvider(surroundings: surroundings, agreeing: Self.agreeing, declining: Self.declining)
  }
}

/// The style of a motor vehicle agency's app: a view of its own with Accept and Decline.
struct CustomStyle: ProviderStyle {
  let name = WorldDescription.App.Style.custom.rawValue
  let meaning = "a view of the app with Accept and Decline"

  func provider(in surroundings: ProviderSurroundings) -> any IdentityDocumentProvider {
    BrandedProvider(surroundings: surroundings, agreeing: ["Accept"], declining: ["Decline"])
  }
}

/// An extension with the requester's brand in its view.
private struct BrandedProvider: IdentityDocumentProvider {
  let surroundings: ProviderSurroundings
  let agreeing: [String]
  let declining: [String]

  var body: some IdentityDocumentRequestScene {
    ISO18013MobileDocumentRequestScene { context in
      await surroundings.authorize(context) { [agreeing, declining] _, _ in
        ProviderView(agreeing: agreeing, declining: declining, showsBrand: true)
      }
    }
  }

  func performRegistrationUpdates() async { await surroundings.updateRegistrations() }
}

extension ProviderApp: ProviderWorld {
  package nonisolated var now: Date { station.now.date }

  package nonisolated var language: Language { station.language }

  /// Records a message of the app.
  package func report(_ message: String) { station.note(.providerMessage, message) }

  /// Shows the requester, the documents and the elements to the person, and answers or cancels.
  /// - Parameters:
  ///   - presentment: The number of the presentment for which the code runs.
  ///   - view: Makes the view from the requester's identity and the requested elements; again after the person has chosen
  ///     another document.
  package func authorize(
    _ context: ISO18013MobileDocumentRequestContext, in presentment: Int?,
    view: @escaping @Sendable (RequesterIdentity, [AuthorizationScreen.Element]) -> ProviderView
  ) async {
    if program.outside != nil { return await authorizeByProgram(context, in: presentment, view: view) }
    let requester = await requester(of: context)
    if let refusal = requester.refusal {
      station.record(refusal.result)
      context.cancel()
      return
    }
    let choice = DocumentChoice(for: context, from: presentableDocuments(), at: station.now.date)
    let answer = await ask(choice, requester, about: context, in: presentment) { choice in
      view(requester, AuthorizationScreen.elements(of: choice))
    }
    switch answer.decision {
    case .agrees: await respond(to: context, with: answer.choice)
    case .declines: context.cancel()
    case .ended: break
    }
  }

  /// Shows a view of the app's own code and waits for the person's decision.
  package func ask(
    _ choice: DocumentChoice, about context: ISO18013MobileDocumentRequestContext, in presentment: Int?,
    view: @escaping @Sendable (DocumentChoice) -> ProviderView
  ) async -> ProviderSurroundings.Decision {
    let answer = await ask(choice, await requester(of: context), about: context, in: presentment, view: view)
    return switch answer.decision {
    case .agrees: .agrees(answer.choice ?? choice)
    case .declines: .declines
    case .ended: .ended
    }
  }

  private func ask(
    _ choice: DocumentChoice, _ requester: RequesterIdentity, about context: ISO18013MobileDocumentRequestContext,
    in presentment: Int?, view: @escaping @Sendable (DocumentChoice) -> ProviderView
  ) async -> ViewDecision {
    let origin = context.isInPerson ? InPersonRequest.origin : context.requestingWebsiteOrigin?.serializedOrigin ?? ""
    let contents = ViewContents(choice) { [name] choice in
      let view = view(choice)
      var screen = AuthorizationScreen(
        app: name, title: view.title, lines: view.lines.isEmpty ? nil : view.lines, requester: requester.name,
        icon: view.showsBrand ? requester.icon : nil,
        logotype: view.showsBrand ? requester.logotype : nil, isRequesterCertified: requester.isCertified,
        origin: origin,
        documents: choice.options.map(AuthorizationScreen.Document.init),
        elements: AuthorizationScreen.elements(of: choice), agreeing: view.agreeing, declining: view.declining)
      screen.ownTexts = view.texts
      return screen
    }
    return await ask(contents, in: presentment)
  }
}
