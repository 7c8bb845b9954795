import Checks

/// Checks of a status under a policy, which decides what refuses and what is accepted with a finding.
package struct StatusChecklist {
  private var list: Checklist<StatusCheck>
  private let policy: RevocationPolicy
  private let formPolicy: VerificationPolicy

  package init(
    _ query: StatusQuery, _ planned: [StatusCheck], kind: StatusListKind? = nil, policy: RevocationPolicy,
    formPolicy: VerificationPolicy
  ) {
    let subject = kind.map { "\(query.documentType), \($0.words)" } ?? query.documentType
    list = Checklist(planned, subject: subject)
    self.policy = policy
    self.formPolicy = formPolicy
  }

  package var results: [CheckResult] { list.results }
  package var holds: Bool { list.holds }
  /// Whether something was found that is wrong with the list, whatever the site's policy on revocation makes of it, or a
  /// departure of form that refuses. What the list says of the document is nothing wrong with it.
  private(set) var isFaulty = false

  package mutating func pass(_ code: StatusCheck) { list.pass(code) }

  /// Records something that is not as it should be.
  package mutating func find(_ code: StatusCheck, _ sentence: String? = nil, _ evidence: [CheckResult.Evidence] = []) {
    if code != .notRevoked, code != .notSuspended { isFaulty = true }
    if policy.refuses.contains(code.kind) {
      list.fail(code, sentence, evidence)
    } else {
      list.deviate(code, "\(sentence ?? code.sentence); accepted by the site's policy", evidence)
    }
  }

  /// Records a departure of form that is seen in the wild, which only a strict policy refuses.
  package mutating func deviate(_ code: StatusCheck, _ sentence: String) {
    if formPolicy == .strict {
      isFaulty = true
      list.fail(code, sentence, [CheckResult.Evidence("policy", found: formPolicy.rawValue)])
    } else {
      list.deviate(code, sentence)
    }
  }

  /// Passes a check, or records that it is not as it should be.
  @discardableResult
  package mutating func require(
    _ condition: Bool, _ code: StatusCheck, _ sentence: @autoclosure () -> String? = nil,
    _ evidence: @autoclosure () -> [CheckResult.Evidence] = []
  ) -> Bool {
    if condition { pass(code) } else { find(code, sentence(), evidence()) }
    return condition
  }
}
