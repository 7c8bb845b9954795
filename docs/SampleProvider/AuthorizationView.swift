import Foundation
import IdentityDocumentServices

/// The authorization view: it shows the requester, the document, the elements and the intent to retain, and lets the person
/// choose another document. On a phone this is a SwiftUI view with a list and two buttons; here `decide` replaces it.
struct AuthorizationView: Sendable {
  /// The content of the view.
  struct Content: Sendable, Equatable {
    /// The requester, certified by an authority that the app trusts, or not.
    let requester: RequesterIdentity
    /// The website's origin, from the browser.
    let origin: String
    /// The documents that can answer, the chosen one, and what becomes of each requested element.
    let choice: DocumentChoice

    /// Two contents are equal if the person sees the same.
    static func == (left: Content, right: Content) -> Bool {
      left.requester == right.requester && left.origin == right.origin
        && left.choice.options == right.choice.options && left.choice.elements == right.choice.elements
    }
  }

  /// The person's decision.
  enum Decision: Sendable {
    /// The person agrees that the app gives these documents: those of the content, or others that the person chose with
    /// `DocumentChoice.choosing`.
    case accept(DocumentChoice)
    case decline
  }

  let context: ISO18013MobileDocumentRequestContext
  let environment: ProviderEnvironment
  let decide: @Sendable (Content) async -> Decision

  /// Shows the view and does what the person decides. A request without a reader that the app trusts, and a website that has
  /// the reader certificate of another one, are refused without a question.
  func run() async {
    let content: Content
    do {
      content = try await self.content()
    } catch {
      context.cancel()
      await environment.show(.failed(reason: error.localizedDescription))
      return
    }
    if let refusal = content.requester.refusal {
      context.cancel()
      await environment.show(.refused(reason: refusal.description))
      return
    }
    switch await decide(content) {
    case .accept(let choice): await accept(choice)
    case .decline: context.cancel()
    }
  }

  private func accept(_ choice: DocumentChoice) async {
    do {
      try await RequestAnswer(context: context, choice: choice, environment: environment).send()
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

  private func content() async throws -> Content {
    let documents = try await environment.storage.presentableDocuments()
    let now = environment.now()
    return Content(
      requester: await environment.responder.requester(of: context, at: now),
      origin: context.requestingWebsiteOrigin?.absoluteString ?? "",
      choice: DocumentChoice(for: context.request, from: documents, at: now))
  }
}
