import CBOR
import COSE
import Crypto

/// `MobileSecurityObject`: what an issuer signs about a document (ISO/IEC 18013-5, 9.1.2.4). Reading one proves
/// nothing; only a verification says whether it may be believed.
public struct MobileSecurityObject: Sendable {
  /// `version` as sent.
  public let version: String
  /// `digestAlgorithm` as sent.
  public let digestAlgorithmName: String
  /// `valueDigests`: for each name space, digests by digestID.
  public let valueDigests: [(nameSpace: String, digests: [UInt64: [UInt8]])]
  /// `deviceKey` of `deviceKeyInfo`.
  public let deviceKey: COSEKey
  /// `keyAuthorizations`: what the device may sign itself.
  public let keyAuthorizations: KeyAuthorizations
  /// `docType`.
  public let documentType: String
  /// `validityInfo`.
  public let validity: Validity
  /// `status`: where the issuer publishes whether it was revoked; nil when it does not.
  public let status: DocumentStatus?
  /// Departures that were let pass in reading, in words.
  public let deviations: [String]

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
    public let dataElements: Set<[String]>

    static let none = KeyAuthorizations(nameSpaces: [], dataElements: [])

    func allow(nameSpace: String, identifier: String) -> Bool {
      nameSpaces.contains(nameSpace) || dataElements.contains([nameSpace, identifier])
    }
  }

  /// A digest algorithm of `digestAlgorithm`.
  public enum DigestAlgorithm: String, Sendable {
    case sha256 = "SHA-256"
    case sha384 = "SHA-384"
    case sha512 = "SHA-512"

    func digest(_ bytes: [UInt8]) -> [UInt8] {
      switch self {
      case .sha256: Array(SHA256.hash(data: bytes))
      case .sha384: Array(SHA384.hash(data: bytes))
      case .sha512: Array(SHA512.hash(data: bytes))
      }
    }
  }

  /// The digest algorithm; nil when it is none of the standard's.
  public var digestAlgorithm: DigestAlgorithm? { DigestAlgorithm(rawValue: digestAlgorithmName) }

  /// Reads the payload of `issuerAuth`: `#6.24(bstr .cbor MobileSecurityObject)`.
  /// - Throws: ``CBORError``, or ``COSEError`` for the device key.
  public init(payload: [UInt8]) throws {
    let item = try CBORReader.read(payload, leniency: .received)
    let map = try item.embedded().map()
    version = try map.required("version").text()
    digestAlgorithmName = try map.required("digestAlgorithm").text()
    documentType = try map.required("docType").text()
    var digests: [(nameSpace: String, digests: [UInt64: [UInt8]])] = []
    let spaces = try map.required("valueDigests").map()
    try ResponseLimits.count(spaces.count, atMost: ResponseLimits.nameSpaces, "name spaces", at: spaces.offset)
    for space in spaces {
      let entries = try space.value.map()
      try ResponseLimits.count(entries.count, atMost: ResponseLimits.elements, "digests", at: entries.offset)
      var byIdentifier: [UInt64: [UInt8]] = [:]
      for entry in entries {
        let digest = try entry.value.byteSlice()
        try ResponseLimits.count(
          digest.count, atMost: ResponseLimits.digestLength, "bytes of a digest", at: entry.value.offset)
        byIdentifier[try entry.key.unsigned()] = [UInt8](digest)
      }
      digests.append((try ResponseLimits.name(space.key), byIdentifier))
    }
    try ResponseLimits.distinct(digests.map(\.nameSpace), at: spaces.offset)
    valueDigests = digests
    let keyInfo = try map.required("deviceKeyInfo").map()
    deviceKey = try COSEKey(try keyInfo.required("deviceKey"))
    keyAuthorizations = try Self.authorizations(keyInfo["keyAuthorizations"])
    var deviations = Set(item.deviations.map(\.code.rawValue)).sorted()
    let validityInfo = try map.required("validityInfo").map()
    validity = Validity(
      signed: try Self.date("signed", in: validityInfo, deviations: &deviations),
      validFrom: try Self.date("validFrom", in: validityInfo, deviations: &deviations),
      validUntil: try Self.date("validUntil", in: validityInfo, deviations: &deviations),
      expectedUpdate: validityInfo["expectedUpdate"] == nil
        ? nil : try Self.date("expectedUpdate", in: validityInfo, deviations: &deviations))
    status = map["status"].map(DocumentStatus.init(reading:))
    self.deviations = deviations + (status?.deviations ?? [])
  }

  private static func date(
    _ key: String, in map: CBORMap, deviations: inout [String]
  ) throws(CBORError) -> DateTime {
    let item = try map.required(key)
    if item.tag == nil { deviations.append("\(key) has no tag 0") }
    let text = try item.withoutTag(0).text()
    guard let parsed = DateTime.parse(text), !parsed.deviations.contains(.offset) else {
      throw CBORError(.badValue, at: item.offset, "\(key) is no moment in UTC")
    }
    if parsed.deviations.contains(.fraction) { deviations.append("\(key) has fractional seconds") }
    return parsed.moment
  }

  private static func authorizations(_ item: CBORItem?) throws(CBORError) -> KeyAuthorizations {
    guard let map = try item?.map() else { return .none }
    var nameSpaces: [String] = []
    if let array = try map["nameSpaces"]?.array() {
      try ResponseLimits.count(array.count, atMost: ResponseLimits.nameSpaces, "name spaces", at: array.offset)
      for name in array { nameSpaces.append(try ResponseLimits.name(name)) }
    }
    var elements: Set<[String]> = []
    if let spaces = try map["dataElements"]?.map() {
      try ResponseLimits.count(spaces.count, atMost: ResponseLimits.nameSpaces, "name spaces", at: spaces.offset)
      for space in spaces {
        let identifiers = try space.value.array()
        try ResponseLimits.count(
          identifiers.count, atMost: ResponseLimits.elements, "authorized elements", at: identifiers.offset)
        for identifier in identifiers {
          elements.insert([try ResponseLimits.name(space.key), try ResponseLimits.name(identifier)])
        }
      }
    }
    return KeyAuthorizations(nameSpaces: nameSpaces, dataElements: elements)
  }

  /// The digest for an element; nil when the object has none.
  func digest(nameSpace: String, digestID: UInt64) -> [UInt8]? {
    valueDigests.first { $0.nameSpace == nameSpace }?.digests[digestID]
  }
}
