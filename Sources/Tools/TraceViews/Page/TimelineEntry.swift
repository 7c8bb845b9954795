import JSON
import Messaging
import Telling

/// A line of the journal for web pages, in the words of its narrative.
package struct TimelineEntry {
  private let entry: JournalEntry
  private let told: Narrative
  package var phrase: String
  private let readers: TimelineReaders?
  /// The number of the message that a check read.
  var reads: Int?
  /// The index of a message's content in a page with all contents.
  var content: Int?
  /// The views of the parties on a message, in a page with all contents.
  var views: [PartyViewForm] = []

  /// - Parameters:
  ///   - readers: The readers of the message; nil for other events.
  ///   - names: The names of the world's parts; nil for the journal's.
  package init(_ entry: JournalEntry, readers: TimelineReaders?, names: WorldNames? = nil) {
    (self.entry, self.readers) = (entry, readers)
    told = Narrative(entry, names: names)
    phrase = told.phrase
  }
}

extension TimelineEntry {
  /// The lines of a whole journal, each check with the message that it read.
  /// - Parameter names: The names of the world's parts; nil for the journal's.
  package static func all(of journal: [JournalEntry], names: WorldNames? = nil) -> [TimelineEntry] {
    let reading = Reading(journal)
    let readers = Openers.readers(of: journal, names: names)
    return journal.enumerated().map { position, entry in
      var form = TimelineEntry(entry, readers: readers[position], names: names)
      form.reads = reading.messages[position]
      return form
    }
  }
}

/// The readers of a message.
package struct TimelineReaders {
  /// The readers, with the party that can open the seal; without it if the journal does not show which party that is.
  let readership: Readership
  private let message: String

  /// - Parameters:
  ///   - readership: The readers, with the name of the party that can open the message.
  ///   - names: The names of the world's parts; nil for the journal's.
  init(_ readership: Readership, _ names: WorldNames?) {
    self.readership = readership
    message = readership.message(names)
  }

  /// The parties that read the message whole.
  var whole: [String] { readership.readers.map(\.description) }
}

/// A column of a page.
package struct TimelineActor: Equatable {
  private let party: Party
  var title: String
  /// The title for narrow columns.
  var shortTitle: String
  /// A fact about the party in this world, for the explanation of the column; nil without one.
  var note: String?
  /// The title of the party's device at the end of its title; nil without one.
  var place: String?

  /// - Parameters:
  ///   - title: The title; nil for that of the narrative.
  ///   - note: A fact about the party in this world.
  ///   - place: The title of the party's device, with which the title ends.
  package init(_ party: Party, title: String? = nil, note: String? = nil, place: String? = nil) {
    (self.note, self.place) = (note, place)
    self.party = party
    self.title = title ?? party.heading
    let hasOwnName = party.shortTitle == party.title
    shortTitle = hasOwnName ? self.title : party.shortTitle.prefix(1).uppercased() + party.shortTitle.dropFirst()
  }

  /// The party in the form of the journal.
  package var id: String { party.description }
}

extension TimelineReaders: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("message", message)
    json.member("seal", readership.seal)
    json.member("sealedFor", readership.sealedFor?.description)
    json.member("whole", whole)
    json.member("withheld", readership.withheld)
  }
}

extension TimelineEntry: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    let message = entry.event.message
    json.member("answers", message?.answers)
    json.member("by", entry.party.description)
    json.member("code", told.code)
    json.member("content", content)
    json.member("evidence", told.evidence)
    json.member("from", message?.sender.description)
    json.member("isProminent", told.isProminent)
    json.member("kind", entry.event.kind.rawValue)
    json.member("line", entry.number)
    json.member("number", message?.number)
    json.member("operation", message?.kind)
    json.member("outcome", entry.event.outcome)
    json.member("phrase", phrase)
    json.member("readers", readers)
    json.member("reads", reads)
    json.member("size", message?.bytes.count)
    // The world's time in milliseconds since 1970.
    json.member("time", Double(entry.time.nanosecondsSince1970 / 1_000) / 1_000)
    json.member("title", told.title)
    json.member("to", message?.recipient.description)
    json.member("tone", told.tone)
    json.member("type", message?.mediaType)
    if !views.isEmpty { json.member("views", views) }
  }
}

extension TimelineActor: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("id", id)
    json.member("name", party.name)
    json.member("note", note)
    json.member("place", place)
    json.member("role", party.role.rawValue)
    json.member("shortTitle", shortTitle)
    json.member("title", title)
  }
}
