import Primitives

/// A failure to make a deterministic signing key.
public struct SigningKeyError: CodedError, Equatable {
  /// The kinds of failure.
  public enum Code: String, Sendable, CaseIterable {
    /// The bytes are not a P-256 private key (SEC 1, section 3.2.1).
    case privateKey = "signing.private-key"
    /// The source of seeds gave no private key.
    case seed = "signing.seed"
  }

  /// The kind of failure.
  public let code: Code
  /// The form of the bytes found. It never contains key material.
  public let evidence: String?

  /// A human-readable description of the failure.
  public var message: String {
    switch code {
    case .privateKey: "a P-256 private key has 32 bytes with a value from 1 to below the order of the curve"
    case .seed: "the source of seeds gave no P-256 private key in \(DeterministicSigningKey.maximumSeedDraws) draws"
    }
  }

  /// Creates an error from the number of bytes given, or given last.
  init(_ code: Code, byteCount: Int) {
    self.code = code
    let form = byteCount == ScalarModuloN.byteCount ? "a value out of range" : "\(byteCount) bytes"
    evidence = code == .seed ? "\(form) in the last draw" : form
  }
}
