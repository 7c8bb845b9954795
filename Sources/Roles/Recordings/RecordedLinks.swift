import OwnServers
import OwnWallets
import Primitives
import Synchronization

/// The servers of a recorded world: the same calls get the same answers.
final class RecordedServers: OwnServerLink {
  private let calls: [Recording.Call]
  private let next = Mutex(0)

  /// Takes the calls of one case.
  init(_ calls: [Recording.Call]) { self.calls = calls }

  /// Answers a call as it was answered, if it is the recorded one.
  func send(
    _ call: HTTPCall, of visitor: String, to target: VerifierTarget, at instant: Int64
  ) throws(HTTPFailure) -> (answer: HTTPAnswer, wait: Int64) {
    let number = next.withLock { next in
      defer { next += 1 }
      return next
    }
    guard calls.indices.contains(number) else {
      throw HTTPFailure(.unexpected, "the recording has no further call", evidence: "\(call.method) \(call.address)")
    }
    let recorded = calls[number]
    guard recorded.visitor == visitor, recorded.call.encoded == call.encoded else {
      throw HTTPFailure(
        .unexpected, "the recording has another call here: was it made with another seed or scenario?",
        evidence: "\(call.method) \(call.address), recorded: \(recorded.call.method) \(recorded.call.address)")
    }
    return (recorded.answer, recorded.wait)
  }
}

/// The wallets of a recorded world: the same messages get the same answers.
final class RecordedWallets: OwnWalletLink {
  private let messages: [String: [Recording.WalletExchange]]
  /// The messages of each app so far, and those to its program since it was started.
  private let next = Mutex<[String: (all: Int, ofProgram: Int)]>([:])

  /// Takes the messages of one case.
  init(_ messages: [Recording.WalletExchange]) { self.messages = Dictionary(grouping: messages, by: \.app) }

  /// Answers a message as it was answered, if it is the recorded one.
  func ask(
    _ message: [UInt8], of app: String, by target: WalletTarget, at instant: Int64
  ) throws(WalletFailure) -> (answer: [UInt8], wait: Int64) {
    let (place, number) = next.withLock { next in
      let count = next[app] ?? (0, 0)
      next[app] = (count.all + 1, count.ofProgram + 1)
      return (count.all, count.ofProgram + 1)
    }
    let recorded = messages[app] ?? []
    guard recorded.indices.contains(place) else {
      throw WalletFailure(.notRecorded, "the recording has no further message to \(app)")
    }
    guard recorded[place].message == WalletMessage.numbered(message, number) else {
      throw WalletFailure(
        .notRecorded, "the recording has another message to \(app) here: was it made with another seed or scenario?")
    }
    return (recorded[place].answer, recorded[place].wait)
  }

  /// Begins with new numbers.
  func end(_ app: String) { next.withLock { $0[app]?.ofProgram = 0 } }

  /// A recording has no programs.
  func end() {}
}
