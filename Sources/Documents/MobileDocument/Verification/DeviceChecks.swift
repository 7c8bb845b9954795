import CBOR
import COSE
import Certificates
import Checks
import Crypto
import Primitives

/// The checks of the device authentication (ISO/IEC 18013-5, 9.1.3).
extension DocumentVerification {
  /// Checks that the device authenticated this document in this session.
  /// - Parameters:
  ///   - transcript: The session transcript; nil leaves out every check.
  ///   - readerKey: The ephemeral reader key for message authentication codes.
  ///   - explain: Explains a signature that does not verify.
  mutating func checkDevice(
    over transcript: SessionTranscript?, readerKey: P256.KeyAgreement.PrivateKey?,
    explaining explain: (FailedSignature, UnverifiedDocument.DeviceSigned) -> Explanation?
  ) {
    guard let transcript else { return }
    guard let device = document.deviceSigned else {
      outcomes[.deviceAuthentication] = .found(.missing)
      return
    }
    if let object {
      outcomes[.deviceAuthorization] = .findings(
        device.elements.filter {
          !object.keyAuthorizations.allow(nameSpace: $0.nameSpace, identifier: $0.identifier)
        }.map { .init(nil, nil, [Self.place($0.nameSpace, $0.identifier)]) })
    }
    let signed = transcript.deviceAuthenticationBytes(
      documentType: document.documentType, deviceNameSpacesBytes: device.nameSpacesBytes)
    switch (device.signature, device.mac) {
    case (nil, nil): outcomes[.deviceAuthentication] = .found(.missing)
    case (.some, .some): outcomes[.deviceAuthentication] = .found(.both)
    case (let item?, nil):
      outcomes[.deviceAuthentication] = .passed
      checkSignature(item, of: object?.deviceKey, over: signed, in: transcript) { explain($0, device) }
    case (nil, let item?):
      outcomes[.deviceAuthentication] = .passed
      checkMac(item, of: object?.deviceKey, readerKey: readerKey, over: signed, in: transcript)
    }
  }

  private mutating func checkSignature(
    _ item: CBORItem, of key: COSEKey?, over signed: [UInt8], in transcript: SessionTranscript,
    explaining explain: (FailedSignature) -> Explanation?
  ) {
    let signature: COSESign1
    do {
      signature = try COSESign1(item)
    } catch {
      outcomes[.deviceForm] = Self.unreadable(error)
      return
    }
    outcomes[.deviceForm] = Self.form(signature.deviations, isAttached: signature.unverifiedPayload != nil)
    guard let key else { return }
    do {
      try signature.verify(with: try key.verificationKey(), detachedPayload: signed)
      outcomes[.deviceAlgorithm] = .passed
      outcomes[.deviceSignature] = .passed
    } catch {
      let evidence = Self.evidence(error, transcript)
      switch error.code {
      case .algorithmMissing, .algorithmUnsupported, .algorithmKeyMismatch:
        outcomes[.deviceAlgorithm] = Self.otherAlgorithm(error.message, evidence)
        return
      default: outcomes[.deviceAlgorithm] = .passed
      }
      if error.code == .signatureForm {
        outcomes[.deviceSignature] = .found(.malformed, nil, evidence)
      } else if let key = try? key.verificationKey(), let explanation = explain(FailedSignature(signature, key: key)) {
        outcomes[.deviceSignature] = .found(
          .transcript, "the device signed something else than this session's transcript: \(explanation.message)",
          explanation.evidence)
      } else {
        outcomes[.deviceSignature] = .found(error.code == .payload ? .payload : .invalid, nil, evidence)
      }
    }
  }

  private mutating func checkMac(
    _ item: CBORItem, of key: COSEKey?, readerKey: P256.KeyAgreement.PrivateKey?, over signed: [UInt8],
    in transcript: SessionTranscript
  ) {
    guard let readerKey else {
      outcomes[.deviceSignature] = .found(
        .macUnsupported, nil, .field("deviceAuth", expected: "deviceSignature", found: "deviceMac"))
      return
    }
    let mac: COSEMac0
    do {
      mac = try COSEMac0(item)
    } catch {
      outcomes[.deviceForm] = Self.unreadable(error)
      return
    }
    outcomes[.deviceForm] = Self.form(mac.deviations, isAttached: mac.unverifiedPayload != nil)
    guard let key else { return }
    // A key agreement needs both keys on one curve (second edition draft, 12.4.4).
    guard key.curve == .p256 else {
      outcomes[.deviceAlgorithm] = Self.otherAlgorithm(
        "the device key is not on the curve of the ephemeral reader key",
        .field("curve", expected: "\(COSEKey.Curve.p256)", found: "\(key.curve)"))
      return
    }
    do {
      let secret = try DeviceMAC.key(
        privateKey: readerKey, publicKey: try key.p256KeyAgreementKey(), transcript: transcript)
      try mac.verify(with: secret, detachedPayload: signed)
      outcomes[.deviceAlgorithm] = .passed
      outcomes[.deviceSignature] = .passed(
        "the device's message authentication code verifies: this device, this session, this origin")
    } catch let error as COSEError where error.code == .algorithmMissing || error.code == .algorithmUnsupported {
      outcomes[.deviceAlgorithm] = Self.otherAlgorithm(error.message, Self.evidence(error, transcript))
    } catch {
      outcomes[.deviceAlgorithm] = .passed
      outcomes[.deviceSignature] = .found(.macInvalid, nil, Self.evidence(error, transcript))
    }
  }

  private static func otherAlgorithm(_ detail: String, _ evidence: [CheckResult.Evidence]) -> Outcome {
    .found(nil, "\(CheckFinding(ResponseCheck.deviceAlgorithm).message): \(detail)", evidence)
  }

  private static func unreadable(_ error: COSEError) -> Outcome {
    error.code == .headerTwice
      ? .found(.duplicateHeader, "the device authentication has a header twice: \(error.message)")
      : .found(.malformed, "the device authentication is malformed: \(error.message)")
  }

  private static func form(_ deviations: [COSEDeviation], isAttached: Bool) -> Outcome {
    .findings(
      (deviations + (isAttached ? [.attachedPayload] : [])).map {
        .init(.init(device: $0), nil, .field("form", found: $0.rawValue))
      })
  }

  private static func evidence(_ error: any Error, _ transcript: SessionTranscript) -> [CheckResult.Evidence] {
    [
      CheckResult.Evidence("reason", found: "\(error)"),
      CheckResult.Evidence("session transcript", expected: hexadecimal(SHA256.hash(data: transcript.encoded))),
    ]
  }
}
