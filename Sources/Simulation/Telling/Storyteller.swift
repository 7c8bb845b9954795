import Checks
import Messaging
import MobileDocument
import Primitives

/// The words of a conclusion.
struct Storyteller {
  private let attempt: Attempt
  /// The effective faults and changes, in words.
  private let broken: [String]
  private let hasChanges: Bool
  private let names: WorldNames
  private let honest: () -> [JournalEntry]?
  /// True if no step follows, so that a presentment that has not ended does not end any more.
  private let isRunOver: Bool
  /// False for the previous presentment of another one: the one before it is not told.
  private let tellsEarlier: Bool

  /// The person's refusal, as the browser reports it.
  private static let declined = "browser.choice"
  /// The exception of a refusal, and of some other ends of calls.
  private static let refusal = "NotAllowedError"
  /// The ends of calls by the page, or by leaving it.
  private static let leaving = (signal: "browser.signal", gone: "browser.fully-active/gone")
  /// The end of a call that no app can answer.
  private static let unanswerable = "browser.platform/nothing-can-answer"

  init(
    _ attempt: Attempt, changes: [String], names: WorldNames, honest: @escaping () -> [JournalEntry]?,
    isRunOver: Bool = false, tellsEarlier: Bool = true
  ) {
    self.attempt = attempt
    (self.honest, self.names) = (honest, names)
    (self.isRunOver, self.tellsEarlier) = (isRunOver, tellsEarlier)
    hasChanges = !changes.isEmpty
    let applied = attempt.faults.compactMap(\.event.fault).filter { $0.effect == .applied }.map(\.title)
    broken = (applied + changes).uniqued()
  }

  private var isBroken: Bool { !broken.isEmpty }

  /// The person as the subject of a sentence.
  private var person: String { names.actor }

  private var objection: JournalEntry? { isBroken ? attempt.objectionToFault : attempt.objection }

  /// The kind of the party that asks for a document.
  private var requester: String { attempt.isOfApp ? "app" : attempt.end?.party.role == .terminal ? "terminal" : "site" }

  var conclusion: Conclusion? {
    guard let end = attempt.end else { return unfinished }
    if let verdict = end.event.verdict {
      return verdict.verdict == .verified ? accepted(end) : noticed(objection ?? end)
    }
    if end.event.message != nil { return handedOver(end) }
    if let objection { return noticed(objection) }
    let code = end.event.code ?? ""
    // An empty selector can only be closed.
    if attempt.offered == 0, let first = attempt.hidden.first { return noAppOffered(first) }
    if code == Self.declined || end.event.note?.value == "cancelled" || attempt.isDeclinedInPerson {
      return declined(end)
    }
    return withoutAnswer(end)
  }

  /// A presentment without an end, in which a fault was noticed or the website asked for nothing. At the end of a run it is
  /// one in which a party refused anything.
  private var unfinished: Conclusion? {
    if let failure = attempt.entries.first(where: { $0.event.note?.code == .websiteCannotBegin }) {
      return Conclusion(
        .warning, "The site asked for nothing.", [phrase(of: failure), brokenSentence],
        code: failure.event.code, line: failure.number)
    }
    if isRunOver { return (objection ?? attempt.objectionSincePrevious).map(noticed) }
    guard isBroken, let objection else { return nil }
    return noticed(objection)
  }
}

/// Verified responses.
extension Storyteller {
  private func accepted(_ end: JournalEntry) -> Conclusion {
    if isBroken, let objection {
      return Conclusion(
        .warning, "\(subject(objection.party)) noticed.",
        [phrase(of: objection), "A response was verified all the same.", brokenSentence],
        code: objection.event.code, line: objection.number, isNoticed: true)
    }
    let departures = attempt.deviations.filter { !Self.isLess($0) }
    if let first = departures.first { return departed(first, others: departures.count - 1) }
    if isBroken { return unchecked(end) }
    if let fault = attempt.faults.first, let reason = fault.event.fault?.reasonNotApplied {
      return Conclusion(
        .calm, "The fault changed nothing.", [Self.sentence(reason), "The response was verified."],
        code: fault.event.code, line: fault.number)
    }
    if let first = attempt.deviations.first { return less(first) }
    return verified(end)
  }

  /// True if the response only has less than the website asked for, which the standard allows.
  private static func isLess(_ entry: JournalEntry) -> Bool {
    ["element.returned", "response.documents"].contains(entry.event.check?.check)
  }

  /// A response that the server verified. It claims only what was received.
  private func verified(_ end: JournalEntry) -> Conclusion {
    let name = attempt.received.first { $0.identifier == "given_name" }?.value
    return Conclusion(
      .good, name.map { "Verified: it is \($0)." } ?? "Verified: the answer is genuine.",
      [
        "\(verifier(end, atStart: true)) made \(attempt.checkCount.counted("check")), and none failed.",
        receivedSentence,
        attempt.isAnsweredInPlain
          ? "The site asked for an answer that is not encrypted: everybody on its way could read it."
          : "Until \(verifier(end)) opened it, only \(attempt.answeringApp ?? "the app"), which made the answer, knew what is "
            + "in it: all others carried it sealed.",
        attempt.received.isEmpty || end.party.role == .terminal
          ? nil : "Then the server told the \(attempt.isOfApp ? "app" : "page").", earlier,
      ], line: end.number)
  }

  /// The party that verified a response.
  private func verifier(_ end: JournalEntry, atStart isStart: Bool = false) -> String {
    let role = end.party.role == .terminal ? "terminal" : "server"
    return (isStart ? "The " : "the ") + role
  }

  /// The previous presentment of the journal, if it did not end as well.
  private var earlier: String? {
    guard tellsEarlier, !attempt.earlier.isEmpty else { return nil }
    let previous = Storyteller(
      Attempt(Array(attempt.earlier)), changes: [], names: names, honest: { nil }, tellsEarlier: false
    ).conclusion
    guard let previous, previous.tone != .good else { return nil }
    let isName = !["The ", "No ", "Nobody "].contains { previous.title.hasPrefix($0) }
    let title = isName ? previous.title : previous.title.withinASentence
    return "Before that, \(title.dropLast())\(previous.code.map { " [\($0)]" } ?? "")."
  }

  /// A verified response with less than the website asked for.
  private func less(_ first: JournalEntry) -> Conclusion {
    let missing = attempt.deviations.flatMap { entry in
      entry.event.check?.evidence.compactMap { ElementWords.Name($0.expected ?? "")?.label } ?? []
    }
    return Conclusion(
      .good, "Verified, with less than the \(requester) asked for.",
      [
        receivedSentence, missing.isEmpty ? phrase(of: first) : "It did not receive \(Self.list(missing)).",
        "\(attempt.isOfApp ? "Wallet" : "An app") may return less, and this \(requester) accepts it.", earlier,
      ], code: first.event.code, line: first.number)
  }

  private var receivedSentence: String? {
    let labels = attempt.received.map { DataElementCatalogue.label(nameSpace: $0.nameSpace, identifier: $0.identifier) }
    return labels.isEmpty ? nil : "It received \(Self.list(labels))."
  }

  /// A departure from the standard that the policy of the party accepts.
  private func departed(_ first: JournalEntry, others: Int) -> Conclusion {
    Conclusion(
      .warning, "\(subject(first.party)) noticed, and accepted it.",
      [
        phrase(of: first), others > 0 ? "It accepted \(others.counted("other finding")) as well." : nil,
        "The response was verified.", brokenSentence,
      ], code: first.event.code, line: first.number, isNoticed: true)
  }

  /// A verified response although something is broken: no check failed, and none found a departure.
  private func unchecked(_ end: JournalEntry) -> Conclusion {
    let suspects = mayChangeSelection ? attempt.hidden : []
    let less = attempt.deviations
    guard !suspects.isEmpty || !less.isEmpty else { return unnoticed(end) }
    guard let honest = honest().map({ Attempt($0) }), honest.selection != nil else {
      return undecided(suspects, less, end)
    }
    let hiddenAnyway = Set(honest.hidden.map(\.app))
    let hidden = suspects.filter { !hiddenAnyway.contains($0.app) }
    if let first = hidden.first {
      return Conclusion(
        .bad, "\(subject(first.entry.party)) noticed.",
        [
          "It hid \(Self.list(hidden.map(\.app))): \(first.finding.message).", brokenSentence,
          attempt.answeringApp.map { "\($0) may answer such a request, and its response was verified." },
        ], code: first.finding.name, line: first.entry.number, isNoticed: true)
    }
    let lessAnyway = Set(honest.deviations.map(\.event.phrase))
    if let first = less.first(where: { !lessAnyway.contains($0.event.phrase) }) { return departed(first, others: 0) }
    return unnoticed(end)
  }

  /// True if what is broken can change a selection: it acts before it, on the request.
  private var mayChangeSelection: Bool {
    guard let selection = attempt.selection else { return false }
    let roles: Set<Party.Role> = [.server, .readerAuthority, .browser, .sandbox, .operatingSystem]
    return hasChanges || attempt.faults.contains { $0.number < selection && roles.contains($0.party.role) }
  }

  /// Apps are hidden, or elements are missing, and no run without the fault shows whether that is because of it.
  private func undecided(_ hidden: [Attempt.HiddenApp], _ less: [JournalEntry], _ end: JournalEntry) -> Conclusion {
    Conclusion(
      .warning, "No check failed.",
      [
        brokenSentence, hidden.isEmpty ? nil : "The selector hid \(Self.list(hidden.map(\.app))).",
        less.first.map { phrase(of: $0) }, "Only a run without the fault shows whether that is because of it.",
      ],
      code: hidden.first?.finding.name ?? less.first?.event.code,
      line: hidden.first?.entry.number ?? less.first?.number ?? end.number)
  }

  private func unnoticed(_ end: JournalEntry) -> Conclusion {
    let acting = attempt.faults.first { $0.event.fault?.effect == .applied }
    let altered = acting?.event.fault?.messageNumber.flatMap { number in
      attempt.entries.lazy.compactMap(\.event.message).first { $0.number == number }
    }
    let change = altered.map {
      "It changed message \($0.number), “\($0.kind.rawValue)”, from \(noun($0.sender)) to \(noun($0.recipient))."
    }
    return Conclusion(
      .warning, "Nobody noticed.",
      ["No check failed, and no app was hidden because of it.", brokenSentence, change],
      line: acting?.number ?? end.number)
  }
}

/// Presentments whose server is outside the world.
extension Storyteller {
  /// The page got an answer, which its own server verifies.
  private func handedOver(_ end: JournalEntry) -> Conclusion {
    if isBroken {
      return Conclusion(
        .warning, "Your page got an answer that your server should refuse.",
        [brokenSentence, objection.map { "\(subject($0.party)) noticed: \(phrase(of: $0))" }], line: end.number,
        isNoticed: objection != nil)
    }
    if let fault = attempt.faults.first, let reason = fault.event.fault?.reasonNotApplied {
      return Conclusion(
        .calm, "The fault changed nothing.", [Self.sentence(reason), "Your page got an answer."],
        code: fault.event.code, line: fault.number)
    }
    return Conclusion(
      .good, "Your page got an answer.",
      [
        "\(attempt.answeringApp ?? "The app") sealed it for your server, which verifies it now.",
        "The result is not part of this world.",
      ], line: end.number)
  }
}

/// Presentments without a verified response.
extension Storyteller {
  private func noticed(_ objection: JournalEntry) -> Conclusion {
    Conclusion(
      .bad, "\(subject(objection.party)) noticed.", [phrase(of: objection), brokenSentence, indistinguishable],
      code: objection.event.code, line: objection.number, isNoticed: true)
  }

  private func noAppOffered(_ first: Attempt.HiddenApp) -> Conclusion {
    let reasons = attempt.hidden.map(\.finding.message)
    let isOneReason = reasons.allSatisfy { $0 == reasons.first }
    return Conclusion(
      .bad, isBroken ? "\(subject(first.entry.party)) noticed." : "No app may answer.",
      [
        isOneReason
          ? "No app was offered: \(first.finding.message)."
          : "No app was offered. \(first.app) was hidden for this reason: \(first.finding.message).",
        brokenSentence, indistinguishable,
      ], code: first.finding.name, line: first.entry.number, isNoticed: isBroken)
  }

  private func declined(_ end: JournalEntry) -> Conclusion {
    Conclusion(
      .calm, "\(person.prefix(1).uppercased())\(person.dropFirst()) said no.",
      [
        withoutData, end.event.exception.map { "The page gets \($0.name), as it does when no app may answer." },
        attempt.isDeclinedInPerson ? "The terminal cannot tell this from a document that is not there." : nil,
        isBroken ? "No check had failed until then." : nil, brokenSentence,
      ], code: end.event.code, line: end.number)
  }

  /// The call ended without the person's refusal: a party gave it up, or the page was left.
  private func withoutAnswer(_ end: JournalEntry) -> Conclusion {
    let title =
      switch end.event.code {
      case Self.leaving.signal, Self.leaving.gone: "The page ended its call."
      case Self.unanswerable: "No app may answer."
      default: "\(subject(end.party)) \(end.event.exception == nil ? "got no document" : "ended the call")."
      }
    return Conclusion(
      isBroken ? .warning : .calm, title, [phrase(of: end), withoutData, brokenSentence, indistinguishable],
      code: end.event.code, line: end.number)
  }

  private var withoutData: String {
    attempt.answeringApp.map { "\($0) had answered. Its answer is sealed, and the server did not get it." }
      ?? "Nothing about \(person) left the phone."
  }

  /// The lesson of a call that ended as a refusal does: no app may answer it, or the page lacks a user's gesture.
  private var indistinguishable: String? {
    guard let exception = attempt.end?.event.exception, exception.code != Self.declined,
      exception.name == Self.refusal
    else { return nil }
    return "The page cannot tell this from a refusal by \(person): both are \(exception.name)."
  }
}

/// Words.
extension Storyteller {
  private var brokenSentence: String? { isBroken ? "This was broken: \(broken.joined(separator: "; "))." : nil }

  private func phrase(of entry: JournalEntry) -> String { Self.sentence(entry.event.phrase, code: entry.event.code) }

  /// The text as a sentence. An identifier at its beginning keeps its spelling.
  /// - Parameter code: The code of the text: those about elements and claims may begin with the name of one.
  static func sentence(_ text: String, code: String? = nil) -> String {
    let first = text.prefix { !$0.isWhitespace }
    let namesMember = ["element.", "status.list.claims"].contains { code?.hasPrefix($0) ?? false }
    let isWord = first.dropFirst().allSatisfy { $0.isLowercase || "’',;:-".contains($0) }
    let isPlain = namesMember ? ["a", "an", "the", "no", "every"].contains(first) : isWord
    let sentence = isPlain ? text.prefix(1).uppercased() + text.dropFirst() : text
    return ".!?…".contains(sentence.last ?? ".") ? sentence : sentence + "."
  }

  /// Names with commas and an "and", each once.
  private static func list(_ names: [String]) -> String { names.uniqued().listed }

  /// The party at the beginning of a sentence.
  private func subject(_ party: Party) -> String {
    let noun = noun(party)
    return noun.hasPrefix("the ") ? "T" + noun.dropFirst() : noun
  }

  /// The party with its article. A name tells parties of one role apart, and stays away otherwise.
  private func noun(_ party: Party) -> String {
    switch party.role {
    case .server, .ownServer, .ownWallet, .page, .clientPlatform, .authenticator, .nearby, .mdoc, .terminal:
      attempt.isOnlyOne(party) ? "the \(party.shortTitle)" : names.noun(party)
    case .issuer: attempt.isOnlyOne(party) ? "the issuing authority" : "the issuing authority \(names.noun(party))"
    case .readerAuthority:
      attempt.isOnlyOne(party) ? "the reader authority" : "the reader authority \(names.noun(party))"
    case .listOperator: attempt.isOnlyOne(party) ? "the list operator" : "the list operator \(names.noun(party))"
    case .tunnelService: "the tunnel service"
    default: party.titleWithArticle
    }
  }
}
