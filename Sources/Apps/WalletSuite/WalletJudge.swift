import CaseSuites
import CommandSupport
import ExchangeFiles
import JSON
import MobileDocument
import OwnWallets
import Primitives

/// Presentment's own verifier, which opens the answers of a wallet under test with the suite's keys.
struct WalletJudge: Sendable {
  /// The time of the verification.
  let moment: DateTime

  /// The content of an answer.
  struct Opened: Sendable {
    /// The exchange with the answer, which `presentment verify` explains.
    let exchange: [UInt8]
    /// The verified elements; empty if a check failed.
    let elements: Set<DocumentElement>
    /// The first check that failed, in words; nil for none.
    let failure: String?
    /// True if the answer was opened.
    let isOpened: Bool
    /// The encapsulated key and what follows, as sent.
    let answer: [UInt8]
    /// True for an answer that was opened and has no document.
    var isWithoutDocument: Bool { isOpened && failure?.contains("[response.documents") == true }
  }

  /// Opens an answer.
  /// - Parameter text: The encrypted response in base64url.
  func opened(_ text: String, to request: MadeRequest) -> Opened {
    let credential = JSONValue(members: [
      ("protocol", .string("org-iso-mdoc")), ("data", JSONValue(members: [("response", .string(text))])),
    ])
    let bytes = request.exchange.setting("response", to: credential).bytes
    guard let answer = Base64URL.decode(text) else { return unreadable("the answer is not base64url", bytes) }
    do {
      let report = try CallingThread.report(on: ExchangeFile(bytes), at: moment)
      let elements = report.verdict.documents.flatMap { document in
        document.elements.map {
          DocumentElement(documentType: document.documentType, nameSpace: $0.nameSpace, identifier: $0.identifier)
        }
      }
      let failure = report.failure.map { failure in
        let evidence = failure.evidence.compactMap { part in
          part.found.map { "\(part.field): \(TerminalSafe.text($0))" }
        }
        return "\(TerminalSafe.text(failure.message)) [\(failure.name)]"
          + (evidence.isEmpty ? "" : " \(evidence.joined(separator: ", "))")
      }
      let isOpened = report.checks.contains { $0.check == "response.decryption" && $0.status == .passed }
      return Opened(exchange: bytes, elements: Set(elements), failure: failure, isOpened: isOpened, answer: answer)
    } catch {
      return unreadable("the answer cannot be read: \(error)", bytes)
    }
  }

  private func unreadable(_ failure: String, _ exchange: [UInt8]) -> Opened {
    Opened(exchange: exchange, elements: [], failure: failure, isOpened: false, answer: [])
  }

  /// The mistake of an answer to a genuine request; nil if it is exactly what was asked and agreed.
  func mistake(in opened: Opened, to request: MadeRequest, shown: Set<DocumentElement>) -> String? {
    func list(_ elements: Set<DocumentElement>) -> String {
      elements.map { TerminalSafe.text($0.description) }.sorted().joined(separator: ", ")
    }
    if let failure = opened.failure { return "the verifier refuses the answer: \(failure)" }
    let surplus = opened.elements.subtracting(request.expected)
    if !surplus.isEmpty { return "the answer has \(list(surplus)), which was not requested" }
    let missing = request.expected.subtracting(opened.elements)
    if !missing.isEmpty { return "the answer lacks \(list(missing))" }
    let unseen = opened.elements.subtracting(shown)
    return unseen.isEmpty ? nil : "the answer has \(list(unseen)), which the view did not show"
  }
}
