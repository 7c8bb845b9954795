import CBOR
import COSE
import Crypto
import Primitives
import StatusLists

/// `MobileSecurityObject`: the issuer-signed digests, device key and dates of a document (ISO/IEC 18013-5, 9.1.2.4). It
/// is untrusted until it is verified.
public struct MobileSecurityObject: Sendable {
  /// `version` as sent.
  public let version: String
  /// `digestAlgorithm` as sent.
  public let digestAlgorithmName: String
  /// `valueDigests`: the digests of each name space by digestID.
  public let valueDigests: [(nameSpace: String, digests: [UInt64: [UInt8]])]
  /// `deviceKey` of `deviceKeyInfo`, or nil if it is not a key on a supported curve, which is reported as a problem.
  public let deviceKey: COSEKey?
  /// `keyAuthorizations`: the elements that the device may sign itself.
  public let keyAuthorizations: KeyAuthorizations
  /// `docType`.
  public let documentType: String
  /// `validityInfo`, or nil if one of its dates is unreadable, which is reported as a problem.
  public let validity: Validity?
  /// `status`: the references to the document's revocation status, if present.
  public let status: DocumentStatus?
  /// Errors in single members; the others remain readable.
  public let problems: [Problem]
  /// Accepted deviations from the standard.
  public let deviations: [Deviation]

  /// An error in one member of the object.
  public enum Problem: Sendable, Equatable {
    /// A date that does not exist or is not a date.
    case date(member: String, found: String)
    /// A date with another offset than `Z`.
    case dateOffset(member: String, found: String)
    /// The device key cannot be used.
    case deviceKey(COSEError)
    /// The key authorizations are malformed, with a description.
    case keyAuthorizations(String)
  }

  /// An accepted deviation from the standard.
  public struct Deviation: Sendable, Equatable {
    /// The check that it belongs to.
    public let check: ResponseCheck
    /// The reason that it is reported with.
    public let reason: ResponseCheck.Reason
    /// A human-readable description of the departure; nil for the declared one.
    public let message: String?
  }

  /// `ValidityInfo`.
  public struct Validity: Sendable, Equatable {
    /// The time of the issuer's signature.
    public let signed: DateTime
    /// The start of the validity period.
    public let validFrom: DateTime
    /// The end of the validity period.
    public let validUntil: DateTime
    /// The time at which the issuer expects to sign again.
    public let expectedUpdate: DateTime?

    /// Creates validity information.
    public init(signed: DateTime, validFrom: DateTime, validUntil: DateTime, expectedUpdate: DateTime? = nil) {
      self.signed = signed
      self.validFrom = validFrom
      self.validUntil = validUntil
      self.expectedUpdate = expectedUpdate
    }
  }

  /// `KeyAuthorizations`: name spaces and elements that the device may sign itself.
  public struct KeyAuthorizations: Sendable, Equatable {
    /// The name spaces that are authorized as a whole.
    public let nameSpaces: [String]
    /// The single authorized elements, as name space and identifier.
    let dataElements: Set<[ExactText]>

    static let none = KeyAuthorizations(nameSpaces: [], dataElements: [])

    func allow(nameSpace: String, identifier: String) -> Bool {
      nameSpaces.contains { $0.isExactly(nameSpace) }
        || dataElements.contains([ExactText(nameSpace), ExactText(identifier)])
    }
  }

  /// A digest algorithm of `digestAlgorithm`.
  public enum DigestAlgorithm: String, Sendable, CaseIterable {
    case sha256 = "SHA-256"
    case sha384 = "SHA-384"
    case sha512 = "SHA-512"

    /// The length of the digests in bytes.
    var byteCount: Int {
      switch self {
      case .sha256: 32
      case .sha384: 48
      case .sha512: 64
      }
    }

    package func digest(_ bytes: [UInt8]) -> [UInt8] {
      switch self {
      case .sha256: Array(SHA256.hash(data: bytes))
      case .sha384: Array(SHA384.hash(data: bytes))
      case .sha512: Array(SHA512.hash(data: bytes))
      }
    }
  }

  /// The digest algorithm, or nil if the standard does not define it.
  public var digestAlgorithm: DigestAlgorithm? { DigestAlgorithm(rawValue: digestAlgorithmName) }

  /// Returns the digest of an element, or nil if the object does not have it.
  func digest(nameSpace: String, digestID: UInt64) -> [UInt8]? {
    valueDigests.first { $0.nameSpace.isExactly(nameSpace) }?.digests[digestID]
  }
}
