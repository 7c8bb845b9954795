import Messaging

/// Watches that questions are answered and calls end, unless a screen waits for the person or the party is gone.
struct WaitingWatch {
  private var questions: [Int: Message] = [:]
  private var calls: [OpenCall: Message] = [:]
  /// The screens that wait for the person, by the party that shows each and the kind of the message that shows it.
  private var screens: [Party: Set<MessageKind>] = [:]

  /// Takes the next message of a run.
  mutating func take(_ observed: ObservedMessage) {
    let message = observed.message
    if let answered = message.answers { questions[answered] = nil }
    if message.answers == nil, message.kind.isQuestion { questions[message.number] = message }
    switch message.kind {
    case .showSelector, .showPrompt, .showCode, .showContinue, .showNotification, .showWarning:
      screens[message.sender, default: []].insert(message.kind)
    case .show where message.recipient.role == .person: screens[message.sender, default: []].insert(message.kind)
    case .dismissInterface: hide([.showSelector, .show], message)
    case .dismissPrompt: hide([.showPrompt], message)
    case .dismissCode: hide([.showCode], message)
    case .dismissContinue: hide([.showContinue], message)
    case .dismissNotification: hide([.showNotification], message)
    case .dismissWarning: hide([.showWarning], message)
    case .getCredential: if let call = observed.begunCall { calls[call] = message }
    case .credential, .exception: if let call = observed.endedCall { calls[call] = nil }
    case .endApp, .removed: forget { $0.recipient == message.recipient || $0.sender == message.recipient }
    default: break
    }
  }

  /// Takes a note: a party that starts again no longer waits, and nothing waits for it.
  mutating func take(_ note: Note, by party: Party) {
    switch note.code {
    case .worldStarted:
      forget { _ in true }
      screens = [:]
    case .osStarted:
      forget { $0.sender.isOn(device: party.name) || $0.recipient.isOn(device: party.name) }
      for shown in screens.keys where shown.isOn(device: party.name) { screens[shown] = nil }
    default: break
    }
  }

  /// Reports what is still open at the end of the run.
  func end(_ violations: inout [InvariantViolation]) {
    for (_, question) in questions.sorted(by: { $0.key < $1.key }) {
      let places = [question.sender, question.recipient].filter { $0.role == .operatingSystem }
      if places.contains(where: isWaitingForThePerson) { continue }
      violations.add(
        .waiting, .question, "The party that waits is \(question.sender.titleWithArticle).", at: [question])
    }
    for (call, message) in calls.sorted(by: { $0.value.number < $1.value.number }) {
      if isWaitingForThePerson(call.asked) { continue }
      violations.add(.waiting, .call, "It is \(call.words).", at: [message])
    }
  }

  /// Returns true if a screen of the party's device waits for the person.
  private func isWaitingForThePerson(_ party: Party) -> Bool {
    screens.contains { $0.key.name == party.name && !$0.value.isEmpty }
  }

  private mutating func hide(_ kinds: Set<MessageKind>, _ message: Message) { screens[message.sender]?.subtract(kinds) }

  private mutating func forget(_ isGone: (Message) -> Bool) {
    questions = questions.filter { !isGone($0.value) }
    calls = calls.filter { !isGone($0.value) }
  }
}

extension MessageKind {
  /// True for a message that the sender awaits an answer to.
  fileprivate var isQuestion: Bool {
    switch self {
    case .provision, .certify, .apply, .announceProof, .submitBrand, .getProof, .getRevocationList, .certifyMerchant,
      .getList, .beginPresentment, .submitResponse, .placeOrder, .uploadScan, .beginIdentityRequest, .submitEnvelope,
      .canRequestDocument, .requestDocument, .holdsDocument, .parse, .collectRequest, .requestIdentity,
      .addRegistration, .removeRegistration, .registrations, .status, .openTunnel, .walletMessage:
      true
    default: false
    }
  }
}
