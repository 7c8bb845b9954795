import CBOR
import Crypto
import MobileDocument

/// `EncryptedResponse = ["dcapi", {"enc", "cipherText"}]` (ISO/IEC 18013-7, C.3).
public struct EncryptedResponse: Sendable, Equatable {
  /// The sender's ephemeral public key, 65 bytes.
  public let encapsulatedKey: [UInt8]
  /// The sealed device response with its 16-byte tag.
  public let cipherText: [UInt8]

  /// The longest encoded response that is read, in bytes. Real responses have up to 80 kB; large portraits fit.
  public static let maximumLength = 4 << 20

  /// An encrypted response that was sealed elsewhere.
  package init(encapsulatedKey: [UInt8], cipherText: [UInt8]) {
    self.encapsulatedKey = encapsulatedKey
    self.cipherText = cipherText
  }

  /// Seals a device response for the recipient of a request.
  ///
  /// - Parameters:
  ///   - deviceResponse: The encoded `DeviceResponse`.
  ///   - recipient: The public key of the request's encryption information.
  ///   - transcript: The transcript of the request.
  ///   - ephemeralKey: A new key. Use it for this response only.
  /// - Throws: ``ExchangeError``.
  public init(
    sealing deviceResponse: [UInt8], to recipient: P256.KeyAgreement.PublicKey, transcript: SessionTranscript,
    ephemeralKey: P256.KeyAgreement.PrivateKey
  ) throws(ExchangeError) {
    (encapsulatedKey, cipherText) = try ResponseEncryption.seal(
      deviceResponse, to: recipient, info: transcript.encoded, ephemeralKey: ephemeralKey)
  }

  /// Reads a received response.
  /// - Throws: ``ExchangeError``.
  public init(encoded bytes: [UInt8]) throws(ExchangeError) {
    guard bytes.count <= Self.maximumLength else {
      throw ExchangeError(.encryptedResponse, "the encrypted response has \(bytes.count) bytes")
    }
    do {
      let array = try CBORReader.read(bytes).array(count: 2)
      guard try array.at(0).text() == EncryptionInfo.marker else {
        throw ExchangeError(.encryptedResponse, "the encrypted response does not start with \"dcapi\"")
      }
      let map = try array.at(1).map()
      encapsulatedKey = try map.required("enc").bytes()
      cipherText = try map.required("cipherText").bytes()
    } catch let error as ExchangeError {
      throw error
    } catch {
      throw ExchangeError(.encryptedResponse, "the encrypted response is malformed: \(error)")
    }
  }

  /// The encoded response.
  public var encoded: [UInt8] {
    CBORWriter.encode(capacity: cipherText.count + 96) { writer in
      writer.array(2)
      writer.text(EncryptionInfo.marker)
      writer.map(2)
      writer.member("enc") { $0.byteString(encapsulatedKey) }
      writer.member("cipherText") { $0.byteString(cipherText) }
    }
  }

  /// Decrypts the response.
  /// - Returns: The encoded `DeviceResponse`.
  /// - Throws: ``ExchangeError``.
  public func open(with key: P256.KeyAgreement.PrivateKey, transcript: SessionTranscript) throws(ExchangeError)
    -> [UInt8]
  { try ResponseEncryption.open(cipherText, encapsulatedKey: encapsulatedKey, with: key, info: transcript.encoded) }
}
