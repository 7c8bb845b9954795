import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import JSON
import LocatedYAML
import MobileDocument
import RelyingParty
import StageViews
import Vocabulary

/// A website of a world as a real site: its page, and the server of the page's script.
struct SiteRoutes: Sendable {
  let sessions: Sessions
  let pages: Pages
  let callers: Callers
  let stage: StageRoutes

  /// The maximum size of a wallet's answer in bytes. The answer becomes a step of the world, so with escaped quotes it
  /// must fit into the longest step.
  static let responseLimit = SourceLimits.bytes - (64 << 10)
  /// The maximum size of the fallback form in bytes: a picture, and space for the other parts.
  static let formLimit = IdentityScan.maximumLength + (64 << 10)

  /// The website's page. Its script opens it in the world: a page that is only fetched changes nothing there.
  func page(_ label: String, in world: String) async throws(HTTPProblem) -> Response {
    let session = sessions.known(world)
    let description: WorldDescription.Website
    if let session {
      description = try website(label, in: session)
    } else if world == Catalogue.defaultWorld {
      description = try Self.website(label, of: try await stage.defaultWorld())
    } else {
      throw .noWorld
    }
    var elements: [Pages.Asked] = []
    for nameSpace in description.asks.flatMap(\.nameSpaces) {
      for element in nameSpace.elements {
        let label = DataElementCatalogue.label(nameSpace: nameSpace.name, identifier: element.identifier)
        elements.append(
          Pages.Asked(
            nameSpace: nameSpace.name, identifier: element.identifier, label: label, isRetained: element.intentToRetain)
        )
      }
    }
    return pages.site(
      Pages.Site(
        title: description.brand.name, icon: description.brand.address, name: description.identifier,
        world: session?.identifier ?? world, demoOrigin: callers.hosts.stageOrigin,
        theme: String(description.brand.icon.prefix { $0 != "." }), asks: elements,
        checkout: Pages.Checkout(description.checkout ?? WorldDescription.Website.Checkout())),
      framedBy: callers.framesOfSite)
  }

  /// Opens the website's page in the world, and returns the name of the world.
  func visit(_ label: String, in session: Session) async throws(HTTPProblem) -> Response {
    let website = try website(label, in: session).identifier
    try await HTTPProblem.ifRefused(
      try await session.world.perform(.person(.visit(website: website, device: session.device))))
    return Reply.json(["world": session.identifier], status: .created)
  }

  /// Starts a presentment at the website's server.
  func begin(_ label: String, in session: Session) async throws(HTTPProblem) -> Response {
    let answer = try await ask(.beginPresentment, "[]", label, in: session)
    return Reply.bytes(Data(answer.bytes), type: "application/json", status: .created)
  }

  /// Passes the wallet's answer to the website's server.
  func submit(_ request: Request, _ label: String, in session: Session) async throws(HTTPProblem) -> Response {
    let body = try await request.content(upTo: Self.responseLimit)
    let answer = try await ask(.submitResponse, String(decoding: body, as: UTF8.self), label, in: session)
    guard let reply = try? JSONReader.read(answer.bytes), reply.member("verdict") != nil else {
      throw HTTPProblem(.badRequest, .member, "the server does not accept this answer")
    }
    return Reply.bytes(Data(answer.bytes), type: "application/json")
  }

  /// Accepts a picture of a document from a person who did not present one.
  func fallBack(_ request: Request) async throws(HTTPProblem) -> Response {
    let data = try await request.content(type: MultipartForm.mediaType, upTo: Self.formLimit)
    do throws(ScanError) {
      _ = try IdentityScan([UInt8](data), contentType: request.headers[.contentType] ?? "")
    } catch {
      throw HTTPProblem(.badRequest, .member, error.message, details: [error.evidence].compactMap(\.self))
    }
    return Reply.json(["message": "Thank you. Our staff will check your picture. This demo does not store it."])
  }

  private func ask(
    _ operation: PageMessage.Operation, _ body: String, _ label: String, in session: Session
  ) async throws(HTTPProblem) -> ExternalPage.Answer {
    let website = try website(label, in: session).identifier
    let page = ExternalPage(website, on: session.device, in: session.world)
    if let answer = try await HTTPProblem.ifRefused(try await page.ask(operation, body)) { return answer }
    throw HTTPProblem(.conflict, .world, "the server of \(website) does not answer")
  }

  private func website(_ label: String, in session: Session) throws(HTTPProblem) -> WorldDescription.Website {
    try Self.website(label, of: session.world.scenario.world)
  }

  /// Returns the website whose host has a label.
  private static func website(
    _ label: String, of world: WorldDescription
  ) throws(HTTPProblem) -> WorldDescription.Website {
    guard let website = world.websites.first(where: { Hosts.label(of: $0.identifier) == label }) else {
      throw HTTPProblem(.notFound, .world, "the world has no website \(label.quoted)")
    }
    return website
  }
}
