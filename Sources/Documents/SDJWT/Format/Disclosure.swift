import COSE
import Crypto
import JOSE
import JSON
import Primitives

/// The hash algorithms of `_sd_alg` (RFC 9901, 4.1.1), compared exactly.
public enum SDJWTHash: String, Sendable, CaseIterable {
  case sha256 = "sha-256"
  case sha384 = "sha-384"
  case sha512 = "sha-512"

  /// Returns the digest of a text in base64url, over its characters as received.
  public func digest(of text: String) -> String {
    let bytes = Array(text.utf8)
    return switch self {
    case .sha256: Base64URL.encode(SHA256.hash(data: bytes).bytes)
    case .sha384: Base64URL.encode(SHA384.hash(data: bytes).bytes)
    case .sha512: Base64URL.encode(SHA512.hash(data: bytes).bytes)
    }
  }
}

/// One disclosure as received: a salt, the name of a member or none for an element, and the value (RFC 9901, 4.2). The value
/// is the holder's secret.
public struct Disclosure: Sendable, KeepsSecrets {
  /// The disclosure in base64url, exactly as received. Digests are computed over it.
  public let text: String
  /// The name of the member; nil for an element of an array.
  public let name: String?
  /// The value.
  package let value: JSONItem

  /// Reads a disclosure.
  /// - Parameter place: Its number, for messages.
  /// - Throws: ``SDJWTError`` with code `sd-jwt-format.disclosure`.
  init(_ text: String, at place: Int) throws(SDJWTError) {
    let location = "disclosure \(place)"
    guard !text.isEmpty else { throw SDJWTError(.disclosure, "a disclosure is empty", at: location) }
    guard let bytes = Base64URL.decode(text) else {
      throw SDJWTError(
        .disclosure, "a disclosure \(Base64URL.violation(in: text) ?? "is not base64url")", at: location)
    }
    do throws(JSONError) {
      let item = try JSONReader.item(
        bytes, limits: JSONLimits(bytes: SDJWTLimits.bytes, depth: SDJWTLimits.depth, values: 1 << 16))
      let parts = Array(try item.elements())
      guard parts.count == 2 || parts.count == 3 else {
        throw item.error("expected a salt, a name and a value, or a salt and a value; found \(parts.count) parts")
      }
      _ = try parts[0].text()
      name = parts.count == 3 ? try parts[1].text() : nil
      value = parts[parts.count - 1]
    } catch {
      throw SDJWTError(
        .disclosure, "a disclosure is malformed: \(error.message)", evidence: error.code.rawValue, at: location)
    }
    self.text = text
  }
}
