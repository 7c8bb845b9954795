import COSE
import Checks
import CrossCheck
import MobileDocument
import Testing

/// Checks every signature and certificate chain of a test again with libcrypto. The test fails on a disagreement.
public struct CrossCheckTrait: SuiteTrait, TestTrait, TestScoping {
  /// The trait of a suite applies to its tests.
  public var isRecursive: Bool { true }

  /// Runs a test with the cross-check as its witness.
  @concurrent public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let ledger = CrossCheckLedger(CrossChecker.check)
    try await VerificationWitness.$current.withValue(ledger.witness) { try await function() }
    for result in ledger.disagreements { Issue.record("\(result.message): \(result.evidence)") }
  }
}

extension Trait where Self == CrossCheckTrait {
  /// Checks every signature and certificate chain of the test again with libcrypto.
  public static var crossChecked: Self { Self() }
}
