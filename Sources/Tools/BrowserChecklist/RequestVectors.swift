import CBOR
import DigitalCredentials
import Primitives

/// Requests of the checklist, encoded byte for byte. The canonical one is the example of ISO/IEC TS 18013-7, Annex C.
enum RequestVectors {
  static let nameSpace = "org.iso.18013.5.1"

  /// The canonical encryption information.
  static let encryptionInfo = encryptionInfo(nonce: nonce)

  private static let nonce: [UInt8] = [
    0xb9, 0x30, 0x51, 0xf7, 0x26, 0xd8, 0xc8, 0xcc, 0x47, 0x93, 0x9f, 0x3a, 0xbe, 0xc0, 0x46, 0xb7,
  ]

  private static let x: [UInt8] = [
    0x60, 0xe3, 0x39, 0x23, 0x85, 0x04, 0x1f, 0x51, 0x40, 0x30, 0x51, 0xf2, 0x41, 0x55, 0x31, 0xcb,
    0x56, 0xdd, 0x3f, 0x99, 0x9c, 0x71, 0x68, 0x70, 0x13, 0xaa, 0xc6, 0x76, 0x8b, 0xc8, 0x18, 0x7e,
  ]

  private static let y: [UInt8] = [
    0xe5, 0x8d, 0xeb, 0x8f, 0xdb, 0xe9, 0x07, 0xf7, 0xdd, 0x53, 0x68, 0x24, 0x55, 0x51, 0xa3, 0x47,
    0x96, 0xf7, 0xd2, 0x21, 0x5c, 0x44, 0x0c, 0x33, 0x9b, 0xb0, 0xf7, 0xb6, 0x7b, 0xec, 0xcd, 0xfa,
  ]

  static func encryptionInfo(marker: String = "dcapi", nonce: [UInt8]?) -> String {
    let key = CBORValue.map([
      .init(.unsigned(1), .unsigned(2)), .init(.negative(0), .unsigned(1)), .init(.negative(1), .bytes(x)),
      .init(.negative(2), .bytes(y)),
    ])
    var members: [CBORValue.Entry] = []
    if let nonce { members.append(.init(.text("nonce"), .bytes(nonce))) }
    members.append(.init(.text("recipientPublicKey"), key))
    return text(.array([.text(marker), .map(members)]))
  }

  /// The canonical device request.
  static let deviceRequest = text(request([document()]))

  static func text(_ value: CBORValue) -> String { Base64URL.encode(bytes(value)) }

  static func bytes(_ value: CBORValue) -> [UInt8] { CBORWriter.encode { $0.value(value) } }

  /// A device request, with entries after its own.
  static func request(_ documents: [CBORValue]?, _ others: [CBORValue.Entry] = []) -> CBORValue {
    request(documentRequests: documents.map { .array($0) }, others)
  }

  static func request(documentRequests: CBORValue?, _ others: [CBORValue.Entry] = []) -> CBORValue {
    var entries: [CBORValue.Entry] = [.init(.text("version"), .text("1.0"))]
    if let documentRequests { entries.append(.init(.text("docRequests"), documentRequests)) }
    return .map(entries + others)
  }

  static func document(_ elements: [(CBORValue, Bool)] = canonicalElements, in space: String = nameSpace) -> CBORValue {
    document(
      nameSpaces: .map([
        .init(.text(space), .map(elements.map { .init($0.0, .boolean($0.1)) }))
      ]))
  }

  static func document(nameSpaces: CBORValue) -> CBORValue { document(items: bytes(items(nameSpaces))) }

  static func items(_ nameSpaces: CBORValue) -> CBORValue {
    .map([.init(.text("docType"), .text("org.iso.18013.5.1.mDL")), .init(.text("nameSpaces"), nameSpaces)])
  }

  static func document(items: [UInt8]) -> CBORValue {
    .map([.init(.text("itemsRequest"), .tagged(24, .bytes(items)))])
  }

  static let canonicalElements: [(CBORValue, Bool)] = [
    (.text("family_name"), false), (.text("document_number"), false),
  ]

  /// The wallet's answer of the checklist: an encrypted response with placeholders.
  static let response = text(
    .array([
      .text("dcapi"),
      .map([
        .init(.text("enc"), .bytes(Array(repeating: 4, count: 65))), .init(.text("cipherText"), .bytes([1, 2, 3])),
      ]),
    ]))
}

/// Options in JSON.
enum ChecklistOptions {
  /// A request for a mobile document.
  static func mdoc(
    _ deviceRequest: String = RequestVectors.deviceRequest, _ encryptionInfo: String = RequestVectors.encryptionInfo
  ) -> String {
    request("org-iso-mdoc", "{\"deviceRequest\":\"\(deviceRequest)\",\"encryptionInfo\":\"\(encryptionInfo)\"}")
  }

  /// A request without content.
  static let empty = mdoc("", "")
  /// A request whose texts are not base64url.
  static let garbage = mdoc("A", "A")
  static let openID = request("openid4vp-v1-unsigned", "{\"dcql_query\":{}}")
  /// A request in a protocol of OpenID4VP, with data of the form that the protocol has.
  static func openID(_ kind: DigitalCredentialPresentationProtocol) -> String {
    switch kind {
    case .openID4VPSigned: request(kind.rawValue, "{\"request\":\"eyJ9.e30.AA\"}")
    case .openID4VPMultisigned:
      request(kind.rawValue, "{\"payload\":\"e30\",\"signatures\":[{\"protected\":\"e30\",\"signature\":\"AA\"}]}")
    default:
      request(
        kind.rawValue,
        "{\"response_type\":\"vp_token\",\"response_mode\":\"dc_api\",\"nonce\":\"n\",\"dcql_query\":{}}")
    }
  }

  static let issuance = request("openid4vci-v1", "{\"credential_issuer\":\"https://issuer.example\"}")

  static func request(_ name: String, _ data: String) -> String { "{\"protocol\":\"\(name)\",\"data\":\(data)}" }

  /// The options of `get()` and `create()`.
  static func digital(_ requests: [String], mediation: String? = nil) -> String {
    let last = mediation.map { ",\"mediation\":\"\($0)\"" } ?? ""
    return "{\"digital\":{\"requests\":[\(requests.joined(separator: ","))]}\(last)}"
  }

  /// The options of `issue()`.
  static func issuing(_ requests: [String]) -> String { "{\"requests\":[\(requests.joined(separator: ","))]}" }

  /// The options of any of the methods.
  static func options(_ requests: [String], for operation: CredentialOperation) -> String {
    operation == .issue ? issuing(requests) : digital(requests, mediation: operation == .get ? "required" : nil)
  }

  /// A valid request, alone.
  static let valid = digital([mdoc()])
}
