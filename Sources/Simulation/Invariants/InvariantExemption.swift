import Messaging

/// A fault that takes an invariant away, with the reason. No other fault does.
struct InvariantExemption: Sendable {
  /// The identifier of the fault in the catalogue.
  let fault: String
  /// The invariant with the reason.
  let finding: InvariantFinding
  /// The reason why the invariant cannot hold with this fault.
  let reason: String

  /// Returns true if the fault acted in the run and explains the violation.
  func excuses(_ violation: InvariantViolation, in faults: InjectedFaults) -> Bool {
    finding == violation.finding && faults.identifiers.contains(fault)
  }

  /// Every exemption.
  static let all = [
    InvariantExemption(
      fault: "browser.origin-replaced", finding: InvariantFinding(.origin, .page),
      reason: "The browser says which origin asks. Where the request is not signed, nothing else does."),
    InvariantExemption(
      fault: "operating-system.origin-for-iphone-replaced", finding: InvariantFinding(.origin, .page),
      reason: "The iPhone learns the origin from the Mac alone, which the person's view shows."),
    InvariantExemption(
      fault: "client-platform.origin-replaced", finding: InvariantFinding(.origin, .page),
      reason: "The phone learns the origin from the laptop alone, which the person's view shows."),
    InvariantExemption(
      fault: "wallet.another-document", finding: InvariantFinding(.shown, .document),
      reason: "An app holds both documents, and nothing but its word ties its answer to its view."),
    InvariantExemption(
      fault: "wallet.openid4vp-everything-given", finding: InvariantFinding(.consent, .element),
      reason: "An app has every element, and nothing but its word ties its answer to its view."),
    InvariantExemption(
      fault: "wallet.openid4vp-everything-given", finding: InvariantFinding(.origin, .element),
      reason: "A verifier accepts more than it asked for with a finding, unless its policy is strict."),
    InvariantExemption(
      fault: "wallet.openid4vp-in-the-clear", finding: InvariantFinding(.plaintext, .value),
      reason: "An app has the values, and nothing but its word keeps it from answering in the clear."),
    InvariantExemption(
      fault: "wallet.openid4vp-in-the-clear", finding: InvariantFinding(.plaintext, .name),
      reason: "An app has the names, too."),
    InvariantExemption(
      fault: "wallet.not-encrypted", finding: InvariantFinding(.plaintext, .value),
      reason: "Each party that passes on an answer that is not encrypted can read it."),
    InvariantExemption(
      fault: "wallet.not-encrypted", finding: InvariantFinding(.plaintext, .name),
      reason: "Each party that passes on an answer that is not encrypted can read it."),
    InvariantExemption(
      fault: "website.keeps-shown-elements", finding: InvariantFinding(.retention, .element),
      reason: "A website has the verified elements, and nothing but its word keeps it from storing them."),
    InvariantExemption(
      fault: "website.keeps-response", finding: InvariantFinding(.retention, .response),
      reason: "A website has the response, and nothing but its word keeps it from storing it."),
  ]
}

/// An invariant that does not hold in a run of which one message was intercepted, with the reason. The sweep intercepts
/// messages below the faults of the catalogue, for which these exemptions do not hold.
struct InterceptionExemption: Sendable {
  /// The kinds of the intercepted message; nil for every kind.
  let kinds: Set<MessageKind>?
  /// The invariants with their reasons.
  let findings: Set<InvariantFinding>
  /// The reason why the invariants cannot hold.
  let reason: String

  /// Returns true if such a message was intercepted in the run, and explains the violation.
  func excuses(_ violation: InvariantViolation, in faults: InjectedFaults) -> Bool {
    guard findings.contains(violation.finding) else { return false }
    return kinds.map { !$0.isDisjoint(with: faults.interceptedKinds) } ?? !faults.interceptedKinds.isEmpty
  }

  /// Every exemption.
  static let all = [
    InterceptionExemption(
      kinds: nil, findings: [InvariantFinding(.waiting, .question), InvariantFinding(.waiting, .call)],
      reason: "A message that is lost or cannot be read is not answered, and the parties of a world wait without limit."
    ),
    InterceptionExemption(
      kinds: [.show],
      findings: [
        InvariantFinding(.consent, .agreement), InvariantFinding(.consent, .element), InvariantFinding(.rawRequest),
        InvariantFinding(.origin, .page), InvariantFinding(.shown, .document), InvariantFinding(.shown, .issuer),
      ],
      reason: "A view is the app's own statement, and nothing authenticates it on its way to the person's eyes."),
    InterceptionExemption(
      kinds: [.announce, .authorize], findings: [InvariantFinding(.origin, .page)],
      reason: "The browser says which origin asks. Where the request is not signed, nothing else does."),
  ]
}
