import Checks
import Messaging
import ScenarioLanguage

/// Judges expectations by the journal and by the person's screens.
struct Judge {
  let entries: [JournalEntry]
  /// Number of journal lines before the newest action.
  let mark: Int
  /// The device of the expectation: the one that it names, otherwise the one that the person uses.
  let device: String
  /// The device with the page: the one that the expectation names, otherwise that of the page opened last.
  let pageDevice: String
  /// True if the expectation names the device: it does not look at others.
  var isDeviceNamed = false
  /// The entries since the last action.
  var recent: ArraySlice<JournalEntry> { entries.dropFirst(mark) }

  /// Returns true if a party has recorded this note since the last action.
  func hasNoted(_ code: NoteCode) -> Bool { reason(of: code) != nil }

  /// The message of the latest note with a code since the last action.
  func reason(of code: NoteCode) -> String? { recent.compactMap(\.event.note).last { $0.code == code }?.message }

  /// The latest exception of the browser with the page that the person opened last, in one of its frames if named.
  func latestException(
    in entries: some BidirectionalCollection<JournalEntry>, frame: String? = nil
  ) -> ExceptionEvent? {
    entries.last { entry in
      guard entry.party == Party(.browser, pageDevice), let exception = entry.event.exception else { return false }
      return frame == nil || Party(.page, exception.page).frame?.name == frame
    }?.event.exception
  }

  /// The latest failed check with a name.
  func latestFailure(named name: String?) -> CheckResult? {
    entries.compactMap(\.event.check).last { $0.status == .failed && $0.name == name }
  }

  /// Judges a message that the person reads.
  func judge(_ notice: String, of step: String, found: String?) -> ExpectationFailure? {
    if let found, found.contains(notice) { return nil }
    return ExpectationFailure(
      at: StepPath(step, "notice"), "the person does not read this", note: found.map { "the screen says: \($0)" })
  }

  /// Judges texts of a screen.
  func judge(mentions: [String]?, of step: String, in lines: [String], _ screen: String) -> ExpectationFailure? {
    guard let text = mentions?.first(where: { text in !lines.contains { $0.contains(text) } }) else { return nil }
    return ExpectationFailure(
      at: StepPath(step, "mentions", end: .item(text)), "the \(screen) does not say this",
      evidence: lines.map { "\(screen): \($0)" })
  }

  /// Judges texts that the person reads on an open screen.
  func judge(says expected: [String]?, of step: String, found: [String]?) -> ExpectationFailure? {
    guard let expected else { return nil }
    guard let found else {
      return ExpectationFailure(
        at: StepPath(step, "says"), "the person does not read this", note: "nothing of it is on the screen")
    }
    guard let text = expected.first(where: { text in !found.contains { $0.contains(text) } }) else { return nil }
    return ExpectationFailure(
      at: StepPath(step, "says", end: .item(text)), "the person does not read this",
      evidence: found.map { "the screen says: \($0)" })
  }

  func newestException() -> ExceptionEvent? { latestException(in: entries) }

  /// The newest failures, newest last.
  func latestFailures() -> [String] { recent.filter(\.event.isFailure).suffix(4).map(line) + appsThatCannotAnswer() }
}

extension Party {
  /// Returns true for a device and for its parts: its apps and the pages of its browser.
  func isPart(of device: String) -> Bool {
    switch role {
    case .browser, .operatingSystem, .sandbox, .clientPlatform, .authenticator, .nearby, .mdoc: name == device
    case .app, .requestingApp, .ownWallet: name.hasPrefix(device + "/")
    case .page: deviceOfPage == device
    case .person, .server, .ownServer, .issuer, .readerAuthority, .listOperator, .portal, .tunnelService, .bluetooth,
      .nfc,
      .terminal:
      false
    }
  }
}

extension String? {
  /// Returns true if a finding has the expected name: a check without a reason means any of its reasons.
  func isName(expected: String) -> Bool { map { CheckResult.isName($0, expectedAs: expected) } ?? false }
}
