import Checks
import JSON
import MobileDocument
import Primitives
import RelyingParty

/// The result of verifying an exchange: every check, and the verified elements if no check failed.
public struct ExchangeReport: Sendable {
  /// A group of checks.
  public struct Group: Sendable {
    /// The subject: `list` and its name, `exchange`, `response`, `document` and its type, or `all documents`.
    public let title: String
    /// The checks in the order of the standard.
    public let checks: [CheckResult]
  }

  /// The verdict, in the words of the relying party.
  public let verdict: VerificationVerdict
  /// The checks by subject.
  public let groups: [Group]
  /// The policy of the verification.
  public let policy: VerificationPolicy
  /// The failed checks of a response that a lenient policy would have accepted; empty for every other response.
  public let tolerated: [CheckResult]
  /// The origin; nil if it is not known.
  let origin: String?
  /// The time of the verification.
  let moment: DateTime

  /// The checks of all groups.
  public var checks: [CheckResult] { groups.flatMap(\.checks) }

  /// The first check that failed.
  public var failure: CheckResult? { verdict.failure }

  /// True if the response is verified and no check failed.
  public var isVerified: Bool { verdict.isVerified }

  /// The report as one line of JSON: the verdict's, and the policy with the findings that a lenient one accepts. It
  /// contains elements only if every check passed.
  public var json: String {
    let members =
      verdict.members
      + [
        ("policy", .string(policy.rawValue)),
        ("acceptedByLenient", tolerated.isEmpty ? .null : .array(tolerated.map { .string($0.name) })),
      ]
    return String(decoding: JSONValue(members: members).bytes, as: UTF8.self)
  }

  /// Groups the checks of a verdict. The checks of documents are listed as not reached if no document was checked.
  init(
    _ verdict: VerificationVerdict, lists: [Group] = [], policy: VerificationPolicy, tolerated: [CheckResult],
    origin: String?,
    moment: DateTime
  ) {
    self.verdict = verdict
    self.policy = policy
    self.tolerated = tolerated
    self.origin = origin
    self.moment = moment
    var groups = lists
    let exchange = Array(verdict.exchange.dropFirst(lists.flatMap(\.checks).count))
    if !exchange.isEmpty { groups.append(Group(title: "exchange", checks: exchange)) }
    var parts: [[CheckResult]] = []
    for check in verdict.response {
      // The checks of each document begin with the same check, so its repetition begins the next document.
      let previous = parts.last?.last
      let begins =
        previous?.subject != check.subject || parts.isEmpty
        || check.subject != nil && check.check == parts.last?.first?.check && previous?.check != check.check
      if begins { parts.append([]) }
      parts[parts.count - 1].append(check)
    }
    let unreached = verdict.unreachedChecks
    if !unreached.isEmpty { parts = [verdict.response + unreached] }
    for (place, part) in parts.enumerated() {
      let document = part.first?.subject.map { "document \(TerminalSafe.text($0))" }
      groups.append(Group(title: document ?? (place == 0 ? "response" : "all documents"), checks: part))
    }
    self.groups = groups
  }
}

extension ExchangeReport {
  /// The report as text, with a line for each check and each piece of evidence.
  public var text: String {
    var lines = ["\(origin.map { "\(TerminalSafe.text($0)), " } ?? "")verified for \(moment)"]
    let codeWidth = 2 + (checks.map(\.name.count).max() ?? 0)
    if verdict.issuerData != nil {
      lines += ["", "issuer-verified: the issuer's data are genuine; possession of the device was not shown"]
    } else if !isVerified {
      lines += [""] + refusal
    }
    for group in groups {
      lines += ["", group.title]
      for check in group.checks { lines += Self.lines(of: check, codeWidth: codeWidth) }
    }
    let documents = verdict.issuerData?.documents ?? verdict.documents
    if !documents.isEmpty {
      lines.append("")
      for document in documents { lines += Self.lines(of: document) }
      lines += ["", verdict.outcome]
    }
    return lines.joined(separator: "\n")
  }

  /// The verdict on a refused response: the first failure with its evidence, then the others.
  private var refusal: [String] {
    guard let failure else { return ["refused"] }
    var lines = ["refused: \(TerminalSafe.text(failure.message)) [\(failure.name)]"]
    lines += failure.evidence.map(Self.line)
    for other in checks.filter({ $0.status == .failed }).dropFirst() {
      lines.append("  and: \(TerminalSafe.text(other.message)) [\(other.name)]")
    }
    if !tolerated.isEmpty {
      lines.append("--policy lenient accepts it: \(tolerated.map(\.name).uniqued().joined(separator: ", "))")
    }
    return lines
  }

  private static func lines(of check: CheckResult, codeWidth: Int) -> [String] {
    let isFailed = check.status == .failed
    let outcome = isFailed ? "FAILED" : check.status.rawValue
    let message = check.status == .notReached ? "" : TerminalSafe.text(check.message)
    let line = "  " + outcome.padded(to: 13) + check.name.padded(to: codeWidth) + message
    let evidence = isFailed || check.status == .deviates ? check.evidence : []
    return [line.trimmingTrailingSpaces] + evidence.map { "  " + Self.line($0) }
  }

  private static func line(_ evidence: CheckResult.Evidence) -> String {
    let expected = evidence.expected.map { " expected \(TerminalSafe.text($0))" } ?? ""
    let found = evidence.found.map { " found \(TerminalSafe.text($0))" } ?? ""
    let middle = expected.isEmpty || found.isEmpty ? "" : ","
    return "    \(TerminalSafe.text(evidence.field)):\(expected)\(middle)\(found)"
  }

  private static func lines(of document: VerifiedDocument) -> [String] {
    let issuer = document.issuer.map { ", issued under \(TerminalSafe.text($0))" } ?? ""
    let end = document.validUntil.map { ", valid until \($0)" } ?? ""
    var lines = ["\(TerminalSafe.text(document.documentType))\(issuer)\(end)"]
    let width = 2 + (document.elements.map { TerminalSafe.text($0.identifier).count }.max() ?? 0)
    for nameSpace in document.elements.map(\.nameSpace).uniqued() {
      lines.append("  \(TerminalSafe.text(nameSpace))")
      for element in document.elements where element.nameSpace == nameSpace {
        let signer = element.isDeviceSigned ? "  (signed by the device)" : ""
        lines.append(
          "    " + TerminalSafe.text(element.identifier).padded(to: width)
            + DisplayValue.text(of: element.value, writing: TerminalSafe.text) + signer)
      }
    }
    return lines
  }
}
