import Crypto
import DigitalCredentials
import JSON
import Primitives
import WebPresentment

/// P-256 private keys in files: a JSON Web Key (RFC 7517, RFC 7518 6.2) or PEM (RFC 5958, RFC 5915). Errors never repeat
/// the content.
public enum PrivateKeyFile {
  /// Returns the key of a JSON Web Key. Coordinates, if present, must match the private number.
  static func signingKey(jwk key: JSONField) throws(ExchangeFileError) -> P256.Signing.PrivateKey {
    try requireP256(key)
    let member = try key.required("d")
    let number = try member.base64URL()
    guard let pair = try? P256.Signing.PrivateKey(rawRepresentation: number) else {
      throw ExchangeFileError(.key, member.path, "not a P-256 private key of 32 bytes")
    }
    let point = [UInt8](pair.publicKey.rawRepresentation)
    for (name, expected) in [("x", point.prefix(32)), ("y", point.suffix(32))] {
      guard let coordinate = key[name] else { continue }
      guard try coordinate.base64URL() == Array(expected) else {
        throw ExchangeFileError(.key, coordinate.path, "does not match the private key")
      }
    }
    return pair
  }

  /// Returns the key of a JSON Web Key for key agreement.
  static func agreementKey(jwk: JSONField) throws(ExchangeFileError) -> P256.KeyAgreement.PrivateKey {
    let pair = try signingKey(jwk: jwk)
    guard let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: pair.rawRepresentation) else {
      throw ExchangeFileError(.key, jwk.path, "not a P-256 private key")
    }
    return key
  }

  /// Returns a signing key from a file: PEM or a JSON Web Key.
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
    let blocks = String(validating: bytes, as: UTF8.self).map(keyBlocks) ?? []
    guard blocks.count <= 1 else {
      throw ExchangeFileError(.key, name, "expected one private key in PEM, found \(blocks.count)")
    }
    guard let block = blocks.first, let key = try? P256.Signing.PrivateKey(pemRepresentation: block) else {
      throw ExchangeFileError(.key, name, "neither a P-256 private key in PEM nor a JSON Web Key")
    }
    return key
  }

  /// Returns the public key of a JSON Web Key for key agreement.
  static func publicAgreementKey(jwk key: JSONField) throws(ExchangeFileError) -> P256.KeyAgreement.PublicKey {
    try requireP256(key)
    let (x, y) = (try key.required("x"), try key.required("y"))
    let point = try x.base64URL() + y.base64URL()
    guard let key = try? P256.KeyAgreement.PublicKey(rawRepresentation: point) else {
      throw ExchangeFileError(.key, key.path, "not a point of P-256 with two coordinates of 32 bytes")
    }
    return key
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
  static func jwk(_ key: P256.KeyAgreement.PrivateKey) -> JSONValue {
    jwk(of: key.publicKey, adding: [("d", .string(Base64URL.encode([UInt8](key.rawRepresentation))))])
  }

  /// Returns a public key as a JSON Web Key.
  static func jwk(
    of key: P256.KeyAgreement.PublicKey, adding others: [(String, JSONValue)] = []
  ) -> JSONValue {
    let point = [UInt8](key.rawRepresentation)
    return JSONValue(
      members: [
        ("kty", .string("EC")), ("crv", .string("P-256")), ("x", .string(Base64URL.encode(point.prefix(32)))),
        ("y", .string(Base64URL.encode(point.suffix(32)))),
      ] + others)
  }

  /// The longest key file in bytes: a key has some hundred, and certificates may be in the same file.
  static let maximumLength = 1 << 20

  /// Returns the private keys of a PEM text. Other content, such as the curve parameters that openssl writes before a key,
  /// is skipped (RFC 7468, 2).
  private static func keyBlocks(_ text: String) -> [String] {
    var blocks: [String] = []
    var block: (label: String, lines: [Substring])?
    for line in text.split(whereSeparator: \.isNewline) {
      if let open = block {
        block?.lines.append(line)
        guard line.hasPrefix("-----END \(open.label)-----") else { continue }
        blocks.append((open.lines + [line]).joined(separator: "\n"))
        block = nil
      } else if let label = keyLabels.first(where: { line.hasPrefix("-----BEGIN \($0)-----") }) {
        block = (label, [line])
      }
    }
    return blocks
  }

  /// The PEM labels of private keys (RFC 5958, 5; RFC 5915, 4).
  private static let keyLabels = ["PRIVATE KEY", "EC PRIVATE KEY"]

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}
