import CBOR
import COSE

/// `DeviceResponse` as received (ISO/IEC 18013-5, 8.3.2.1.2.2): read, nothing verified.
public struct UnverifiedDeviceResponse: Sendable {
  /// `version` as sent.
  public let version: String
  /// `status` as sent; 0 is success.
  public let status: UInt64
  /// `documents`.
  public let documents: [UnverifiedDocument]
  /// Document types of `documentErrors` with their codes, in the order sent.
  public let documentErrors: [(documentType: String, code: Int)]
  /// Departures from the required encoding anywhere in the response.
  public let deviations: [CBORDeviation]

  /// Most documents of a response: as many as a request may ask for.
  public static let maximumDocuments = RequestLimits.documents

  /// Reads a response.
  /// - Throws: ``CBORError``.
  public init(_ bytes: [UInt8]) throws(CBORError) {
    let item = try CBORReader.read(bytes, leniency: .received)
    deviations = item.deviations
    let map = try item.map()
    version = try map.required("version").text()
    status = try map.required("status").unsigned()
    var documents: [UnverifiedDocument] = []
    if let array = try map["documents"]?.array() {
      guard (1...Self.maximumDocuments).contains(array.count) else {
        throw CBORError(.badValue, at: array.offset, "a response has 1 to \(Self.maximumDocuments) documents, or none")
      }
      for document in array { documents.append(try UnverifiedDocument(document)) }
    }
    self.documents = documents
    var errors: [(documentType: String, code: Int)] = []
    if let array = try map["documentErrors"]?.array() {
      for entries in array {
        for entry in try entries.map() { errors.append((try entry.key.text(), try entry.value.integer())) }
      }
    }
    documentErrors = errors
  }
}

/// `Document` as received: read, nothing verified.
public struct UnverifiedDocument: Sendable {
  /// `docType`.
  public let documentType: String
  /// `issuerSigned`.
  public let issuerSigned: UnverifiedIssuerSigned
  /// `deviceSigned`; nil when the response leaves it out, which a verification refuses.
  public let deviceSigned: DeviceSigned?

  /// `DeviceSigned`.
  public struct DeviceSigned: Sendable {
    /// `nameSpaces`, the tag-24 item as received.
    public let nameSpacesBytes: [UInt8]
    /// Identifiers of the elements that the device signed itself, with their name spaces.
    public let elements: [(nameSpace: String, identifier: String, value: CBORValue)]
    let signature: CBORItem?
    let mac: CBORItem?
  }

  init(_ item: CBORItem) throws(CBORError) {
    let map = try item.map()
    documentType = try map.required("docType").text()
    issuerSigned = try UnverifiedIssuerSigned(try map.required("issuerSigned"))
    guard let device = try map["deviceSigned"]?.map() else {
      deviceSigned = nil
      return
    }
    let nameSpaces = try device.required("nameSpaces")
    var elements: [(nameSpace: String, identifier: String, value: CBORValue)] = []
    for space in try nameSpaces.embedded().map() {
      for element in try space.value.map() {
        elements.append((try space.key.text(), try element.key.text(), CBORValue(element.value)))
      }
    }
    let authentication = try device.required("deviceAuth").map()
    deviceSigned = DeviceSigned(
      nameSpacesBytes: [UInt8](nameSpaces.encoded), elements: elements,
      signature: authentication["deviceSignature"], mac: authentication["deviceMac"])
  }
}
