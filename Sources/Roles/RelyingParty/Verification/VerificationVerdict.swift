import Checks
import MobileDocument

/// The verdict on an answer: every check, and the verified documents if no check failed.
public struct VerificationVerdict: Sendable {
  /// The checks of the exchange, in their order; empty for an unencrypted response.
  public let exchange: [CheckResult]
  /// The checks of the device response and of its documents' status, in the order of the standard; empty if the answer
  /// did not open.
  public let response: [CheckResult]
  /// The verified response; nil if a check failed.
  public let verified: VerifiedDeviceResponse?

  /// Creates a verdict. A failed check refuses.
  package init(
    exchange: [CheckResult] = [], response: [CheckResult] = [], verified: VerifiedDeviceResponse? = nil
  ) {
    self.exchange = exchange
    self.response = response
    self.verified = (exchange + response).failure == nil ? verified : nil
  }

  /// Every check that was made, and those that an earlier failure left out, in their order.
  public var checks: [CheckResult] { exchange + response }

  /// True if every check passed or has an accepted finding.
  public var isVerified: Bool { verified != nil }

  /// The verified documents; empty if a check failed.
  public var documents: [VerifiedDocument] { verified?.documents ?? [] }

  /// The first check that failed, or that was not reached if none failed; nil if the answer is verified.
  public var failure: CheckResult? {
    isVerified ? nil : checks.failure ?? checks.first { $0.status == .notReached }
  }

  /// A human-readable description of the verdict.
  public var message: String {
    failure?.message ?? (isVerified ? "the response is genuine" : "no answer was verified")
  }

  /// `verified` or `refused`.
  public var outcome: String { isVerified ? "verified" : "refused" }

  /// The checks of documents that were not reached, if no document was checked.
  package var unreachedChecks: [CheckResult] {
    guard !response.contains(where: { $0.subject != nil }) else { return [] }
    let named = Set(response.map(\.check))
    return CheckRun(ResponseCheck.allCases) { _ in .notReached }.results.filter { !named.contains($0.check) }
  }
}
