import HTTPTypes
import Hummingbird
import InteractiveWorlds
import JSON
import Messaging
import ServiceLifecycle
import Synchronization
import TraceViews

/// The events of a world as a stream, for as long as the client reads (HTML, "Server-sent events").
struct StageEvents: Sendable {
  let session: Session
  /// The interval of empty lines. They reveal a closed connection, and keep the world of an open one from being
  /// replaced.
  var interval = Duration.seconds(15)

  /// The maximum number of journal lines in an event: an event is encoded and decoded as a whole.
  private static let batch = 500

  fileprivate struct Entries {
    var entries: [TimelineEntry]
  }

  fileprivate struct End {
    var code: String
    var message: String
  }

  /// Returns the stream after the event with an identifier, or from the first line if the identifier is of another
  /// session, for example after a restart of the server.
  func response(after identifier: String?) -> Response {
    // All events are kept: a slow client is behind by a few actions of the person only.
    let (events, sent) = AsyncStream.makeStream(of: ByteBuffer.self)
    let reached = Mutex(line(of: identifier))
    let (session, world, interval) = (session, session.world, interval)
    // Earlier events are encoded here and not on the world's thread, which all clients wait for.
    for event in Self.events(in: session, after: reached) { sent.yield(event) }
    let watch = world.watch(
      { snapshot in
        session.touch()
        for event in Self.events(in: session, after: reached) { sent.yield(event) }
        sent.yield(Self.event("screen", StageJSON.Screen(snapshot, in: world.scenario.world)))
        if let failure = snapshot.failure {
          sent.yield(Self.event("end", End(code: failure.code.rawValue, message: failure.message)))
        }
      },
      ended: {
        sent.yield(
          Self.event("end", End(code: InteractiveWorldError.Code.ended.rawValue, message: "the world has ended")))
        sent.finish()
      })
    let pulse = Task {
      while !Task.isCancelled {
        try await Task.sleep(for: interval)
        session.touch()
        sent.yield(ByteBuffer(string: ": still here\n\n"))
      }
    }
    sent.onTermination = { _ in
      world.unwatch(watch)
      pulse.cancel()
    }
    var response = Response(status: .ok, body: ResponseBody(asyncSequence: events.cancelOnGracefulShutdown()))
    response.headers[.contentType] = "text/event-stream"
    Reply.setCommon(&response)
    return response
  }

  /// The last line that an event's identifier, `SESSION:LINE`, names.
  private func line(of identifier: String?) -> Int {
    guard let parts = identifier?.split(separator: ":", maxSplits: 1), parts.count == 2,
      parts[0] == session.identifier, let line = Int(parts[1])
    else { return 0 }
    return min(max(0, line), session.world.journal.entries.count)
  }

  /// The lines of the journal that were not sent yet.
  private static func events(in session: Session, after reached: borrowing Mutex<Int>) -> [ByteBuffer] {
    let entries = session.world.journal.entries
    let website = session.world.snapshot?.website ?? ""
    return reached.withLock { sent in
      var events: [ByteBuffer] = []
      while sent < entries.count {
        let next = entries[sent..<min(sent + batch, entries.count)]
        sent = next.endIndex
        let told = next.indices.filter { !isIdle(entries, at: $0) }.map {
          TimelineEntry(entries[$0], website: website)
        }
        events.append(event("entries", Entries(entries: told), identifier: "\(session.identifier):\(sent)"))
      }
      return events
    }
  }

  /// True for a step without consequences, such as a wait.
  private static func isIdle(_ entries: [JournalEntry], at position: Int) -> Bool {
    position + 1 < entries.count && entries[position].event.isStep && entries[position + 1].event.isStep
  }

  private static func event(_ name: String, _ value: some JSONWritable, identifier: String? = nil) -> ByteBuffer {
    var text = "event: \(name)\n"
    if let identifier { text += "id: \(identifier)\n" }
    // The encoder writes JSON on one line, so it is one line of data.
    return ByteBuffer(string: text + "data: " + JSONCoding.text(value) + "\n\n")
  }
}

extension StageEvents.End: JSONWritable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("code", code)
      json.member("message", message)
    }
  }
}

extension StageEvents.Entries: JSONWritable {
  func write(to json: inout JSONWriter) { json.object { $0.member("entries", entries) } }
}
