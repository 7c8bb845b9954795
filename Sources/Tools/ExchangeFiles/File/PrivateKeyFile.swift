import Crypto
import DigitalCredentials
import JSON
import Primitives
import WebPresentment

/// Private keys of P-256 as files carry them: a JSON Web Key (RFC 7517, RFC 7518 6.2) or PEM (RFC 5958, RFC 5915).
/// Errors never repeat what stands in them.
public enum PrivateKeyFile {
  /// The key of a JSON Web Key. Coordinates, where they are given, must be those of the private number's point.
  static func signingKey(jwk key: Member) throws(ExchangeFileError) -> P256.Signing.PrivateKey {
    let kind = try key.required("kty").shortText()
    guard kind == "EC" else {
      throw ExchangeFileError(.key, key.path, "the key type is \(Printable.text(kind)), not EC")
    }
    let curve = try key.required("crv").shortText()
    guard curve == "P-256" else {
      throw ExchangeFileError(.key, key.path, "the curve is \(Printable.text(curve)), not P-256")
    }
    let member = try key.required("d")
    let number = try member.base64URL()
    guard let pair = try? P256.Signing.PrivateKey(rawRepresentation: number) else {
      throw ExchangeFileError(.key, member.path, "it is no private key of P-256 in 32 bytes")
    }
    let point = [UInt8](pair.publicKey.rawRepresentation)
    for (name, expected) in [("x", point.prefix(32)), ("y", point.suffix(32))] {
      guard let coordinate = key[name] else { continue }
      guard try coordinate.base64URL() == Array(expected) else {
        throw ExchangeFileError(.key, coordinate.path, "it does not belong to the private key")
      }
    }
    return pair
  }

  /// The key of a JSON Web Key, to agree on secrets with.
  static func agreementKey(jwk: Member) throws(ExchangeFileError) -> P256.KeyAgreement.PrivateKey {
    let pair = try signingKey(jwk: jwk)
    guard let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: pair.rawRepresentation) else {
      throw ExchangeFileError(.key, jwk.path, "it is no private key of P-256")
    }
    return key
  }

  /// A signing key from a file: PEM, or a JSON Web Key.
  /// - Parameter name: the file's name, for errors.
  /// - Throws: ``ExchangeFileError``.
  public static func signingKey(_ bytes: [UInt8], name: String) throws(ExchangeFileError) -> P256.Signing.PrivateKey {
    guard bytes.count <= maximumLength else {
      throw ExchangeFileError(.tooLarge, name, "it has \(bytes.count) bytes; at most \(maximumLength) are read")
    }
    let bytes = TextFile.withoutMark(bytes)
    if bytes.first(where: { !isSpace($0) }) == UInt8(ascii: "{") {
      do {
        return try signingKey(jwk: try Member(file: bytes))
      } catch {
        let place = [name, error.member].compactMap(\.self).joined(separator: ": ")
        throw ExchangeFileError(error.code, place, error.sentence)
      }
    }
    let blocks = String(validating: bytes, as: UTF8.self).map(keyBlocks) ?? []
    guard blocks.count <= 1 else {
      throw ExchangeFileError(.key, name, "it holds \(blocks.count) private keys in PEM, and one is needed")
    }
    guard let block = blocks.first, let key = try? P256.Signing.PrivateKey(pemRepresentation: block) else {
      throw ExchangeFileError(.key, name, "it holds no private key of P-256 in PEM, and no JSON Web Key")
    }
    return key
  }

  /// A key as a JSON Web Key, with its private number.
  static func jwk(_ key: P256.KeyAgreement.PrivateKey) -> JSONValue {
    let point = [UInt8](key.publicKey.rawRepresentation)
    return .object([
      .init(name: "kty", value: .string("EC")), .init(name: "crv", value: .string("P-256")),
      .init(name: "x", value: .string(Base64URL.encode(point.prefix(32)))),
      .init(name: "y", value: .string(Base64URL.encode(point.suffix(32)))),
      .init(name: "d", value: .string(Base64URL.encode([UInt8](key.rawRepresentation)))),
    ])
  }

  /// Longest file with a key in bytes: a key has some hundred, and certificates may stand beside it.
  static let maximumLength = 1 << 20

  /// The private keys of a PEM text. What else stands in it, as the parameters of the curve that openssl puts before a
  /// key or a certificate, is passed over (RFC 7468, 2).
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

  /// What PEM calls a private key (RFC 5958, 5; RFC 5915, 4).
  private static let keyLabels = ["PRIVATE KEY", "EC PRIVATE KEY"]

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}
