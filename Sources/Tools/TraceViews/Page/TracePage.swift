import Crypto
import Foundation
import Inspection
import JSON
import Messaging
import MobileDocument
import ScenarioRunner
import Telling
import Vocabulary

/// A run as one HTML file: its messages, decisions and screens, with every byte. It loads nothing from elsewhere.
public enum TracePage {
  /// The result of the case that the page shows.
  public struct Result: Sendable {
    /// The name of the case.
    public var title: String
    /// The path of the scenario file.
    public var path: String
    /// The verdict of the case; nil for a trace, which does not have it.
    public var verdict: CaseResult.Verdict?
    /// The failure in one line; nil if the case passed.
    public var headline: String?
    /// The code of the check or rule of the failure.
    public var code: String?
    /// The failure as `run` prints it, with the lines of the scenario file.
    public var text: String?
    /// The command that runs the case again.
    public var command: String?
    /// The number of the last line of the last step; nil for a run that may go on, and for a trace, which does not have it.
    var lastLine: Int?
    /// The world of the case, which has the titles of its parts; nil for those of the journal.
    var world: WorldDescription?

    /// The result of a case.
    public init(_ result: CaseResult) {
      title = result.scenario.name
      path = result.scenario.path
      command = result.command
      (world, lastLine) = (result.scenario.world, result.lastLine)
      (verdict, headline, code) = (result.outcome.verdict, result.outcome.headline, result.outcome.code)
      switch result.outcome {
      case .passed, .skipped: break
      case .failed(let failure), .failedAsExpected(let failure, _): text = failure.rendered(for: result)
      case .undecided(let message): text = "\(message)\nagain: \(result.command)"
      }
    }

    /// A trace without the result of its case.
    /// - Parameter title: The name of the file.
    public init(title: String) {
      self.title = title
      path = ""
    }
  }

  /// Returns the page.
  ///
  /// - Parameters:
  ///   - openings: The contents of sealed messages; nil for a trace, which does not have them.
  ///   - opening: The number of the line at which the page opens; nil for the first failure or step.
  /// - Throws: ``TraceViewError`` if the files of the page are missing next to the program.
  public static func html(
    of entries: [JournalEntry], openings: [Opening]? = nil, result: Result, opening: Int? = nil
  ) throws(TraceViewError) -> String {
    var style = ""
    for name in styles { style += try WebFiles.text(name) }
    let script = try ScriptBundle(entry: "trace-page.js", read: WebFiles.text).text
    let symbols = try WebFiles.text("icons/symbols.svg")
    let policy =
      "default-src 'none'; script-src '\(hash(script))'; style-src '\(hash(style))'; img-src data:; "
      + "base-uri 'none'; form-action 'none'"
    var page = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(escaped(result.title)) · trace</title>
      <style>\(style)</style>
      </head>
      <body class="trace">
      <div hidden id="symbols">\(symbols)</div>
      \(try WebFiles.text("trace-page.html"))
      """
    for name in icons {
      page += "<script type=\"image/svg+xml\" id=\"icon:\(name)\">\(try WebFiles.text("icons/\(name)"))</script>\n"
    }
    let content = Contents(entries, PartyViews(entries, openings: openings))
    page +=
      "<script type=\"application/json\" id=\"run\">\(data(RunForm(entries, result, content, opening: opening)))</script>\n"
    for (number, block) in content.blocks.enumerated() {
      // JSON on one line, so each line of an element is a content.
      let lines = block.map { data(MessageContent($0.message, disclosures: $0.disclosures, world: result.world)) }
        .joined(separator: "\n")
      page += "<script type=\"application/json\" id=\"contents:\(number)\">\(lines)</script>\n"
    }
    page += "<script type=\"module\">\(script)</script>\n</body>\n</html>\n"
    return page
  }

  private static let styles = ["base.css", "wire.css", "phone.css", "bytes.css", "print.css", "trace-page.css"]

  /// The pictures of apps and websites on screens.
  private static let icons = [
    "app.svg", "coast.svg", "gate.svg", "hangar.svg", "hotel.svg", "local-driving-authority.svg", "market.svg",
    "other-wallet.svg", "passport-office.svg", "rocket.svg", "shop.svg", "spaceship.svg", "wallet.svg", "website.svg",
  ]

  private static func hash(_ text: String) -> String {
    "sha256-" + Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
  }

  /// JSON inside of an HTML element: no tag can begin in it (HTML, 4.12.1.3).
  private static func data(_ value: some JSONWritable) -> String {
    JSONCoding.text(value).replacing("<", with: "\\u003c")
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }
}

/// The contents of messages, each once: many messages pass on what another has.
private struct Contents {
  private struct Key: Hashable {
    let type: String
    let isCode: Bool
    let bytes: [UInt8]
  }

  /// A message with a content.
  struct Kept {
    let message: Message
    let disclosures: [DisclosedDocument]
  }

  private var indexes: [Key: Int] = [:]
  /// A message for each content.
  private var distinct: [Kept] = []
  /// The views of the parties by the number of the message.
  private(set) var views: [Int: [PartyViewForm]] = [:]

  /// The number of contents in an element of the page: an element for each one would make the document of a long run
  /// large.
  static let blockLength = 64

  /// The messages of `distinct` in blocks, each with the contents of one element.
  var blocks: [ArraySlice<Kept>] {
    stride(from: 0, to: distinct.count, by: Self.blockLength).map { distinct[$0...].prefix(Self.blockLength) }
  }

  init(_ entries: [JournalEntry], _ views: PartyViews) {
    for message in entries.lazy.compactMap(\.event.message) { _ = add(message) }
    for (entry, readers) in zip(entries, Openers.readers(of: entries)) {
      guard let message = entry.event.message, let readers else { continue }
      let found = views.views(of: message, readers)
      if !found.isEmpty { self.views[message.number] = found.map { form(of: $0) } }
    }
  }

  private mutating func form(of view: PartyView) -> PartyViewForm {
    guard case .other(let message) = view.content else { return PartyViewForm(view) }
    return PartyViewForm(view, index: add(message, view.disclosures))
  }

  /// Adds a content, and returns its index.
  private mutating func add(_ message: Message, _ disclosures: [DisclosedDocument] = []) -> Int {
    let key = Self.key(message)
    if let known = indexes[key] { return known }
    indexes[key] = distinct.count
    distinct.append(Kept(message: message, disclosures: disclosures))
    return distinct.count - 1
  }

  func index(of message: Message) -> Int? { indexes[Self.key(message)] }

  private static func key(_ message: Message) -> Key {
    Key(type: message.mediaType, isCode: message.kind == .showCode, bytes: message.bytes)
  }
}

/// Everything of a run except the contents of messages.
private struct RunForm: JSONObjectWritable {
  private let entries: [TimelineEntry]
  private let actors: [TimelineActor]
  private let result: TracePage.Result
  private let conclusion: Conclusion?
  private let first: Int?
  private let labels: [String: String]
  /// The words for the screens of devices with another language than English; nil without one.
  private let words: WordTables?
  private let opening: Int?

  init(_ journal: [JournalEntry], _ result: TracePage.Result, _ contents: Contents, opening: Int?) {
    (self.result, self.opening) = (result, opening)
    let names = result.world?.names
    conclusion = Conclusion(of: journal, names: names, lastLine: result.lastLine)
    actors = Actors.columns(of: journal, in: result.world)
    entries = zip(journal, TimelineEntry.all(of: journal, names: names)).map { entry, form in
      var form = form
      if let names, entry.event.isStep { form.phrase = names.titled(form.phrase) }
      form.content = entry.event.message.flatMap(contents.index)
      form.views = entry.event.message.flatMap { contents.views[$0.number] } ?? []
      return form
    }
    first = Self.firstFailure(journal, result)?.number
    var labels: [String: String] = [:]
    for case .selection(.offered(_, let registrations)) in journal.lazy.map(\.event) {
      for type in registrations.map(\.documentType) { labels[type] = DataElementCatalogue.label(documentType: type) }
    }
    self.labels = labels
    words = WordTables(of: Set(journal.compactMap(\.event.message).compactMap(\.screenLanguage)))
  }

  /// The line where a case failed: that of the failure's code, or the first objection, or the last line.
  private static func firstFailure(_ journal: [JournalEntry], _ result: TracePage.Result) -> JournalEntry? {
    let objections = journal.filter { Narrative($0).tone == .bad }
    let named = result.code.flatMap { code in
      objections.first { $0.event.code == code } ?? journal.first { $0.event.code == code }
    }
    if let named { return named }
    if result.verdict == .passed { return nil }
    return objections.first ?? (result.headline == nil ? nil : journal.last)
  }

  func writeMembers(to json: inout JSONWriter) {
    json.member("actors", actors)
    json.member("code", result.code)
    json.member("command", result.command)
    json.member("conclusion", conclusion)
    json.member("contentsInBlock", Contents.blockLength)
    json.member("entries", entries)
    json.member("first", first)
    json.member("headline", result.headline)
    json.member("labels", labels)
    json.member("opening", opening)
    json.member("outcome", result.verdict?.words ?? "")
    json.member("path", result.path)
    json.member("text", result.text)
    json.member("title", result.title)
    json.member("words", words)
  }
}
