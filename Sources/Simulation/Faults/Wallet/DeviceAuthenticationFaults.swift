import CBOR
import COSE
import MobileDocument

extension Fault {
  /// Faults of the device authentication.
  static let ofDeviceAuthentication: [Fault] = [
    response(
      "device-not-signed", "The document has no device authentication", .fails(.deviceAuthentication, .missing),
      .part([]) { try $0.removing(.text("deviceSigned")) }),
    response(
      "device-auth-twice", "The device gives a signature and a message authentication code",
      .fails(.deviceAuthentication, .both), .part(authentication) { try $0.adding("deviceMac", mac) }),
    response(
      "device-mac", "The device gives a message authentication code instead of a signature",
      .fails(.deviceSignature, .macUnsupported), .part(authentication) { _ in .textMap([("deviceMac", mac)]) }),
    response(
      "device-signature-length", "The device's signature is a byte short", .fails(.deviceSignature, .malformed),
      .part(signature + [.element(3)]) { .bytes(try $0.content.dropLast()) }),
    response(
      "device-header-twice", "The protected header of the device's signature names the algorithm twice",
      .fails(.deviceForm, .duplicateHeader), .header(of: .algorithm(), .algorithm())),
    response(
      "device-header-encoding", "The protected header of the device's signature is not in its shortest encoding",
      .deviates(.deviceForm, .headerEncoding),
      .document { try $0.signedAgain($1, over: $2, header: try withLongerHead(header([.algorithm()]))) }),
    response(
      "device-algorithm-fully-specified", "The device names the signature algorithm by a fully specified identifier",
      .deviates(.deviceForm, .fullySpecifiedAlgorithm),
      .header(of: .algorithm(COSEAlgorithm.fullySpecifiedES256))),
    response(
      "device-chain-protected", "The device's signature has a certificate chain in its protected header",
      .deviates(.deviceForm, .chain), .header(of: .algorithm(), .x5chain(.bytes([0x30, 0x00])))),
    response(
      "device-signature-malformed", "The device's signature has three parts instead of four",
      .fails(.deviceForm, .malformed), .part(signature) { .array(try $0.items.dropLast()) }),
    response(
      "device-algorithm", "The device names the signature algorithm of another curve than its key's",
      .fails(.deviceAlgorithm), .header(of: .algorithm(COSEAlgorithm.es384.rawValue))),
    response(
      "payload-attached", "The device's signature has its payload attached", .deviates(.deviceForm, .payloadAttached),
      .document { try $0.signedAgain($1, over: $2) { .bytes($0) } }),
    response(
      "another-payload-attached", "The device's signature has another payload attached",
      .fails(.deviceSignature, .payload).deviating(.deviceForm, .payloadAttached),
      .document { try $0.signedAgain($1, over: $2) { .bytes($0.reversed()) } }),
    response(
      "device-signature-tagged", "The device's signature is in a CBOR tag", .deviates(.deviceForm, .tagged),
      .part(signature) { .tagged(COSESign1.tag, $0) }),
    response(
      "device-element", "The device signs an element that the issuer did not authorize", .fails(.deviceAuthorization),
      .document { response, _, transcript in
        let (space, item) = try response.firstNameSpace()
        // The device signs it instead of the issuer.
        let document = try response.document.presented(
          try response.returned { Array($0.dropFirst()) }, over: transcript, signedWith: response.deviceKey)
        return try response.signedAgain(
          document, over: transcript,
          elements: .textMap([(space.name, .textMap([(item.elementIdentifier, item.elementValue)]))]))
      }),
    response(
      "device-element-besides", "The device signs another value of an element beside the issuer's",
      .fails(.elementUnique).failing(.deviceAuthorization),
      .document { response, document, transcript in
        let (space, item) = try response.firstNameSpace()
        let value = item.elementValue.changed
        return try response.signedAgain(
          document, over: transcript, elements: .textMap([(space.name, .textMap([(item.elementIdentifier, value)]))]))
      }),
    response(
      "device-header-critical", "The device's signature has a critical header that nobody knows",
      .fails(.deviceForm, .malformed), .header(of: .algorithm(), .critical, .unknown)),
    response(
      "device-signature-small-order", "The device's signature fits every message for a key of small order",
      .fails(.deviceAlgorithm),
      .document { _, document, _ in
        let header = header([.algorithm(COSEAlgorithm.edDSA.rawValue)])
        let forged = FaultyIssuer.pointOfOrderOne + [UInt8](repeating: 0, count: 32)
        return try document.changing(signature) { _ in
          .array([.bytes(header), .map([]), .null, .bytes(forged)])
        }
      }),
    response(
      "device-signature-range", "The first half of the device's signature is zero",
      .fails(.deviceSignature, .malformed),
      .part(signature + [.element(3)]) { value in
        let half = try value.content.count / 2
        return .bytes([UInt8](repeating: 0, count: half) + (try value.content.suffix(half)))
      }),
  ]

  /// Faults of the form of the device's signature.
  static let ofDeviceSignatureForms: [Fault] = SignatureForm.allCases.map { form in
    response(
      "device-\(form.rawValue)", form.title(of: "the device's signature"), .fails(.deviceSignature, .malformed),
      .part(signature + [.element(3)]) { .bytes(form.changed(try $0.content)) })
  }

  private static let authentication: [CBORPlace] = [.member(.text("deviceSigned")), .member(.text("deviceAuth"))]
  private static let signature: [CBORPlace] = authentication + [.member(.text("deviceSignature"))]
  /// A tag of 32 bytes. With annex C no reader can check it.
  private static let mac = CBORValue.array([
    .bytes(header([.algorithm(COSEAlgorithm.hmac256.rawValue)])), .map([]), .null,
    .bytes([UInt8](repeating: 0x5a, count: 32)),
  ])
}

/// An encoded protected header.
private func header(_ entries: [CBORValue.Entry]) -> [UInt8] { CBORValue.map(entries).encoded }

extension ResponseChange {
  /// Changes a part of the document.
  fileprivate static func part(
    _ path: [CBORPlace], _ change: @escaping @Sendable (CBORValue) throws -> CBORValue
  ) -> ResponseChange {
    .document { _, document, _ in try document.changing(path, change) }
  }

  /// Signs with another protected header.
  fileprivate static func header(of entries: CBORValue.Entry...) -> ResponseChange {
    .document { try $0.signedAgain($1, over: $2, header: CBORValue.map(entries).encoded) }
  }
}

extension FaultyResponse {
  /// Signs again, over other elements or in another form.
  fileprivate func signedAgain(
    _ document: CBORValue, over transcript: SessionTranscript, header: [UInt8] = header([.algorithm()]),
    elements: CBORValue = .map([]), attaching attached: ([UInt8]) -> CBORValue = { _ in .null }
  ) throws -> CBORValue {
    let nameSpaces = CBORValue.tagged(24, .bytes(elements.encoded))
    let payload = transcript.deviceAuthenticationBytes(
      documentType: self.document.documentType, deviceNameSpacesBytes: nameSpaces.encoded)
    let message = authenticatedStructure(context: "Signature1", protected: header, externalAAD: [], payload: payload)
    let signed = CBORValue.array([
      .bytes(header), .map([]), attached(payload), .bytes(try deviceKey.signature(for: message)),
    ])
    return try document.changing([.member(.text("deviceSigned"))]) { _ in
      .textMap([("nameSpaces", nameSpaces), ("deviceAuth", .textMap([("deviceSignature", signed)]))])
    }
  }
}
