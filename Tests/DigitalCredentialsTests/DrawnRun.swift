import DigitalCredentials
import TestSupport

/// A mediator, a generator of random events, and a second account of the state that they must lead to.
struct DrawnRun {
  private var mediator: CredentialMediator
  private var random: SeededGenerator
  private var nextCall = 1
  private var pending: (call: CallID, document: DocumentID)?
  private var settled: Set<CallID> = []
  private var passed: [CallID: [BrowserCheck]] = [:]
  private(set) var last: [CredentialMediator.Effect] = []

  init(profile: BrowserProfile, seed: UInt64) {
    mediator = CredentialMediator(profile: profile)
    random = SeededGenerator(seed: seed)
  }

  /// Draws one event. Returns the violated invariant, or nil if all invariants hold.
  mutating func step() -> String? {
    let event = drawEvent()
    let before = pending
    last = mediator.receive(event)
    let fault = account(for: event, before)
    return fault.map { "\($0); \(event) gave \(last.compactMap(Drawing.words))" }
  }

  private mutating func account(
    for event: CredentialMediator.Event, _ before: (call: CallID, document: DocumentID)?
  ) -> String? {
    var settledNow: [CallID] = []
    var consumed = 0
    var dismissed: CallID?
    for effect in last {
      switch effect {
      case .consumeActivation: consumed += 1
      case .present(let call, _):
        guard pending == nil, case .called(call, _, _, let context) = event else { return "two calls are pending" }
        pending = (call, context.document)
      case .dismiss(let call): dismissed = call
      case .passed(let call, let checks): passed[call, default: []] += checks
      case .resolve(let call, _), .reject(let call, _, _): settledNow.append(call)
      case .warn: break
      case .warnPerson: return "an interstitial came unasked"
      }
    }
    guard settledNow.count <= 1, consumed <= 1 else { return "settled or consumed twice in one event" }
    for call in settledNow {
      guard settled.insert(call).inserted else { return "\(call) settled twice" }
      if call == pending?.call { pending = nil }
    }
    guard mediator.pendingCall == pending?.call else { return "the mediator is not idle as it should be" }
    if let call = last.compactMap(Self.call).first, let fault = checkPassed(of: call) { return fault }
    return check(event, before, consumed: consumed == 1, dismissed: dismissed, settled: settledNow.first)
  }

  private static func call(_ effect: CredentialMediator.Effect) -> CallID? {
    switch effect {
    case .present(let call, _), .resolve(let call, _), .reject(let call, _, _): call
    case .consumeActivation, .passed, .dismiss, .warn, .warnPerson: nil
    }
  }

  /// Checks that pass come in the standard's order, each once, before the one that rejects.
  private func checkPassed(of call: CallID) -> String? {
    let made = passed[call] ?? []
    if made != BrowserCheck.allCases.filter(made.contains) { return "checks are out of order or repeated" }
    for effect in last {
      switch effect {
      case .present where made != BrowserCheck.allCases.prefix(while: { $0 != .choice }).map(\.self):
        return "a call lacks checks"
      case .resolve(_, _?) where made != BrowserCheck.allCases: return "a credential lacks checks"
      // These two properties hold until the call ends, and were checked at its begin.
      case .reject(_, let exception, _) where ![.fullyActive, .signal].contains(exception.code.check):
        if made.contains(exception.code.check) { return "a check passed and rejected" }
      default: continue
      }
    }
    return nil
  }

  private func check(
    _ event: CredentialMediator.Event, _ before: (call: CallID, document: DocumentID)?, consumed: Bool,
    dismissed: CallID?, settled: CallID?
  ) -> String? {
    let concerned: CallID?
    let dismisses: Bool
    switch event {
    case .called(let call, _, let reading, let context):
      if settled != call, pending?.call != call { return "the call was neither settled nor presented" }
      if dismissed != nil { return "a new call dismissed the chooser" }
      let outcome = CallOracle(profile: mediator.profile, pendingDocument: before?.document)
        .outcome(of: reading, in: context)
      let code = rejectedCode
      if outcome.code?.name != code { return "expected \(outcome.code?.name ?? "no rejection")" }
      if outcome.consumes != consumed { return "the activation should be \(outcome.consumes ? "consumed" : "kept")" }
      return nil
    case .signalAborted(let call, _): (concerned, dismisses) = (call == before?.call ? call : nil, true)
    case .interstitialAnswered: (concerned, dismisses) = (nil, false)
    case .loadingStopped(let document):
      let ends = mediator.profile.name.hasPrefix("safari") && document == before?.document
      (concerned, dismisses) = (ends ? before?.call : nil, true)
    case .documentInactive(let document):
      (concerned, dismisses) = (document == before?.document ? before?.call : nil, true)
    case .platformAnswered(let call, _, _), .platformFailed(let call, _, _):
      (concerned, dismisses) = (call == before?.call ? call : nil, false)
    }
    if consumed { return "only a call may consume activation" }
    if settled != concerned { return "the wrong call was settled" }
    if dismissed != (dismisses ? concerned : nil) { return "the chooser was dismissed wrongly" }
    if concerned == nil, !last.isEmpty { return "a late event had an effect" }
    return nil
  }

  private var rejectedCode: String? {
    for case .reject(_, let exception, _) in last { return exception.code.name }
    return nil
  }

  private mutating func drawEvent() -> CredentialMediator.Event {
    // Mostly the pending call, sometimes a settled or an unknown one.
    let any = CallID(rawValue: Int.random(in: 0...nextCall, using: &random))
    let call = random.chance(70) ? pending?.call ?? any : any
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<5: return drawCall()
    case 5:
      let reason = random.chance(50) ? AbortReason.unspecified : AbortReason(name: "PageError", message: "enough")
      return .signalAborted(call, reason)
    case 6:
      let document = DocumentID(rawValue: Int.random(in: 0..<3, using: &random))
      return random.chance(50) ? .documentInactive(document) : .loadingStopped(document)
    case 7, 8:
      let names = ["org-iso-mdoc", "org-iso-mdoc", "openid4vp-v1-signed", "org.iso.mdoc"]
      let name = names.randomElement(using: &random) ?? ""
      let response = ["{\"response\":\"AA\"}", "{}", "[]", "5", "{", ""].randomElement(using: &random) ?? ""
      return .platformAnswered(call, protocol: name, response: Array(response.utf8))
    default: return .platformFailed(call, PlatformFailure.allCases.randomElement(using: &random) ?? .unknown)
    }
  }

  private mutating func drawCall() -> CredentialMediator.Event {
    let call = CallID(rawValue: nextCall)
    nextCall += 1
    let document = Int.random(in: 0..<3, using: &random)
    let context = CallingContext(
      document: DocumentID(rawValue: document),
      origin: random.chance(5) ? .opaque() : document == 1 ? Fixtures.frame : Fixtures.page,
      topLevelOrigin: random.chance(3) ? .opaque() : Fixtures.page,
      isSecureContext: !random.chance(5),
      isFullyActive: !random.chance(5),
      hasUserAttention: !random.chance(10),
      hasFocus: !random.chance(10),
      isVisible: !random.chance(10),
      hasTransientActivation: !random.chance(15),
      isAllowedByPolicy: !random.chance(10),
      canPresent: !random.chance(3),
      signalAborted: random.chance(5) ? .unspecified : nil)
    return .getCalled(call, Self.readings.randomElement(using: &random) ?? .success(.init()), context)
  }

  private static let readings: [CredentialRequestOptions.Reading] = {
    let good = Array(repeating: Fixtures.options("$short"), count: 8)
    let others = [
      "{}", "5", "{", "{\"digital\":{}}", "{\"publicKey\":{}}", Fixtures.options(""), Fixtures.options("$unknown"),
      Fixtures.options("$openid"), Fixtures.options("$openid,$unknown,$short"), Fixtures.options("$garbage"),
      Fixtures.options("$garbage,$short,$none"), Fixtures.options("{\"protocol\":\"org-iso-mdoc\",\"data\":{}}"),
      "{\"mediation\":\"conditional\",\"digital\":{\"requests\":[$short]}}",
      "{\"otp\":{},\"digital\":{\"requests\":[$short]}}",
    ]
    return (good + others).map { CredentialRequestOptions.reading(Fixtures.json($0)) }
  }()
}
