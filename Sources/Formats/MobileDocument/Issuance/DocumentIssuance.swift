import CBOR
import COSE
import Primitives
import StatusLists

/// What goes into a document: its type, elements, device key and validity.
public struct DocumentDraft: Sendable {
  /// One element and its value.
  public struct Element: Sendable {
    /// `DataElementIdentifier`.
    public let identifier: String
    /// Its value.
    public let value: CBORValue

    /// An element from its parts.
    public init(_ identifier: String, _ value: CBORValue) {
      self.identifier = identifier
      self.value = value
    }
  }

  /// The elements of one name space.
  public struct NameSpace: Sendable {
    /// `NameSpace`.
    public let name: String
    /// Its elements.
    public let elements: [Element]

    /// A name space from its parts.
    public init(_ name: String, _ elements: [Element]) {
      self.name = name
      self.elements = elements
    }
  }

  /// `DocType`.
  public var documentType: String
  /// The elements.
  public var nameSpaces: [NameSpace]
  /// Public half of the key that was made on the device.
  public var deviceKey: COSEKey
  /// Dates of the mobile security object.
  public var validity: MobileSecurityObject.Validity
  /// Where its status is published; nil to say nothing.
  public var status: DocumentStatus?

  /// A draft from its parts.
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

  /// Where salts and the order of digests come from: the system's randomness, or a world's labelled stream.
  public protocol Randomness {
    /// Random bytes.
    mutating func bytes(_ count: Int) -> [UInt8]
    /// The numbers 0 to count - 1 in random order.
    mutating func permutation(_ count: Int) -> [Int]
  }

  /// Length of salts in bytes: twice what the standard asks for at least.
  public static let randomLength = 32

  /// Why a draft cannot be issued.
  public struct Problem: Error, Sendable, Equatable {
    /// Name space of the element.
    public let nameSpace: String
    /// The element.
    public let identifier: String
    /// What is wrong with its value, for a person to read. Never holds the value.
    public let sentence: String
  }

  /// Elements whose values are not of the type that their name space defines.
  public var problems: [Problem] {
    var found: [Problem] = []
    for nameSpace in nameSpaces {
      for element in nameSpace.elements {
        let definition = DataElementCatalogue.definition(
          nameSpace: nameSpace.name, identifier: element.identifier)
        if let problem = definition?.type.problem(with: element.value) {
          found.append(
            Problem(
              nameSpace: nameSpace.name, identifier: element.identifier, sentence: "\(element.identifier) \(problem)"))
        }
      }
    }
    return found
  }

  /// Issues the document: salts every element, digests it under a shuffled identifier and signs the digests with
  /// ES256 (ISO/IEC 18013-5, 9.1.2).
  ///
  /// - Parameters:
  ///   - signer: key of the document signer.
  ///   - chain: DER of its certificate and of those between it and the root, leaf first.
  /// - Returns: the encoded `IssuerSigned`.
  /// - Throws: ``Problem`` for the first value of the wrong type, or what the signer throws.
  public func issued(
    by signer: some ES256Signer, chain: [[UInt8]], randomness: inout some Randomness
  ) throws -> [UInt8] {
    if let problem = problems.first { throw problem }
    var signedNameSpaces: [IssuerNameSpace] = []
    for nameSpace in nameSpaces {
      let identifiers = randomness.permutation(nameSpace.elements.count)
      var items: [EncodedCBOR<IssuerSignedItem>] = []
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
    let issuerAuth = try COSESign1.sign(payload: payload, detached: false, x5chain: chain, with: signer)
    return CBORWriter.encode(capacity: 2 * payload.count) { writer in
      UnverifiedIssuerSigned.write(nameSpaces: signedNameSpaces, issuerAuth: issuerAuth, to: &writer)
    }
  }

  private func encodedSecurityObject(_ signedNameSpaces: [IssuerNameSpace]) -> [UInt8] {
    CBORWriter.encode(capacity: 1024) { writer in
      writer.map(status == nil ? 6 : 7)
      writer.text("version")
      writer.text("1.0")
      writer.text("digestAlgorithm")
      writer.text(MobileSecurityObject.DigestAlgorithm.sha256.rawValue)
      writer.text("valueDigests")
      writer.map(signedNameSpaces.count)
      for nameSpace in signedNameSpaces {
        writer.text(nameSpace.name)
        writer.map(nameSpace.items.count)
        for item in nameSpace.items.sorted(by: { $0.value.digestID < $1.value.digestID }) {
          writer.unsigned(item.value.digestID)
          writer.byteString(MobileSecurityObject.DigestAlgorithm.sha256.digest(item.bytes))
        }
      }
      writer.text("deviceKeyInfo")
      writer.map(1)
      writer.text("deviceKey")
      deviceKey.write(to: &writer)
      writer.text("docType")
      writer.text(documentType)
      writer.text("validityInfo")
      write(validity, to: &writer)
      if let status {
        writer.text("status")
        status.write(to: &writer)
      }
    }
  }

  private func write(_ validity: MobileSecurityObject.Validity, to writer: inout CBORWriter) {
    func date(_ key: String, _ moment: DateTime) {
      writer.text(key)
      writer.tag(0)
      writer.text(moment.description)
    }
    writer.map(validity.expectedUpdate == nil ? 3 : 4)
    date("signed", validity.signed)
    date("validFrom", validity.validFrom)
    date("validUntil", validity.validUntil)
    if let expected = validity.expectedUpdate { date("expectedUpdate", expected) }
  }
}
