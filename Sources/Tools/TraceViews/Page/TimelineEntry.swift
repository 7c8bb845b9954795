import Checks
import JSON
import Messaging
import Telling

/// A line of the journal for web pages, in the words of its narrative.
package struct TimelineEntry {
  var line: Int
  /// The world's time in milliseconds since 1970.
  var time: Double
  var kind: String
  var by: String
  var tone: Narrative.Tone
  var title: String?
  package var phrase: String
  var code: String?
  var outcome: String?
  var evidence: [CheckResult.Evidence]
  var isProminent: Bool
  // Members of messages, without their bytes.
  var number: Int?
  var from: String?
  var to: String?
  var operation: MessageKind?
  var type: String?
  var size: Int?
  var answers: Int?
  var readers: TimelineReaders?
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
    let told = Narrative(entry, names: names)
    line = entry.number
    time = Double(entry.time.nanosecondsSince1970 / 1_000) / 1_000
    kind = entry.event.kind.rawValue
    by = entry.party.description
    tone = told.tone
    title = told.title
    phrase = told.phrase
    code = told.code
    outcome = entry.event.outcome
    evidence = told.evidence
    isProminent = told.isProminent
    self.readers = readers
    guard let sent = entry.event.message else { return }
    number = sent.number
    from = sent.sender.description
    to = sent.recipient.description
    operation = sent.kind
    type = sent.mediaType
    size = sent.bytes.count
    answers = sent.answers
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
  var whole: [String]
  /// The seal around the content, or nil.
  package var seal: Readership.Seal?
  /// The party that can open the seal; nil if the journal does not show which party that is.
  package var opener: Party?
  var withheld: String?
  var message: String

  /// - Parameters:
  ///   - readership: The readers, with the name of the party that can open the message.
  ///   - names: The names of the world's parts; nil for the journal's.
  init(_ readership: Readership, _ names: WorldNames?) {
    whole = readership.readers.map(\.description)
    (seal, opener) = (readership.seal, readership.sealedFor)
    withheld = readership.withheld
    message = readership.message(names)
  }
}

/// A column of a page.
package struct TimelineActor: Equatable {
  package var id: String
  var role: String
  var name: String
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
    id = party.description
    role = party.role.rawValue
    name = party.name
    self.title = title ?? party.heading
    let hasOwnName = party.shortTitle == party.title
    shortTitle = hasOwnName ? self.title : party.shortTitle.prefix(1).uppercased() + party.shortTitle.dropFirst()
  }
}

extension TimelineReaders: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("message", message)
    json.member("seal", seal)
    json.member("sealedFor", opener?.description)
    json.member("whole", whole)
    json.member("withheld", withheld)
  }
}

extension TimelineEntry: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("answers", answers)
    json.member("by", by)
    json.member("code", code)
    json.member("content", content)
    json.member("evidence", evidence)
    json.member("from", from)
    json.member("isProminent", isProminent)
    json.member("kind", kind)
    json.member("line", line)
    json.member("number", number)
    json.member("operation", operation)
    json.member("outcome", outcome)
    json.member("phrase", phrase)
    json.member("readers", readers)
    json.member("reads", reads)
    json.member("size", size)
    json.member("time", time)
    json.member("title", title)
    json.member("to", to)
    json.member("tone", tone)
    json.member("type", type)
    if !views.isEmpty { json.member("views", views) }
  }
}

extension TimelineActor: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("id", id)
    json.member("name", name)
    json.member("note", note)
    json.member("place", place)
    json.member("role", role)
    json.member("shortTitle", shortTitle)
    json.member("title", title)
  }
}
