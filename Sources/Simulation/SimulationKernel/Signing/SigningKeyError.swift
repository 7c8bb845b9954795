/// Why a deterministic signing key could not be made.
public struct SigningKeyError: Error, Hashable, Sendable {
  /// What went wrong, as a stable name for programs.
  public let code: String
  /// What went wrong, as a sentence for people.
  public let sentence: String
  /// What was found. Never holds key material.
  public let evidence: String

  /// The bytes are no P-256 private key (SEC 1, section 3.2.1).
  static func privateKey(byteCount: Int) -> SigningKeyError {
    SigningKeyError(
      code: "signing.private-key",
      sentence: "A P-256 private key is 32 bytes whose value is at least 1 and below the order of the curve.",
      evidence: evidence(byteCount))
  }

  /// The source of seeds held no private key.
  static func seed(lastByteCount: Int) -> SigningKeyError {
    SigningKeyError(
      code: "signing.seed",
      sentence: "The source of seeds gave no P-256 private key in \(DeterministicSigningKey.maximumSeedDraws) draws.",
      evidence: "\(evidence(lastByteCount)) in the last draw")
  }

  private static func evidence(_ byteCount: Int) -> String {
    byteCount == ScalarModuloN.byteCount ? "a value out of range" : "\(byteCount) bytes"
  }
}

extension SigningKeyError: CustomStringConvertible {
  /// The sentence, the evidence, then the code in brackets.
  public var description: String { "\(sentence) Found: \(evidence) [\(code)]" }
}
