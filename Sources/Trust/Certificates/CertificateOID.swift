import SwiftASN1
import X509

/// Object identifiers of the profiles.
public enum CertificateOID {
  /// Extended key usage of document signers (ISO/IEC 18013-5, B.1.4).
  public static let documentSignerKeyPurpose: ASN1ObjectIdentifier = [1, 0, 18013, 5, 1, 2]
  /// Extended key usage of document signers of any mdoc (ISO/IEC 23220), recommended beside the one above.
  public static let mdocSignerKeyPurpose: ASN1ObjectIdentifier = [1, 0, 23220, 4, 1, 2]
  /// Extended key usage of signers of EU person identification data.
  public static let personIdentificationSignerKeyPurpose: ASN1ObjectIdentifier = [1, 3, 130, 2, 0, 0, 1, 2]
  /// Extended key usage of readers (ISO/IEC 18013-5, B.1.7).
  public static let readerKeyPurpose: ASN1ObjectIdentifier = [1, 0, 18013, 5, 1, 6]
  /// Extended key usage of readers of any mdoc (ISO/IEC 23220), recommended beside the one above.
  public static let mdocReaderKeyPurpose: ASN1ObjectIdentifier = [1, 0, 23220, 4, 1, 6]
  /// Extended key usages of signers of lists of issuing authorities: the one of ISO/IEC 23220, and the one in use.
  public static let listSignerKeyPurposes: [ASN1ObjectIdentifier] = [[1, 0, 23220, 4, 1, 8], [1, 0, 18013, 5, 1, 8]]
  /// Extended key usage of OCSP responders (RFC 6960, 4.2.2.2).
  public static let responderKeyPurpose: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 3, 9]

  /// Extended key usage of signers of status lists (Token Status List draft, 10.1: `id-kp-oauthStatusSigning`).
  public static let statusSigningKeyPurpose: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 3, 30]

  /// Every purpose that belongs to one role of documents: in the arcs of ISO/IEC 18013-5 and 23220 are 2 signers, 4 links,
  /// 6 readers, 7 roots, 8 lists.
  private static let rolePurposes: [ASN1ObjectIdentifier: String] = [
    documentSignerKeyPurpose: "mDL document signer", mdocSignerKeyPurpose: "mdoc document signer",
    personIdentificationSignerKeyPurpose: "signer of EU person identification data",
    [1, 0, 18013, 5, 1, 4]: "mDL IACA link", [1, 0, 23220, 4, 1, 4]: "mdoc IACA link",
    readerKeyPurpose: "mDL reader authentication", mdocReaderKeyPurpose: "mdoc reader authentication",
    [1, 0, 18013, 5, 1, 7]: "mDL IACA", [1, 0, 23220, 4, 1, 7]: "mdoc IACA",
    [1, 0, 18013, 5, 1, 8]: "VICAL signer", [1, 0, 23220, 4, 1, 8]: "mdoc VICAL signer",
    responderKeyPurpose: "OCSP signer", statusSigningKeyPurpose: "status list signer",
  ]

  /// The role that a purpose belongs to; nil when none is known.
  static func role(of purpose: ASN1ObjectIdentifier) -> String? { rolePurposes[purpose] }

  /// Whether a purpose is for something else than documents as far as it is known: another one of `id-kp` (RFC 5280,
  /// 4.2.1.12), such as that of servers on the web.
  static func isForeign(_ purpose: ASN1ObjectIdentifier) -> Bool {
    role(of: purpose) == nil && purpose.oidComponents.starts(with: [1, 3, 6, 1, 5, 5, 7, 3])
  }

  /// Issuer alternative name (RFC 5280, 4.2.1.7).
  static let issuerAlternativeName: ASN1ObjectIdentifier = [2, 5, 29, 18]
  /// CRL distribution points (RFC 5280, 4.2.1.13).
  static let crlDistributionPoints: ASN1ObjectIdentifier = [2, 5, 29, 31]
  /// The responder's certificate needs no check of its own (RFC 6960, 4.2.2.2.1).
  static let noRevocationCheck: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 48, 1, 5]

  /// Extensions that no certificate of annex B may have.
  static let forbiddenExtensions: [ASN1ObjectIdentifier: String] = [
    [2, 5, 29, 33]: "policy mappings", .X509ExtensionID.nameConstraints: "name constraints",
    [2, 5, 29, 36]: "policy constraints", [2, 5, 29, 54]: "inhibit any policy", [2, 5, 29, 46]: "freshest CRL",
  ]

  /// Extensions whose meaning is known here, so that they may be critical: the rules of a path and of its leaf act upon
  /// constraints, usages and key identifiers; alternative names and CRL distribution points limit nothing on a path.
  static let understoodExtensions: Set<ASN1ObjectIdentifier> = [
    .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage, .X509ExtensionID.extendedKeyUsage,
    .X509ExtensionID.subjectKeyIdentifier, .X509ExtensionID.authorityKeyIdentifier,
    .X509ExtensionID.subjectAlternativeName, issuerAlternativeName, crlDistributionPoints,
  ]
}
