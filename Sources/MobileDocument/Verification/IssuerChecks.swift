import COSE
import X509

/// The issuer's signature and the path from its signer to a trusted root.
extension DeviceResponseVerifier {
  /// What an issuer's signature holds, verified or not.
  struct IssuerAuth {
    let chain: [Certificate]
    let payload: [UInt8]?
  }

  /// Issuer's signature (ISO/IEC 18013-5, 9.1.2.4); nil when it is malformed.
  func checkIssuerSignature(
    _ issuerSigned: UnverifiedIssuerSigned, list: inout Checklist<ResponseCheck>
  ) -> IssuerAuth? {
    let signature: COSESign1
    let chain: [Certificate]
    do {
      signature = try COSESign1(issuerSigned.issuerAuth)
      chain = try CertificateChain.read(signature.headers.x5chain ?? [])
    } catch {
      list.fail(
        .issuerAuthReadable, "the issuer's signature is malformed: \(error)",
        [CheckResult.Evidence("issuerAuth", found: "\(issuerSigned.issuerAuthBytes.count) bytes")])
      return nil
    }
    for deviation in signature.deviations where deviation != .emptyChain {
      list.deviate(.issuerAuthReadable, deviation.sentence, [CheckResult.Evidence("form", found: deviation.rawValue)])
    }
    list.pass(.issuerAuthReadable)
    let issuer = IssuerAuth(chain: chain, payload: signature.unverifiedPayload)
    guard let leaf = chain.first else {
      list.fail(
        .issuerAuthenticated, nil,
        [
          CheckResult.Evidence("x5chain", expected: "the signer's certificate", found: "no certificate"),
          CheckResult.Evidence("signature", found: Self.looks(signature.signature)),
        ])
      return issuer
    }
    list.pass(.issuerAuthenticated)
    do {
      let key = try leaf.verificationKey()
      list.pass(.issuerCertificateKey)
      try signature.verify(with: key)
      list.pass(.issuerAlgorithm)
      list.pass(.issuerSignature)
    } catch {
      let check = Self.issuerCheck(error.code)
      if check == .issuerSignature { list.pass(.issuerAlgorithm) }
      list.fail(
        check, "\(check.sentence): \(error.sentence)",
        [
          CheckResult.Evidence("signer", found: leaf.subject.description),
          CheckResult.Evidence("signature", found: Self.looks(signature.signature)),
        ])
    }
    return issuer
  }

  private static func issuerCheck(_ code: COSEError.Code) -> ResponseCheck {
    switch code {
    case .algorithmMissing, .algorithmUnsupported, .algorithmKeyMismatch: .issuerAlgorithm
    case .curveUnsupported, .key: .issuerCertificateKey
    case .payload: .issuerAuthReadable
    default: .issuerSignature
    }
  }

  private static func looks(_ signature: [UInt8]) -> String {
    let isNothing = signature.allSatisfy { $0 == 0 }
    return "\(signature.count) bytes" + (isNothing && !signature.isEmpty ? ", all of them zero" : "")
  }

  /// Path from the signer's certificate to a trusted root.
  func checkPath(
    _ chain: [Certificate], at moment: DateTime, list: inout Checklist<ResponseCheck>
  ) async -> ValidatedCertificatePath? {
    guard !chain.isEmpty else { return nil }
    switch await trustedIssuers.validate(chain, at: moment) {
    case .success(let path):
      for check in [
        ResponseCheck.issuerTrust, .issuerCertificateStart, .issuerCertificateEnd, .issuerCertificatePurpose,
      ] { list.pass(check) }
      for finding in path.findings {
        list.deviate(.issuerCertificateProfile, finding.sentence, [CheckResult.Evidence("rule", found: finding.code)])
      }
      list.pass(.issuerCertificateProfile)
      return path
    case .failure(let error):
      let check: ResponseCheck
      switch error.code {
      case .untrusted: check = .issuerTrust
      case .expired: check = .issuerCertificateEnd
      case .notYetValid: check = .issuerCertificateStart
      case .profile: check = .issuerCertificateProfile
      }
      if check != .issuerTrust { list.pass(.issuerTrust) }
      list.fail(
        check, check == .issuerTrust ? "the issuer is not trusted: \(error.sentence)" : error.sentence, error.evidence)
      return nil
    }
  }
}
