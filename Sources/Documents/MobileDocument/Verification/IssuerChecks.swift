import COSE
import Certificates
import Checks
import Primitives
import X509

/// The outcome of a check of a device response.
typealias Outcome = CheckOutcome<ResponseCheck>

/// The checks of the issuer's signature (ISO/IEC 18013-5, 9.1.2.4).
extension DocumentVerification {
  /// - Parameter memory: The signer certificates that the verifier has read last.
  mutating func checkIssuer(remembering memory: inout CertificateMemory) {
    let signature: COSESign1
    do {
      signature = try COSESign1(document.issuerSigned.issuerAuth)
    } catch {
      let isRepeated = error.code == .headerTwice
      outcomes[.issuerForm] = .found(
        isRepeated ? .duplicateHeader : .malformed,
        "the issuer signature \(isRepeated ? "has a header twice" : "is malformed"): \(error)",
        .field("issuerAuth", found: "\(document.issuerSigned.issuerAuthBytes.count) bytes"))
      return
    }
    self.signature = signature
    let sent = signature.headers.x5chain ?? []
    outcomes[.issuerThumbprint] = Self.thumbprint(signature.headers.x5t, of: sent.first)
    var departures: [Outcome.Finding] = signature.deviations.compactMap { deviation in
      ResponseCheck.Reason(issuer: deviation).map {
        .init($0, nil, .field("form", found: deviation.rawValue))
      }
    }
    do {
      chain = try memory.fields(of: Array(sent.prefix(1))) + Self.readable(sent.dropFirst(), &memory, &departures)
      outcomes[.issuerForm] = .findings(departures)
    } catch {
      let unusable = "the signer certificate cannot be used: \(error.message)"
      let rule = [CheckResult.Evidence("rule", found: error.rule.name)]
      if error.isOfUnknownKind {
        outcomes[.issuerForm] = .findings(departures)
        outcomes[.issuerCertificateKey] = .found(nil, unusable, rule)
      } else {
        outcomes[.issuerForm] = .findings([.init(.malformed, unusable, rule)] + departures)
      }
      return
    }
    guard let leaf = chain.first?.certificate else {
      outcomes[.issuerCertificate] = .found(
        nil, nil,
        [
          CheckResult.Evidence("x5chain", expected: "the signer certificate", found: "no certificate"),
          CheckResult.Evidence("signature", found: Self.looks(signature.signature)),
        ])
      return
    }
    outcomes[.issuerCertificate] = .passed
    verify(signature, by: leaf)
  }

  /// Verifies the signature itself, with the key of the signer certificate.
  private mutating func verify(_ signature: COSESign1, by leaf: Certificate) {
    do {
      let key = try leaf.verificationKey()
      outcomes[.issuerCertificateKey] = .passed
      try signature.verify(with: key)
      outcomes[.issuerAlgorithm] = .passed
      outcomes[.issuerSignature] = .passed
    } catch {
      let evidence = [
        CheckResult.Evidence("signer", found: leaf.subject.description),
        CheckResult.Evidence("signature", found: Self.looks(signature.signature)),
      ]
      switch error.code {
      case .algorithmMissing, .algorithmUnsupported, .algorithmKeyMismatch:
        outcomes[.issuerAlgorithm] = .found(
          nil, "the algorithm of the issuer signature is not allowed: \(error.message)", evidence)
      case .key:
        outcomes[.issuerCertificateKey] = .found(nil, "the signer's key cannot be used: \(error.message)", evidence)
      case .curveUnsupported:
        outcomes[.issuerCertificateKey] = .found(
          nil, "the signer's key is on a curve that is not allowed: \(error.message)", evidence)
      case .payload:
        outcomes[.issuerForm] = outcomes[.issuerForm].joined(
          with: .found(.malformed, "the issuer signature is malformed: \(error.message)", evidence))
      case .signatureForm:
        outcomes[.issuerAlgorithm] = .passed
        outcomes[.issuerSignature] = .found(
          .malformed, "the issuer signature is not a signature of its curve: \(error.message)", evidence)
      default:
        outcomes[.issuerAlgorithm] = .passed
        outcomes[.issuerSignature] = .found(
          .invalid, "the issuer signature does not verify: \(error.message)", evidence)
      }
    }
  }

  /// The readable certificates after the signer's. The others are ignored, as a root that is sent along is: a path that
  /// needs them is not found (ISO/IEC 18013-5, B.1).
  private static func readable(
    _ certificates: ArraySlice<[UInt8]>, _ memory: inout CertificateMemory, _ departures: inout [Outcome.Finding]
  ) -> [CertificateFields] {
    var found: [CertificateFields] = []
    for der in certificates {
      do {
        found += try memory.fields(of: [der])
      } catch {
        departures.append(.init(.chainUnreadable, nil, .field("rule", found: error.rule.name)))
      }
    }
    return found
  }

  /// Compares the signer certificate with the digest by which the signature may name it (RFC 9360, 2).
  private static func thumbprint(_ thumbprint: COSECertificateThumbprint?, of leaf: [UInt8]?) -> Outcome {
    guard let thumbprint else { return .notApplicable("the signature has no x5t header") }
    guard let leaf else { return .notApplicable("the signature has no certificate") }
    guard let isOfLeaf = thumbprint.isOf(leaf) else {
      return .notApplicable("the digest algorithm of the x5t header is not supported")
    }
    return .require(isOfLeaf, nil, nil, .field("x5t", found: hexadecimal(thumbprint.digest)))
  }

  private static func looks(_ signature: [UInt8]) -> String {
    let isNothing = signature.allSatisfy { $0 == 0 }
    return "\(signature.count) bytes" + (isNothing && !signature.isEmpty ? ", all of them zero" : "")
  }
}

/// The checks of the signer certificate: its path to a trusted root, and its profile, which is checked without a path too
/// (ISO/IEC 18013-5, 9.3.3).
extension DocumentVerification {
  mutating func checkSigner(trusted: TrustedCertificates, at moment: DateTime, policy: VerificationPolicy) async {
    guard let leaf = chain.first else { return }
    // Few findings need it.
    var tolerance: CertificateTolerance? { trusted.profile.tolerance(of: leaf) }
    switch await trusted.validate(chain, at: moment, documentType: document.documentType, policy: policy) {
    case .success(let path):
      for check in ResponseCheck.ofSigner { outcomes[check] = .passed }
      record(path.findings, tolerance: tolerance, under: policy)
      self.path = path
    case .failure(let error):
      record(error.findings, tolerance: tolerance, under: policy)
      switch error.place {
      case .path:
        outcomes[.issuerTrust] = .found(
          error.code == .documentType ? .documentType : nil, "the issuer is not trusted: \(error.message)", error.fields
        )
        // A verifier with a wrong clock finds its roots outdated too, and reports both.
        if error.code == .expired || error.code == .notYetValid,
          let outdated = leaf.failure(at: moment, place: .leaf)
        {
          outcomes[.issuerCertificateValidity] = Self.outdated(outdated)
        }
      case .leaf:
        outcomes[.issuerTrust] = .passed
        switch error.code {
        case .expired, .notYetValid: outcomes[.issuerCertificateValidity] = Self.outdated(error)
        // The findings hold the rule that is broken.
        case .key, .purpose, .profile, .untrusted, .signature, .documentType: break
        }
      }
    }
  }

  private static func outdated(_ error: CertificatePathError) -> Outcome {
    .found(error.code == .expired ? .expired : .notYetValid, error.message, error.fields)
  }

  /// Sorts findings of the profile to the checks that their rules belong to.
  private mutating func record(
    _ findings: [CheckResult], tolerance: @autoclosure () -> CertificateTolerance?, under policy: VerificationPolicy
  ) {
    for finding in findings where finding.status != .passed {
      guard let rule = finding.reason.flatMap(CertificateRule.init(rawValue:)) else { continue }
      let evidence = finding.evidence + [CheckResult.Evidence("rule", found: finding.name)]
      let isFailed = finding.status == .failed
      if rule == .extendedKeyUsage, isFailed || policy == .lenient, let tolerance = tolerance() {
        outcomes[.issuerCertificatePurpose] = outcomes[.issuerCertificatePurpose].joined(
          with: .found(.tolerance(tolerance), finding.message, evidence))
        continue
      }
      let check = isFailed ? ResponseCheck.check(of: rule) : .issuerCertificateProfile
      let found = Outcome.Finding(
        check == .issuerCertificateProfile ? .rule(rule) : nil, finding.message, evidence,
        severity: isFailed ? .failure : .deviation)
      outcomes[check] = outcomes[check].joined(with: .findings([found]))
    }
  }
}
