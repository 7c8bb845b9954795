import CBOR
import Crypto

/// `IssuerSignedItem`: one element of a document with its salt (ISO/IEC 18013-5, 8.3.2.1.2.2). The value is secret, so
/// the type does not have a description.
public struct IssuerSignedItem: Sendable {
  /// `digestID`, at most ``maximumDigestID`` in a valid document.
  public let digestID: UInt64
  /// `random`, at least 16 bytes.
  public let random: [UInt8]
  /// `elementIdentifier`.
  public let elementIdentifier: String
  /// `elementValue`.
  public let elementValue: CBORValue

  /// The largest `digestID`: below 2^31 (ISO/IEC 18013-5, 9.1.2.4).
  public static let maximumDigestID: UInt64 = (1 << 31) - 1

  /// The shortest salt in bytes (ISO/IEC 18013-5, 9.1.2.5).
  public static let minimumRandomLength = 16

  package init(digestID: UInt64, random: [UInt8], elementIdentifier: String, elementValue: CBORValue) {
    self.digestID = digestID
    self.random = random
    self.elementIdentifier = elementIdentifier
    self.elementValue = elementValue
  }

  /// Reads an item. Unknown members are ignored.
  /// - Throws: `CBORError`.
  public init(_ item: CBORItem) throws(CBORError) {
    let map = try item.map()
    digestID = try map.required("digestID").unsigned()
    random = try map.required("random").bytes()
    elementIdentifier = try ResponseLimits.name(try map.required("elementIdentifier"))
    elementValue = CBORValue(try map.required("elementValue"))
  }

  /// The encoded item, without its tag 24.
  package var encoded: [UInt8] {
    CBORWriter.encode(capacity: 256) { writer in
      writer.map(4)
      writer.member("digestID") { $0.unsigned(digestID) }
      writer.member("random") { $0.byteString(random) }
      writer.member("elementIdentifier") { $0.text(elementIdentifier) }
      writer.member("elementValue") { $0.value(elementValue) }
    }
  }
}

/// `nameSpaces` of `IssuerSigned`: items with their received bytes, in the order received.
public struct IssuerNameSpace: Sendable {
  /// `NameSpace`.
  public let name: String
  /// `IssuerSignedItemBytes`.
  public let items: [EncodedCBOR<IssuerSignedItem>]

  /// Creates a name space.
  public init(name: String, items: [EncodedCBOR<IssuerSignedItem>]) {
    self.name = name
    self.items = items
  }
}

/// A received `IssuerSigned`: the elements and the issuer's signature over their digests, not verified.
public struct UnverifiedIssuerSigned: Sendable {
  /// The elements.
  public let nameSpaces: [IssuerNameSpace]

  let issuerAuth: CBORItem

  /// The received bytes of `issuerAuth`.
  public var issuerAuthBytes: [UInt8] { [UInt8](issuerAuth.encoded) }

  /// Reads `IssuerSigned`.
  /// - Throws: `CBORError`.
  public init(_ item: CBORItem) throws(CBORError) {
    let map = try item.map()
    issuerAuth = try map.required("issuerAuth")
    var nameSpaces: [IssuerNameSpace] = []
    if let spaces = try map["nameSpaces"]?.map() {
      try ResponseLimits.count(spaces.count, atMost: ResponseLimits.nameSpaces, "name spaces", at: spaces.offset)
      try ResponseLimits.some(spaces.count, "name spaces", at: spaces.offset)
      for space in spaces {
        let array = try space.value.array()
        try ResponseLimits.some(array.count, "elements of a name space", at: array.offset)
        try ResponseLimits.count(array.count, atMost: ResponseLimits.elements, "elements", at: array.offset)
        var items: [EncodedCBOR<IssuerSignedItem>] = []
        items.reserveCapacity(array.count)
        for element in array {
          items.append(try EncodedCBOR(element) { (inner) throws(CBORError) in try IssuerSignedItem(inner) })
        }
        nameSpaces.append(IssuerNameSpace(name: try ResponseLimits.name(space.key), items: items))
      }
      try ResponseLimits.distinct(nameSpaces.map(\.name), at: spaces.offset)
    }
    self.nameSpaces = nameSpaces
  }

  /// Writes `IssuerSigned` with the given elements.
  static func write(nameSpaces: [IssuerNameSpace], issuerAuth: [UInt8], to writer: inout CBORWriter) {
    writer.map(nameSpaces.isEmpty ? 1 : 2)
    if !nameSpaces.isEmpty {
      writer.text("nameSpaces")
      writer.map(nameSpaces.count)
      for nameSpace in nameSpaces { writer.member(nameSpace.name, each: nameSpace.items) { $0.encoded($1.bytes) } }
    }
    writer.member("issuerAuth") { $0.encoded(issuerAuth) }
  }
}
