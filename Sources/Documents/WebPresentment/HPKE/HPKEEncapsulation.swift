import Crypto
import FoundationEssentials

/// A shared secret agreed with a recipient by an ephemeral key: Encap of DHKEM (RFC 9180, section 4.1).
///
/// The ephemeral key comes in as a value, where the standard's own Encap draws it.
package struct HPKEEncapsulation {
  /// enc: the ephemeral public key, 65 bytes.
  package let encapsulatedKey: [UInt8]
  /// shared_secret, 32 bytes.
  package let sharedSecret: [UInt8]

  package init(to recipient: P256.KeyAgreement.PublicKey, ephemeralKey: P256.KeyAgreement.PrivateKey)
    throws(ExchangeError)
  {
    let agreed: SharedSecret
    do {
      agreed = try ephemeralKey.sharedSecretFromKeyAgreement(with: recipient)
    } catch {
      throw .seal("no key agreement with the recipient's key: \(error)")
    }
    encapsulatedKey = Array(ephemeralKey.publicKey.x963Representation)

    let pseudoRandomKey = HPKESuite.labeledExtract(
      HPKESuite.unsalted, suite: HPKESuite.kemIdentifier, label: "eae_prk", inputKeyMaterial: agreed.bytes)
    sharedSecret = HPKESuite.labeledExpand(
      HMAC<SHA256>(key: SymmetricKey(data: pseudoRandomKey)), suite: HPKESuite.kemIdentifier, label: "shared_secret",
      info: encapsulatedKey + recipient.x963Representation, count: HPKESuite.secretByteCount)
  }
}

extension SharedSecret {
  /// dh, the x coordinate of the agreed point, 32 bytes. The library hands it out through a pointer only.
  fileprivate var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
}
