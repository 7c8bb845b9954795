import CBOR
import COSE
import MobileDocument

/// Faults of the device authentication.
extension ResponseFault {
  package static let deviceNotSigned = ResponseFault(
    "device-not-signed", "The document has no device authentication", .fails("device.authentication/missing"))
  package static let deviceAuthTwice = ResponseFault(
    "device-auth-twice", "The device gives a signature and a message authentication code",
    .fails("device.authentication/both"))
  package static let deviceMac = ResponseFault(
    "device-mac", "The device gives a message authentication code instead of a signature",
    .fails("device.signature/mac-unsupported"))
  package static let deviceSignatureLength = ResponseFault(
    "device-signature-length", "The device's signature is a byte short", .fails("device.signature/malformed"))
  package static let deviceHeaderTwice = ResponseFault(
    "device-header-twice", "The protected header of the device's signature names the algorithm twice",
    .fails("device.form/duplicate-header"))
  package static let deviceHeaderEncoding = ResponseFault(
    "device-header-encoding", "The protected header of the device's signature is not in its shortest encoding",
    .deviates("device.form/header-encoding"))
  package static let deviceAlgorithmFullySpecified = ResponseFault(
    "device-algorithm-fully-specified", "The device names the signature algorithm by a fully specified identifier",
    .deviates("device.form/fully-specified-algorithm"))
  package static let deviceChainProtected = ResponseFault(
    "device-chain-protected", "The device's signature has a certificate chain in its protected header",
    .deviates("device.form/chain"))
  package static let deviceSignatureMalformed = ResponseFault(
    "device-signature-malformed", "The device's signature has three parts instead of four",
    .fails("device.form/malformed"))
  package static let deviceAlgorithm = ResponseFault(
    "device-algorithm", "The device names the signature algorithm of another curve than its key's",
    .fails("device.algorithm"))
  package static let payloadAttached = ResponseFault(
    "payload-attached", "The device's signature has its payload attached", .deviates("device.form/payload-attached"))
  package static let anotherPayloadAttached = ResponseFault(
    "another-payload-attached", "The device's signature has another payload attached",
    .fails("device.signature/payload", deviating: ["device.form/payload-attached"]))
  package static let deviceSignatureTagged = ResponseFault(
    "device-signature-tagged", "The device's signature is in a CBOR tag", .deviates("device.form/tagged"))
  package static let deviceElement = ResponseFault(
    "device-element", "The device signs an element that the issuer did not authorize", .fails("device.authorization"))

  static let ofDevices: [ResponseFault] = [
    .deviceNotSigned, .deviceAuthTwice, .deviceMac, .deviceSignatureLength, .deviceHeaderTwice, .deviceHeaderEncoding,
    .deviceAlgorithmFullySpecified, .deviceChainProtected, .deviceSignatureMalformed, .deviceAlgorithm,
    .payloadAttached, .anotherPayloadAttached, .deviceSignatureTagged, .deviceElement,
  ]
}

/// Changes to the device authentication.
extension FaultyResponse {
  private static let signature: [CBORPlace] = [
    .member(.text("deviceSigned")), .member(.text("deviceAuth")), .member(.text("deviceSignature")),
  ]

  /// Faults of `deviceSigned`.
  func changedDevice(_ document: CBORValue, over transcript: SessionTranscript) throws -> CBORValue {
    let authentication = Array(Self.signature.dropLast())
    // A tag of 32 bytes. With annex C no reader can check it.
    let mac = CBORValue.array([
      .bytes(Self.header(COSEAlgorithm.hmac256.rawValue)), .map([]), .null,
      .bytes([UInt8](repeating: 0x5a, count: 32)),
    ])
    switch fault {
    case .deviceNotSigned: return try document.removing(.text("deviceSigned"))
    case .deviceMac: return try document.changing(authentication) { _ in .textMap([("deviceMac", mac)]) }
    case .deviceAuthTwice: return try document.changing(authentication) { try $0.adding("deviceMac", mac) }
    case .deviceSignatureMalformed:
      return try document.changing(Self.signature) { .array(try $0.items.dropLast()) }
    case .deviceSignatureLength:
      return try document.changing(Self.signature + [.element(3)]) { .bytes(try $0.content.dropLast()) }
    case .deviceSignatureTagged: return try document.changing(Self.signature) { .tagged(COSESign1.tag, $0) }
    case .deviceAlgorithm: return try signedAgain(document, over: transcript, Self.header(COSEAlgorithm.es384.rawValue))
    case .deviceAlgorithmFullySpecified:
      return try signedAgain(document, over: transcript, Self.header(COSEAlgorithm.fullySpecifiedES256))
    case .deviceHeaderTwice:
      return try signedAgain(document, over: transcript, CBORValue.map([Self.algorithm(), Self.algorithm()]).encoded)
    case .deviceHeaderEncoding: return try signedAgain(document, over: transcript, try withLongerHead(Self.header()))
    case .deviceChainProtected:
      let chain = CBORValue.Entry(.integer(COSEHeaderLabel.x5chain), .bytes([0x30, 0x00]))
      return try signedAgain(document, over: transcript, CBORValue.map([Self.algorithm(), chain]).encoded)
    case .payloadAttached, .anotherPayloadAttached: return try signedAgain(document, over: transcript, Self.header())
    case .deviceElement:
      let (space, item) = try firstNameSpace()
      return try signedAgain(
        document, over: transcript, Self.header(),
        elements: .textMap([(space.name, .textMap([(item.elementIdentifier, item.elementValue)]))]))
    default: return document
    }
  }

  private static func algorithm(_ identifier: Int = COSEAlgorithm.es256.rawValue) -> CBORValue.Entry {
    CBORValue.Entry(.integer(COSEHeaderLabel.algorithm), .integer(identifier))
  }

  private static func header(_ identifier: Int = COSEAlgorithm.es256.rawValue) -> [UInt8] {
    CBORValue.map([algorithm(identifier)]).encoded
  }

  /// Signs again, over other elements or in another form.
  private func signedAgain(
    _ document: CBORValue, over transcript: SessionTranscript, _ header: [UInt8], elements: CBORValue = .map([])
  ) throws -> CBORValue {
    let nameSpaces = CBORValue.tagged(24, .bytes(elements.encoded))
    let payload = transcript.deviceAuthenticationBytes(
      documentType: self.document.documentType, deviceNameSpacesBytes: nameSpaces.encoded)
    let message = authenticatedStructure(
      context: "Signature1", protected: header, externalAAD: [], payload: payload)
    let attached: CBORValue =
      switch fault {
      case .payloadAttached: .bytes(payload)
      case .anotherPayloadAttached: .bytes(payload.reversed())
      default: .null
      }
    let signed = CBORValue.array([
      .bytes(header), .map([]), attached, .bytes(try deviceKey.signature(for: message)),
    ])
    return try document.changing([.member(.text("deviceSigned"))]) { _ in
      .textMap([("nameSpaces", nameSpaces), ("deviceAuth", .textMap([("deviceSignature", signed)]))])
    }
  }
}
