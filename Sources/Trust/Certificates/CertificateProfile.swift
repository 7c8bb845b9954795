import Checks
import Primitives
import SwiftASN1
import X509

/// Limits for certificates.
public enum CertificateLimits {
  /// The longest DER encoding that is read, in bytes. Real certificates are below 2 kB; brand data and long names fit
  /// too.
  public static let bytes = 16 << 10
}

/// A certificate profile of ISO/IEC 18013-5 annex B.
public enum CertificateProfile: String, Sendable, CaseIterable {
  /// Root of an issuing authority (B.1.2).
  case issuingAuthorityRoot = "IACA root"
  /// Link from the old root of an issuing authority to its new one (B.1.3).
  case issuingAuthorityLink = "IACA link"
  /// Signer of documents (B.1.4).
  case documentSigner = "document signer"
  /// Signer of revocation lists of mobile security objects.
  case statusListSigner = "status list signer"
  /// Responder of the Online Certificate Status Protocol (B.1.6).
  case responder = "OCSP signer"
  /// Signer of lists of issuing authorities.
  case listSigner = "VICAL signer"
  /// Root of a reader authority. The standard has no profile for it, so it follows the issuing authority's root.
  case readerRoot = "reader root"
  /// Certificate between a reader authority's root and its reader certificates. The standard has no profile for it, so
  /// it follows the root's with the limits of RFC 5280.
  case readerIntermediate = "reader intermediate"
  /// Reader authentication (B.1.7).
  case reader = "reader"

  /// The longest validity period in days: 20 years with leap days, 457 days or 1187 days.
  public var maximumDays: Int {
    switch self {
    case .issuingAuthorityRoot, .issuingAuthorityLink, .readerRoot, .readerIntermediate: 20 * 365 + 5
    case .documentSigner, .responder: 457
    case .statusListSigner, .listSigner, .reader: 1187
    }
  }

  /// A Boolean value that indicates whether certificates of this profile sign other certificates.
  public var isAuthority: Bool {
    switch self {
    case .issuingAuthorityRoot, .issuingAuthorityLink, .readerRoot, .readerIntermediate: true
    case .documentSigner, .statusListSigner, .responder, .listSigner, .reader: false
    }
  }

  package var isRoot: Bool { self == .issuingAuthorityRoot || self == .readerRoot }

  /// A Boolean value that indicates whether this is a profile on the path from a reader to its authority's root.
  var isReaders: Bool { self == .reader || self == .readerIntermediate || self == .readerRoot }

  /// A Boolean value that indicates whether an issuing authority issues certificates of this profile, so that they have
  /// its country and state.
  var isIssuedByIssuingAuthority: Bool { self == .documentSigner || self == .statusListSigner || self == .responder }

  /// The extended key usage that a certificate of this profile must have.
  public var extendedKeyUsage: ASN1ObjectIdentifier? { purposes(signing: nil)?.accepted.first }
}

/// The extended key usages of a profile.
struct CertificatePurposes {
  /// The accepted usages, one of which must be present. The first is the standard's.
  let accepted: [ASN1ObjectIdentifier]
  /// A usage that should be present too.
  var recommended: ASN1ObjectIdentifier?
  /// A Boolean value that indicates whether an unknown usage deviates instead of failing.
  var toleratesOthers: Bool = false
}

extension CertificateProfile {
  /// Returns the extended key usages of this profile, or nil if it requires none. Signers of status lists need none,
  /// and must not have that of another role.
  /// - Parameter documentType: The type of the signed document. Signers of EU documents have a usage outside the arc of
  ///   driving licences, or one of their own. Pass nil to accept any mdoc signer.
  func purposes(signing documentType: String?) -> CertificatePurposes? {
    switch self {
    case .documentSigner:
      switch documentType {
      case DocumentType.drivingLicence?:
        CertificatePurposes(
          accepted: [CertificateOID.documentSignerKeyPurpose], recommended: CertificateOID.mdocSignerKeyPurpose)
      case let type? where type.hasPrefix("eu.europa.ec."):
        CertificatePurposes(
          accepted: [
            CertificateOID.documentSignerKeyPurpose, CertificateOID.mdocSignerKeyPurpose,
            CertificateOID.personIdentificationSignerKeyPurpose,
          ], toleratesOthers: true)
      default:
        CertificatePurposes(
          accepted: [CertificateOID.documentSignerKeyPurpose, CertificateOID.mdocSignerKeyPurpose],
          recommended: CertificateOID.mdocSignerKeyPurpose)
      }
    case .reader:
      CertificatePurposes(accepted: [CertificateOID.readerKeyPurpose], recommended: CertificateOID.mdocReaderKeyPurpose)
    case .responder: CertificatePurposes(accepted: [CertificateOID.responderKeyPurpose])
    case .listSigner: CertificatePurposes(accepted: CertificateOID.listSignerKeyPurposes)
    case .issuingAuthorityRoot, .issuingAuthorityLink, .statusListSigner, .readerRoot, .readerIntermediate: nil
    }
  }
}

/// A departure of a document signer's certificate that a lenient policy accepts.
public enum CertificateTolerance: String, CaseIterable, Sendable {
  /// The certificate has no extended key usage.
  case usageMissing = "extended-key-usage-missing"
  /// The certificate is for EU person identification data, and the document is of another type.
  case usageOfEU = "extended-key-usage-eu"
}

extension CertificateProfile {
  /// Returns the tolerance for an extended key usage that is not one of the profile's.
  package func tolerance(of certificate: CertificateFields) -> CertificateTolerance? {
    guard self == .documentSigner else { return nil }
    guard certificate.extensions[oid: .X509ExtensionID.extendedKeyUsage] != nil else { return .usageMissing }
    guard let found = certificate.extendedKeyUsage else { return nil }
    let isOfEU = found.allSatisfy { ASN1ObjectIdentifier($0) == CertificateOID.personIdentificationSignerKeyPurpose }
    return isOfEU ? .usageOfEU : nil
  }
}

extension CertificateProfile {
  /// Checks every rule of the profile for the certificate itself and in relation to its issuer.
  ///
  /// - Parameters:
  ///   - issuer: The issuing certificate, if known.
  ///   - anchor: The trusted certificate at the end of the path, if known; by default the issuer.
  ///   - documentType: The type of the signed document, see ``TrustedCertificates/validate(_:at:documentType:)``.
  ///   - policy: The policy for departures that real issuers show.
  /// - Returns: One result for each rule that applies: passed, deviates or failed.
  public func check(
    _ certificate: Certificate, issuer: Certificate? = nil, anchor: Certificate? = nil, documentType: String? = nil,
    policy: VerificationPolicy = .standard
  ) -> [CheckResult] {
    check(
      CertificateFields(certificate), issuer: issuer.map(CertificateFields.init),
      anchor: anchor.map(CertificateFields.init), documentType: documentType, policy: policy)
  }

  /// Checks every rule of the profile, including for a certificate with an unsupported key.
  public func check(
    _ certificate: CertificateFields, issuer: CertificateFields? = nil, anchor: CertificateFields? = nil,
    documentType: String? = nil, policy: VerificationPolicy = .standard
  ) -> [CheckResult] {
    let evaluation = ProfileEvaluation(
      profile: self, certificate: certificate, issuer: issuer, anchor: anchor ?? issuer,
      purposes: purposes(signing: documentType), policy: policy)
    return CertificateRule.allCases.compactMap { rule in
      evaluation.result(of: rule)?.result(rule, of: certificate, profile: self)
    }
  }

  /// Returns the results of a certificate's check that are not passed.
  func findings(
    in certificate: CertificateFields, issuer: CertificateFields?, anchor: CertificateFields?, documentType: String?,
    policy: VerificationPolicy
  ) -> [CheckResult] {
    let evaluation = ProfileEvaluation(
      profile: self, certificate: certificate, issuer: issuer, anchor: anchor ?? issuer,
      purposes: purposes(signing: documentType), policy: policy)
    return CertificateRule.allCases.compactMap { rule in
      switch evaluation.result(of: rule) {
      case nil, .holds, .notes: nil
      case let outcome?: outcome.result(rule, of: certificate, profile: self)
      }
    }
  }
}
