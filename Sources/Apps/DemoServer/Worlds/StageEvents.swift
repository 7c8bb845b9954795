import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// The events of a world as a stream, for as long as the client reads.
struct StageEvents: Sendable {
  let session: Session
  /// The interval of empty lines. They reveal a closed connection, and keep the world of an open one from being
  /// replaced.
  var interval = Duration.seconds(15)

  /// Returns the stream after the event with an identifier.
  ///
  /// - Parameter drop: Closes the connection of a client that has stopped reading. It must end a write that waits for the
  ///   client.
  /// - Throws: ``HTTPProblem`` if there are too many readers.
  func response(after identifier: String?, drop: @escaping @Sendable () -> Void = {}) throws(HTTPProblem) -> Response {
    let reader = try session.events.addReader(after: identifier, drop: drop)
    // Without the session: a client that takes the last events slowly does not keep the world's memory.
    let body = ResponseBody { [interval, use = session.use] writer in
      let pulse = Task {
        while !Task.isCancelled {
          try await Task.sleep(for: interval)
          reader.wake()
        }
      }
      defer { pulse.cancel() }
      var wakes = reader.wakes.cancelOnGracefulShutdown().makeAsyncIterator()
      var isNew = true
      reading: while true {
        var hasNews = isNew
        isNew = false
        taking: while true {
          switch reader.next() {
          case .event(let event):
            hasNews = true
            try await writer.write(event)
          case .nothing: break taking
          case .end: break reading
          }
        }
        if !hasNews { try await writer.write(ByteBuffer(string: ": still here\n\n")) }
        use.touch()
        guard await wakes.next() != nil else { break }
      }
      try await writer.finish(nil)
    }
    var response = Response(status: .ok, body: body)
    response.headers[.contentType] = "text/event-stream"
    Reply.setCommon(&response)
    return response
  }
}
