import CBOR

/// `ItemsRequest`: the requested elements of one document (ISO/IEC 18013-5, 8.3.2.1.2.1).
public struct ItemsRequest: Sendable, Equatable {
  /// A requested element.
  public struct Element: Sendable, Equatable {
    /// `DataElementIdentifier`.
    public let identifier: String
    /// `IntentToRetain`.
    public let intentToRetain: Bool

    /// Creates a requested element.
    public init(_ identifier: String, intentToRetain: Bool) {
      self.identifier = identifier
      self.intentToRetain = intentToRetain
    }
  }

  /// The requested elements of one name space, in the order of the request.
  public struct NameSpace: Sendable, Equatable {
    /// `NameSpace`.
    public let name: String
    /// The elements, at least one.
    public let elements: [Element]

    /// Creates a name space.
    public init(_ name: String, _ elements: [Element]) {
      self.name = name
      self.elements = elements
    }
  }

  /// `DocType`.
  public let documentType: String
  /// The name spaces, at least one, in the order of the request.
  public let nameSpaces: [NameSpace]
  /// `issuerIdentifiers` of `DocRequestInfo`: key identifiers of the accepted issuing authorities, or empty to accept
  /// any (ISO/IEC 18013-5 second edition draft, 10.2.4).
  public let issuerIdentifiers: [[UInt8]]
  /// `alternativeDataElements` of `DocRequestInfo`, or empty if the member is missing.
  public let alternatives: [AlternativeElements]

  /// Creates a request.
  public init(
    documentType: String, nameSpaces: [NameSpace], issuerIdentifiers: [[UInt8]] = [],
    alternatives: [AlternativeElements] = []
  ) {
    self.documentType = documentType
    self.nameSpaces = nameSpaces
    self.issuerIdentifiers = issuerIdentifiers
    self.alternatives = alternatives
  }

  /// Reads a received request.
  /// - Throws: ``DeviceRequestError``.
  public init(_ item: CBORItem) throws(DeviceRequestError) {
    self = try DeviceRequestError.reading("itemsRequest") { try Self(reading: item) }
  }

  init(reading item: CBORItem) throws {
    let map = try item.map()
    documentType = try Self.name(try map.required("docType"))
    let spaces = try map.required("nameSpaces").map()
    try RequestLimit.nameSpaces.check(spaces.count)
    guard !spaces.isEmpty else { throw CBORError(.badValue, at: spaces.offset, "nameSpaces is empty") }
    var nameSpaces: [NameSpace] = []
    for entry in spaces {
      let elements = try entry.value.map()
      try RequestLimit.elements.check(elements.count)
      var requested: [Element] = []
      for element in elements {
        let isRetained = try element.value.boolean()
        // An identifier is text. Browsers and their tests accept other keys (web-platform-tests,
        // get-mdoc-request-validation), and no document has an element that such a key names.
        guard element.key.kind == .text else { continue }
        requested.append(Element(try Self.name(element.key), intentToRetain: isRetained))
      }
      guard !requested.isEmpty else { throw CBORError(.badValue, at: elements.offset, "a name space is empty") }
      try ResponseLimits.distinct(requested.map(\.identifier), at: elements.offset)
      nameSpaces.append(NameSpace(try Self.name(entry.key), requested))
    }
    try ResponseLimits.distinct(nameSpaces.map(\.name), at: spaces.offset)
    for space in nameSpaces where space.name == "org.iso.18013.5.1" {
      // These elements start server retrieval, which is not supported over the Digital Credentials API.
      guard !space.elements.contains(where: { ["oidc_info", "webapi_info"].contains($0.identifier) }) else {
        throw CBORError(.badValue, at: spaces.offset, "the request asks for an element of server retrieval")
      }
    }
    self.nameSpaces = nameSpaces
    let information = try map["requestInfo"]?.map()
    issuerIdentifiers = try information?["issuerIdentifiers"].map(Self.issuers) ?? []
    alternatives = try information?["alternativeDataElements"].map(AlternativeElements.read) ?? []
  }

  private static func name(_ item: CBORItem) throws -> String {
    let name = try item.text()
    try RequestLimit.name.check(name.utf8.count)
    return name
  }

  private static func issuers(_ item: CBORItem) throws -> [[UInt8]] {
    let array = try item.array()
    try RequestLimit.issuers.check(array.count)
    guard !array.isEmpty else { throw CBORError(.badValue, at: array.offset, "issuerIdentifiers is empty") }
    return try array.map { item in
      let identifier = try item.bytes()
      try RequestLimit.issuer.check(identifier.count)
      return identifier
    }
  }

  /// The encoded request, without its tag 24.
  public var encoded: [UInt8] {
    CBORWriter.encode(capacity: 256) { writer in
      let members = (issuerIdentifiers.isEmpty ? 0 : 1) + (alternatives.isEmpty ? 0 : 1)
      writer.map(members == 0 ? 2 : 3)
      writer.member("docType") { $0.text(documentType) }
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
      guard members > 0 else { return }
      writer.text("requestInfo")
      writer.map(members)
      if !issuerIdentifiers.isEmpty {
        writer.member("issuerIdentifiers", each: issuerIdentifiers) { $0.byteString($1) }
      }
      guard !alternatives.isEmpty else { return }
      writer.member("alternativeDataElements", each: alternatives) { $1.write(to: &$0) }
    }
  }
}
