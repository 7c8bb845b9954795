import Primitives
import Synchronization

/// The connection of a world to servers outside it.
public protocol OwnServerLink: Sendable {
  /// The time at which the world starts.
  var start: DateTime { get }

  /// Makes a call.
  ///
  /// - Parameters:
  ///   - visitor: the browser that calls, which has cookies of its own.
  ///   - target: the server.
  ///   - instant: the world's time in milliseconds since its start.
  /// - Returns: the answer, and the milliseconds of the world until it arrives.
  func send(
    _ call: HTTPCall, of visitor: String, to target: VerifierTarget, at instant: Int64
  ) throws(HTTPFailure) -> (answer: HTTPAnswer, wait: Int64)
}

/// A world's calls as they were recorded: the same calls get the same answers.
public final class RecordedLink: OwnServerLink {
  /// The time at which the recorded world started.
  public let start: DateTime
  private let entries: [HTTPArchive.Entry]
  private let next = Mutex(0)

  /// Takes the entries of one case.
  /// - Returns: nil without an entry.
  package init?(_ entries: [HTTPArchive.Entry]) {
    guard let first = entries.first else { return nil }
    start = first.worldStart
    self.entries = entries
  }

  /// Answers a call as it was answered, if it is the recorded one.
  public func send(
    _ call: HTTPCall, of visitor: String, to target: VerifierTarget, at instant: Int64
  ) throws(HTTPFailure) -> (answer: HTTPAnswer, wait: Int64) {
    let number = next.withLock { next in
      defer { next += 1 }
      return next
    }
    guard entries.indices.contains(number) else {
      throw HTTPFailure(.unexpected, "the recording has no further call", evidence: "\(call.method) \(call.address)")
    }
    let entry = entries[number]
    guard entry.visitor == visitor, entry.call.encoded == call.encoded else {
      throw HTTPFailure(
        .unexpected, "the recording has another call here: was it made with another seed or scenario?",
        evidence: "\(call.method) \(call.address), recorded: \(entry.call.method) \(entry.call.address)")
    }
    return (entry.answer, entry.wait)
  }
}

/// The links of the worlds of a run.
public protocol OwnServerSource: Sendable {
  /// The link of a case; nil for a case without one.
  func link(of scenario: String, seed: UInt64) -> (any OwnServerLink)?
}

extension HTTPArchive: OwnServerSource {
  /// The recorded calls of a case.
  public func link(of scenario: String, seed: UInt64) -> (any OwnServerLink)? {
    RecordedLink(entries.filter { $0.scenario == scenario && $0.seed == seed })
  }

  /// The calls of one website's server alone.
  package func calls(of server: String) -> HTTPArchive { HTTPArchive(entries.filter { $0.server == server }) }
}
