import Primitives
import SwiftASN1
import X509

/// Largest certificate that is read, in bytes: real ones are below 2 kB, and brand data or long chains of names fit.
public enum CertificateLimits {
  /// Longest DER encoding.
  public static let bytes = 16 << 10
}

/// A certificate profile of ISO/IEC 18013-5 annex B.
public enum CertificateProfile: String, Sendable, CaseIterable {
  /// Root of an issuing authority (B.1.2).
  case issuingAuthorityRoot = "IACA root"
  /// From the old root of an issuing authority to its new one (B.1.3).
  case issuingAuthorityLink = "IACA link"
  /// Signer of documents (B.1.4).
  case documentSigner = "document signer"
  /// Signer of revocation lists of mobile security objects.
  case statusListSigner = "status list signer"
  /// Responder of the Online Certificate Status Protocol (B.1.6).
  case responder = "OCSP signer"
  /// Signer of lists of issuing authorities.
  case listSigner = "VICAL signer"
  /// Root of a reader authority; the standard recommends none, so this is the issuing root's shape.
  case readerRoot = "reader root"
  /// Certificate between a reader authority's root and its reader certificates; the standard has no profile for it, so
  /// this is the root's shape with the limits that RFC 5280 sets.
  case readerIntermediate = "reader intermediate"
  /// Reader authentication (B.1.7).
  case reader = "reader"

  /// Longest validity in days: 20 years with their leap days, 457 days, 1187 days.
  public var maximumDays: Int {
    switch self {
    case .issuingAuthorityRoot, .issuingAuthorityLink, .readerRoot, .readerIntermediate: 20 * 365 + 5
    case .documentSigner, .responder: 457
    case .statusListSigner, .listSigner, .reader: 1187
    }
  }

  /// Whether certificates of this profile sign other certificates.
  public var isAuthority: Bool {
    switch self {
    case .issuingAuthorityRoot, .issuingAuthorityLink, .readerRoot, .readerIntermediate: true
    case .documentSigner, .statusListSigner, .responder, .listSigner, .reader: false
    }
  }

  var isRoot: Bool { self == .issuingAuthorityRoot || self == .readerRoot }

  /// Whether certificates of this profile stand on the way from a reader to its authority's root.
  var isReaders: Bool { self == .reader || self == .readerIntermediate || self == .readerRoot }

  /// Whether an issuing authority issues certificates of this profile, so that country and state are its own.
  var isIssuedByIssuingAuthority: Bool {
    self == .documentSigner || self == .statusListSigner || self == .responder
  }

  /// The extended key usage that a certificate of this profile must have.
  public var extendedKeyUsage: ASN1ObjectIdentifier? { purposes(signing: nil)?.accepted.first }
}

/// Which extended key usages make a certificate one of its profile.
struct CertificatePurposes {
  /// One of these must be there. The first is the one that the standard names.
  let accepted: [ASN1ObjectIdentifier]
  /// Should be there too.
  var recommended: ASN1ObjectIdentifier?
  /// Whether another purpose is let pass with a finding, unless it is known to be for something else.
  var lets: Bool = false
}

extension CertificateProfile {
  /// The purposes of this profile; nil when it asks for none. Signers of status lists need none, and may have none of
  /// another role.
  /// - Parameter documentType: what is signed. Which purpose counts depends on it: signers of EU documents have one
  ///   outside the arc of driving licences, or one of their own. Without it any signer of mdocs will do.
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
          ], lets: true)
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
