import JSON
import Primitives

/// The rules of JOSE that a received object breaks.
public enum JOSEErrorCode: String, Sendable, CaseIterable {
  /// Not the parts of a serialization (RFC 7515, 7; RFC 7516, 7.1).
  case structure = "jose.structure"
  /// Larger than ``JOSELimits`` allow.
  case tooLarge = "jose.too-large"
  /// A part that is not base64url without padding (RFC 7515, 2).
  case encoding = "jose.encoding"
  /// A header or payload that is not a JSON object, or that repeats a member.
  case json = "jose.json"
  /// A member that is missing or has a value of the wrong kind.
  case member = "jose.member"
  /// No algorithm in the protected header (RFC 7515, 4.1.1).
  case algorithmMissing = "jose.algorithm-missing"
  /// An algorithm outside the list, for example `none` (RFC 8725, 3.1).
  case algorithmUnsupported = "jose.algorithm-unsupported"
  /// An algorithm that does not fit the key (RFC 8725, 3.1).
  case algorithmKeyMismatch = "jose.algorithm-key-mismatch"
  /// A critical header parameter, of which none is understood here (RFC 7515, 4.1.11).
  case criticalHeader = "jose.critical-header"
  /// `b64`, which no profile here allows (RFC 7797, 6).
  case unencodedPayload = "jose.unencoded-payload"
  /// A header parameter that is both protected and unprotected (RFC 7515, 7.2.1).
  case headerTwice = "jose.header-twice"
  /// Another `typ` than expected (RFC 8725, 3.11).
  case type = "jose.type"
  /// Not a valid public key of a supported kind (RFC 7517, RFC 7518, 6).
  case key = "jose.key"
  /// An unsupported curve.
  case curveUnsupported = "jose.curve-unsupported"
  /// A signature of the wrong length for its curve, or with r or s outside the range of the curve's order.
  case signatureForm = "jose.signature-form"
  /// A signature that does not verify.
  case signature = "jose.signature"
  /// A content encryption outside the list (RFC 8725, 3.2).
  case encryptionUnsupported = "jose.encryption-unsupported"
  /// `zip`, which nothing here announces (RFC 8725, 3.6).
  case compressed = "jose.compressed"
  /// An ephemeral key that is missing or not a point of the recipient's curve (RFC 8725, 3.4).
  case ephemeralKey = "jose.ephemeral-key"
  /// An encrypted key where the key is agreed directly (RFC 7518, 4.6).
  case encryptedKey = "jose.encrypted-key"
  /// An initialization vector or a tag of the wrong length (RFC 7518, 5.3).
  case vectorLength = "jose.vector-length"
  /// A ciphertext that does not authenticate: another key, or altered bytes.
  case decryption = "jose.decryption"
  /// The library failed on valid inputs.
  case encryption = "jose.encryption"
}

/// An error in a JOSE object, or of making one.
public typealias JOSEError = CodedFailure<JOSEErrorCode>

/// Limits on JOSE objects from outside.
public enum JOSELimits {
  /// The longest compact or JSON serialization in bytes: that of a message between parties.
  public static let bytes = JSONLimits.message.bytes
  /// The longest header in bytes: four certificates at their largest, twice in base64, and other members.
  public static let headerBytes = 128 << 10
  /// The deepest nesting in a header. Real headers need three levels.
  static let headerDepth = 16
  /// The most values in a header. Real headers have fewer than fifty.
  static let headerValues = 1 << 10
  /// The difference between two parties' clocks, in seconds, by which a time may be in the future.
  public static let clockSkew: Int64 = 60
  /// The most signatures over one payload. Each may cost the verification of a certificate chain.
  public static let signatures = 8
  /// The most certificates in `x5c`: as in an `x5chain`, because of the cost of the path search.
  public static let certificates = 4
  /// The longest key identifier in bytes: a DID URL with a key in it fits.
  public static let keyIDBytes = 4096

  static let header = JSONLimits(bytes: headerBytes, depth: headerDepth, values: headerValues)
}
