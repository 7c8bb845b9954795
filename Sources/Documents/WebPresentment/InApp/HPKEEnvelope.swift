import CBOR
import Crypto
import MobileDocument

/// `HPKEEnvelope = {"algorithm", "params": {"mode", "pkEm", "pkRHash", "infoHash"}, "data"}`: the encrypted response to a
/// request that an app makes through PassKit (Verifying Wallet identity requests, "Understand the response structure").
///
/// Reading an envelope checks its form only. Its values are checked against a request by the app's server.
public struct HPKEEnvelope: Sendable, Equatable {
  /// `algorithm`: "APPLE-HPKE-v1".
  public package(set) var algorithm: String
  /// `mode`: 0, the base mode of RFC 9180.
  public package(set) var mode: UInt64
  /// `pkEm`: the sender's ephemeral public key, 65 bytes.
  public package(set) var ephemeralKey: [UInt8]
  /// `pkRHash`: SHA-256 of the recipient's public key.
  public package(set) var recipientKeyHash: [UInt8]
  /// `infoHash`: SHA-256 of the session transcript.
  public package(set) var infoHash: [UInt8]
  /// `data`: the sealed ``Topics`` with their 16-byte tag.
  public package(set) var data: [UInt8]

  /// The value of `algorithm`.
  public static let algorithm = "APPLE-HPKE-v1"
  /// The value of `mode`.
  public static let mode: UInt64 = 0
  /// The longest encoded envelope that is read, in bytes: that of an ``EncryptedResponse``.
  public static let maximumLength = EncryptedResponse.maximumLength

  /// Creates an envelope from its values, right or wrong.
  package init(
    algorithm: String = Self.algorithm, mode: UInt64 = Self.mode, ephemeralKey: [UInt8], recipientKeyHash: [UInt8],
    infoHash: [UInt8], data: [UInt8]
  ) {
    self.algorithm = algorithm
    self.mode = mode
    self.ephemeralKey = ephemeralKey
    self.recipientKeyHash = recipientKeyHash
    self.infoHash = infoHash
    self.data = data
  }

  /// Seals a response.
  /// - Parameters:
  ///   - deviceResponse: The encoded `DeviceResponse`.
  ///   - recipient: The public key of the server's encryption certificate.
  ///   - handover: The handover of the request.
  ///   - ephemeralKey: A new key. Use it for this response only.
  /// - Throws: ``ExchangeError``.
  public init(
    sealing deviceResponse: [UInt8], to recipient: P256.KeyAgreement.PublicKey, handover: AppleHandover,
    ephemeralKey: P256.KeyAgreement.PrivateKey
  ) throws(ExchangeError) {
    let sealed = try ResponseEncryption.seal(
      Topics(identity: deviceResponse).encoded, to: recipient, info: handover.sessionTranscript.encoded,
      ephemeralKey: ephemeralKey)
    self.init(
      ephemeralKey: sealed.encapsulatedKey, recipientKeyHash: AppleHandover.hash(of: recipient),
      infoHash: handover.infoHash, data: sealed.cipherText)
  }

  /// Reads a received envelope.
  /// - Throws: ``ExchangeError`` with code `exchange.envelope`.
  public init(encoded bytes: [UInt8]) throws(ExchangeError) {
    guard bytes.count <= Self.maximumLength else {
      throw ExchangeError(.envelope, "the envelope has \(bytes.count) bytes; the limit is \(Self.maximumLength)")
    }
    do {
      let envelope = try CBORReader.read(bytes, leniency: .received).map()
      let parameters = try envelope.required("params").map()
      algorithm = try envelope.required("algorithm").text()
      mode = try parameters.required("mode").unsigned()
      ephemeralKey = try parameters.required("pkEm").bytes()
      recipientKeyHash = try parameters.required("pkRHash").bytes()
      infoHash = try parameters.required("infoHash").bytes()
      data = try envelope.required("data").bytes()
    } catch {
      throw ExchangeError(.envelope, "the envelope is malformed: \(error)")
    }
  }

  /// The encoded envelope.
  public var encoded: [UInt8] {
    CBORWriter.encode(capacity: data.count + 256) { writer in
      writer.map(3)
      writer.member("algorithm") { $0.text(algorithm) }
      writer.text("params")
      writer.map(4)
      writer.member("mode") { $0.unsigned(mode) }
      writer.member("pkEm") { $0.byteString(ephemeralKey) }
      writer.member("pkRHash") { $0.byteString(recipientKeyHash) }
      writer.member("infoHash") { $0.byteString(infoHash) }
      writer.member("data") { $0.byteString(data) }
    }
  }

  /// Decrypts the envelope.
  /// - Parameters:
  ///   - key: The private key of the server's encryption certificate.
  ///   - transcript: The transcript of the request.
  /// - Returns: The encoded ``Topics``.
  /// - Throws: ``ExchangeError``.
  public func open(
    with key: P256.KeyAgreement.PrivateKey, transcript: SessionTranscript
  ) throws(ExchangeError) -> [UInt8] {
    try ResponseEncryption.open(data, encapsulatedKey: ephemeralKey, with: key, info: transcript.encoded)
  }
}

/// `Topics = {"identity": DeviceResponse}`: the plaintext of an ``HPKEEnvelope``.
public struct Topics: Sendable, Equatable {
  /// `identity`: the encoded `DeviceResponse`, as received.
  public let identity: [UInt8]

  /// Creates topics.
  public init(identity: [UInt8]) { self.identity = identity }

  /// Reads decrypted topics. Other topics are left out.
  /// - Throws: ``ExchangeError`` with code `exchange.topics`.
  public init(encoded bytes: [UInt8]) throws(ExchangeError) {
    do {
      let identity = try CBORReader.read(bytes, leniency: .received).map().required("identity")
      self.identity = [UInt8](identity.encoded)
    } catch {
      throw ExchangeError(.topics, "the topics are malformed: \(error)")
    }
  }

  /// The encoded topics.
  public var encoded: [UInt8] {
    CBORWriter.encode(capacity: identity.count + 16) { writer in
      writer.map(1)
      writer.member("identity") { $0.encoded(identity) }
    }
  }
}
