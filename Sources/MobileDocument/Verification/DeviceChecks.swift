import CBOR
import COSE
import Crypto

/// Authentication by the device (ISO/IEC 18013-5, 9.1.3).
extension DeviceResponseVerifier {
  /// Whether the device vouches for this document in this session.
  func checkDevice(
    _ document: UnverifiedDocument, object: MobileSecurityObject?, over transcript: SessionTranscript,
    list: inout Checklist<ResponseCheck>
  ) {
    guard let device = document.deviceSigned else { return list.fail(.deviceAuthentication) }
    if let object {
      for element in device.elements
      where !object.keyAuthorizations.allow(nameSpace: element.nameSpace, identifier: element.identifier) {
        list.fail(.deviceAuthorization, nil, [Self.place(element.nameSpace, element.identifier)])
      }
      list.pass(.deviceAuthorization)
    }
    let signed = transcript.deviceAuthenticationBytes(
      documentType: document.documentType, deviceNameSpacesBytes: device.nameSpacesBytes)
    switch (device.signature, device.mac) {
    case (nil, nil):
      list.fail(.deviceAuthentication)
    case (.some, .some):
      list.fail(.deviceAuthentication, "the device gives a signature and a message authentication code")
    case (let item?, nil):
      list.pass(.deviceAuthentication)
      list.omit(.deviceMac)
      checkSignature(item, of: object?.deviceKey, over: signed, in: transcript, list: &list)
    case (nil, let item?):
      list.pass(.deviceAuthentication)
      list.omit(.deviceSignature)
      checkMac(item, of: object?.deviceKey, over: signed, in: transcript, list: &list)
    }
  }

  private func checkSignature(
    _ item: CBORItem, of key: COSEKey?, over signed: [UInt8], in transcript: SessionTranscript,
    list: inout Checklist<ResponseCheck>
  ) {
    let signature: COSESign1
    do {
      signature = try COSESign1(item)
    } catch {
      return list.fail(.deviceAuthReadable, "the device authentication is malformed: \(error.sentence)")
    }
    for deviation in signature.deviations {
      list.deviate(.deviceAuthReadable, deviation.sentence, [CheckResult.Evidence("form", found: deviation.rawValue)])
    }
    if signature.unverifiedPayload != nil {
      let deviation = COSEDeviation.attachedPayload
      list.deviate(.deviceAuthReadable, deviation.sentence, [CheckResult.Evidence("form", found: deviation.rawValue)])
    }
    list.pass(.deviceAuthReadable)
    guard let key else { return }
    do {
      try signature.verify(with: try key.verificationKey(), detachedPayload: signed)
      list.pass(.deviceAlgorithm)
      list.pass(.deviceSignature)
    } catch {
      let isAboutAlgorithm =
        switch error.code {
        case .algorithmMissing, .algorithmUnsupported, .algorithmKeyMismatch: true
        default: false
        }
      if !isAboutAlgorithm { list.pass(.deviceAlgorithm) }
      list.fail(
        isAboutAlgorithm ? .deviceAlgorithm : .deviceSignature,
        isAboutAlgorithm
          ? "\(ResponseCheck.deviceAlgorithm.sentence): \(error.sentence)"
          : "device signature does not verify: either another device made it, or it is for another session or origin",
        Self.evidence(error, transcript))
    }
  }

  private func checkMac(
    _ item: CBORItem, of key: COSEKey?, over signed: [UInt8], in transcript: SessionTranscript,
    list: inout Checklist<ResponseCheck>
  ) {
    guard let ephemeralReaderKey else {
      return list.fail(
        .deviceMac, nil,
        [CheckResult.Evidence("deviceAuth", expected: "deviceSignature", found: "deviceMac")])
    }
    guard let key else { return }
    do {
      let secret = try DeviceMAC.key(
        privateKey: ephemeralReaderKey, publicKey: try key.p256KeyAgreementKey(), transcript: transcript)
      let mac = try COSEMac0(item)
      for deviation in mac.deviations {
        list.deviate(.deviceAuthReadable, deviation.sentence, [CheckResult.Evidence("form", found: deviation.rawValue)])
      }
      list.pass(.deviceAuthReadable)
      try mac.verify(with: secret, detachedPayload: signed)
      list.pass(.deviceAlgorithm)
      list.pass(.deviceMac)
    } catch {
      list.fail(
        .deviceMac,
        "device message authentication code does not verify: either another device made it, or it is for another "
          + "session or origin", Self.evidence(error, transcript))
    }
  }

  private static func evidence(_ error: any Error, _ transcript: SessionTranscript) -> [CheckResult.Evidence] {
    [
      CheckResult.Evidence("reason", found: "\(error)"),
      CheckResult.Evidence("session transcript", expected: hexadecimal(SHA256.hash(data: transcript.encoded))),
    ]
  }
}
