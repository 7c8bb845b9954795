import HTTPTypes
import Hummingbird
import JSON
import StageViews
import TraceViews

extension PlayRoutes {
  /// Returns the comparison of two plays for the page that shows them side by side. It depends on the two plays
  /// only, so a page that has it keeps it.
  func beside(_ request: Request) async throws(HTTPProblem) -> Response {
    let left = try await play(request)
    let right = try await play(request, .other)
    let tag = "\(left.tag)-\(right.tag)"
    // A page that asks again has the comparison already, and another one takes as long as ten plays.
    if request.knows(tag) { return Self.cacheable(request, tag) { Reply.empty() } }
    let body = try await workers.run { JSONCoding.encode(BesideJSON(left.playback, right.playback)) }
    return Self.cacheable(request, tag) { Reply.bytes(.init(body), type: "application/json") }
  }
}
