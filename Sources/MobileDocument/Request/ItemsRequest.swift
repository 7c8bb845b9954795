import CBOR

/// `ItemsRequest`: which elements of one document are asked for (ISO/IEC 18013-5, 8.3.2.1.2.1).
public struct ItemsRequest: Sendable, Equatable {
  /// One element and whether the requester intends to keep it.
  public struct Element: Sendable, Equatable {
    /// `DataElementIdentifier`.
    public let identifier: String
    /// `IntentToRetain`.
    public let intentToRetain: Bool

    /// An element request from its parts.
    public init(_ identifier: String, intentToRetain: Bool) {
      self.identifier = identifier
      self.intentToRetain = intentToRetain
    }
  }

  /// The elements of one name space, in the order in which they were written.
  public struct NameSpace: Sendable, Equatable {
    /// `NameSpace`.
    public let name: String
    /// At least one.
    public let elements: [Element]

    /// A name space from its parts.
    public init(_ name: String, _ elements: [Element]) {
      self.name = name
      self.elements = elements
    }
  }

  /// `DocType`.
  public let documentType: String
  /// At least one, in the order in which they were written.
  public let nameSpaces: [NameSpace]
  /// `issuerIdentifiers` of `DocRequestInfo`: key identifiers of the issuing authorities that are accepted; empty when
  /// any is (ISO/IEC 18013-5 second edition draft, 10.2.4).
  public let issuerIdentifiers: [[UInt8]]

  /// A request from its parts.
  public init(documentType: String, nameSpaces: [NameSpace], issuerIdentifiers: [[UInt8]] = []) {
    self.documentType = documentType
    self.nameSpaces = nameSpaces
    self.issuerIdentifiers = issuerIdentifiers
  }

  /// Reads a request that was received.
  /// - Throws: ``CBORError``; beyond the limits of ``RequestLimits`` with code `cbor.bad-value`.
  public init(_ item: CBORItem) throws(CBORError) {
    let map = try item.map()
    documentType = try ResponseLimits.name(try map.required("docType"))
    let spaces = try map.required("nameSpaces").map()
    guard (1...RequestLimits.nameSpaces).contains(spaces.count) else {
      throw CBORError(.badValue, at: spaces.offset, "a request has 1 to \(RequestLimits.nameSpaces) name spaces")
    }
    var nameSpaces: [NameSpace] = []
    for entry in spaces {
      let elements = try entry.value.map()
      guard (1...RequestLimits.elements).contains(elements.count) else {
        throw CBORError(.badValue, at: elements.offset, "a name space has 1 to \(RequestLimits.elements) elements")
      }
      var requested: [Element] = []
      for element in elements {
        requested.append(Element(try ResponseLimits.name(element.key), intentToRetain: try element.value.boolean()))
      }
      try ResponseLimits.distinct(requested.map(\.identifier), at: elements.offset)
      nameSpaces.append(NameSpace(try ResponseLimits.name(entry.key), requested))
    }
    try ResponseLimits.distinct(nameSpaces.map(\.name), at: spaces.offset)
    for space in nameSpaces where space.name == "org.iso.18013.5.1" {
      // These would start retrieval from an issuer's server, which has no place in a request from the web.
      guard !space.elements.contains(where: { ["oidc_info", "webapi_info"].contains($0.identifier) }) else {
        throw CBORError(.badValue, at: spaces.offset, "the request asks for an element of server retrieval")
      }
    }
    self.nameSpaces = nameSpaces
    guard let info = try map["requestInfo"]?.map(), let identifiers = info["issuerIdentifiers"] else {
      issuerIdentifiers = []
      return
    }
    var found: [[UInt8]] = []
    let array = try identifiers.array()
    guard (1...RequestLimits.issuerIdentifiers).contains(array.count) else {
      throw CBORError(
        .badValue, at: array.offset,
        "a request names 1 to \(RequestLimits.issuerIdentifiers) issuers, or leaves them out")
    }
    for identifier in array { found.append(try identifier.bytes()) }
    issuerIdentifiers = found
  }

  /// The request as encoded CBOR, to go into tag 24.
  public var encoded: [UInt8] {
    CBORWriter.encode(capacity: 256) { writer in
      writer.map(issuerIdentifiers.isEmpty ? 2 : 3)
      writer.text("docType")
      writer.text(documentType)
      writer.text("nameSpaces")
      writer.map(nameSpaces.count)
      for nameSpace in nameSpaces {
        writer.text(nameSpace.name)
        writer.map(nameSpace.elements.count)
        for element in nameSpace.elements {
          writer.text(element.identifier)
          writer.boolean(element.intentToRetain)
        }
      }
      guard !issuerIdentifiers.isEmpty else { return }
      writer.text("requestInfo")
      writer.map(1)
      writer.text("issuerIdentifiers")
      writer.array(issuerIdentifiers.count)
      for identifier in issuerIdentifiers { writer.byteString(identifier) }
    }
  }
}

/// How large a request may be. Each document, element and signature costs a check, a line on the consent sheet, or both.
public enum RequestLimits {
  /// Longest encoded request in bytes: real ones are below 10 kB, and chains of large certificates fit.
  public static let bytes = 256 << 10
  /// Most document requests: nobody consents to more than a handful at once.
  public static let documents = 16
  /// Most name spaces in a document request: a document type has one to four.
  public static let nameSpaces = 16
  /// Most elements of a name space: the largest name space of a standard has fewer than fifty.
  public static let elements = 128
  /// Most entries of `readerAuthAll`: each costs a signature check before anybody has agreed to anything.
  public static let readerAuthentications = 16
  /// Most issuer key identifiers of a document request: the number that provider registrations may hold.
  public static let issuerIdentifiers = 1_000
  /// Most use cases of a request, and most document sets of a use case.
  public static let useCases = 16
  /// Most members of all document sets together: each is a copy of a document request in what a view is made from.
  public static let documentSetMembers = 64
}
