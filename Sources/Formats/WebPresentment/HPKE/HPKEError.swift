/// Why a message could not be sealed or opened with HPKE.
public struct HPKEError: Error, Hashable, Sendable {
  /// What went wrong, as a stable name for programs.
  public let code: String
  /// What went wrong, as a sentence for people.
  public let sentence: String
  /// What was found, such as a size. Never holds key material or plaintext.
  public let evidence: String

  /// The encapsulated key is no uncompressed point of P-256 (RFC 9180, section 7.1.4).
  static func encapsulatedKey(_ bytes: [UInt8]) -> HPKEError {
    let found =
      if bytes.count != HPKESuite.publicKeyByteCount {
        "\(bytes.count) bytes"
      } else if bytes[0] != HPKESuite.uncompressedPoint {
        "a first byte of \(bytes[0])"
      } else {
        "a point that is not on the curve"
      }
    return HPKEError(
      code: "hpke.encapsulated-key",
      sentence: "The encapsulated key is not a point of P-256 in 65 bytes, the first of them 4.",
      evidence: found)
  }

  /// The tag does not verify: another key, info or associated data, or altered bytes (RFC 9180, section 5.2).
  static func open(cipherTextByteCount count: Int) -> HPKEError {
    HPKEError(
      code: "hpke.open",
      sentence: "The message does not open: it was sealed to another key, for another context, or was altered.",
      evidence: count < HPKESuite.tagByteCount ? "\(count) bytes, too few to hold a tag" : "a tag that does not verify")
  }

  /// The library failed on valid inputs, or the context has no sequence number left (RFC 9180, section 5.2).
  static func seal(_ evidence: String) -> HPKEError {
    HPKEError(code: "hpke.seal", sentence: "The message could not be sealed.", evidence: evidence)
  }
}

extension HPKEError: CustomStringConvertible {
  /// The sentence, the evidence, then the code in brackets.
  public var description: String { "\(sentence) Found: \(evidence) [\(code)]" }
}
