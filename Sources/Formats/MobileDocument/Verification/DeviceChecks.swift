import CBOR
import COSE
import Certificates
import Checks
import Crypto
import Primitives

/// Authentication by the device (ISO/IEC 18013-5, 9.1.3).
extension DeviceResponseVerifier {
  /// Whether the device vouches for this document in this session.
  /// - Parameter explain: says what a signature that does not verify is good for.
  func checkDevice(
    _ document: UnverifiedDocument, object: MobileSecurityObject?, over transcript: SessionTranscript,
    list: inout Checklist<ResponseCheck>,
    explaining explain: (FailedSignature, UnverifiedDocument.DeviceSigned) -> Explanation?
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
      list.replace(.deviceAuthentication, with: .deviceAuthenticationOnce)
      list.fail(.deviceAuthenticationOnce)
    case (let item?, nil):
      list.pass(.deviceAuthentication)
      list.omit(.deviceMac)
      checkSignature(item, of: object?.deviceKey, over: signed, in: transcript, list: &list) { explain($0, device) }
    case (nil, let item?):
      list.pass(.deviceAuthentication)
      list.omit(.deviceSignature)
      checkMac(item, of: object?.deviceKey, over: signed, in: transcript, list: &list)
    }
  }

  private func checkSignature(
    _ item: CBORItem, of key: COSEKey?, over signed: [UInt8], in transcript: SessionTranscript,
    list: inout Checklist<ResponseCheck>, explaining explain: (FailedSignature) -> Explanation?
  ) {
    let signature: COSESign1
    do {
      signature = try COSESign1(item)
    } catch {
      return Self.failReading(error, list: &list)
    }
    Self.report(signature.deviations, isAttached: signature.unverifiedPayload != nil, list: &list)
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
      if error.code == .signatureForm {
        list.replace(.deviceSignature, with: .deviceSignatureForm)
        return list.fail(.deviceSignatureForm, nil, Self.evidence(error, transcript))
      }
      if !isAboutAlgorithm, let key = try? key.verificationKey(),
        let explanation = explain(FailedSignature(signature, key: key))
      {
        list.replace(.deviceSignature, with: .deviceTranscript)
        return list.fail(
          .deviceTranscript, "\(ResponseCheck.deviceTranscript.sentence): \(explanation.sentence)",
          explanation.evidence)
      }
      if error.code == .payload {
        list.replace(.deviceSignature, with: .devicePayload)
        return list.fail(.devicePayload, nil, Self.evidence(error, transcript))
      }
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
    let mac: COSEMac0
    do {
      mac = try COSEMac0(item)
    } catch {
      return Self.failReading(error, list: &list)
    }
    Self.report(mac.deviations, isAttached: mac.unverifiedPayload != nil, list: &list)
    list.pass(.deviceAuthReadable)
    guard let key else { return }
    do {
      let secret = try DeviceMAC.key(
        privateKey: ephemeralReaderKey, publicKey: try key.p256KeyAgreementKey(), transcript: transcript)
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

  private static func failReading(_ error: COSEError, list: inout Checklist<ResponseCheck>) {
    guard error.code == .headerTwice else {
      return list.fail(.deviceAuthReadable, "the device authentication is malformed: \(error.sentence)")
    }
    list.replace(.deviceAuthReadable, with: .deviceHeaderOnce)
    list.fail(.deviceHeaderOnce, "\(ResponseCheck.deviceHeaderOnce.sentence): \(error.sentence)")
  }

  private static func report(
    _ deviations: [COSEDeviation], isAttached: Bool, list: inout Checklist<ResponseCheck>
  ) {
    for deviation in deviations + (isAttached ? [.attachedPayload] : []) {
      list.deviate(
        ResponseDeviation(device: deviation), under: .deviceAuthReadable, nil,
        [CheckResult.Evidence("form", found: deviation.rawValue)])
    }
  }

  private static func evidence(_ error: any Error, _ transcript: SessionTranscript) -> [CheckResult.Evidence] {
    [
      CheckResult.Evidence("reason", found: "\(error)"),
      CheckResult.Evidence("session transcript", expected: hexadecimal(SHA256.hash(data: transcript.encoded))),
    ]
  }
}
