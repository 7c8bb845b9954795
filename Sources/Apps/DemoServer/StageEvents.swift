import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import JSON
import ServiceLifecycle
import SimulationKernel
import Synchronization

/// What happens in a world, as events of a stream that lasts as long as somebody looks (HTML, "Server-sent events").
struct StageEvents: Sendable {
  let session: Session
  /// How often a line that says nothing is sent, so that a reader that has gone is noticed, and one that is there keeps
  /// its world from making room for others.
  var interval = Duration.seconds(15)

  /// Most lines of the journal in an event: an event is made and read as one.
  private static let batch = 500

  private struct Entries: Encodable {
    var entries: [StageJSON.Entry]
  }

  private struct End: Encodable {
    var code: String
    var message: String
  }

  /// The stream, beginning after the event of an identifier; at the first line when it is none of this session's, as
  /// after the server was started anew.
  func response(after identifier: String?) -> Response {
    // Nothing is dropped: a reader that is slow is behind by what the person did meanwhile, which is little.
    let (events, sent) = AsyncStream.makeStream(of: ByteBuffer.self)
    let reached = Mutex(line(of: identifier))
    let (session, world, interval) = (session, session.world, interval)
    // What happened so far is written here, and not on the world's thread, which everybody waits for.
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

  /// The line that an event's identifier, `SESSION:LINE`, says was reached.
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
          StageJSON.Entry(entries[$0], website: website)
        }
        events.append(event("entries", Entries(entries: told), identifier: "\(session.identifier):\(sent)"))
      }
      return events
    }
  }

  /// Whether a line is of a step that nothing came of, such as a wait.
  private static func isIdle(_ entries: [Journal.Entry], at position: Int) -> Bool {
    guard position + 1 < entries.count, case .decision(let made) = entries[position].event, made.kind == .step,
      case .decision(let next) = entries[position + 1].event
    else { return false }
    return next.kind == .step
  }

  private static func event(_ name: String, _ value: some Encodable, identifier: String? = nil) -> ByteBuffer {
    var text = "event: \(name)\n"
    if let identifier { text += "id: \(identifier)\n" }
    // The encoder writes JSON on one line, so it is one line of data.
    return ByteBuffer(string: text + "data: " + JSONCoding.text(value) + "\n\n")
  }
}
