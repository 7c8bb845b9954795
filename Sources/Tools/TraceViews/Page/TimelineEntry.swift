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
  var phrase: String
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

  /// - Parameter website: the website of the current page, for parties that pass on sealed content and do not know its
  ///   recipient.
  package init(_ entry: JournalEntry, website: String) {
    let told = Narrative(entry)
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
    guard let sent = entry.event.message, let readership = told.readership else { return }
    number = sent.number
    from = sent.sender.description
    to = sent.recipient.description
    operation = sent.kind
    type = sent.mediaType
    size = sent.bytes.count
    answers = sent.answers
    readers = TimelineReaders(readership, website: website)
  }
}

extension TimelineEntry {
  /// The lines of a whole journal, each check with the message that it read.
  package static func all(of journal: [JournalEntry]) -> [TimelineEntry] {
    let reading = Reading(journal)
    var website = ""
    return journal.enumerated().map { position, entry in
      if let page = entry.event.page { website = page }
      var form = TimelineEntry(entry, website: website)
      form.reads = reading.messages[position]
      return form
    }
  }
}

extension TimelineEntry {
  /// The website of the current page at a line of a journal.
  package static func website(at position: Int, in journal: [JournalEntry]) -> String {
    journal.prefix(position + 1).lazy.compactMap(\.event.page).last ?? ""
  }
}

extension JournalEvent {
  /// The website of a message from a page.
  var page: String? { message?.sender.website }
}

/// The readers of a message.
package struct TimelineReaders {
  var whole: [String]
  var sealedFor: String?
  var withheld: String?
  var message: String

  /// - Parameter website: the website of the current page, for parties that pass on sealed content and do not know
  ///   its recipient.
  package init(_ readership: Readership, website: String) {
    let opener = readership.sealedFor.map { $0 == Party(.server, "") ? Party(.server, website) : $0 }
    whole = readership.readers.map(\.description)
    sealedFor = opener?.description
    withheld = readership.withheld
    message = readership.message
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

  /// - Parameters:
  ///   - title: the title; nil for that of the narrative.
  package init(_ party: Party, title: String? = nil) {
    id = party.description
    role = party.role.rawValue
    name = party.name
    self.title = title ?? party.heading
    let hasOwnName = party.shortTitle == party.title
    shortTitle = hasOwnName ? self.title : party.shortTitle.prefix(1).uppercased() + party.shortTitle.dropFirst()
  }
}

extension TimelineReaders: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("message", message)
      json.member("sealedFor", sealedFor)
      json.member("whole", whole)
      json.member("withheld", withheld)
    }
  }
}

extension TimelineEntry: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
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
}

extension TimelineActor: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("id", id)
      json.member("name", name)
      json.member("role", role)
      json.member("shortTitle", shortTitle)
      json.member("title", title)
    }
  }
}
