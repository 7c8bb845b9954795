import JSON
import LocatedYAML
import Messaging
import MobileDocument
import Primitives
import ScenarioLanguage
import ScenarioRunner
import SimulationKernel
import Telling
import Vocabulary

/// A case as a story: the requester, the person's screens, the conclusions of each party. A function of the journal.
public enum StoryReport {
  /// The story of a case, lines of at most ``Box/width`` columns where texts allow.
  public static func text(of result: CaseResult) -> String {
    var lines = [result.scenario.name]
    if let because = result.scenario.because { lines.append("because: \(because)") }
    if let notice = result.scenario.world.sandboxNotice { lines.append("notice: \(notice)") }
    lines.append("")
    let entries = result.journal.entries
    let start = entries.firstIndex(where: \.event.isStep) ?? entries.count
    lines += preparation(entries[..<start])
    var rest = entries[start...].filter { Narrative($0).isInStory }[...]
    while let entry = rest.first {
      let run = checkRun(at: rest)
      lines += run.count > 1 ? summary(of: run) : tell(entry)
      rest = rest.dropFirst(max(1, run.count))
    }
    if let conclusion = Conclusion(of: entries, lastLine: result.lastLine) { lines += tell(conclusion) }
    return lines.map(SourceText.visible).joined(separator: "\n") + "\n"
  }

  private static func tell(_ conclusion: Conclusion) -> [String] {
    ["", conclusion.title + (conclusion.code.map { " [\($0)]" } ?? "")]
      + "  \(conclusion.text)".wrapped(to: Box.width, hanging: 2)
  }

  /// The checks at the beginning of some entries that one party made in a row and that need no attention. The checks of
  /// a verifier server are the subject of a story, and have a line each.
  private static func checkRun(at entries: ArraySlice<JournalEntry>) -> ArraySlice<JournalEntry> {
    entries.prefix { entry in
      entry.party == entries.first?.party && entry.party.role != .server && entry.event.check != nil
        && Narrative(entry).tone == .quiet
    }
  }

  /// A run of checks as one line, or none if no check was made.
  private static func summary(of run: ArraySlice<JournalEntry>) -> [String] {
    let passed = run.count { $0.event.check?.status == .passed }
    guard let party = run.first?.party, passed > 0 else { return [] }
    return ["  \(party.title): \(passed.counted("check")) passed"]
  }

  /// The start of the world in a few lines.
  private static func preparation(_ entries: ArraySlice<JournalEntry>) -> [String] {
    var lines = ["Before the first step"]
    var documents: [String: Int] = [:]
    var registered: [String: Int] = [:]
    for entry in entries {
      switch entry.event {
      case .note(let note) where note.code == .storeAdded: registered[entry.party.title, default: 0] += 1
      case .check where Narrative(entry).isInStory: lines.append("  \(entry.party.title): \(entry.event.phrase)")
      case .note(let note)
      where note.severity == .failed || note.code == .readerAuthorityCertified
        || note.code == .portalCertified:
        lines.append("  \(entry.party.title): \(entry.event.phrase)")
      case .message(let sent) where sent.recipient.role == .app && sent.mediaType == MediaType.cbor:
        documents[sent.recipient.title, default: 0] += 1
      case .message(let sent) where sent.recipient.role == .person: lines += tell(sent)
      default: continue
      }
    }
    for (app, count) in documents.sorted(by: { $0.key < $1.key }) {
      let known = registered[app, default: 0]
      lines.append(
        "  \(app): \(count.counted("document")) issued to a key made on the device, "
          + (known == count ? "and registered" : "\(known) registered"))
    }
    return lines
  }

  private static func tell(_ message: Message) -> [String] {
    let arrow = "  \(message.sender.title) -> \(message.recipient.title): \(message.kind.rawValue)"
    let line = "\(arrow), \(message.bytes.count) bytes"
    guard message.mediaType == MediaType.screen, message.recipient.role == .person else { return [line] }
    let told =
      switch message.kind {
      case .showSelector: message.body(SelectorScreen.self).map(selector)
      case .showPrompt: message.body(PromptScreen.self).map(prompt)
      case .show: message.body(AuthorizationScreen.self).map(consent)
      case .showPage, .showApp, .showTerminal: message.body(PageScreen.self).map { page($0, of: message.sender) }
      case .showNotification: message.body(NotificationScreen.self).map(notification)
      case .showWarning: message.body(WarningScreen.self).map(warning)
      case .showContinue: message.body(ContinueScreen.self).map { continueSheet($0, of: message.sender.name) }
      case .showCode: message.body(QRCodeScreen.self).map(code)
      case .dismissInterface:
        message.body(DismissScreen.self)?.notice.map { Box.around([$0], title: message.sender.title) }
      default: [String]?.none
      }
    return told ?? []
  }

  private static func tell(_ entry: JournalEntry) -> [String] {
    let line = Narrative(entry)
    let who = line.party.title
    let code = line.code ?? ""
    switch entry.event {
    case .message(let message): return tell(message)
    case .step:
      let moment = DateTime(secondsSince1970: entry.time.secondsSince1970).description
      return ["", "\(moment.dropFirst(11).dropLast()) \(line.phrase)"]
    case .check(let result):
      let evidence =
        result.status == .failed ? line.evidence.flatMap(\.named).map { "         \($0.name): \($0.value)" } : []
      return ["    \(result.mark) \(code.padded(to: 32)) \(line.phrase)"] + evidence
    // The selector's screen follows.
    case .selection: return []
    case .verdict(let verdict): return ["  \(who) concludes: \(verdict.verdict.rawValue), \(line.phrase)"]
    case .exception(let exception):
      return "  \(who): \(exception.name), \(line.phrase) [\(code)]".wrapped(to: Box.width)
    case .consent, .fault, .note: return ["  \(who): \(line.phrase) [\(code)]"]
    }
  }

  private static func selector(_ screen: SelectorScreen) -> [String] {
    var lines = [screen.origin.withoutScheme, "Choose an app to verify your identity", ""]
    for app in screen.offered { lines.append("(o) \(app.app.padded(to: 28)) \(app.words)") }
    if let anotherDevice = screen.anotherDevice { lines.append("(o) \(anotherDevice)") }
    if let notice = screen.notice { lines += ["", notice] }
    lines += ["", "[ Cancel ]"]
    if !screen.hidden.isEmpty { lines += ["", "Not shown to the person:"] }
    for app in screen.hidden {
      lines += ["  \(app.app): \(app.message) [\(app.code)]", "    it would appear: \(app.remedy)"]
    }
    return Box.around(lines, title: "App selector")
  }

  private static func code(_ screen: QRCodeScreen) -> [String] {
    var lines = [screen.message]
    if let uri = screen.uri { lines += ["", uri] }
    lines += ["", buttons(screen.buttons)]
    return Box.around(lines, title: "QR code for \(screen.origin.withoutScheme)")
  }

  private static func prompt(_ screen: PromptScreen) -> [String] {
    Box.around([screen.question, "", buttons(screen.buttons)], title: "Allow \(screen.app)?")
  }

  private static func notification(_ screen: NotificationScreen) -> [String] {
    Box.around(
      [screen.title, screen.origin.withoutScheme, "", buttons(screen.buttons), "", screen.model], title: "Notification")
  }

  private static func warning(_ screen: WarningScreen) -> [String] {
    Box.around([screen.text, "", buttons(screen.buttons)], title: "Warning about \(screen.origin.withoutScheme)")
  }

  private static func continueSheet(_ screen: ContinueScreen, of mac: String) -> [String] {
    Box.around([screen.text, "", buttons(screen.buttons), "", screen.model], title: mac)
  }

  private static func buttons(_ labels: [String]) -> String { labels.map { "[ \($0) ]" }.joined(separator: "  ") }

  private static func consent(_ screen: AuthorizationScreen) -> [String] {
    let icon = screen.icon.map { "<\($0)> " } ?? ""
    var lines = screen.text
    lines += [
      "\(icon)\(screen.requester)\(screen.isRequesterCertified ? "  (certified)" : "  (not certified)")",
      "\(screen.asker) asks for:", "",
    ]
    lines += screen.chosen.map { $0.words }
    for element in screen.given + screen.absent {
      lines.append("  \(element.label.padded(to: 28)) \(element.storageText)")
    }
    if !screen.others.isEmpty { lines += ["", "Instead of it:"] + screen.others.map { "(o) \($0.words)" } }
    if let notice = screen.notice { lines += ["", notice] }
    lines += ["", buttons(screen.buttons)]
    return Box.around(lines, title: screen.app)
  }

  private static func page(_ screen: PageScreen, of sender: Party) -> [String] {
    var lines = [screen.item.map { [$0.name, $0.price].filter { !$0.isEmpty }.joined(separator: ", ") }].compactMap(
      \.self)
    if let verdict = screen.verdict { lines.append("\(verdict.capitalized)\(screen.code.map { " [\($0)]" } ?? "")") }
    for element in screen.verified ?? [] { lines.append("  \(element.label.padded(to: 28)) \(element.words)") }
    if let exception = screen.exception {
      lines.append("The call threw \(exception)\(screen.exceptionMessage.map { ": \($0)" } ?? ".")")
    }
    if let error = screen.error { lines.append("The request threw \(error).") }
    if let fallback = screen.fallback { lines.append(fallback) }
    if let form = screen.form {
      lines.append("\(form.label): [ \(form.button) ]")
      if let message = form.message { lines.append("The upload failed: \(message) [\(form.refusal ?? "")]") }
    }
    if let order = screen.order { lines.append("Order \(order)") }
    lines += screen.notices ?? []
    if !screen.buttons.isEmpty { lines.append(screen.buttons.map { "[ \($0) ]" }.joined(separator: "  ")) }
    return Box.around(lines, title: screen.title + (sender.frame.map { ", in the frame \($0.name)" } ?? ""))
  }
}

/// Frames for screens.
enum Box {
  /// Columns of a frame with its margin; longer lines are wrapped.
  static let width = 92

  private static let inner = width - 8

  static func around(_ lines: [String], title: String) -> [String] {
    let heading = "    +- \(title) " + String(repeating: "-", count: max(0, inner - title.count - 1)) + "+"
    let foot = "    +" + String(repeating: "-", count: inner + 2) + "+"
    return [heading] + lines.flatMap { $0.wrapped(to: inner) }.map { "    | \($0.padded(to: inner)) |" } + [foot]
  }
}

extension String {
  /// The text in pieces of a number of columns, broken at spaces where there are any, the later ones indented: by four
  /// columns more than the first when not said otherwise.
  func wrapped(to columns: Int, hanging: Int? = nil) -> [String] {
    let hanging = String(repeating: " ", count: min(hanging ?? prefix { $0 == " " }.count + 4, columns / 2))
    var pieces: [String] = []
    var rest = self
    while rest.count > columns {
      let room = rest.prefix(columns)
      let indentation = room.prefix { $0 == " " }.count
      var cut = room.lastIndex(of: " ") ?? room.endIndex
      if rest.distance(from: rest.startIndex, to: cut) <= indentation { cut = room.endIndex }
      pieces.append(String(rest[..<cut]))
      rest = hanging + rest[cut...].drop { $0 == " " }
    }
    return pieces + [rest]
  }
}
