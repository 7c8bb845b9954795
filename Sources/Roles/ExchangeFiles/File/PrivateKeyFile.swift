import Certificates
import Crypto
import DigitalCredentials
import JSON
import Primitives
import WebPresentment

/// P-256 private keys in files: a JSON Web Key (RFC 7517, RFC 7518 6.2), PEM or DER (RFC 5958, RFC 5915), or the number in
/// hexadecimal or base64. Errors never repeat the content.
public enum PrivateKeyFile {
  /// Returns the key of a JSON Web Key. Coordinates, if present, must match the private number.
  static func signingKey(jwk key: JSONField) throws(ExchangeFileError) -> P256.Signing.PrivateKey {
    try requireP256(key)
    let member = try key.required("d")
    let number = try member.pastedBytes()
    guard let pair = try? P256.Signing.PrivateKey(rawRepresentation: number) else {
      throw ExchangeFileError(.key, member.path, "not a P-256 private key of 32 bytes")
    }
    let point = [UInt8](pair.publicKey.rawRepresentation)
    for (name, expected) in [("x", point.prefix(32)), ("y", point.suffix(32))] {
      guard let coordinate = key[name] else { continue }
      guard try coordinate.pastedBytes() == Array(expected) else {
        throw ExchangeFileError(.key, coordinate.path, "does not match the private key")
      }
    }
    return pair
  }

  /// Returns the key of a member: a JSON Web Key, or a text with any other form of key.
  static func signingKey(_ member: JSONField) throws(ExchangeFileError) -> P256.Signing.PrivateKey {
    guard let text = member.value.text else { return try signingKey(jwk: member) }
    return try signingKey(Array(text.utf8), name: member.path ?? "")
  }

  /// Returns the key of a member for key agreement.
  static func agreementKey(_ member: JSONField) throws(ExchangeFileError) -> P256.KeyAgreement.PrivateKey {
    try agreementKey(try signingKey(member), name: member.path)
  }

  /// Returns a key for key agreement from a file in any supported form.
  /// - Parameter name: The file's name, for errors.
  /// - Throws: ``ExchangeFileError``.
  public static func agreementKey(
    _ bytes: [UInt8], name: String
  ) throws(ExchangeFileError) -> P256.KeyAgreement.PrivateKey {
    try agreementKey(try signingKey(bytes, name: name), name: name)
  }

  private static func agreementKey(
    _ pair: P256.Signing.PrivateKey, name: String?
  ) throws(ExchangeFileError) -> P256.KeyAgreement.PrivateKey {
    guard let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: pair.rawRepresentation) else {
      throw ExchangeFileError(.key, name, "not a P-256 private key")
    }
    return key
  }

  /// Returns a signing key from a file in any supported form.
  /// - Parameter name: The file's name, for errors.
  /// - Throws: ``ExchangeFileError``.
  public static func signingKey(_ bytes: [UInt8], name: String) throws(ExchangeFileError) -> P256.Signing.PrivateKey {
    guard bytes.count <= maximumLength else {
      throw ExchangeFileError(.tooLarge, name, "\(bytes.count) bytes exceed the limit of \(maximumLength)")
    }
    let bytes = TextFile.withoutMark(bytes)
    if bytes.first(where: { !isSpace($0) }) == UInt8(ascii: "{") {
      do {
        return try signingKey(jwk: try JSONField(file: bytes))
      } catch {
        let place = [name, error.member].compactMap(\.self).joined(separator: ": ")
        throw ExchangeFileError(error.code, place, error.message)
      }
    }
    if bytes.count == numberLength, !bytes.allSatisfy(isPrintable),
      let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes)
    {
      return key
    }
    if let text = String(validating: bytes, as: UTF8.self) {
      let blocks = (PEMText(text)?.blocks ?? []).filter { keyLabels.contains($0.label) }
      guard blocks.count <= 1 else {
        throw ExchangeFileError(.key, name, "expected one private key in PEM, found \(blocks.count)")
      }
      if let block = blocks.first { return try signingKey(der: block.bytes, name: name) }
      let trimmed = String(text.filter { !$0.isWhitespace })
      if let number = Hexadecimal.decode(trimmed) ?? PastedBase64.decode(trimmed) {
        if number.count == numberLength, let key = try? P256.Signing.PrivateKey(rawRepresentation: number) {
          return key
        }
        if number.first == 0x30, !text.contains("-----") { return try signingKey(der: number, name: name) }
      }
    } else if bytes.first == 0x30 {
      return try signingKey(der: bytes, name: name)
    }
    throw unusable(bytes, name)
  }

  /// Returns the key of PKCS #8 or SEC 1 in DER.
  private static func signingKey(der: [UInt8], name: String) throws(ExchangeFileError) -> P256.Signing.PrivateKey {
    if let key = try? P256.Signing.PrivateKey(derRepresentation: der) { return key }
    let others = [
      ((try? P384.Signing.PrivateKey(derRepresentation: der)) != nil, "P-384"),
      ((try? P521.Signing.PrivateKey(derRepresentation: der)) != nil, "P-521"),
    ]
    if let other = others.first(where: \.0) {
      throw ExchangeFileError(.key, name, "expected a private key of P-256, found one of \(other.1)")
    }
    throw unusable(der, name)
  }

  private static func unusable(_ bytes: [UInt8], _ name: String) -> ExchangeFileError {
    ExchangeFileError(
      .key, name,
      "expected a P-256 private key as a JSON Web Key, PEM, DER or hexadecimal; found "
        + FoundContent.description(of: bytes))
  }

  /// The length of a private number in bytes.
  private static let numberLength = 32

  /// Returns the public key of a JSON Web Key for key agreement.
  static func publicAgreementKey(jwk key: JSONField) throws(ExchangeFileError) -> P256.KeyAgreement.PublicKey {
    try requireP256(key)
    let (x, y) = (try key.required("x"), try key.required("y"))
    let point = try x.pastedBytes() + y.pastedBytes()
    guard let key = try? P256.KeyAgreement.PublicKey(rawRepresentation: point) else {
      throw ExchangeFileError(.key, key.path, "not a point of P-256 with two coordinates of 32 bytes")
    }
    return key
  }

  /// Returns the public key of a file: a public key in PEM, DER (RFC 5280, 4.1.2.7) or as a JSON Web Key, or a private key
  /// in any supported form.
  /// - Parameter name: The file's name, for errors.
  /// - Throws: ``ExchangeFileError``.
  public static func publicKey(_ bytes: [UInt8], name: String) throws(ExchangeFileError) -> P256.Signing.PublicKey {
    guard bytes.count <= maximumLength else {
      throw ExchangeFileError(.tooLarge, name, "\(bytes.count) bytes exceed the limit of \(maximumLength)")
    }
    let content = TextFile.withoutMark(bytes)
    if content.first(where: { !isSpace($0) }) == UInt8(ascii: "{") {
      do {
        let key = try JSONField(file: content)
        if key["d"] == nil {
          let point = try publicAgreementKey(jwk: key).rawRepresentation
          if let key = try? P256.Signing.PublicKey(rawRepresentation: point) { return key }
        }
      } catch {
        throw ExchangeFileError(
          error.code, [name, error.member].compactMap(\.self).joined(separator: ": "), error.message)
      }
    }
    let text = String(validating: content, as: UTF8.self)
    let blocks = (text.flatMap { PEMText($0) }?.blocks ?? []).filter { $0.label == "PUBLIC KEY" }
    if blocks.count == 1, let key = try? P256.Signing.PublicKey(derRepresentation: blocks[0].bytes) { return key }
    if let key = try? P256.Signing.PublicKey(derRepresentation: content) { return key }
    return try signingKey(bytes, name: name).publicKey
  }

  private static func requireP256(_ key: JSONField) throws(ExchangeFileError) {
    let kind = try key.required("kty").shortText()
    guard kind == "EC" else {
      throw ExchangeFileError(.key, key.path, "expected key type EC, found \(TerminalSafe.text(kind))")
    }
    let curve = try key.required("crv").shortText()
    guard curve == "P-256" else {
      throw ExchangeFileError(.key, key.path, "expected curve P-256, found \(TerminalSafe.text(curve))")
    }
  }

  /// Returns a key as a JSON Web Key, with its private number.
  package static func jwk(_ key: P256.KeyAgreement.PrivateKey) -> JSONValue {
    jwk(of: key.publicKey, adding: [("d", .string(Base64URL.encode([UInt8](key.rawRepresentation))))])
  }

  /// Returns a public key as a JSON Web Key.
  static func jwk(of key: P256.KeyAgreement.PublicKey, adding others: [(String, JSONValue)] = []) -> JSONValue {
    let point = [UInt8](key.rawRepresentation)
    return JSONValue(
      members: [
        ("kty", .string("EC")), ("crv", .string("P-256")), ("x", .string(Base64URL.encode(point.prefix(32)))),
        ("y", .string(Base64URL.encode(point.suffix(32)))),
      ] + others)
  }

  /// The longest key file in bytes: a key has some hundred, and certificates may be in the same file.
  static let maximumLength = 1 << 20

  /// The PEM labels of private keys (RFC 5958, 5; RFC 5915, 4).
  private static let keyLabels = ["PRIVATE KEY", "EC PRIVATE KEY"]

  private static func isPrintable(_ byte: UInt8) -> Bool { (0x20..<0x7f).contains(byte) || isSpace(byte) }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}
