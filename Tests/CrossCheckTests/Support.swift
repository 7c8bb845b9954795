import BatchRuns
import COSE
import Checks
import CrossCheck
import Foundation
import LocatedYAML
import MobileDocument
import Reports
import ScenarioLanguage
import ScenarioRunner
import Synchronization

/// Returns the claims that the body makes.
func claims(_ body: () async throws -> Void) async rethrows -> [VerificationClaim] {
  let heard = Heard()
  try await VerificationWitness.$current.withValue(VerificationWitness { heard.add($0) }) { try await body() }
  return heard.all
}

/// Claims in the order in which they were made.
final class Heard: Sendable {
  private let state = Mutex<[VerificationClaim]>([])

  var all: [VerificationClaim] { state.withLock { $0 } }

  func add(_ claim: VerificationClaim) { state.withLock { $0.append(claim) } }
}

extension VerificationClaim {
  /// The claim with the opposite result.
  var reversed: VerificationClaim {
    switch self {
    case .signature(let claim): .signature(SignatureClaim(claim.subject, isVerified: !claim.isVerified))
    case .chain(let claim): .chain(claim.with(claim.isAccepted ? .untrusted : .path(claim.received)))
    }
  }

  /// The outcome of the cross-check by libcrypto.
  var crossChecked: CheckResult.Status { CrossChecker.check(self).status }
}

extension CertificateChainClaim {
  var isAccepted: Bool { if case .path = outcome { true } else { false } }

  func with(_ outcome: Outcome) -> CertificateChainClaim {
    CertificateChainClaim(
      received: received, anchors: anchors, secondsSince1970: secondsSince1970, outcome: outcome)
  }
}

/// Runs scenario files and returns the printed lines.
func printed(_ batch: BatchRun) -> (verdict: RunReport.Verdict, output: [String]) {
  let output = Mutex<[String]>([])
  let verdict = batch.run(BatchRun.Output(line: { text in output.withLock { $0.append(text) } }, error: { _ in }))
  return (verdict, output.withLock { $0 })
}
