import HTTPTypes
import Hummingbird
import JSON
import StageViews
import TraceViews

/// The comparison of two plays for the page that shows them side by side.
struct BesideRoutes: Sendable {
  let plays: PlayRoutes
  let workers: Workers

  /// Responds to `/api/beside`. The comparison only depends on the two plays, so a page that has it keeps it.
  func respond(_ request: Request) async throws(HTTPProblem) -> Response {
    let left = try await plays.play(request)
    let right = try await plays.play(request, .other)
    let tag = "\(left.tag)-\(right.tag)"
    // A page that asks again has the comparison already, and another one takes as long as ten plays.
    if request.knows(tag) { return PlayRoutes.cacheable(request, tag) { Reply.empty() } }
    let body = try await workers.run { JSONCoding.encode(BesideJSON(left.playback, right.playback)) }
    return PlayRoutes.cacheable(request, tag) { Reply.bytes(.init(body), type: "application/json") }
  }
}
