import Hummingbird
import Messaging
import Telling

extension Workers {
  /// Returns the registrations of a device after some lines of a journal.
  func registrations(
    _ request: Request, of entries: [JournalEntry]
  ) async throws(HTTPProblem) -> Response {
    guard let device = request.query("device") else {
      throw HTTPProblem(.badRequest, .member, "device: missing")
    }
    var lines = entries.count
    if let text = request.query("line") {
      guard let line = Int(text), line >= 0 else { throw HTTPProblem(.badRequest, .member, "line: not a whole number") }
      lines = min(line, lines)
    }
    let shown = entries.prefix(lines)
    return Reply.json(try await run { RegistrationTable(of: shown, on: Party(.operatingSystem, device)) })
  }
}
