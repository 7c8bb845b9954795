import CBOR
import COSE

/// A received `DeviceResponse` (ISO/IEC 18013-5, 8.3.2.1.2.2), not verified.
public struct UnverifiedDeviceResponse: Sendable {
  /// `version` as sent.
  public let version: String
  /// `status` as sent. 0 means success.
  public let status: UInt64
  /// `documents`.
  public let documents: [UnverifiedDocument]
  /// The document types of `documentErrors` with their codes, in the order sent.
  public let documentErrors: [(documentType: String, code: Int)]
  /// The members with unsupported kinds of documents: `zkDocuments`, `encryptedDocuments`.
  public let unreadDocuments: [String]
  /// Deviations from the required encoding anywhere in the response.
  public let deviations: [CBORDeviation]
  /// Other accepted deviations.
  let departures: [ResponseCheck.Reason]

  /// The largest number of documents of a response: the same as of a request.
  public static let maximumDocuments = RequestLimit.documents.maximum

  /// Reads a response.
  /// - Throws: `CBORError`.
  public init(_ bytes: [UInt8]) throws(CBORError) {
    let item = try CBORReader.read(bytes, leniency: .received)
    deviations = item.deviations
    let map = try item.map()
    version = try map.required("version").text()
    status = try map.required("status").unsigned()
    var documents: [UnverifiedDocument] = []
    if let array = try map["documents"]?.array() {
      try ResponseLimits.some(array.count, "documents", at: array.offset)
      try ResponseLimits.count(array.count, atMost: Self.maximumDocuments, "documents", at: array.offset)
      for document in array { documents.append(try UnverifiedDocument(document)) }
    }
    self.documents = documents
    try OtherDocuments.check(map)
    unreadDocuments = OtherDocuments.members.filter { map[$0] != nil }
    var errors: [(documentType: String, code: Int)] = []
    var departures: [ResponseCheck.Reason] = []
    if let array = try map["documentErrors"]?.array() {
      // Some libraries write every member, even if it is empty.
      if array.isEmpty { departures.append(.emptyDocumentErrors) }
      try ResponseLimits.count(array.count, atMost: Self.maximumDocuments, "errors", at: array.offset)
      for item in array {
        let entries = try item.map()
        guard entries.count == 1 else {
          throw CBORError(.badValue, at: entries.offset, "an error for \(entries.count) documents in place of one")
        }
        for entry in entries { errors.append((try ResponseLimits.name(entry.key), try entry.value.integer())) }
      }
    }
    documentErrors = errors
    if !unreadDocuments.isEmpty, !documents.isEmpty { departures.append(.unreadDocuments) }
    self.departures = departures
  }
}

/// A received `Document`, not verified.
public struct UnverifiedDocument: Sendable {
  /// `docType`.
  public let documentType: String
  /// `issuerSigned`.
  public let issuerSigned: UnverifiedIssuerSigned
  /// `deviceSigned`, or nil if it is missing, which the verification refuses.
  public let deviceSigned: DeviceSigned?
  /// `errors`: the elements with an error.
  let errors: [(nameSpace: String, identifier: String)]
  /// Every returned element, the issuer-signed ones first.
  let elements: [VerifiedDocument.Element]

  /// `DeviceSigned`.
  public struct DeviceSigned: Sendable {
    /// `nameSpaces`: the received tag-24 item.
    public let nameSpacesBytes: [UInt8]
    /// The elements that the device signed itself, with their name spaces.
    public let elements: [(nameSpace: String, identifier: String, value: CBORValue)]
    let signature: CBORItem?
    let mac: CBORItem?

    /// True if the device authenticates with a signature and without a MAC.
    public var isSigned: Bool { signature != nil && mac == nil }
  }

  init(_ item: CBORItem) throws(CBORError) {
    let map = try item.map()
    documentType = try ResponseLimits.name(try map.required("docType"))
    issuerSigned = try UnverifiedIssuerSigned(try map.required("issuerSigned"))
    errors = try map["errors"].map { (item) throws(CBORError) in try Self.errors(item) } ?? []
    var elements: [VerifiedDocument.Element] = []
    elements.reserveCapacity(issuerSigned.nameSpaces.reduce(0) { $0 + $1.items.count })
    for nameSpace in issuerSigned.nameSpaces {
      for item in nameSpace.items {
        elements.append(
          VerifiedDocument.Element(
            nameSpace: nameSpace.name, identifier: item.value.elementIdentifier, value: item.value.elementValue,
            isDeviceSigned: false))
      }
    }
    guard let device = try map["deviceSigned"]?.map() else {
      deviceSigned = nil
      self.elements = elements
      return
    }
    let nameSpaces = try device.required("nameSpaces")
    var own: [(nameSpace: String, identifier: String, value: CBORValue)] = []
    let spaces = try nameSpaces.embedded().map()
    try ResponseLimits.count(spaces.count, atMost: ResponseLimits.nameSpaces, "name spaces", at: spaces.offset)
    for space in spaces {
      let name = try ResponseLimits.name(space.key)
      let values = try space.value.map()
      try ResponseLimits.some(values.count, "elements of a name space", at: values.offset)
      try ResponseLimits.count(values.count, atMost: ResponseLimits.elements, "elements", at: values.offset)
      for element in values { own.append((name, try ResponseLimits.name(element.key), CBORValue(element.value))) }
    }
    try ResponseLimits.distinct(own.map { $0.nameSpace + "\u{0}" + $0.identifier }, at: spaces.offset)
    let authentication = try device.required("deviceAuth").map()
    deviceSigned = DeviceSigned(
      nameSpacesBytes: [UInt8](nameSpaces.encoded), elements: own,
      signature: authentication["deviceSignature"], mac: authentication["deviceMac"])
    for element in own {
      elements.append(
        VerifiedDocument.Element(
          nameSpace: element.nameSpace, identifier: element.identifier, value: element.value, isDeviceSigned: true))
    }
    self.elements = elements
  }

  /// Reads `errors`. The codes are not used.
  private static func errors(_ item: CBORItem) throws(CBORError) -> [(nameSpace: String, identifier: String)] {
    var errors: [(nameSpace: String, identifier: String)] = []
    let spaces = try item.map()
    try ResponseLimits.some(spaces.count, "name spaces with errors", at: spaces.offset)
    try ResponseLimits.count(spaces.count, atMost: ResponseLimits.nameSpaces, "name spaces", at: spaces.offset)
    for space in spaces {
      let name = try ResponseLimits.name(space.key)
      let codes = try space.value.map()
      try ResponseLimits.some(codes.count, "errors of a name space", at: codes.offset)
      try ResponseLimits.count(codes.count, atMost: ResponseLimits.elements, "errors", at: codes.offset)
      for code in codes {
        _ = try code.value.integer()
        errors.append((name, try ResponseLimits.name(code.key)))
      }
    }
    return errors
  }
}

/// Checks the structure of unsupported kinds of documents (ISO/IEC 18013-5 second edition draft, 10.3.4 and 10.3.5).
private enum OtherDocuments {
  static let members = ["zkDocuments", "encryptedDocuments"]

  static func check(_ response: CBORMap) throws(CBORError) {
    try each("zkDocuments", of: response) { (document) throws(CBORError) in
      _ = try document.required("documentData").embedded().map()
      _ = try document.required("proof").bytes()
    }
    try each("encryptedDocuments", of: response) { (document) throws(CBORError) in
      _ = try document.required("enc").bytes()
      _ = try document.required("cipherText").bytes()
      _ = try document.required("docRequestID").unsigned()
    }
  }

  private static func each(
    _ member: String, of response: CBORMap, _ check: (CBORMap) throws(CBORError) -> Void
  ) throws(CBORError) {
    guard let array = try response[member]?.array() else { return }
    try ResponseLimits.some(array.count, member, at: array.offset)
    try ResponseLimits.count(array.count, atMost: UnverifiedDeviceResponse.maximumDocuments, member, at: array.offset)
    for document in array { try check(try document.map()) }
  }
}
