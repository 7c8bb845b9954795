import CBOR
import COSE
import Crypto
import MobileDocument
import Primitives

/// `EncryptionInfo = ["dcapi", {"nonce", "recipientPublicKey"}]` (ISO/IEC 18013-7, C.2) with its base64url text. The
/// session transcript binds the text, so it is never encoded again.
public struct EncryptionInfo: Sendable {
  /// The base64url text exactly as sent.
  public let text: String
  /// The nonce, at least 16 bytes.
  public let nonce: [UInt8]
  /// The key to encrypt the response to.
  public let recipientPublicKey: P256.KeyAgreement.PublicKey

  /// The shortest nonce in bytes (ISO/IEC 18013-7, C.2: at least 16 bytes of entropy).
  public static let minimumNonceLength = 16

  /// The first element of the arrays of annex C.
  package static let marker = "dcapi"

  /// Reads the encryption information of a request.
  /// - Throws: ``ExchangeError``.
  public init(text: String) throws(ExchangeError) {
    if let excess = RequestLimit.encryptionInfo.excess(text.utf8.count) { throw ExchangeError(.encryptionInfo, excess) }
    guard let bytes = Base64URL.decode(text) else {
      throw ExchangeError(.encryptionInfo, "the encryption information is not base64url without padding")
    }
    do {
      let array = try CBORReader.read(bytes).array(count: 2)
      guard try array.at(0).text() == Self.marker else {
        throw ExchangeError(.encryptionInfo, "the encryption information does not start with \"dcapi\"")
      }
      let map = try array.at(1).map()
      nonce = try map.required("nonce").bytes()
      recipientPublicKey = try COSEKey.p256KeyAgreementKey(reading: try map.required("recipientPublicKey"))
    } catch let error as ExchangeError {
      throw error
    } catch {
      if let excess = (error as? CBORError).flatMap({ RequestLimit.Excess($0.code) }) {
        throw ExchangeError(.encryptionInfo, excess)
      }
      throw ExchangeError(.encryptionInfo, "the encryption information is malformed: \(error)")
    }
    guard nonce.count >= Self.minimumNonceLength else {
      throw ExchangeError(
        .nonce, "the nonce has \(nonce.count) bytes; at least \(Self.minimumNonceLength) are required")
    }
    self.text = text
  }

  /// Creates the encryption information for a new exchange.
  public init(nonce: [UInt8], recipientPublicKey: P256.KeyAgreement.PublicKey) {
    let encoded = CBORWriter.encode(capacity: 160) { writer in
      writer.array(2)
      writer.text(Self.marker)
      writer.map(2)
      writer.member("nonce") { $0.byteString(nonce) }
      writer.member("recipientPublicKey") { COSEKey(recipientPublicKey).write(to: &$0) }
    }
    self.nonce = nonce
    self.recipientPublicKey = recipientPublicKey
    text = Base64URL.encode(encoded)
  }

  /// Returns `SessionTranscript = [null, null, ["dcapi", SHA-256([text, origin])]]` (ISO/IEC 18013-7, C.5).
  /// - Parameter origin: The serialized origin, without a trailing slash.
  public func sessionTranscript(origin: String) -> SessionTranscript {
    Self.sessionTranscript(encryptionInfoText: text, origin: origin)
  }

  /// Returns the transcript for a text that need not be well-formed, to diagnose wrong transcripts.
  public static func sessionTranscript(encryptionInfoText: String, origin: String) -> SessionTranscript {
    let handoverInfo = CBORWriter.encode(capacity: 320) { writer in
      writer.array(2)
      writer.text(encryptionInfoText)
      writer.text(origin)
    }
    return SessionTranscript(handover: marker, digesting: handoverInfo)
  }
}
