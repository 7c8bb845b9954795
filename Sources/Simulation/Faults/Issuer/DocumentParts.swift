import CBOR
import COSE
import MobileDocument
import SimulationKernel

/// An issued document taken apart, to be changed and put together again.
struct DocumentParts {
  /// `IssuerSignedItem`s by name space.
  var nameSpaces: [(name: String, items: [CBORValue])]
  /// The encoding of an item before it is digested.
  var itemEncoding: (CBORValue) throws -> [UInt8] = { $0.encoded }
  /// `MobileSecurityObject`.
  var securityObject: CBORValue
  /// The protected header, encoded.
  var protected: [UInt8]
  /// Entries of the unprotected header.
  var unprotected: CBORValue
  /// Makes the signed payload of the encoded mobile security object.
  var payload: ([UInt8]) throws -> [UInt8] = { CBORValue.tagged(24, .bytes($0)).encoded }

  /// Takes apart what ``DocumentDraft`` issued.
  init(_ issued: [UInt8]) throws {
    let map = try CBORReader.read(issued).map()
    nameSpaces = []
    for space in try map.required("nameSpaces").map() {
      let items = try space.value.array().map { CBORValue(try $0.embedded()) }
      nameSpaces.append((try space.key.text(), items))
    }
    let signature = try map.required("issuerAuth").array(count: 4)
    protected = try signature.at(0).bytes()
    unprotected = CBORValue(try signature.at(1))
    securityObject = CBORValue(try CBORReader.read(try signature.at(2).bytes()).embedded())
  }

  /// The name space that faults of elements are put into.
  /// - Throws: `SimulationError` when the document has no element.
  var first: (name: String, items: [CBORValue]) {
    get throws {
      guard let first = nameSpaces.first, !first.items.isEmpty else {
        throw SimulationError.notApplicable("the document has no element")
      }
      return first
    }
  }

  /// Changes a member of the mobile security object.
  mutating func change(_ members: String..., to change: (CBORValue) throws -> CBORValue) throws {
    securityObject = try securityObject.changing(members.map { .member(.text($0)) }, change)
  }

  /// Changes a member of an item of the first name space.
  mutating func change(
    item position: Int, _ member: String, to change: (CBORValue) throws -> CBORValue
  ) throws {
    nameSpaces[0].items[position] = try first.items[position].changing([.member(.text(member))], change)
  }

  /// Digests every element again, under consecutive identifiers.
  mutating func digestAgain(from first: Int = 0) throws {
    var digests: [(String, CBORValue)] = []
    for space in nameSpaces.indices {
      var entries: [CBORValue.Entry] = []
      for position in nameSpaces[space].items.indices {
        let identifier = CBORValue.integer(first + position)
        let item = try nameSpaces[space].items[position].changing([.member(.text("digestID"))]) { _ in identifier }
        nameSpaces[space].items[position] = item
        let digest = MobileSecurityObject.DigestAlgorithm.sha256.digest(try embedded(item).encoded)
        entries.append(CBORValue.Entry(identifier, .bytes(digest)))
      }
      digests.append((nameSpaces[space].name, .map(entries)))
    }
    try change("valueDigests") { _ in .textMap(digests) }
  }

  private func embedded(_ item: CBORValue) throws -> CBORValue { .tagged(24, .bytes(try itemEncoding(item))) }

  /// The COSE_Sign1 over the mobile security object.
  ///
  /// - Parameter encodedSecurityObject: what to sign instead of the object's usual encoding.
  func issuerAuth(signedBy signer: some ES256Signer, encodedSecurityObject: [UInt8]? = nil) throws -> [CBORValue] {
    let payload = try payload(encodedSecurityObject ?? securityObject.encoded)
    let message = authenticatedStructure(
      context: "Signature1", protected: protected == [0xa0] ? [] : protected, externalAAD: [], payload: payload)
    return [.bytes(protected), unprotected, .bytes(payload), .bytes(try signer.signature(for: message))]
  }

  /// `IssuerSigned` with a signature.
  func encoded(issuerAuth: CBORValue) throws -> [UInt8] {
    let items = try nameSpaces.map { ($0.name, CBORValue.array(try $0.items.map { try embedded($0) })) }
    return CBORValue.textMap([("nameSpaces", .textMap(items)), ("issuerAuth", issuerAuth)]).encoded
  }
}
