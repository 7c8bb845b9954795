import Checks
import MobileDocument
import Primitives

extension ExchangeReport {
  /// The report as text, with a line for each check and each piece of evidence.
  public var text: String {
    var lines = ["\(origin.map { "\(TerminalSafe.text($0)), " } ?? "")verified for \(moment)"]
    let codeWidth = 2 + (checks.map(\.name.count).max() ?? 0)
    for group in groups {
      lines += ["", group.title]
      for check in group.checks { lines += Self.lines(of: check, codeWidth: codeWidth) }
    }
    lines.append("")
    if isVerified {
      for document in verdict.documents { lines += Self.lines(of: document) }
      lines += ["", "verified"]
    } else if let failure {
      lines.append("refused: \(TerminalSafe.text(failure.message)) [\(failure.name)]")
      lines += failure.evidence.map(Self.line)
    } else {
      lines.append("refused")
    }
    return lines.joined(separator: "\n")
  }

  private static func lines(of check: CheckResult, codeWidth: Int) -> [String] {
    let isFailed = check.status == .failed
    let outcome = isFailed ? "FAILED" : check.status.rawValue
    let message = check.status == .notReached ? "" : TerminalSafe.text(check.message)
    let line = "  " + padded(outcome, to: 13) + padded(check.name, to: codeWidth) + message
    let evidence = isFailed || check.status == .deviates ? check.evidence : []
    return [trimmed(line)] + evidence.map { "  " + Self.line($0) }
  }

  private static func line(_ evidence: CheckResult.Evidence) -> String {
    let expected = evidence.expected.map { " expected \(TerminalSafe.text($0))" } ?? ""
    let found = evidence.found.map { " found \(TerminalSafe.text($0))" } ?? ""
    let middle = expected.isEmpty || found.isEmpty ? "" : ","
    return "    \(TerminalSafe.text(evidence.field)):\(expected)\(middle)\(found)"
  }

  private static func lines(of document: VerifiedDocument) -> [String] {
    let issuer = document.issuer.map { ", issued under \(TerminalSafe.text($0))" } ?? ""
    var lines = [
      "\(TerminalSafe.text(document.documentType))\(issuer), valid until \(document.validity.validUntil)"
    ]
    let width = 2 + (document.elements.map { TerminalSafe.text($0.identifier).count }.max() ?? 0)
    for nameSpace in document.elements.map(\.nameSpace).uniqued() {
      lines.append("  \(TerminalSafe.text(nameSpace))")
      for element in document.elements where element.nameSpace == nameSpace {
        let signer = element.isDeviceSigned ? "  (signed by the device)" : ""
        lines.append(
          "    " + padded(TerminalSafe.text(element.identifier), to: width)
            + DisplayValue.text(of: element.value, writing: TerminalSafe.text) + signer)
      }
    }
    return lines
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private static func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }
}
