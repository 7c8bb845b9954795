import Foundation
import IdentityDocumentServices

/// The authorization view: it shows the requester, the elements and the intent to retain. On a phone this is a SwiftUI
/// view with two buttons; here `decide` replaces it.
struct AuthorizationView: Sendable {
  /// The content of the view.
  struct Content: Sendable, Equatable {
    /// The requester, certified by an authority that the app trusts, or not.
    let requester: RequesterIdentity
    /// The website's origin, from the browser.
    let origin: String
    /// The requested elements.
    let elements: [Element]
  }

  /// A requested element.
  struct Element: Sendable, Hashable {
    let documentType: String
    let nameSpace: String
    let identifier: String
    /// True if the website intends to keep the element.
    let isRetained: Bool
  }

  /// The person's decision.
  enum Decision: Sendable {
    case accept
    case decline
  }

  let context: ISO18013MobileDocumentRequestContext
  let environment: ProviderEnvironment
  let decide: @Sendable (Content) async -> Decision

  /// Shows the view and does what the person decides. A request without a reader that the app trusts, and a website that has
  /// the reader certificate of another one, are refused without a question.
  func run() async {
    let content = await content()
    if let refusal = content.requester.refusal {
      context.cancel()
      await environment.show(.refused(reason: refusal.description))
      return
    }
    switch await decide(content) {
    case .accept: await accept()
    case .decline: context.cancel()
    }
  }

  private func accept() async {
    do {
      try await RequestAnswer(context: context, environment: environment).send()
      await environment.show(.answered)
    } catch let refusal as ProviderRefusal {
      await environment.show(.refused(reason: refusal.description))
    } catch IdentityDocumentPresentmentError.cancelled {
      // The person left in the meantime, and knows.
    } catch {
      // Whatever went wrong, nothing stays open; after an end this does nothing.
      context.cancel()
      await environment.show(.failed(reason: error.localizedDescription))
    }
  }

  private func content() async -> Content {
    Content(
      requester: await environment.responder.requester(of: context, at: environment.now()),
      origin: context.requestingWebsiteOrigin?.absoluteString ?? "",
      elements: elements)
  }

  /// The elements of all documents, each once. Dictionaries have no order, so ours is alphabetical.
  private var elements: [Element] {
    var found: [Element] = []
    var seen: Set<Element> = []
    for useCase in context.request.presentmentRequests {
      for document in useCase.documentRequestSets.flatMap(\.requests) {
        for (nameSpace, elements) in document.namespaces.sorted(by: { $0.key < $1.key }) {
          for (identifier, info) in elements.sorted(by: { $0.key < $1.key }) {
            let element = Element(
              documentType: document.documentType, nameSpace: nameSpace, identifier: identifier,
              isRetained: info.isRetaining)
            if seen.insert(element).inserted { found.append(element) }
          }
        }
      }
    }
    return found
  }
}
