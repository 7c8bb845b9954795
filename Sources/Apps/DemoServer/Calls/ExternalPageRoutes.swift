import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import JSON
import ServiceLifecycle

/// The external pages that joined, for the stage: their list as it changes, and the faults for their calls.
struct ExternalPageRoutes: Sendable {
  let sessions: Sessions

  /// The interval at which the list is sent again, which reveals a closed connection.
  static let interval = Duration.seconds(15)

  /// The list.
  func list() -> Response { Reply.json(["pages": sessions.externalPages.all]) }

  /// The list as a stream of events, one for each change.
  func events() throws(HTTPProblem) -> Response {
    let reader = try sessions.externalPages.addReader(among: sessions.readers)
    let body = ResponseBody { writer in
      let pulse = Task {
        while !Task.isCancelled {
          try await Task.sleep(for: Self.interval)
          reader.wake()
        }
      }
      defer { pulse.cancel() }
      var wakes = reader.wakes.cancelOnGracefulShutdown().makeAsyncIterator()
      repeat {
        let list = JSONCoding.text(["pages": reader.pages.all])
        try await writer.write(ByteBuffer(string: "event: pages\ndata: \(list)\n\n"))
      } while await wakes.next() != nil
      try await writer.finish(nil)
    }
    var response = Response(status: .ok, body: body)
    response.headers[.contentType] = "text/event-stream"
    Reply.setCommon(&response)
    return response
  }

  /// Sets the faults for the next calls of a page.
  func setFaults(_ request: Request, _ identifier: String) async throws(HTTPProblem) -> Response {
    struct Body: JSONObject {
      var faults: [String]
      static let json = JSONForm<Self>(Self.init, Member("faults", \.faults))
    }
    try request.requireOwnPage()
    let body = try await request.json(Body.self, upTo: StageRoutes.bodyLimit)
    guard let page = sessions.externalPages.page(identifier) else {
      throw HTTPProblem(.notFound, .notFound, "unknown page \(identifier.quoted)")
    }
    do throws(InteractiveWorldError) {
      try await sessions.externalPages.set(
        try DemoFault.forExternalSite(body.faults), for: identifier, in: page.world.flatMap(sessions.known))
    } catch {
      throw error.code == .unsuitable ? HTTPProblem(.badRequest, .member, error.message) : HTTPProblem(error)
    }
    return Reply.empty()
  }
}

extension ExternalPages.Page: JSONObjectWritable {
  func writeMembers(to json: inout JSONWriter) {
    json.member("browser", place.browser?.profile)
    json.member("calls", calls)
    // With their labels, which the stage's menu does not have for every fault.
    json.member("faults", faults.map { ["id": $0.name, "label": $0.label] })
    json.member("id", identifier)
    json.member("joined", joined.description)
    json.member("origin", origin)
    json.member("place", place.scenario ?? place.world)
    json.member("test", place.test)
    json.member("world", world)
  }
}
