import CBOR
import COSE
import MobileDocument

/// An issued document taken apart, to be changed and put together again.
struct DocumentParts {
  /// `IssuerSignedItem`s by name space.
  var nameSpaces: [(name: String, items: [CBORValue])]
  /// `MobileSecurityObject`.
  var securityObject: CBORValue
  /// Entries of the protected header.
  var protected: CBORValue
  /// Entries of the unprotected header.
  var unprotected: CBORValue

  /// Why a document cannot be taken apart.
  struct NotIssued: Error {}

  /// Takes apart what ``DocumentDraft`` issued.
  init(_ issued: [UInt8]) throws {
    let map = try CBORReader.read(issued).map()
    nameSpaces = []
    for space in try map.required("nameSpaces").map() {
      let items = try space.value.array().map { CBORValue(try $0.embedded()) }
      nameSpaces.append((try space.key.text(), items))
    }
    let signature = try map.required("issuerAuth").array(count: 4)
    protected = CBORValue(try CBORReader.read(try signature.at(0).bytes()))
    unprotected = CBORValue(try signature.at(1))
    let payload = try CBORReader.read(try signature.at(2).bytes())
    securityObject = CBORValue(try payload.embedded())
  }

  /// Changes a member of the mobile security object.
  mutating func change(_ members: String..., to change: (CBORValue) -> CBORValue) {
    securityObject = securityObject.changing(members.map { .member(.text($0)) }, change)
  }

  /// Digests every element anew, as the items are now.
  mutating func digestAnew() {
    for space in nameSpaces.indices {
      for position in nameSpaces[space].items.indices {
        nameSpaces[space].items[position] = nameSpaces[space].items[position]
          .changing([.member(.text("digestID"))]) { _ in .integer(position) }
      }
    }
    let digests = nameSpaces.map { space in
      (
        space.name,
        CBORValue.map(
          space.items.enumerated().map { position, item in
            CBORValue.Entry(
              .integer(position), .bytes(MobileSecurityObject.DigestAlgorithm.sha256.digest(Self.wrapped(item))))
          })
      )
    }
    change("valueDigests") { _ in .textMap(digests) }
  }

  private static func wrapped(_ item: CBORValue) -> [UInt8] { CBORValue.tagged(24, .bytes(item.encoded)).encoded }

  /// The COSE_Sign1 over the mobile security object.
  ///
  /// - Parameter encodedSecurityObject: what to sign instead of the object's usual encoding.
  func issuerAuth(signedBy signer: some ES256Signer, encodedSecurityObject: [UInt8]? = nil) throws -> CBORValue {
    let payload = CBORValue.tagged(24, .bytes(encodedSecurityObject ?? securityObject.encoded)).encoded
    let header = protected.encoded
    let message = authenticatedStructure(
      context: "Signature1", protected: header == [0xa0] ? [] : header, externalAAD: [], payload: payload)
    return .array([.bytes(header), unprotected, .bytes(payload), .bytes(try signer.signature(for: message))])
  }

  /// `IssuerSigned` with a signature.
  func encoded(issuerAuth: CBORValue) -> [UInt8] {
    CBORValue.textMap([
      (
        "nameSpaces",
        .textMap(nameSpaces.map { ($0.name, .array($0.items.map { .tagged(24, .bytes($0.encoded)) })) })
      ),
      ("issuerAuth", issuerAuth),
    ]).encoded
  }
}
