import CBOR
import COSE
import MobileDocument
import Primitives
import SimulationKernel

/// An issued document taken apart, to be changed and put together again.
struct DocumentParts {
  /// The authority that issued it.
  let issuer: FaultyIssuer
  /// The dates as they should be.
  let usual: MobileSecurityObject.Validity
  /// `IssuerSignedItem`s by name space.
  var nameSpaces: [(name: String, items: [CBORValue])]
  /// The encoding of an item before it is digested.
  var itemEncoding: (CBORValue) throws -> [UInt8] = { $0.encoded }
  /// `MobileSecurityObject`.
  var securityObject: CBORValue
  /// The encoding of the mobile security object before it is signed.
  var securityObjectEncoding: (CBORValue) throws -> [UInt8] = { $0.encoded }
  /// The protected header, encoded.
  var protected: [UInt8]
  /// Entries of the unprotected header.
  var unprotected: CBORValue
  /// Returns the signed payload of the encoded mobile security object.
  var payload: ([UInt8]) throws -> [UInt8] = { CBORValue.tagged(24, .bytes($0)).encoded }

  /// Returns `IssuerAuth` of the parts of the COSE_Sign1.
  var issuerAuth: ([CBORValue]) throws -> CBORValue = { .array($0) }

  /// Takes apart what ``DocumentDraft`` issued.
  init(_ issued: [UInt8], of draft: DocumentDraft, by issuer: FaultyIssuer) throws {
    self.issuer = issuer
    usual = draft.validity
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
  mutating func change(item position: Int, _ member: String, to change: (CBORValue) throws -> CBORValue) throws {
    nameSpaces[0].items[position] = try first.items[position].changing([.member(.text(member))], change)
  }

  /// Changes the digests of the first name space.
  mutating func changeDigests(_ change: ([CBORValue.Entry]) throws -> [CBORValue.Entry]) throws {
    try self.change("valueDigests", try first.name) { .map(try change(try $0.entries)) }
  }

  /// Changes the bytes of the signature.
  mutating func changeSignature(_ change: @escaping ([UInt8]) -> [UInt8]) {
    issuerAuth = { .array($0.dropLast() + [.bytes(change(try $0[3].content))]) }
  }

  /// Sets the entries of the protected header.
  mutating func protect(_ entries: CBORValue.Entry...) { protected = CBORValue.map(entries).encoded }

  /// Sets the certificate chain.
  mutating func setChain(_ chain: [[UInt8]]) {
    unprotected = .map([.x5chain(chain.count == 1 ? .bytes(chain[0]) : .array(chain.map(CBORValue.bytes)))])
  }

  /// The header of the usual certificate chain.
  var x5chain: CBORValue.Entry { .x5chain(.bytes(issuer.certificate)) }
  /// The time of issue.
  var moment: DateTime { issuer.moment }

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

  /// `IssuerSigned` with a signature.
  func encoded() throws -> [UInt8] {
    let payload = try payload(securityObjectEncoding(securityObject))
    let message = authenticatedStructure(
      context: "Signature1", protected: protected == [0xa0] ? [] : protected, externalAAD: [], payload: payload)
    let signature = try issuer.signer.signature(for: message)
    let issuerAuth = try issuerAuth([.bytes(protected), unprotected, .bytes(payload), .bytes(signature)])
    let items = try nameSpaces.map { ($0.name, CBORValue.array(try $0.items.map { try embedded($0) })) }
    return CBORValue.textMap([("nameSpaces", .textMap(items)), ("issuerAuth", issuerAuth)]).encoded
  }
}
