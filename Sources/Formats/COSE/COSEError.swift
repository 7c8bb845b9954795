import CBOR
import Primitives

/// A rule of COSE that a received structure breaks.
public struct COSEError: CodedError, Equatable {
  /// The rules.
  public enum Code: String, Sendable, CaseIterable {
    /// Not the array of four of RFC 9052, 4.2 and 6.2, or a part of the wrong type.
    case structure = "cose.structure"
    /// A certificate chain longer than ``COSEHeaders/maximumChainLength``.
    case chainTooLong = "cose.chain-too-long"
    /// A tag that does not belong to this message.
    case wrongTag = "cose.wrong-tag"
    /// No algorithm in the protected header (ISO/IEC 18013-5, 9.1.2.4 and 9.1.3.6).
    case algorithmMissing = "cose.algorithm-missing"
    /// An unsupported algorithm.
    case algorithmUnsupported = "cose.algorithm-unsupported"
    /// An algorithm that does not match the key's curve (ISO/IEC 18013-5, 9.1.2.4).
    case algorithmKeyMismatch = "cose.algorithm-key-mismatch"
    /// A header in both the protected and the unprotected bucket (RFC 9052, 3).
    case headerTwice = "cose.header-twice"
    /// An unsupported critical header (RFC 9052, 3.1).
    case criticalHeader = "cose.critical-header"
    /// Not a valid COSE_Key of a supported type and curve (RFC 9053, 7).
    case key = "cose.key"
    /// An unsupported curve.
    case curveUnsupported = "cose.curve-unsupported"
    /// No payload, or an attached payload that differs from the detached one.
    case payload = "cose.payload"
    /// A signature of the wrong length for its curve, or with r or s outside the range of the curve's order.
    case signatureForm = "cose.signature-form"
    /// A signature that does not verify.
    case signature = "cose.signature"
    /// A message authentication code that does not verify.
    case mac = "cose.mac"
  }

  /// The broken rule.
  public let code: Code
  /// A human-readable description of the failure.
  public let message: String
  /// The number of elements found, if the code says that there are too many.
  public let count: Int?
  /// The broken rule of CBOR, if a header could not be read because of it.
  public let encoding: CBORError.Code?

  /// Creates an error.
  public init(_ code: Code, _ message: String, count: Int? = nil, encoding: CBORError.Code? = nil) {
    self.code = code
    self.message = message
    self.count = count
    self.encoding = encoding
  }
}
