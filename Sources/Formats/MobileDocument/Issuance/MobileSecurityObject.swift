import CBOR
import COSE
import Crypto
import Primitives
import StatusLists

/// `MobileSecurityObject`: what an issuer signs about a document (ISO/IEC 18013-5, 9.1.2.4). Reading one proves
/// nothing; only a verification says whether it may be believed.
public struct MobileSecurityObject: Sendable {
  /// `version` as sent.
  public let version: String
  /// `digestAlgorithm` as sent.
  public let digestAlgorithmName: String
  /// `valueDigests`: for each name space, digests by digestID.
  public let valueDigests: [(nameSpace: String, digests: [UInt64: [UInt8]])]
  /// `deviceKey` of `deviceKeyInfo`; nil when it is no key of a curve known here, which a problem then says.
  public let deviceKey: COSEKey?
  /// `keyAuthorizations`: what the device may sign itself.
  public let keyAuthorizations: KeyAuthorizations
  /// `docType`.
  public let documentType: String
  /// `validityInfo`; nil when a date of it is none, which a problem then says.
  public let validity: Validity?
  /// `status`: where the issuer publishes whether it was revoked; nil when it does not.
  public let status: DocumentStatus?
  /// What is wrong in a part that leaves the others readable.
  public let problems: [Problem]
  /// Departures that were let pass in reading.
  public let deviations: [Deviation]

  /// Something wrong in one part of the object.
  public enum Problem: Error, Sendable, Equatable {
    /// A date that does not exist, or that is no date.
    case date(member: String, found: String)
    /// A date with another offset than `Z`.
    case dateOffset(member: String, found: String)
    /// The device key cannot be used.
    case deviceKey(COSEError)
    /// The key authorizations are not as the standard has them, in words.
    case keyAuthorizations(String)
  }

  /// A departure that was let pass in reading.
  public struct Deviation: Sendable, Equatable {
    /// Its code.
    public let code: ResponseDeviation
    /// The check that it belongs to.
    public let check: ResponseCheck
    /// What departs, for a person to read.
    public let sentence: String
  }

  /// `ValidityInfo`.
  public struct Validity: Sendable, Equatable {
    /// When the issuer signed.
    public let signed: DateTime
    /// Start of validity.
    public let validFrom: DateTime
    /// End of validity.
    public let validUntil: DateTime
    /// When the issuer expects to sign anew.
    public let expectedUpdate: DateTime?

    /// Validity from its parts.
    public init(signed: DateTime, validFrom: DateTime, validUntil: DateTime, expectedUpdate: DateTime? = nil) {
      self.signed = signed
      self.validFrom = validFrom
      self.validUntil = validUntil
      self.expectedUpdate = expectedUpdate
    }
  }

  /// `KeyAuthorizations`: name spaces and elements that the device may sign itself.
  public struct KeyAuthorizations: Sendable, Equatable {
    /// Name spaces that are allowed whole.
    public let nameSpaces: [String]
    /// Single elements, as name space and identifier.
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

    /// Length of its digests in bytes.
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

  /// The digest algorithm; nil when it is none of the standard's.
  public var digestAlgorithm: DigestAlgorithm? { DigestAlgorithm(rawValue: digestAlgorithmName) }

  /// The digest for an element; nil when the object has none.
  func digest(nameSpace: String, digestID: UInt64) -> [UInt8]? {
    valueDigests.first { $0.nameSpace.isExactly(nameSpace) }?.digests[digestID]
  }
}
