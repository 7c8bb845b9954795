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
  /// `valueDigests`: the digests of each name space.
  public let valueDigests: [(nameSpace: String, digests: ValueDigests)]
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
    /// The single authorized elements.
    let dataElements: Set<ElementName>

    static let none = KeyAuthorizations(nameSpaces: [], dataElements: [])

    func allow(nameSpace: String, identifier: String) -> Bool {
      nameSpaces.contains { $0.isExactly(nameSpace) }
        || dataElements.contains(ElementName(nameSpace, identifier))
    }
  }

  /// A digest algorithm of `digestAlgorithm`.
  public enum DigestAlgorithm: String, Sendable, CaseIterable {
    /// SHA-256.
    case sha256 = "SHA-256"
    /// SHA-384.
    case sha384 = "SHA-384"
    /// SHA-512.
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
      case .sha256: SHA256.hash(data: bytes).bytes
      case .sha384: SHA384.hash(data: bytes).bytes
      case .sha512: SHA512.hash(data: bytes).bytes
      }
    }
  }

  /// The digest algorithm, or nil if the standard does not define it.
  public var digestAlgorithm: DigestAlgorithm? { DigestAlgorithm(rawValue: digestAlgorithmName) }

  /// Returns the digests of a name space, or nil if the object does not have it.
  func digests(of nameSpace: String) -> ValueDigests? {
    valueDigests.first { $0.nameSpace.isExactly(nameSpace) }?.digests
  }
}

extension MobileSecurityObject {
  /// Reads the payload of `issuerAuth`: `#6.24(bstr .cbor MobileSecurityObject)`. An error in a date or in the device
  /// key is kept as a problem, so that the other members can be checked.
  /// - Throws: `CBORError` if the structure is malformed.
  public init(payload: [UInt8]) throws(CBORError) {
    let item = try CBORReader.read(payload, leniency: .received)
    let map = try item.embedded().map()
    version = try map.required("version").text()
    digestAlgorithmName = try map.required("digestAlgorithm").text()
    documentType = try ResponseLimits.name(try map.required("docType"))
    valueDigests = try Self.digests(try map.required("valueDigests").map())
    var notes = Notes()
    if let first = item.deviations.first {
      notes.deviate(.encoding, .securityObjectStructure, "\(first.code.rawValue) at byte \(first.offset)")
    }
    let keyInfo = try map.required("deviceKeyInfo").map()
    deviceKey = notes.key(try keyInfo.required("deviceKey"))
    keyAuthorizations = try Self.authorizations(keyInfo["keyAuthorizations"], notes: &notes)
    // Only the keys' type is checked: the content is not used.
    if let more = try keyInfo["keyInfo"]?.map() {
      for entry in more { _ = try entry.key.integer() }
    }
    let validityInfo = try map.required("validityInfo").map()
    let signed = notes.date("signed", try validityInfo.required("signed"))
    let from = notes.date("validFrom", try validityInfo.required("validFrom"))
    let until = notes.date("validUntil", try validityInfo.required("validUntil"))
    let update = validityInfo["expectedUpdate"].flatMap { notes.date("expectedUpdate", $0) }
    if let signed, let from, let until {
      validity = Validity(signed: signed, validFrom: from, validUntil: until, expectedUpdate: update)
    } else {
      validity = nil
    }
    status = map["status"].map(DocumentStatus.init(reading:))
    for departure in status?.deviations ?? [] {
      notes.deviate(ResponseCheck.Reason(departure), .securityObjectStructure)
    }
    problems = notes.problems
    deviations = notes.deviations
  }

  /// The problems and deviations found while reading.
  private struct Notes {
    var problems: [Problem] = []
    var deviations: [Deviation] = []

    mutating func deviate(_ reason: ResponseCheck.Reason, _ check: ResponseCheck, _ message: String? = nil) {
      deviations.append(Deviation(check: check, reason: reason, message: message))
    }

    mutating func key(_ item: CBORItem) -> COSEKey? {
      // Only keys of a session may be compressed (ISO/IEC 18013-5 second edition draft, 12.7.2).
      if let map = try? item.map(), map[-3]?.kind == .boolean { deviate(.compressed, .deviceKey) }
      do {
        return try COSEKey(item)
      } catch {
        if let padded = try? COSEKey(item, paddingCoordinates: true) {
          deviate(.shortCoordinate, .deviceKey, "\(error.message); it lacks leading zeros")
          return padded
        }
        problems.append(.deviceKey(error))
        return nil
      }
    }

    /// `tdate`: text in tag 0, in UTC, without a fraction (ISO/IEC 18013-5, 7.2.1).
    mutating func date(_ member: String, _ item: CBORItem) -> DateTime? {
      guard let text = try? item.withoutTag(0).text() else {
        problems.append(.date(member: member, found: item.kind.rawValue))
        return nil
      }
      var shown: String { String(text.prefix(Self.longestDate)) }
      guard let parsed = DateTime.parse(text) else {
        problems.append(.date(member: member, found: shown))
        return nil
      }
      if item.tag == nil { deviate(.untagged, .dates, "\(member) has no tag 0") }
      if parsed.deviations.contains(.lowerCase) { deviate(.lowerCase, .dates, "\(member) has a T or Z in lower case") }
      if parsed.deviations.contains(.fraction) { deviate(.fraction, .dates, "\(member) has fractional seconds") }
      if parsed.deviations.contains(.offset) { problems.append(.dateOffset(member: member, found: shown)) }
      return parsed.moment
    }

    /// The number of characters shown of a text that is not a date: the length of the longest date.
    private static let longestDate = 40
  }

  private static func digests(_ spaces: CBORMap) throws(CBORError) -> [(nameSpace: String, digests: ValueDigests)] {
    var digests: [(nameSpace: String, digests: ValueDigests)] = []
    try ResponseLimits.some(spaces.count, "name spaces with digests", at: spaces.offset)
    try ResponseLimits.count(spaces.count, atMost: ResponseLimits.nameSpaces, "name spaces", at: spaces.offset)
    for space in spaces {
      let entries = try space.value.map()
      try ResponseLimits.some(entries.count, "digests of a name space", at: entries.offset)
      try ResponseLimits.count(entries.count, atMost: ResponseLimits.elements, "digests", at: entries.offset)
      var found: [ValueDigests.Entry] = []
      found.reserveCapacity(entries.count)
      for entry in entries {
        let digest = try entry.value.byteSlice()
        try ResponseLimits.count(
          digest.count, atMost: ResponseLimits.digestLength, "bytes of a digest", at: entry.value.offset)
        found.append(ValueDigests.Entry(identifier: try entry.key.unsigned(), digest: digest))
      }
      digests.append((try ResponseLimits.name(space.key), ValueDigests(found)))
    }
    try ResponseLimits.distinct(digests.map(\.nameSpace), at: spaces.offset)
    return digests
  }

  private static func authorizations(_ item: CBORItem?, notes: inout Notes) throws(CBORError) -> KeyAuthorizations {
    guard let map = try item?.map() else { return .none }
    func requireSome(_ isEmpty: Bool, _ what: String) {
      if isEmpty { notes.problems.append(.keyAuthorizations("\(what) are empty")) }
    }
    requireSome(map["nameSpaces"] == nil && map["dataElements"] == nil, "the key authorizations")
    var nameSpaces: [String] = []
    if let array = try map["nameSpaces"]?.array() {
      try ResponseLimits.count(array.count, atMost: ResponseLimits.nameSpaces, "name spaces", at: array.offset)
      requireSome(array.isEmpty, "the authorized name spaces")
      for name in array { nameSpaces.append(try ResponseLimits.name(name)) }
    }
    var elements: Set<ElementName> = []
    if let spaces = try map["dataElements"]?.map() {
      try ResponseLimits.count(spaces.count, atMost: ResponseLimits.nameSpaces, "name spaces", at: spaces.offset)
      requireSome(spaces.isEmpty, "the authorized elements")
      for space in spaces {
        let name = try ResponseLimits.name(space.key)
        if nameSpaces.contains(name) {
          notes.problems.append(.keyAuthorizations("\(name) is authorized as a whole and by element"))
        }
        let identifiers = try space.value.array()
        requireSome(identifiers.isEmpty, "the authorized elements of \(name)")
        try ResponseLimits.count(
          identifiers.count, atMost: ResponseLimits.elements, "authorized elements", at: identifiers.offset)
        for identifier in identifiers { elements.insert(ElementName(name, try ResponseLimits.name(identifier))) }
      }
    }
    return KeyAuthorizations(nameSpaces: nameSpaces, dataElements: elements)
  }
}

/// The digests of one name space, as slices of the mobile security object, in the order of their identifiers.
public struct ValueDigests: Sendable {
  /// A digest of an element.
  public struct Entry: Sendable {
    /// `DigestID`.
    public let identifier: UInt64
    /// `Digest`.
    public let digest: ArraySlice<UInt8>
  }

  /// The digests, ascending by identifier, each of which occurs once.
  public let entries: [Entry]

  /// - Parameter entries: Digests with distinct identifiers, in any order.
  init(_ entries: [Entry]) {
    // Most issuers write them in order.
    let isSorted = zip(entries, entries.dropFirst()).allSatisfy { $0.identifier < $1.identifier }
    self.entries = isSorted ? entries : entries.sorted { $0.identifier < $1.identifier }
  }

  /// The digest with an identifier, or nil.
  public subscript(identifier: UInt64) -> ArraySlice<UInt8>? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      let entry = entries[middle]
      if entry.identifier == identifier { return entry.digest }
      if entry.identifier < identifier { low = middle + 1 } else { high = middle }
    }
    return nil
  }
}
