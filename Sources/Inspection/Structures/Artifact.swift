import CBOR
import COSE

/// A structure of CBOR that is recognized by its shape.
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

  /// What an item is, or nil.
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
    case COSESign1.tag: return .signature
    case COSEMac0.tag: return .authenticationCode
    default: return nil
    }
  }

  private static func recognizeMap(_ node: Node) -> Artifact? {
    var names: Set<String> = []
    for entry in node.entries {
      if let name = entry.key.text { names.insert(name) }
    }
    func has(_ wanted: String...) -> Bool { names.isSuperset(of: wanted) }
    if isKey(node) { return .key }
    // Before the response: a security object has a version too, and may have a status.
    if has("valueDigests", "docType") { return .securityObject }
    if has("docRequests") { return .deviceRequest }
    if has("version", "status"), node.member("version")?.text != nil { return .deviceResponse }
    if has("docType", "issuerSigned") { return .document }
    if has("issuerAuth") { return .issuerSigned }
    if has("itemsRequest") { return .documentRequest }
    if has("docType", "nameSpaces") { return .itemsRequest }
    if has("digestID", "elementIdentifier") { return .issuerSignedItem }
    if has("nameSpaces", "deviceAuth") { return .deviceSigned }
    if has("useCases") { return .deviceRequestInfo }
    return nil
  }

  /// A key has a type, and a curve, a secret or a private part (RFC 9053, 7). The test is wide, so that no private part
  /// is printed as the member of an ordinary map.
  private static func isKey(_ node: Node) -> Bool {
    guard let type = node.member(1), type.text != nil || (1...4).contains(type.integer ?? 0) else { return false }
    return node.member(-1) != nil || node.member(-4) != nil
  }

  private static func recognizeArray(_ node: Node) -> Artifact? {
    let elements = node.elements
    switch elements.count {
    case 2 where elements[0].text == "dcapi":
      if elements[1].member("recipientPublicKey") != nil { return .encryptionInfo }
      return elements[1].member("cipherText") != nil ? .encryptedResponse : nil
    case 3: return isTranscript(elements) ? .sessionTranscript : nil
    case 4 where isMessage(node): return isAuthenticationCode(elements[0]) ? .authenticationCode : .signature
    default: return nil
    }
  }

  /// Device engagement and reader key, both null online, then the handover (ISO/IEC 18013-5, 9.1.5.1).
  private static func isTranscript(_ elements: [Node]) -> Bool {
    let engagement = elements[0]
    let key = elements[1]
    let handover = elements[2]
    if engagement.item.isNull {
      let kind = handover.elements.first?.kind
      return key.item.isNull && (kind == .text || kind == .bytes)
    }
    return engagement.item.tag == 24 && key.item.tag == 24 && (handover.item.isNull || handover.kind == .array)
  }

  /// The array of four that COSE_Sign1 and COSE_Mac0 are (RFC 9052, 4.2 and 6.2).
  private static func isMessage(_ node: Node) -> Bool {
    let elements = node.elements
    guard elements.count == 4 else { return false }
    return elements[0].kind == .bytes && elements[1].kind == .map
      && (elements[2].kind == .bytes || elements[2].item.isNull) && elements[3].kind == .bytes
  }

  /// Whether the protected header names an HMAC (RFC 9053, 3.1).
  private static func isAuthenticationCode(_ protected: Node) -> Bool {
    guard let algorithm = (try? protected.readContent())?.member(1)?.integer else { return false }
    return (4...7).contains(algorithm)
  }
}

extension Outline {
  /// Writes the lines of an artifact under its name.
  mutating func describe(_ artifact: Artifact, _ node: Node) {
    guard maySinkDeeper else { return line("nested too deep to be shown", at: node.offset) }
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
    }
  }
}
