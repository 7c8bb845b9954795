import CBOR
import COSE
import Primitives
import StatusLists
import WebPresentment

/// The CBOR structures that are recognized by their shape.
enum Artifact: String {
  case deviceRequest = "DeviceRequest"
  case documentRequest = "DocRequest"
  case itemsRequest = "ItemsRequest"
  case deviceRequestInfo = "DeviceRequestInfo"
  case encryptionInfo = "EncryptionInfo"
  case encryptedResponse = "EncryptedResponse"
  case deviceResponse = "DeviceResponse"
  case document = "Document"
  case issuerSigned = "IssuerSigned"
  case issuerSignedItem = "IssuerSignedItem"
  case deviceSigned = "DeviceSigned"
  case securityObject = "MobileSecurityObject"
  case sessionTranscript = "SessionTranscript"
  case signature = "COSE_Sign1"
  case authenticationCode = "COSE_Mac0"
  case key = "COSE_Key"
  case signedStructure = "Sig_structure"
  case authenticatedStructure = "MAC_structure"
  case statusList = "StatusList"
  case statusListToken = "status list token"
  case identifierListToken = "identifier list token"
  case claims = "CWT claims"
  case issuerList = "VICAL"
  case issuerListContents = "VICAL contents"
  case readerAuthentication = "ReaderAuthentication"
  case readerAuthenticationAll = "ReaderAuthenticationAll"
  case deviceAuthentication = "DeviceAuthentication"
  case deviceAuth = "DeviceAuth"
  case dcapiInfo = "dcapiInfo"
  case envelope = "HPKEEnvelope"
  case topics = "Topics"
  case zkDocument = "ZkDocument"
  case zkDocumentData = "ZkDocumentData"
  case encryptedDocuments = "EncryptedDocuments"
  case encryptionParameters = "EncryptionParameters"
  case deviceEngagement = "DeviceEngagement"
  case sessionEstablishment = "SessionEstablishment"
  case sessionData = "SessionData"

  /// Returns the structure of an item, or nil if it is unknown.
  static func recognize(_ node: Node) -> Artifact? {
    switch node.kind {
    case .map: recognizeMap(node)
    case .array: recognizeArray(node)
    case .tagged: recognizeTagged(node)
    default: nil
    }
  }

  private static func recognizeTagged(_ node: Node) -> Artifact? {
    guard let (tag, content) = node.tagged, isMessage(content) else { return nil }
    switch tag {
    case COSESign1.tag: return token(content) ?? .signature
    case COSEMac0.tag: return .authenticationCode
    default: return nil
    }
  }

  /// Returns the kind of list in a signed message; nil without a list.
  private static func token(_ message: Node) -> Artifact? {
    guard let claims = try? message.elements[2].readContent(), claims.kind == .map else { return nil }
    if claims.member(StatusTokenLabel.statusList) != nil { return .statusListToken }
    if claims.member("vicalProvider") != nil { return .issuerList }
    return claims.member(StatusTokenLabel.identifierList) == nil ? nil : .identifierListToken
  }

  private static func recognizeMap(_ node: Node) -> Artifact? {
    var names: Set<String> = []
    for entry in node.entries {
      if let name = entry.key.text { names.insert(name) }
    }
    func has(_ wanted: String...) -> Bool { names.isSuperset(of: wanted) }
    if isKey(node) { return .key }
    // Tried before the response: a security object also has a version, and may have a status.
    if has("valueDigests", "docType") { return .securityObject }
    if has("docRequests") { return .deviceRequest }
    if has("version", "status"), node.member("version")?.text != nil { return .deviceResponse }
    if has("docType", "issuerSigned") { return .document }
    if has("vicalProvider", "certificateInfos") { return .issuerListContents }
    if has("issuerAuth") { return .issuerSigned }
    if has("itemsRequest") { return .documentRequest }
    if has("docType", "nameSpaces") { return .itemsRequest }
    if has("digestID", "elementIdentifier") { return .issuerSignedItem }
    if has("nameSpaces", "deviceAuth") { return .deviceSigned }
    if has("useCases") { return .deviceRequestInfo }
    if has("bits", "lst") { return .statusList }
    if has("deviceSignature") || has("deviceMac") { return .deviceAuth }
    if has("algorithm", "params", "data") || has("version", "encryptionParameters") && has("cipherText") {
      return .envelope
    }
    if has("documentData", "proof") { return .zkDocument }
    if has("zkSystemId", "docType") { return .zkDocumentData }
    if has("enc", "cipherText", "docRequestID") { return .encryptedDocuments }
    if has("eReaderKey", "data") { return .sessionEstablishment }
    if has("recipientPublicKey") { return .encryptionParameters }
    if isSessionData(node, names) { return .sessionData }
    if let identity = node.member("identity"), names.count == 1, recognize(identity) == .deviceResponse {
      return .topics
    }
    return names.isEmpty ? recognizeByLabels(node) : nil
  }

  /// Returns whether a map has only `data`, `status` or both (ISO/IEC 18013-5, 9.1.1.4).
  private static func isSessionData(_ node: Node, _ names: Set<String>) -> Bool {
    guard names.count == node.entries.count, !names.isEmpty, names.isSubset(of: ["data", "status"]) else {
      return false
    }
    return (node.member("data").map { $0.kind == .bytes } ?? true)
      && (node.member("status").map { $0.kind == .unsigned } ?? true)
  }

  private static func recognizeByLabels(_ node: Node) -> Artifact? {
    for label in [StatusTokenLabel.statusList, StatusTokenLabel.identifierList, StatusTokenLabel.status] {
      if node.member(label)?.kind == .map { return .claims }
    }
    // Version, then security: a cipher suite and a key in tag 24 (ISO/IEC 18013-5, 8.2.1.1).
    if node.member(0)?.text != nil, let security = node.member(1)?.elements, security.count == 2,
      security[1].item.tag == 24
    {
      return .deviceEngagement
    }
    return nil
  }

  /// Returns whether a map is a key: it has a type, and a curve, a secret or a private part (RFC 9053, 7). The test is broad,
  /// so that a private part is never printed as a member of an ordinary map.
  private static func isKey(_ node: Node) -> Bool {
    guard let type = node.member(1), type.text != nil || (1...4).contains(type.integer ?? 0) else { return false }
    return node.member(-1) != nil || node.member(-4) != nil
  }

  private static func recognizeArray(_ node: Node) -> Artifact? {
    let elements = node.elements
    if let named = recognizeNamed(elements) { return named }
    switch elements.count {
    case 2 where isExchangeInfo(elements): return .dcapiInfo
    case 2 where elements[0].text == "dcapi":
      if elements[1].member("recipientPublicKey") != nil { return .encryptionInfo }
      return elements[1].member("cipherText") != nil ? .encryptedResponse : nil
    case 3: return isTranscript(elements) ? .sessionTranscript : nil
    case 4 where isMessage(node):
      if isAuthenticationCode(elements[0]) { return .authenticationCode }
      return token(node) == .issuerList ? .issuerList : .signature
    default: return nil
    }
  }

  /// Recognizes arrays that begin with their name: the structures that readers and devices sign.
  private static func recognizeNamed(_ elements: [Node]) -> Artifact? {
    switch (elements.first?.text, elements.count) {
    case ("ReaderAuthentication"?, 3): .readerAuthentication
    case ("ReaderAuthenticationAll"?, 3), ("ReaderAuthenticationAll"?, 4): .readerAuthenticationAll
    case ("DeviceAuthentication"?, 4): .deviceAuthentication
    case ("Signature1"?, 4): .signedStructure
    case ("MAC0"?, 4): .authenticatedStructure
    default: nil
    }
  }

  /// Encryption information as base64url text, and an origin (ISO/IEC 18013-7, annex C).
  private static func isExchangeInfo(_ elements: [Node]) -> Bool {
    guard let text = elements[0].text, elements[1].text != nil, let bytes = Base64URL.decode(text) else { return false }
    return (try? Node.read(bytes)).flatMap(recognize) == .encryptionInfo
  }

  /// Device engagement and reader key, both null online, then the handover (ISO/IEC 18013-5, 9.1.5.1).
  private static func isTranscript(_ elements: [Node]) -> Bool {
    let engagement = elements[0]
    let key = elements[1]
    let handover = elements[2]
    if engagement.item.isNull {
      let kind = handover.elements.first?.kind
      // If a response is encrypted for a document, the encryption parameters replace the key.
      return (key.item.isNull || key.item.tag == 24) && (kind == .text || kind == .bytes)
    }
    return engagement.item.tag == 24 && key.item.tag == 24 && (handover.item.isNull || handover.kind == .array)
  }

  /// Returns whether an item is the array of four of COSE_Sign1 and COSE_Mac0 (RFC 9052, 4.2 and 6.2).
  private static func isMessage(_ node: Node) -> Bool {
    let elements = node.elements
    guard elements.count == 4 else { return false }
    return elements[0].kind == .bytes && elements[1].kind == .map
      && (elements[2].kind == .bytes || elements[2].item.isNull) && elements[3].kind == .bytes
  }

  /// Returns whether the protected header names an HMAC (RFC 9053, 3.1).
  private static func isAuthenticationCode(_ protected: Node) -> Bool {
    guard let algorithm = (try? protected.readContent())?.member(1)?.integer else { return false }
    return (4...7).contains(algorithm)
  }
}

extension Outline {
  /// Writes the lines of an artifact under its name.
  mutating func describe(_ artifact: Artifact, _ node: Node) {
    guard canNest else { return line("nested too deep to print", at: node.offset) }
    switch artifact {
    case .deviceRequest: deviceRequest(node)
    case .documentRequest: documentRequest(node)
    case .itemsRequest: itemsRequest(node)
    case .deviceRequestInfo: deviceRequestInfo(node)
    case .encryptionInfo: encryptionInfo(node)
    case .encryptedResponse: encryptedResponse(node)
    case .deviceResponse: deviceResponse(node)
    case .document: document(node)
    case .issuerSigned: issuerSigned(node)
    case .issuerSignedItem: issuerSignedItem(node)
    case .deviceSigned: deviceSigned(node)
    case .securityObject: securityObject(node)
    case .sessionTranscript: sessionTranscript(node)
    case .signature: signature(node, by: .unknown)
    case .authenticationCode: authenticationCode(node)
    case .key: key(node)
    case .signedStructure, .authenticatedStructure: signedStructure(node)
    case .statusList: statusList(node)
    case .statusListToken, .identifierListToken: signature(node, by: .statusList)
    case .claims: claims(node)
    case .issuerList: signature(node, by: .listOperator)
    case .issuerListContents: issuerListContents(node)
    case .readerAuthentication: readerAuthentication(node)
    case .readerAuthenticationAll: readerAuthenticationAll(node)
    case .deviceAuthentication: deviceAuthentication(node)
    case .deviceAuth: deviceAuth(node)
    case .dcapiInfo: dcapiInfo(node)
    case .envelope: envelope(node)
    case .topics: topics(node)
    case .zkDocument: zkDocument(node)
    case .zkDocumentData: zkDocumentData(node)
    case .encryptedDocuments: encryptedDocuments(node)
    case .encryptionParameters: encryptionParameters(node)
    case .deviceEngagement: deviceEngagement(node)
    case .sessionEstablishment, .sessionData: sessionMessage(node)
    }
  }
}
