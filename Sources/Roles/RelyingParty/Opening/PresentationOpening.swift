import Checks
import JOSE
import JSON
import OpenID4VP
import Primitives

/// The checks of an answer with OpenID4VP, up to its presentations. The first failure ends them.
struct PresentationOpening {
  typealias Outcome = CheckOutcome<PresentationResponseCheck>

  private var isReached = false
  private var failure: PresentationResponseFailure?
  /// The presentations, none of them verified.
  private(set) var token: PresentationToken?

  /// The outcome of one check.
  func outcome(of check: PresentationResponseCheck) -> Outcome {
    guard isReached else { return .notReached }
    if let failure {
      let order = PresentationResponseCheck.allCases
      guard let place = order.firstIndex(of: check), let last = order.firstIndex(of: failure.check), place <= last
      else { return .notReached }
      return place < last ? .passed : .found(failure.reason, failure.message, failure.evidence)
    }
    let findings = (token?.findings ?? []).filter { $0.finding.check == check }
    return .findings(findings.map { .init($0.finding.reason, nil, .field("id", found: $0.id)) })
  }

  /// Reads and decrypts an answer.
  mutating func open(
    _ data: [UInt8], for request: OpenID4VPSession, in session: VerifierSession, context: ExchangeContext,
    policy: VerificationPolicy
  ) {
    isReached = true
    do {
      switch try PresentationResponse(data: data, expecting: request.expected(policy: policy)) {
      case .token(let received): token = received
      case .error(let code):
        failure = PresentationResponseFailure(
          .error, PresentationErrorCode(rawValue: code).flatMap { .init($0) },
          evidence: .field("error", found: TerminalSafe.text(String(code.prefix(128)))))
      }
    } catch {
      failure = Self.explained(error, data, in: session, context: context)
    }
  }

  /// Names the session whose key an answer is encrypted to, if it is another one of the server.
  private static func explained(
    _ failure: PresentationResponseFailure, _ data: [UInt8], in session: VerifierSession, context: ExchangeContext
  ) -> PresentationResponseFailure {
    guard failure.check == .keyIdentifier || failure.check == .decryption,
      let item = try? JSONReader.item(data, limits: .message), let text = try? item.member("response") as String,
      let jwe = try? JWE(compact: text)
    else { return failure }
    let other = context.others(than: session).first { other in
      other.openID4VP.compactMap(\.encryption).contains { (try? jwe.decrypt(with: $0.privateKey)) != nil }
    }
    guard let other else { return failure }
    return PresentationResponseFailure(
      .keyIdentifier, .anotherSession,
      evidence: .field("session", expected: "this one", found: TerminalSafe.text(other.identifier)))
  }
}
