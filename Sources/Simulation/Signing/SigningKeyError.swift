/// Why a deterministic signing key could not be made.
public struct SigningKeyError: Error, Hashable, Sendable {
  /// What went wrong, as a stable name for programs.
  public let code: String
  /// What went wrong, as a sentence for people. Never holds key material.
  public let sentence: String

  /// The octets are no P-256 private key: not 32 of them, or not a number from 1 to n - 1.
  public static let privateKey = SigningKeyError(
    code: "signing.private-key",
    sentence: "A P-256 private key is 32 bytes whose value is at least 1 and below the order of the curve.")

  /// The source of seeds kept giving octets that are no private key.
  public static let seed = SigningKeyError(
    code: "signing.seed",
    sentence: "The source of seeds gave no valid P-256 private key in \(DeterministicSigningKey.maximumSeedDraws) draws.")
}

extension SigningKeyError: CustomStringConvertible {
  /// The sentence, then the code in brackets.
  public var description: String { "\(sentence) [\(code)]" }
}
