import Ecosystem
import Foundation
import LocatedYAML
import MobileDocument
import Primitives
import ScenarioLanguage
import ScenarioRunner
import SimulationKernel

/// A case as a story: the requester, the person's screens, the conclusions of each party. A function of the journal.
public enum StoryReport {
  /// The story of a case, lines of at most ``Box/width`` columns where texts allow.
  public static func text(of result: CaseResult) -> String {
    var lines = [result.scenario.name]
    if let because = result.scenario.because { lines.append("because: \(because)") }
    lines.append("")
    let entries = result.journal.entries
    let start = entries.firstIndex { Step.begins(at: $0) } ?? entries.count
    lines += preparation(entries[..<start])
    for entry in entries[start...] {
      switch entry.event {
      case .message(let message): lines += tell(message)
      case .decision(let decision): lines += tell(decision, at: entry.time)
      }
    }
    return lines.map(SourceText.visible).joined(separator: "\n") + "\n"
  }

  private enum Step {
    static func begins(at entry: Journal.Entry) -> Bool {
      if case .decision(let made) = entry.event { made.kind == .step } else { false }
    }
  }

  /// The events before the first step, in a few lines.
  private static func preparation(_ entries: ArraySlice<Journal.Entry>) -> [String] {
    var lines = ["Before the first visit"]
    var documents: [String: Int] = [:]
    var registered: [String: Int] = [:]
    for entry in entries {
      switch entry.event {
      case .decision(let made) where made.code == JournalCode.storeAdded.rawValue:
        registered[name(of: made.party), default: 0] += 1
      case .decision(let made) where made.kind == .check || ["failed", "threw"].contains(made.outcome):
        lines.append("  \(name(of: made.party)): \(made.message)")
      case .message(let sent) where sent.recipient.role == .app && sent.mediaType == MediaType.cbor:
        documents[name(of: sent.recipient), default: 0] += 1
      case .message(let sent) where sent.recipient.role == .person: lines += tell(sent)
      default: continue
      }
    }
    for (app, count) in documents.sorted(by: { $0.key < $1.key }) {
      let known = registered[app, default: 0]
      lines.append(
        "  \(app): \(count) document\(count == 1 ? "" : "s") issued to a key made on the device, "
          + (known == count ? "and registered" : "\(known) registered"))
    }
    return lines
  }

  private static func tell(_ message: Message) -> [String] {
    let arrow = "  \(name(of: message.sender)) -> \(name(of: message.recipient)): \(message.subject)"
    let line = "\(arrow), \(message.bytes.count) bytes"
    guard message.mediaType == MediaType.screen, message.recipient.role == .person else { return [line] }
    let decoder = JSONDecoder()
    let data = Data(message.bytes)
    if let screen = try? decoder.decode(SelectorScreen.self, from: data) { return selector(screen) }
    if let screen = try? decoder.decode(PromptScreen.self, from: data) { return prompt(screen) }
    if let screen = try? decoder.decode(AuthorizationScreen.self, from: data) { return consent(screen) }
    if let screen = try? decoder.decode(PageScreen.self, from: data) { return page(screen) }
    return []
  }

  private static func tell(_ decision: Decision, at time: WorldClock.Instant) -> [String] {
    switch decision.kind {
    case .step:
      let moment = DateTime(secondsSince1970: time.secondsSince1970).description
      return ["", "\(moment.dropFirst(11).dropLast()) \(decision.message)"]
    case .check:
      let mark =
        switch decision.outcome {
        case "passed": "ok  "
        case "not reached": "-   "
        case "deviates": "note"
        default: "NO  "
        }
      let facts = decision.outcome == "failed" ? decision.details.map { "         \($0.name): \($0.value)" } : []
      return ["    \(mark) \(decision.code.padded(to: 32)) \(decision.message)"] + facts
    case .selector:
      return []
    case .verdict:
      return ["  \(name(of: decision.party)) concludes: \(decision.outcome), \(decision.message)"]
    case .exception:
      return "  \(name(of: decision.party)): \(decision.outcome), \(decision.message) [\(decision.code)]"
        .wrapped(to: Box.width)
    case .consent, .withheld, .fault, .note:
      return ["  \(name(of: decision.party)): \(decision.message) [\(decision.code)]"]
    }
  }

  private static func selector(_ screen: SelectorScreen) -> [String] {
    var lines = ["\(host(screen.origin)) wants to verify your identity. Use an ID in:", ""]
    for app in screen.offered {
      lines.append(
        "(o) \(app.app.padded(to: 28)) \(app.documents.map { DataElementCatalogue.label(documentType: $0) }.joined(separator: ", "))"
      )
    }
    lines += ["", "[ Cancel ]"]
    if !screen.hidden.isEmpty { lines += ["", "Not shown to the person:"] }
    for app in screen.hidden {
      lines += ["  \(app.app): \(app.message) [\(app.code)]", "    it would appear: \(app.remedy)"]
    }
    return Box.around(lines, title: "App selector")
  }

  private static func prompt(_ screen: PromptScreen) -> [String] {
    Box.around(
      [screen.question, "", screen.buttons.map { "[ \($0) ]" }.joined(separator: "  ")], title: "Allow \(screen.app)?")
  }

  private static func consent(_ screen: AuthorizationScreen) -> [String] {
    let icon = screen.icon.map { "<\($0)> " } ?? ""
    var lines = [
      "\(icon)\(screen.requester)\(screen.isRequesterCertified ? "  (certified)" : "  (not certified)")",
      "\(host(screen.origin)) asks for:", "",
    ]
    for element in screen.elements {
      lines.append("  \(element.label.padded(to: 28)) \(element.isRetained ? "will be stored" : "will not be stored")")
    }
    lines += ["", screen.buttons.map { "[ \($0) ]" }.joined(separator: "  ")]
    return Box.around(lines, title: screen.app)
  }

  private static func page(_ screen: PageScreen) -> [String] {
    var lines: [String] = []
    if let verdict = screen.verdict { lines.append("\(verdict.capitalized)\(screen.code.map { " [\($0)]" } ?? "")") }
    for element in screen.verified ?? [] {
      let label = DataElementCatalogue.label(nameSpace: element.nameSpace, identifier: element.identifier)
      lines.append("  \(label.padded(to: 28)) \(element.value)")
    }
    if let exception = screen.exception {
      lines.append("The call threw \(exception)\(screen.exceptionMessage.map { ": \($0)" } ?? ".")")
    }
    if let fallback = screen.fallback { lines.append(fallback) }
    if !screen.buttons.isEmpty { lines.append(screen.buttons.map { "[ \($0) ]" }.joined(separator: "  ")) }
    return Box.around(lines, title: screen.title)
  }

  private static func host(_ origin: String) -> String {
    origin.split(separator: "//", maxSplits: 1).last.map(String.init) ?? origin
  }

  /// A party's name in a story.
  private static func name(of party: Party) -> String {
    let last = party.name.split(separator: "/").last.map(String.init) ?? party.name
    return switch party.role {
    case .person: "person"
    case .browser: "browser"
    case .operatingSystem: "operating system"
    case .sandbox: "sandbox"
    case .app: last
    case .page: "page of \(party.name.split(separator: "@").first.map(String.init) ?? party.name)"
    case .server: "server of \(party.name)"
    case .issuer, .readerAuthority: party.name
    }
  }
}
