import Messaging

/// A cause that takes invariants away, with the reason. No other fault and no other interception does.
struct InvariantExemption: Sendable {
  /// A cause that acts in a run.
  enum Cause: Sendable {
    /// A fault, by its identifier in the catalogue.
    case fault(String)
    /// The interception of a message of these kinds; nil for every kind. The sweep intercepts messages below the faults of the
    /// catalogue.
    case interception(Set<MessageKind>?)
  }

  /// The cause.
  let cause: Cause
  /// The invariants with their reasons.
  let findings: Set<InvariantFinding>
  /// The reason why the invariants cannot hold with this cause.
  let reason: String

  /// Returns true if the cause acted in the run and explains the violation.
  func excuses(_ violation: InvariantViolation, in faults: InjectedFaults) -> Bool {
    guard findings.contains(violation.finding) else { return false }
    return switch cause {
    case .fault(let fault): faults.identifiers.contains(fault)
    case .interception(nil): !faults.interceptedKinds.isEmpty
    case .interception(let kinds?): !kinds.isDisjoint(with: faults.interceptedKinds)
    }
  }

  /// Every exemption.
  static let all = [
    InvariantExemption(
      cause: .fault("browser.origin-replaced"), findings: [InvariantFinding(.origin, .page)],
      reason: "The browser says which origin asks. Where the request is not signed, nothing else does."),
    InvariantExemption(
      cause: .fault("operating-system.origin-for-iphone-replaced"), findings: [InvariantFinding(.origin, .page)],
      reason: "The iPhone learns the origin from the Mac alone, which the person's view shows."),
    InvariantExemption(
      cause: .fault("client-platform.origin-replaced"), findings: [InvariantFinding(.origin, .page)],
      reason: "The phone learns the origin from the laptop alone, which the person's view shows."),
    InvariantExemption(
      cause: .fault("wallet.another-document"), findings: [InvariantFinding(.shown, .document)],
      reason: "An app holds both documents, and nothing but its word ties its answer to its view."),
    InvariantExemption(
      cause: .fault("wallet.openid4vp-everything-given"), findings: [InvariantFinding(.consent, .element)],
      reason: "An app has every element, and nothing but its word ties its answer to its view."),
    InvariantExemption(
      cause: .fault("wallet.openid4vp-everything-given"), findings: [InvariantFinding(.origin, .element)],
      reason: "A verifier accepts more than it asked for with a finding, unless its policy is strict."),
    InvariantExemption(
      cause: .fault("wallet.openid4vp-in-the-clear"), findings: [InvariantFinding(.plaintext, .value)],
      reason: "An app has the values, and nothing but its word keeps it from answering in the clear."),
    InvariantExemption(
      cause: .fault("wallet.openid4vp-in-the-clear"), findings: [InvariantFinding(.plaintext, .name)],
      reason: "An app has the names, too."),
    InvariantExemption(
      cause: .fault("wallet.not-encrypted"),
      findings: [InvariantFinding(.plaintext, .value), InvariantFinding(.plaintext, .name)],
      reason: "Each party that passes on an answer that is not encrypted can read it."),
    InvariantExemption(
      cause: .fault("website.keeps-shown-elements"), findings: [InvariantFinding(.retention, .element)],
      reason: "A website has the verified elements, and nothing but its word keeps it from storing them."),
    InvariantExemption(
      cause: .fault("website.keeps-response"), findings: [InvariantFinding(.retention, .response)],
      reason: "A website has the response, and nothing but its word keeps it from storing it."),
    InvariantExemption(
      cause: .interception(nil), findings: [InvariantFinding(.waiting, .question), InvariantFinding(.waiting, .call)],
      reason: "A message that is lost or cannot be read is not answered, and the parties of a world wait without limit."
    ),
    InvariantExemption(
      cause: .interception([.show]),
      findings: [
        InvariantFinding(.consent, .agreement), InvariantFinding(.consent, .element), InvariantFinding(.rawRequest),
        InvariantFinding(.origin, .page), InvariantFinding(.shown, .document), InvariantFinding(.shown, .issuer),
      ],
      reason: "A view is the app's own statement, and nothing authenticates it on its way to the person's eyes."),
    InvariantExemption(
      cause: .interception([.announce, .authorize]), findings: [InvariantFinding(.origin, .page)],
      reason: "The browser says which origin asks. Where the request is not signed, nothing else does."),
  ]
}
