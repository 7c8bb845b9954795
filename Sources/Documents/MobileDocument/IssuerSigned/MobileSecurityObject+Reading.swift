import CBOR
import COSE
import Primitives
import StatusLists

extension MobileSecurityObject {
  /// Reads the payload of `issuerAuth`: `#6.24(bstr .cbor MobileSecurityObject)`. An error in a date or in the device
  /// key is kept as a problem, so that the other members can be checked.
  /// - Throws: ``CBORError`` if the structure is malformed.
  public init(payload: [UInt8]) throws(CBORError) {
    let item = try CBORReader.read(payload, leniency: .received)
    let map = try item.embedded().map()
    version = try map.required("version").text()
    digestAlgorithmName = try map.required("digestAlgorithm").text()
    documentType = try ResponseLimits.name(try map.required("docType"))
    valueDigests = try Self.digests(try map.required("valueDigests").map())
    var notes = Notes()
    if let first = item.deviations.first {
      notes.deviate(
        .encoding, .securityObjectStructure, "\(first.code.rawValue) at byte \(first.offset)")
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
      if let map = try? item.map(), map[-3]?.kind == .boolean {
        deviate(.compressed, .deviceKey)
      }
      do {
        return try COSEKey(item)
      } catch {
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
      let shown = String(text.prefix(Self.longestDate))
      guard let parsed = DateTime.parse(text) else {
        problems.append(.date(member: member, found: shown))
        return nil
      }
      if item.tag == nil { deviate(.untagged, .dates, "\(member) has no tag 0") }
      if parsed.deviations.contains(.lowerCase) {
        deviate(.lowerCase, .dates, "\(member) has a T or Z in lower case")
      }
      if parsed.deviations.contains(.fraction) {
        deviate(.fraction, .dates, "\(member) has fractional seconds")
      }
      if parsed.deviations.contains(.offset) { problems.append(.dateOffset(member: member, found: shown)) }
      return parsed.moment
    }

    /// The number of characters shown of a text that is not a date: the length of the longest date.
    private static let longestDate = 40
  }

  private static func digests(
    _ spaces: CBORMap
  ) throws(CBORError) -> [(nameSpace: String, digests: [UInt64: [UInt8]])] {
    var digests: [(nameSpace: String, digests: [UInt64: [UInt8]])] = []
    try ResponseLimits.some(spaces.count, "name spaces with digests", at: spaces.offset)
    try ResponseLimits.count(spaces.count, atMost: ResponseLimits.nameSpaces, "name spaces", at: spaces.offset)
    for space in spaces {
      let entries = try space.value.map()
      try ResponseLimits.some(entries.count, "digests of a name space", at: entries.offset)
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
    return digests
  }

  private static func authorizations(
    _ item: CBORItem?, notes: inout Notes
  ) throws(CBORError) -> KeyAuthorizations {
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
    var elements: Set<[ExactText]> = []
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
        for identifier in identifiers {
          elements.insert([ExactText(name), ExactText(try ResponseLimits.name(identifier))])
        }
      }
    }
    return KeyAuthorizations(nameSpaces: nameSpaces, dataElements: elements)
  }
}
