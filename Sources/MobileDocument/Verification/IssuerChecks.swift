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
    do {
      signature = try COSESign1(issuerSigned.issuerAuth)
    } catch {
      list.fail(
        .issuerAuthReadable, "the issuer's signature is malformed: \(error)",
        [CheckResult.Evidence("issuerAuth", found: "\(issuerSigned.issuerAuthBytes.count) bytes")])
      return nil
    }
    for deviation in signature.deviations where deviation != .emptyChain {
      list.deviate(.issuerAuthReadable, deviation.sentence, [CheckResult.Evidence("form", found: deviation.rawValue)])
    }
    let chain: [Certificate]
    do {
      chain = try CertificateChain.read(signature.headers.x5chain ?? [])
    } catch {
      list.fail(
        error.isOfUnknownKind ? .issuerCertificateKey : .issuerAuthReadable,
        "the signer's certificate cannot be used: \(error.description)",
        [CheckResult.Evidence("rule", found: error.rule.rawValue)])
      if error.isOfUnknownKind { list.pass(.issuerAuthReadable) }
      return IssuerAuth(chain: [], payload: signature.unverifiedPayload)
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

  /// Path from the signer's certificate to a trusted root, and the signer's profile, which is looked at without a path
  /// too (ISO/IEC 18013-5, 9.3.3).
  func checkPath(
    _ chain: [Certificate], documentType: String, at moment: DateTime, list: inout Checklist<ResponseCheck>
  ) async -> ValidatedCertificatePath? {
    guard !chain.isEmpty else { return nil }
    switch await trustedIssuers.validate(chain, at: moment, documentType: documentType) {
    case .success(let path):
      report(path.findings, list: &list)
      for check in [ResponseCheck.issuerTrust, .issuerCertificateStart, .issuerCertificateEnd] { list.pass(check) }
      list.pass(.issuerCertificatePurpose)
      list.pass(.issuerCertificateProfile)
      return path
    case .failure(let error):
      report(error.findings, list: &list)
      switch error.place {
      case .path:
        list.fail(.issuerTrust, "the issuer is not trusted: \(error.sentence)", error.evidence)
        // A verifier whose clock is wrong finds its roots out of date too, and is told of both.
        if error.code == .expired || error.code == .notYetValid,
          let leaf = chain.first?.failure(at: moment, place: .leaf)
        {
          list.fail(Self.check(leaf.code), leaf.sentence, leaf.evidence)
        }
      case .leaf:
        list.pass(.issuerTrust)
        let check = Self.check(error.code)
        if !error.findings.contains(where: { $0.outcome == .failed && Self.check($0.code) == check }) {
          list.fail(check, error.sentence, error.evidence)
        }
      }
      return nil
    }
  }

  private func report(_ findings: [CheckResult], list: inout Checklist<ResponseCheck>) {
    for finding in findings where finding.outcome != .passed {
      let evidence = finding.evidence + [CheckResult.Evidence("rule", found: finding.code)]
      if finding.outcome == .failed {
        list.fail(Self.check(finding.code), finding.sentence, evidence)
      } else {
        list.deviate(.issuerCertificateProfile, finding.sentence, evidence)
      }
    }
  }

  private static func check(_ code: CertificatePathError.Code) -> ResponseCheck {
    switch code {
    case .untrusted, .signature: .issuerTrust
    case .expired: .issuerCertificateEnd
    case .notYetValid: .issuerCertificateStart
    case .key: .issuerCertificateKey
    case .purpose: .issuerCertificatePurpose
    case .profile: .issuerCertificateProfile
    }
  }

  /// The check that a rule of the profile belongs to.
  private static func check(_ rule: String) -> ResponseCheck {
    switch CertificateRule(rawValue: rule) {
    case .extendedKeyUsage?: .issuerCertificatePurpose
    case .key?, .keyKind?, .keyEncoding?, .keySupport?: .issuerCertificateKey
    default: .issuerCertificateProfile
    }
  }
}
