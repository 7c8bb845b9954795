import COSE
import Crypto
import FoundationEssentials
import JSON
import Primitives

/// The content encryptions (RFC 7518, 5.3).
public enum JWEEncryption: String, Sendable, CaseIterable {
  /// AES-GCM with a key of 128 bits.
  case a128GCM = "A128GCM"
  /// AES-GCM with a key of 256 bits.
  case a256GCM = "A256GCM"

  /// The length of the key in bits.
  var keyBits: Int { self == .a128GCM ? 128 : 256 }
}

/// An encrypted object as received: the compact serialization with `ECDH-ES` on P-256, whose key is agreed directly
/// (RFC 7516, 7.1; RFC 7518, 4.6).
///
/// Anyone who knows the public key can make one. Only signatures inside protect its content.
public struct JWE: Sendable {
  /// The protected header.
  public let header: JOSEHeader
  /// The content encryption that the header names.
  public let encryption: JWEEncryption
  /// The decoded `apu`; nil without it.
  public let partyUInfo: [UInt8]?
  /// The decoded `apv`; nil without it.
  public let partyVInfo: [UInt8]?
  private let ephemeralKey: P256.KeyAgreement.PublicKey
  private let initializationVector: [UInt8]
  private let ciphertext: [UInt8]
  private let tag: [UInt8]

  /// The one key management algorithm.
  public static let algorithm = "ECDH-ES"
  /// The length of the initialization vector in bytes (RFC 7518, 5.3).
  public static let vectorLength = 12
  private static let tagLength = 16

  /// Reads a compact serialization. Every rule that needs no key is checked here.
  /// - Throws: ``JOSEError``.
  public init(compact text: String) throws(JOSEError) {
    let parts = try JOSEText.parts(text, count: 5, name: "a compact JWE")
    header = try JOSEHeader(encoded: parts[0])
    guard header.algorithm.isExactly(Self.algorithm) else {
      throw JOSEError(
        .algorithmUnsupported, "the key management algorithm is not \(Self.algorithm)",
        evidence: TerminalSafe.text(String(header.algorithm.prefix(32))))
    }
    guard try !header.json.has("zip") else {
      throw JOSEError(.compressed, "the header has 'zip', which was not announced")
    }
    let name = try header.json.reading("the header") { (json) throws(JSONError) in try json.member("enc") as String }
    guard let encryption = JWEEncryption(rawValue: name) else {
      throw JOSEError(
        .encryptionUnsupported,
        "the content encryption is not one of \(JWEEncryption.allCases.map(\.rawValue).listed)",
        evidence: TerminalSafe.text(String(name.prefix(32))))
    }
    self.encryption = encryption
    ephemeralKey = try Self.ephemeralKey(header.json)
    partyUInfo = try Self.partyInfo("apu", header.json)
    partyVInfo = try Self.partyInfo("apv", header.json)
    guard parts[1].isEmpty else {
      throw JOSEError(.encryptedKey, "the encrypted key is not empty, although the key is agreed directly")
    }
    initializationVector = try JOSEText.decode(parts[2], name: "the initialization vector")
    ciphertext = try JOSEText.decode(parts[3], name: "the ciphertext")
    tag = try JOSEText.decode(parts[4], name: "the tag")
    // The library also takes longer vectors and shorter tags.
    guard initializationVector.count == Self.vectorLength, tag.count == Self.tagLength else {
      throw JOSEError(
        .vectorLength,
        "the initialization vector has \(initializationVector.count) bytes and the tag \(tag.count);"
          + " expected \(Self.vectorLength) and \(Self.tagLength)")
    }
  }

  private static func ephemeralKey(_ header: JSONItem) throws(JOSEError) -> P256.KeyAgreement.PublicKey {
    do {
      let item = try header.reading("the header") { (json) throws(JSONError) in try json.item("epk") }
      return try JWK(json: item).p256KeyAgreementKey()
    } catch {
      throw JOSEError(.ephemeralKey, "'epk' is not a public key on P-256: \(error.message)", evidence: error.evidence)
    }
  }

  private static func partyInfo(_ name: String, _ header: JSONItem) throws(JOSEError) -> [UInt8]? {
    guard let text = try header.reading(name, { (json) throws(JSONError) in try json.optionalMember(name) as String? })
    else { return nil }
    return try JOSEText.decode(text, name: "'\(name)'")
  }

  /// Decrypts the content. The first part is authenticated exactly as received.
  /// - Throws: ``JOSEError`` with code `jose.decryption`.
  public func decrypt(with key: P256.KeyAgreement.PrivateKey) throws(JOSEError) -> [UInt8] {
    do {
      let secret = try key.sharedSecretFromKeyAgreement(with: ephemeralKey)
      let box = try AES.GCM.SealedBox(
        nonce: AES.GCM.Nonce(data: initializationVector), ciphertext: ciphertext, tag: tag)
      let content = try AES.GCM.open(
        box, using: Self.key(secret, encryption, partyUInfo, partyVInfo), authenticating: Array(header.encoded.utf8))
      return Array(content)
    } catch {
      throw JOSEError(
        .decryption, "the content cannot be decrypted: it was encrypted to another key, or was altered")
    }
  }

  private static func key(
    _ secret: SharedSecret, _ encryption: JWEEncryption, _ partyUInfo: [UInt8]?, _ partyVInfo: [UInt8]?
  ) -> SymmetricKey {
    // The library gives out the shared secret only through a pointer.
    let agreed = unsafe secret.withUnsafeBytes { unsafe Array($0) }
    return SymmetricKey(
      data: ConcatKDF.key(
        from: agreed, algorithm: encryption.rawValue, partyUInfo: partyUInfo ?? [], partyVInfo: partyVInfo ?? [],
        bits: encryption.keyBits))
  }

  /// Returns an encrypted object.
  ///
  /// The sender's ephemeral key and the initialization vector are parameters, so that the bytes follow from a seed. Each
  /// object needs its own key.
  /// - Parameters:
  ///   - recipient: The recipient's key, whose `kid` the header repeats.
  ///   - partyUInfo: `apu`, which may be empty; nil omits it.
  ///   - partyVInfo: `apv`, which may be empty; nil omits it.
  ///   - initializationVector: 12 bytes.
  /// - Throws: ``JOSEError``.
  public static func encrypt(
    _ content: [UInt8], to recipient: JWK, encryption: JWEEncryption, partyUInfo: [UInt8]? = nil,
    partyVInfo: [UInt8]? = nil, ephemeralKey: P256.KeyAgreement.PrivateKey, initializationVector: [UInt8]
  ) throws(JOSEError) -> String {
    let recipientKey = try recipient.p256KeyAgreementKey()
    guard initializationVector.count == vectorLength else {
      throw JOSEError(.vectorLength, "the initialization vector has \(initializationVector.count) bytes")
    }
    var members: [(String, JSONValue)] = [("alg", .string(algorithm)), ("enc", .string(encryption.rawValue))]
    if let keyID = recipient.keyID { members.append(("kid", .string(keyID))) }
    members.append(("epk", JWK(COSEKey(ephemeralKey.publicKey)).json))
    if let partyUInfo { members.append(("apu", .string(Base64URL.encode(partyUInfo)))) }
    if let partyVInfo { members.append(("apv", .string(Base64URL.encode(partyVInfo)))) }
    let header = Base64URL.encode(JSONValue(members: members).bytes)
    do {
      let secret = try ephemeralKey.sharedSecretFromKeyAgreement(with: recipientKey)
      let box = try AES.GCM.seal(
        content, using: key(secret, encryption, partyUInfo, partyVInfo),
        nonce: AES.GCM.Nonce(data: initializationVector), authenticating: Array(header.utf8))
      return [
        header, "", Base64URL.encode(initializationVector), Base64URL.encode(Array(box.ciphertext)),
        Base64URL.encode(Array(box.tag)),
      ].joined(separator: ".")
    } catch {
      throw JOSEError(.encryption, "the content could not be encrypted")
    }
  }
}
