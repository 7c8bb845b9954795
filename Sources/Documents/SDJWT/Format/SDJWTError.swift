import Primitives

/// The rules of SD-JWT that a received text breaks.
public enum SDJWTErrorCode: String, Sendable, CaseIterable {
  /// Not an issuer-signed JWT and disclosures with tildes between them (RFC 9901, 4).
  case structure = "sd-jwt-format.structure"
  /// More or longer parts than ``SDJWTLimits`` allow.
  case tooLarge = "sd-jwt-format.too-large"
  /// The issuer-signed JWT breaks a rule of JOSE.
  case issuerJWT = "sd-jwt-format.issuer-jwt"
  /// The key binding JWT breaks a rule of JOSE.
  case keyBindingJWT = "sd-jwt-format.key-binding-jwt"
  /// The payload is not a JSON object.
  case payload = "sd-jwt-format.payload"
  /// `_sd_alg` names an unknown algorithm, or is not at the top (RFC 9901, 4.1.1).
  case hashAlgorithm = "sd-jwt-format.hash-algorithm"
  /// A disclosure is not a JSON array of two or three parts (RFC 9901, 4.2).
  case disclosure = "sd-jwt-format.disclosure"
  /// `_sd` or `...` is used in another way than for digests (RFC 9901, 4.2.4).
  case digestForm = "sd-jwt-format.digest-form"
  /// A digest occurs twice (RFC 9901, 7.1).
  case digestTwice = "sd-jwt-format.digest-twice"
  /// A disclosure whose digest occurs nowhere (RFC 9901, 7.1).
  case unreferenced = "sd-jwt-format.unreferenced"
  /// A disclosure of a member where an element belongs, or the reverse (RFC 9901, 7.1).
  case place = "sd-jwt-format.place"
  /// A claim name that is reserved, or that the object has already (RFC 9901, 7.1).
  case claimName = "sd-jwt-format.claim-name"
  /// A path that no claim has (OpenID4VP, 7.1).
  case path = "sd-jwt-format.path"
  /// An issued credential that cannot be kept: not signed by its certificate, or not for a key.
  case credential = "sd-jwt-format.credential"
  /// An issued credential that is for another holder's key.
  case holderKey = "sd-jwt-format.holder-key"
}

/// An error in an SD-JWT, or of making one.
public typealias SDJWTError = CodedFailure<SDJWTErrorCode>

/// Limits on SD-JWTs from outside. Disclosures are the sender's choice, and their digests are compared with each other.
public enum SDJWTLimits {
  /// The longest text in bytes: a credential with a portrait fits several times.
  public static let bytes = 2 << 20
  /// The most disclosures. A person identification credential has about forty.
  public static let disclosures = 1 << 10
  /// The most digests, decoys included.
  public static let digests = 1 << 13
  /// The deepest nesting of claims, disclosures inside disclosures included. Reading is recursive.
  public static let depth = 32
}
