import COSE
import Checks
import CrossCheck
import MobileDocument
import Testing

/// Lets libcrypto check again whatever signature and certificate chain a test checks. The test fails when it decides
/// otherwise.
public struct SecondOpinionTrait: SuiteTrait, TestTrait, TestScoping {
  /// Tests of a suite have it too.
  public var isRecursive: Bool { true }

  /// Runs a test with a witness.
  @concurrent public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let ledger = SecondOpinionLedger(SecondOpinion.judge)
    try await VerificationWitness.$current.withValue(ledger.witness) { try await function() }
    for opinion in ledger.disagreements { Issue.record("\(opinion.message): \(opinion.evidence)") }
  }
}

extension Trait where Self == SecondOpinionTrait {
  /// Lets libcrypto check again what a test checks.
  public static var secondOpinion: Self { Self() }
}
