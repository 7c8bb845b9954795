import CBOR

/// Why a COSE structure was not accepted. Equal when the codes are equal.
public struct COSEError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The rule that was broken. Raw values are stable and may be shown and stored.
  public enum Code: String, Sendable, CaseIterable {
    /// Not the array of four that RFC 9052 sections 4.2 and 6.2 describe, or a part of the wrong type.
    case structure = "cose.structure"
    /// A certificate chain longer than ``COSEHeaders/maximumChainLength``.
    case chainTooLong = "cose.chain-too-long"
    /// A tag that does not belong to this message.
    case wrongTag = "cose.wrong-tag"
    /// No algorithm in the protected header (ISO/IEC 18013-5, 9.1.2.4 and 9.1.3.6).
    case algorithmMissing = "cose.algorithm-missing"
    /// An algorithm that this implementation does not know.
    case algorithmUnsupported = "cose.algorithm-unsupported"
    /// The algorithm does not go with the key's curve (ISO/IEC 18013-5, 9.1.2.4).
    case algorithmKeyMismatch = "cose.algorithm-key-mismatch"
    /// A header that stands in the protected and in the unprotected bucket (RFC 9052, 3).
    case headerTwice = "cose.header-twice"
    /// A critical header that this implementation does not know (RFC 9052, 3.1).
    case criticalHeader = "cose.critical-header"
    /// A key that is no valid COSE_Key of a type and curve known here (RFC 9053, 7).
    case key = "cose.key"
    /// A curve that has no implementation here.
    case curveUnsupported = "cose.curve-unsupported"
    /// Neither an attached payload nor a detached one, or both and they differ.
    case payload = "cose.payload"
    /// A signature that is not as long as its curve makes it, or whose r or s is no number below the curve's order.
    case signatureForm = "cose.signature-form"
    /// The signature does not verify.
    case signature = "cose.signature"
    /// The message authentication code does not verify.
    case mac = "cose.mac"
  }

  /// The rule that was broken.
  public let code: Code
  /// What is wrong, for a person to read.
  public let sentence: String
  /// How many there are, where the code says that there are too many.
  public let count: Int?
  /// The rule of CBOR that was broken, where that is why a header could not be read.
  public let encoding: CBORError.Code?

  /// Makes an error.
  public init(_ code: Code, _ sentence: String, count: Int? = nil, encoding: CBORError.Code? = nil) {
    self.code = code
    self.sentence = sentence
    self.count = count
    self.encoding = encoding
  }

  /// The sentence and its code.
  public var description: String { "\(sentence) (\(code.rawValue))" }

  /// Equal when the codes are equal.
  public static func == (left: COSEError, right: COSEError) -> Bool { left.code == right.code }

  /// Lets a `catch` or `switch` match a whole code.
  public static func ~= (code: Code, error: COSEError) -> Bool { error.code == code }
}
