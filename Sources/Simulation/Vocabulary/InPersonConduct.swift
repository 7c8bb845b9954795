import Crypto

/// The conduct of both ends of a session in person, where a faulty one differs.
package protocol InPersonConduct: Sendable {
  /// Returns the ephemeral key of a session of a party.
  /// - Parameter fresh: A fresh key.
  func key(_ fresh: P256.KeyAgreement.PrivateKey, at station: Station) -> P256.KeyAgreement.PrivateKey
}

/// Ends that behave as the standard demands.
package struct HonestInPersonConduct: InPersonConduct {
  /// Creates the conduct.
  package init() {}

  /// Returns the fresh key.
  package func key(_ fresh: P256.KeyAgreement.PrivateKey, at station: Station) -> P256.KeyAgreement.PrivateKey { fresh }
}
