import Checks
import SwiftASN1
import X509

extension CertificateProfile {
  /// Checks every rule of the profile that concerns the certificate by itself or towards its issuer.
  ///
  /// - Parameters:
  ///   - issuer: the certificate that issued it, when known.
  ///   - anchor: the trusted certificate at the end of its path, when known; the issuer when left out.
  ///   - documentType: what a document signer signs, see ``TrustedCertificates/validate(_:at:documentType:)``.
  /// - Returns: one result for each rule that applies: passed, deviates or failed.
  public func check(
    _ certificate: Certificate, issuer: Certificate? = nil, anchor: Certificate? = nil, documentType: String? = nil
  ) -> [CheckResult] {
    check(
      CertificateFields(certificate), issuer: issuer.map(CertificateFields.init),
      anchor: anchor.map(CertificateFields.init), documentType: documentType)
  }

  /// Checks every rule of the profile, also of a certificate whose key has no implementation here.
  public func check(
    _ certificate: CertificateFields, issuer: CertificateFields? = nil, anchor: CertificateFields? = nil,
    documentType: String? = nil
  ) -> [CheckResult] {
    let examination = CertificateExamination(
      profile: self, certificate: certificate, issuer: issuer, anchor: anchor ?? issuer,
      purposes: purposes(signing: documentType))
    return CertificateRule.allCases.compactMap { rule in
      examination.outcome(of: rule)?.result(rule, of: certificate, profile: self)
    }
  }

  /// What is wrong with a certificate: the results that have not simply passed.
  func findings(
    in certificate: Certificate, issuer: Certificate?, anchor: Certificate?, documentType: String?
  ) -> [CheckResult] {
    let fields = CertificateFields(certificate)
    let examination = CertificateExamination(
      profile: self, certificate: fields, issuer: issuer.map(CertificateFields.init),
      anchor: (anchor ?? issuer).map(CertificateFields.init), purposes: purposes(signing: documentType))
    return CertificateRule.allCases.compactMap { rule in
      switch examination.outcome(of: rule) {
      case nil, .holds, .notes: nil
      case let outcome?: outcome.result(rule, of: fields, profile: self)
      }
    }
  }
}
