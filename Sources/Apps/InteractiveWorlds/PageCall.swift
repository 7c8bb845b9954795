import Checks
import JSON
import Messaging
import SimulationKernel
import Telling
import Vocabulary

/// A call of a page outside a world, as the page's test sees it: what was asked, what the person released, and who noticed
/// what.
public struct PageCall: Sendable {
  /// A requested element.
  public struct Element: Sendable, Equatable {
    let element: AuthorizationScreen.Element
    /// True if the person agreed to release it. A fault of the wallet may still change the answer.
    public let isReleased: Bool
  }

  /// A check that failed or found a deviation, or the reason for an exception.
  public struct Finding: Sendable, Equatable {
    let party: Party
    let code: String
    let message: String
    let status: CheckResult.Status

    fileprivate init?(_ entry: JournalEntry) {
      party = entry.party
      switch entry.event {
      case .check(let check) where check.status.isFinding:
        (code, message, status) = (check.name, check.message, check.status)
      case .exception(let exception): (code, message, status) = (exception.code, exception.message, .failed)
      default: return nil
      }
    }
  }

  /// The end of a call.
  public enum Outcome: Sendable, Equatable {
    /// The call is in progress.
    case pending
    /// The page got a credential, JSON.
    case credential([UInt8])
    /// The page got an exception, JSON.
    case exception([UInt8])

    /// The name, the status of an answer over HTTP, and what the page got.
    var parts: (name: String, status: Int, bytes: [UInt8]) {
      switch self {
      case .pending: ("pending", 0, [])
      case .credential(let bytes): ("credential", 200, bytes)
      case .exception(let bytes): ("exception", 400, bytes)
      }
    }
  }

  /// The number of the call among those of the page, from 1.
  public let number: Int
  /// The argument of the call as the browser got it, JSON.
  public let options: [UInt8]
  /// The time of the call.
  public let begun: WorldClock.Instant
  /// The time of its end, or nil.
  public let ended: WorldClock.Instant?
  /// The end of the call.
  public let outcome: Outcome
  /// The requester as the app showed it; nil if no app asked the person.
  public let requester: String?
  /// The app that asked the person last; nil if none did.
  public let app: String?
  /// The elements that this app showed.
  public let elements: [Element]
  /// The apps that the selector offered.
  public let offered: [String]
  /// The apps that the selector hid, each with its reason.
  public let hidden: [(app: String, finding: CheckResult)]
  /// The faults that acted since the call before this one.
  public let faults: [FaultEvent]
  /// The checks that failed or found a deviation, and the reason for the exception.
  public let findings: [Finding]
  /// The end in words; nil for a call in progress.
  public let conclusion: Conclusion?
  /// The number of the journal line of the call.
  public let line: Int
}

extension PageCall {
  /// The calls of a website's page in a journal, in their order.
  public static func all(in entries: [JournalEntry], of website: String) -> [PageCall] {
    let calls = entries.indices.filter { index in
      guard let message = entries[index].event.message, message.kind == .getCredential else { return false }
      return message.sender.role == .page && message.sender.name.hasPrefix("\(website)@")
    }
    let ranges = calls.map { start in start..<(end(of: start, in: entries) ?? entries.endIndex) }
    return ranges.enumerated().map { place, range in
      // A call that the browser rejects while another one is pending has lines of its own.
      let others = ranges[(place + 1)...].filter { range.contains($0.lowerBound) && $0.upperBound < range.upperBound }
      let own = range.filter { index in !others.contains { $0.contains(index) } }.map { entries[$0] }
      let before = ranges[..<place].map(\.upperBound).filter { $0 <= range.lowerBound }.max() ?? entries.startIndex
      return PageCall(place + 1, own, faultsIn: entries[before..<range.upperBound], upTo: entries[..<range.upperBound])
    }
  }

  /// Returns the index after the answer to a call, or nil.
  private static func end(of start: Int, in entries: [JournalEntry]) -> Int? {
    guard let call = entries[start].event.message, let number = ExternalPage.call(of: call.bytes) else { return nil }
    return entries[start...].firstIndex { entry in
      guard let message = entry.event.message else { return false }
      return message.recipient == call.sender && [.credential, .exception].contains(message.kind)
        && ExternalPage.call(of: message.bytes) == number
    }.map { $0 + 1 }
  }

  private init(
    _ number: Int, _ lines: [JournalEntry], faultsIn since: ArraySlice<JournalEntry>, upTo all: ArraySlice<JournalEntry>
  ) {
    let events = lines.map(\.event)
    let messages = events.compactMap(\.message)
    let shown = messages.last { $0.kind == .show && $0.recipient.role == .person }?.body(AuthorizationScreen.self)
    let answer = messages.last {
      [.credential, .exception].contains($0.kind) && $0.recipient == messages.first?.sender
    }
    let isAnswered = events.contains { if case .consent(.answered) = $0 { true } else { false } }
    let selections = events.compactMap(\.selection)
    self.number = number
    line = lines.first?.number ?? 0
    begun = lines.first?.time ?? WorldClock.Instant(nanosecondsSince1970: 0)
    options = messages.first.flatMap { try? JSONReader.read($0.bytes) }?.member("options")?.bytes ?? Array("null".utf8)
    switch answer?.kind {
    case .credential: outcome = .credential(answer?.bytes ?? [])
    case .exception: outcome = .exception(answer?.bytes ?? [])
    default: outcome = .pending
    }
    ended = answer == nil ? nil : lines.last?.time
    (requester, app) = (shown?.requester, shown?.app)
    elements = shown?.elements.map { Element(element: $0, isReleased: isAnswered && $0.absence == nil) } ?? []
    offered = selections.compactMap { if case .offered(let app, _) = $0 { app } else { nil } }
    hidden = selections.compactMap { if case .hidden(let app, let finding, _) = $0 { (app, finding) } else { nil } }
    faults = since.compactMap(\.event.fault)
    findings = lines.compactMap(Finding.init)
    conclusion = answer == nil ? nil : Conclusion(of: Array(all), isServerOutside: true)
  }
}

extension PageCall: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("app", app)
    json.member("conclusion", conclusion)
    json.member("elements", elements)
    if case .exception(let bytes) = outcome { json.member("exception", Self.thrown(bytes)) }
    json.member("faults", faults)
    json.member("findings", findings)
    json.member("hidden", hidden.map { ["app": $0.app, "code": $0.finding.name, "message": $0.finding.message] })
    json.member("number", number)
    json.member("offered", offered)
    json.member("outcome", outcome.parts.name)
    json.member("requester", requester)
  }

  /// The name and message of an exception.
  private static func thrown(_ bytes: [UInt8]) -> JSONValue {
    let exception = try? JSONReader.read(bytes)
    return JSONValue(members: ["message", "name"].compactMap { name in exception?.member(name).map { (name, $0) } })
  }
}

extension PageCall.Element: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("documentType", element.documentType)
    json.member("identifier", element.identifier)
    json.member("isReleased", isReleased)
    json.member("isRetained", element.isRetained)
    json.member("nameSpace", element.nameSpace)
  }
}

extension PageCall.Finding: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("code", code)
    json.member("message", message)
    json.member("party", party.description)
    json.member("status", status.rawValue)
  }
}
