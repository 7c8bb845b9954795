import Crypto
import ExchangeFiles
import MobileDocument

/// The system's randomness, for data that leaves this program.
public enum SystemBytes {
  /// Returns unpredictable random bytes.
  public static func draw(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }
}

/// Salts and the order of digests from the system's randomness.
public struct SystemIssuanceRandomness: DocumentDraft.Randomness {
  /// Creates a source.
  public init() {}

  /// Returns unpredictable random bytes.
  public mutating func bytes(_ count: Int) -> [UInt8] { SystemBytes.draw(count) }

  /// Returns the numbers 0 to count - 1 in unpredictable order.
  public mutating func permutation(_ count: Int) -> [Int] { (0..<count).shuffled() }
}

extension AuthorityIngredients {
  /// The length of a certificate's serial number in bytes: at most 20 (RFC 5280, 4.1.2.2).
  private static let serialNumberLength = 16

  /// Draws keys and serial numbers from the system's randomness.
  public init() {
    self.init(
      rootKey: P256.Signing.PrivateKey(), leafKey: P256.Signing.PrivateKey(),
      serialNumbers: (SystemBytes.draw(Self.serialNumberLength), SystemBytes.draw(Self.serialNumberLength)))
  }
}

extension RequestBuilder {
  /// Makes a request with a fresh key and nonce.
  package func drawn() throws -> Made {
    try make(recipientKey: P256.KeyAgreement.PrivateKey(), nonce: SystemBytes.draw(Self.nonceLength))
  }
}
