import Checks
import Messaging
import OwnServers
import RelyingParty

/// Watches that sessions of verifier servers, calls of pages and requests of browsers have one answer each.
struct SessionWatch {
  private let faults: InjectedFaults
  private var submissions: [Int: ObservedMessage] = [:]
  private var answered: [ServerSession: Message] = [:]
  /// The number of ends that each open request may still have: one for each time that it arrives.
  private var open: [OpenCall: Int] = [:]

  init(_ faults: InjectedFaults) { self.faults = faults }

  /// Takes the next message of a run.
  mutating func take(_ observed: ObservedMessage, _ violations: inout [InvariantViolation]) {
    let message = observed.message
    switch message.kind {
    case .getCredential, .announce:
      guard let call = observed.begunCall else { return }
      open[call] = faults.duplicatedMessages.contains(message.number) ? 2 : 1
    case .credential, .exception: close(observed, .call, &violations)
    case .response where message.sender.role != .app, .presentmentFailed: close(observed, .request, &violations)
    case .submitResponse, .submitEnvelope: submissions[message.number] = observed
    case .verificationResult: judgeResult(observed, &violations)
    default: break
    }
  }

  /// Takes a note: a party that starts again has forgotten its calls.
  mutating func take(_ note: Note, by party: Party) {
    switch note.code {
    case .worldStarted: open = [:]
    case .osStarted:
      open = open.filter { !($0.key.asking.isOn(device: party.name) || $0.key.asked.isOn(device: party.name)) }
    default: break
    }
  }

  private mutating func close(
    _ observed: ObservedMessage, _ reason: InvariantCheck.Reason, _ violations: inout [InvariantViolation]
  ) {
    let message = observed.message
    guard !faults.alteredMessages.contains(message.number), let call = observed.endedCall else { return }
    if let count = open[call] {
      open[call] = count > 1 ? count - 1 : nil
      return
    }
    violations.add(.answeredOnce, reason, "It is \(call.words).", at: [message])
  }

  private mutating func judgeResult(_ observed: ObservedMessage, _ violations: inout [InvariantViolation]) {
    let result = observed.message
    guard !faults.alteredMessages.contains(result.number),
      let submission = result.answers.flatMap({ submissions[$0] }), let name = submission.text("session"),
      !isAboutSession(observed)
    else { return }
    let session = ServerSession(server: result.sender, name: name)
    if let earlier = answered.updateValue(result, forKey: session) {
      violations.add(
        .answeredOnce, .session, "It is a session of \(result.sender.name).", at: [earlier, submission.message, result])
    }
  }

  /// Returns true if a result refuses the session itself: unknown, used or expired. Such an answer does not count. A server
  /// outside the world does not say whether it refuses for that, so no refusal of it counts.
  private func isAboutSession(_ observed: ObservedMessage) -> Bool {
    guard let failure = (try? observed.json?.optionalItem("failure")) ?? nil,
      let check: String = (try? failure.optionalMember("check")) ?? nil
    else { return false }
    let refusals = [ExchangeCheck.sessionKnown, .sessionUnused, .sessionCurrent].map(\.id)
    return (refusals + [OwnServerCheck.accepted.id]).contains(check)
  }
}

extension Party {
  /// Returns true for a party that ends when a device is switched off: the device's own, its pages and its apps.
  func isOn(device: String) -> Bool { name == device || name.hasPrefix("\(device)/") || deviceOfPage == device }
}
