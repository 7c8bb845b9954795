import COSE
import Certificates
import Checks
import Primitives
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
      let check = error.code == .headerTwice ? ResponseCheck.issuerHeaderOnce : .issuerAuthReadable
      list.replace(.issuerAuthReadable, with: check)
      list.fail(
        check, "\(check.sentence): \(error)",
        [CheckResult.Evidence("issuerAuth", found: "\(issuerSigned.issuerAuthBytes.count) bytes")])
      return nil
    }
    for deviation in signature.deviations {
      guard let departure = ResponseDeviation(issuer: deviation) else { continue }
      list.deviate(
        departure, under: .issuerAuthReadable, nil, [CheckResult.Evidence("form", found: deviation.rawValue)])
    }
    let sent = signature.headers.x5chain ?? []
    let chain: [Certificate]
    do {
      chain = try CertificateChain.read(Array(sent.prefix(1))) + readable(sent.dropFirst(), list: &list)
    } catch {
      list.fail(
        error.isOfUnknownKind ? .issuerCertificateKey : .issuerAuthReadable,
        "the signer's certificate cannot be used: \(error.description)",
        [CheckResult.Evidence("rule", found: error.rule.rawValue)])
      if error.isOfUnknownKind { list.pass(.issuerAuthReadable) }
      checkThumbprint(signature.headers.x5t, of: sent.first, list: &list)
      return IssuerAuth(chain: [], payload: signature.unverifiedPayload)
    }
    list.pass(.issuerAuthReadable)
    checkThumbprint(signature.headers.x5t, of: sent.first, list: &list)
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
    verify(signature, by: leaf, list: &list)
    return issuer
  }

  /// The signature itself, by the key of the signer's certificate.
  private func verify(_ signature: COSESign1, by leaf: Certificate, list: inout Checklist<ResponseCheck>) {
    do {
      let key = try leaf.verificationKey()
      list.pass(.issuerCertificateKey)
      try signature.verify(with: key)
      list.pass(.issuerAlgorithm)
      list.pass(.issuerSignature)
    } catch {
      let check = Self.issuerCheck(error.code)
      if check == .issuerSignature || check == .issuerSignatureForm { list.pass(.issuerAlgorithm) }
      if check == .issuerSignatureForm { list.replace(.issuerSignature, with: check) }
      list.fail(
        check,
        error.code == .key
          ? "the signer's key cannot be used: \(error.sentence)" : "\(check.sentence): \(error.sentence)",
        [
          CheckResult.Evidence("signer", found: leaf.subject.description),
          CheckResult.Evidence("signature", found: Self.looks(signature.signature)),
        ])
    }
  }

  /// The certificates behind the signer's that can be read. The others are ignored, as a root that is sent along is: a path
  /// that needs them is not found (ISO/IEC 18013-5, B.1).
  private func readable(
    _ certificates: ArraySlice<[UInt8]>, list: inout Checklist<ResponseCheck>
  ) -> [Certificate] {
    var found: [Certificate] = []
    for der in certificates {
      do {
        found += try CertificateChain.read([der])
      } catch {
        list.deviate(
          ResponseDeviation.issuerChainUnreadable, under: .issuerAuthReadable, nil,
          [CheckResult.Evidence("rule", found: error.rule.rawValue)])
      }
    }
    return found
  }

  /// The signer's certificate against the digest by which the signature may name it (RFC 9360, 2).
  private func checkThumbprint(
    _ thumbprint: COSECertificateThumbprint?, of leaf: [UInt8]?, list: inout Checklist<ResponseCheck>
  ) {
    guard let thumbprint, let leaf, let isOfLeaf = thumbprint.isOf(leaf) else { return list.omit(.issuerThumbprint) }
    list.require(
      isOfLeaf, .issuerThumbprint, nil, [CheckResult.Evidence("x5t", found: hexadecimal(thumbprint.digest))])
  }

  private static func issuerCheck(_ code: COSEError.Code) -> ResponseCheck {
    switch code {
    case .algorithmMissing, .algorithmUnsupported, .algorithmKeyMismatch: .issuerAlgorithm
    case .curveUnsupported, .key: .issuerCertificateKey
    case .payload: .issuerAuthReadable
    case .signatureForm: .issuerSignatureForm
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
      list.pass(.issuerCertificateAuthority)
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
        if !error.findings.contains(where: { $0.outcome == .failed && Self.isFailure($0.code, of: check) }) {
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
      } else if let rule = CertificateRule(rawValue: finding.code) {
        list.deviate(rule, under: .issuerCertificateProfile, finding.sentence, evidence)
      } else {
        list.deviate(.issuerCertificateProfile, finding.sentence, evidence)
      }
    }
  }

  /// Whether a rule that is broken is why a path fails with a check. That a certificate is one of an authority is a matter
  /// of its profile.
  private static func isFailure(_ rule: String, of check: ResponseCheck) -> Bool {
    let found = Self.check(rule)
    return found == check || found == .issuerCertificateAuthority && check == .issuerCertificateProfile
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
    case .basicConstraints?: .issuerCertificateAuthority
    case .extendedKeyUsage?: .issuerCertificatePurpose
    case .key?, .keyKind?, .keyEncoding?, .keySupport?: .issuerCertificateKey
    default: .issuerCertificateProfile
    }
  }
}
