import CBOR
import COSE
import Primitives
import StatusLists

/// A document to be issued: its type, elements, device key and validity.
public struct DocumentDraft: Sendable {
  /// An element with its value.
  public struct Element: Sendable {
    /// `DataElementIdentifier`.
    public let identifier: String
    /// The element's value.
    public let value: CBORValue

    /// Creates an element.
    public init(_ identifier: String, _ value: CBORValue) {
      self.identifier = identifier
      self.value = value
    }
  }

  /// The elements of one name space.
  public struct NameSpace: Sendable {
    /// `NameSpace`.
    public let name: String
    /// The elements.
    public let elements: [Element]

    /// Creates a name space.
    public init(_ name: String, _ elements: [Element]) {
      self.name = name
      self.elements = elements
    }
  }

  /// `DocType`.
  public var documentType: String
  /// The elements.
  public var nameSpaces: [NameSpace]
  /// The device's public key.
  public var deviceKey: COSEKey
  /// The dates of the mobile security object.
  public var validity: MobileSecurityObject.Validity
  /// The references to status lists, or nil to omit the member.
  public var status: DocumentStatus?
  /// The digest algorithm.
  public var digestAlgorithm = MobileSecurityObject.DigestAlgorithm.sha256

  /// Creates a draft.
  public init(
    documentType: String, nameSpaces: [NameSpace], deviceKey: COSEKey, validity: MobileSecurityObject.Validity,
    status: DocumentStatus? = nil
  ) {
    self.documentType = documentType
    self.nameSpaces = nameSpaces
    self.deviceKey = deviceKey
    self.validity = validity
    self.status = status
  }

  /// A source of salts and of the order of digests: the system's randomness, or a world's labelled stream.
  public protocol Randomness {
    /// Returns random bytes.
    mutating func bytes(_ count: Int) -> [UInt8]
    /// Returns the numbers 0 to count - 1 in random order.
    mutating func permutation(_ count: Int) -> [Int]
  }

  /// The length of salts in bytes: twice the standard's minimum.
  public static let randomLength = 32

  /// An element that cannot be issued.
  public struct Problem: Sendable, Equatable {
    /// The element's name space.
    public let nameSpace: String
    /// The element's identifier.
    public let identifier: String
    /// A human-readable description of the problem, without the value.
    public let message: String
  }

  /// The elements with a value of the wrong type.
  public var problems: [Problem] {
    nameSpaces.flatMap { nameSpace in
      nameSpace.elements.compactMap { element in
        let definition = DataElementCatalogue.definition(nameSpace: nameSpace.name, identifier: element.identifier)
        return definition?.type.problem(with: element.value).map {
          Problem(nameSpace: nameSpace.name, identifier: element.identifier, message: "\(element.identifier) \($0)")
        }
      }
    }
  }

  /// Issues the document: salts every element, digests it under a shuffled identifier and signs the digests with
  /// ES256 (ISO/IEC 18013-5, 9.1.2).
  ///
  /// - Parameters:
  ///   - signer: The key of the document signer.
  ///   - chain: The DER of the signer certificate and the intermediate certificates, leaf first.
  ///   - randomness: The source of salts and identifiers.
  /// - Returns: The encoded `IssuerSigned`.
  /// - Throws: ``DocumentError`` for the first value of the wrong type, or the signer's error.
  public func issued(
    by signer: some ES256Signer, chain: [[UInt8]], randomness: inout some Randomness
  ) throws -> [UInt8] {
    try issued(randomness: &randomness) { payload in
      try COSESign1.sign(payload: payload, detached: false, x5chain: chain, with: signer)
    }
  }

  /// Issues the document with a signature that the caller makes.
  ///
  /// - Parameter issuerAuth: Returns the encoded COSE_Sign1 with a payload.
  /// - Returns: The encoded `IssuerSigned`.
  /// - Throws: ``DocumentError`` for the first value of the wrong type, or what `issuerAuth` throws.
  package func issued(
    randomness: inout some Randomness, signing issuerAuth: (_ payload: [UInt8]) throws -> [UInt8]
  ) throws -> [UInt8] {
    if let problem = problems.first {
      throw DocumentError(
        .elementType, problem.message, location: "\(problem.identifier) of \(problem.nameSpace)")
    }
    var signedNameSpaces: [IssuerNameSpace] = []
    for nameSpace in nameSpaces {
      let identifiers = randomness.permutation(nameSpace.elements.count)
      var items: [EncodedCBOR<IssuerSignedItem>] = []
      items.reserveCapacity(identifiers.count)
      for (element, digestID) in zip(nameSpace.elements, identifiers) {
        let item = IssuerSignedItem(
          digestID: UInt64(digestID), random: randomness.bytes(Self.randomLength),
          elementIdentifier: element.identifier, elementValue: element.value)
        items.append(EncodedCBOR(item, encodedAs: item.encoded))
      }
      signedNameSpaces.append(IssuerNameSpace(name: nameSpace.name, items: items))
    }
    let object = encodedSecurityObject(signedNameSpaces)
    let payload = CBORWriter.encode(capacity: object.count + 8) { $0.embedded(object) }
    let issuerAuth = try issuerAuth(payload)
    return CBORWriter.encode(capacity: 2 * payload.count) { writer in
      UnverifiedIssuerSigned.write(nameSpaces: signedNameSpaces, issuerAuth: issuerAuth, to: &writer)
    }
  }

  private func encodedSecurityObject(_ signedNameSpaces: [IssuerNameSpace]) -> [UInt8] {
    CBORWriter.encode(capacity: 1024) { writer in
      writer.map(status == nil ? 6 : 7)
      writer.member("version") { $0.text("1.0") }
      writer.member("digestAlgorithm") { $0.text(digestAlgorithm.rawValue) }
      writer.text("valueDigests")
      writer.map(signedNameSpaces.count)
      for nameSpace in signedNameSpaces {
        writer.text(nameSpace.name)
        writer.map(nameSpace.items.count)
        // The identifiers are the numbers from 0 in random order.
        var digests = [[UInt8]](repeating: [], count: nameSpace.items.count)
        for item in nameSpace.items { digests[Int(item.value.digestID)] = digestAlgorithm.digest(item.bytes) }
        for (identifier, digest) in digests.enumerated() { writer.member(identifier) { $0.byteString(digest) } }
      }
      writer.text("deviceKeyInfo")
      writer.map(1)
      writer.member("deviceKey") { deviceKey.write(to: &$0) }
      writer.member("docType") { $0.text(documentType) }
      writer.text("validityInfo")
      write(validity, to: &writer)
      if let status { writer.member("status") { status.write(to: &$0) } }
    }
  }

  private func write(_ validity: MobileSecurityObject.Validity, to writer: inout CBORWriter) {
    func date(_ key: String, _ moment: DateTime) {
      writer.member(key) { writer in
        writer.tag(0)
        writer.text(moment.description)
      }
    }
    writer.map(validity.expectedUpdate == nil ? 3 : 4)
    date("signed", validity.signed)
    date("validFrom", validity.validFrom)
    date("validUntil", validity.validUntil)
    if let expected = validity.expectedUpdate { date("expectedUpdate", expected) }
  }
}
