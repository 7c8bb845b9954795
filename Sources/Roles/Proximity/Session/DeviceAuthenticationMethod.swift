import COSE
import Checks

/// How the device authenticates a document: with a signature or with a message authentication code (ISO/IEC 18013-5,
/// 9.1.3). The holder's app decides; a reader accepts both.
public enum DeviceAuthenticationMethod: String, Sendable, CaseIterable {
  /// COSE_Sign1. Everyone can verify it later.
  case signature
  /// COSE_Mac0 with `EMacKey`. Only the reader of the session can verify it, and could have made it.
  case messageAuthenticationCode = "mac"

  /// The one purpose of a device key. A key never does both (ISO/IEC 18013-5 second edition draft, 12.4.3).
  public enum Purpose: Sendable, CaseIterable {
    /// Signatures.
    case signing
    /// Key agreement.
    case agreement
  }

  /// Returns the method with which a device key authenticates a document.
  /// - Parameters:
  ///   - key: The device key, as the mobile security object has it.
  ///   - readerKey: The ephemeral reader key; nil where the session has none, as over the Digital Credentials API.
  /// - Throws: A failure of ``ProximityCheck/deviceKey``.
  public init(of key: COSEKey, for purpose: Purpose, readerKey: EphemeralKey?) throws(ProximityFailure) {
    guard purpose == .agreement else {
      self = .signature
      return
    }
    guard EphemeralKey.curves.contains(key.curve) else {
      throw ProximityFailure(.deviceKey, .purpose, evidence: .field("curve", found: "\(key.curve)"))
    }
    guard let readerKey else { throw ProximityFailure(.deviceKey, .key) }
    guard readerKey.curve == key.curve else {
      throw ProximityFailure(
        .deviceKey, .curve, evidence: .field("curve", expected: "\(key.curve)", found: "\(readerKey.curve)"))
    }
    self = .messageAuthenticationCode
  }
}
