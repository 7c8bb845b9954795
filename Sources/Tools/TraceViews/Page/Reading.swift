import Messaging

/// The messages that checks read. A journal does not name them: a check is at its party when a message has arrived there,
/// and what the party sends at the same time names the message that it answers. An answer that the party has asked for
/// since then is what it reads: the sandbox is asked to parse, asks for the request, and checks that.
struct Reading {
  /// The number of the message that each line's check read, by the line's index.
  private(set) var messages: [Int: Int] = [:]

  /// The shortest way of a message, in nanoseconds: before, it has not arrived (docs/trace.md).
  private static let shortestWay: Int64 = 200_000

  private struct Moment: Hashable {
    let party: Party
    let time: Int64
  }

  init(_ entries: [JournalEntry]) {
    var answered: [Moment: Int] = [:]
    for entry in entries {
      guard let message = entry.event.message, let answers = message.answers else { continue }
      answered[Moment(party: entry.party, time: entry.time.nanosecondsSince1970)] = answers
    }
    var received: [Party: [(number: Int, time: Int64, isAnswer: Bool)]] = [:]
    for (position, entry) in entries.enumerated() {
      let time = entry.time.nanosecondsSince1970
      switch entry.event {
      case .message(let message):
        received[message.recipient, default: []].append((message.number, time, message.answers != nil))
      case .check, .verdict, .selection, .exception:
        let question = answered[Moment(party: entry.party, time: time)]
        let read = received[entry.party]?.last { message in
          guard message.time + Self.shortestWay <= time else { return false }
          return question.map { message.number == $0 || message.isAnswer && message.number > $0 } ?? true
        }
        messages[position] = read?.number ?? question
      default: break
      }
    }
  }
}
