import COSE
import Crypto
import JOSE
import JSON
import Primitives
import TestSupport

/// Reads JSON that a test wrote.
func item(_ text: String) throws -> JSONItem { try JSONReader.item(Array(text.utf8)) }

/// A text in base64url.
func encoded(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }

/// A compact JWS with any header, signed with a fixed key.
func signed(header: String, payload: String = "{}", with key: P256.Signing.PrivateKey) throws -> String {
  let text = "\(encoded(header)).\(encoded(payload))"
  return "\(text).\(Base64URL.encode(try key.signature(for: Array(text.utf8)) as [UInt8]))"
}

/// Returns the code of the error that a body throws, or nil.
func refusal(_ body: () throws -> Void) -> JOSEErrorCode? { refusal(JOSEError.self, body) }
