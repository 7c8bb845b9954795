import Crypto
import MobileDocument

/// The conduct of both ends of a session in person, where a faulty one differs.
package protocol InPersonConduct: Sendable {
  /// Returns the ephemeral key of a session of a party.
  /// - Parameter fresh: A fresh key.
  func key(_ fresh: P256.KeyAgreement.PrivateKey, at station: Station) -> P256.KeyAgreement.PrivateKey
  /// Returns the readers that a terminal signs its requests for.
  /// - Parameter certified: The readers that authorities have certified.
  /// - Throws: An error if a certificate cannot be made.
  func readers(_ certified: [DeviceRequestDraft.Reader], at station: Station) throws -> [DeviceRequestDraft.Reader]
  /// Returns the request that a terminal sends.
  /// - Parameter signed: The request that is signed over the session.
  func request(_ signed: [UInt8], at station: Station) -> [UInt8]
}

/// Ends that behave as the standard demands.
package struct HonestInPersonConduct: InPersonConduct {
  /// Creates the conduct.
  package init() {}

  /// Returns the fresh key.
  package func key(_ fresh: P256.KeyAgreement.PrivateKey, at station: Station) -> P256.KeyAgreement.PrivateKey { fresh }
  /// Returns the certified readers.
  package func readers(
    _ certified: [DeviceRequestDraft.Reader], at station: Station
  ) -> [DeviceRequestDraft.Reader] { certified }
  /// Returns the signed request.
  package func request(_ signed: [UInt8], at station: Station) -> [UInt8] { signed }
}
