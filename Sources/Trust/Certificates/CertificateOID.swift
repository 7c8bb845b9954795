import SwiftASN1
import X509

/// Object identifiers of certificate profiles.
public enum CertificateOID {
  /// Extended key usage of document signers (ISO/IEC 18013-5, B.1.4).
  public static let documentSignerKeyPurpose: ASN1ObjectIdentifier = [1, 0, 18013, 5, 1, 2]
  /// Extended key usage of document signers of any mdoc (ISO/IEC 23220), recommended in addition to the one above.
  public static let mdocSignerKeyPurpose: ASN1ObjectIdentifier = [1, 0, 23220, 4, 1, 2]
  /// Extended key usage of signers of EU person identification data.
  public static let personIdentificationSignerKeyPurpose: ASN1ObjectIdentifier = [1, 3, 130, 2, 0, 0, 1, 2]
  /// Extended key usage of readers (ISO/IEC 18013-5, B.1.7).
  public static let readerKeyPurpose: ASN1ObjectIdentifier = [1, 0, 18013, 5, 1, 6]
  /// Extended key usage of readers of any mdoc (ISO/IEC 23220), recommended in addition to the one above.
  public static let mdocReaderKeyPurpose: ASN1ObjectIdentifier = [1, 0, 23220, 4, 1, 6]
  /// Extended key usages of signers of lists of issuing authorities: the one of ISO/IEC 23220, and the one in use.
  public static let listSignerKeyPurposes: [ASN1ObjectIdentifier] = [[1, 0, 23220, 4, 1, 8], [1, 0, 18013, 5, 1, 8]]
  /// Extended key usage of OCSP responders (RFC 6960, 4.2.2.2).
  public static let responderKeyPurpose: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 3, 9]

  /// Extended key usage of signers of status lists (Token Status List draft, 10.1: `id-kp-oauthStatusSigning`).
  public static let statusSigningKeyPurpose: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 3, 30]

  /// The extended key usages that belong to one role. In the arcs of ISO/IEC 18013-5 and 23220, 2 is for signers, 4 for
  /// links, 6 for readers, 7 for roots and 8 for lists.
  private static let rolePurposes: [ASN1ObjectIdentifier: String] = [
    documentSignerKeyPurpose: "mDL document signer", mdocSignerKeyPurpose: "mdoc document signer",
    personIdentificationSignerKeyPurpose: "signer of EU person identification data",
    [1, 0, 18013, 5, 1, 4]: "mDL IACA link", [1, 0, 23220, 4, 1, 4]: "mdoc IACA link",
    readerKeyPurpose: "mDL reader authentication", mdocReaderKeyPurpose: "mdoc reader authentication",
    [1, 0, 18013, 5, 1, 7]: "mDL IACA", [1, 0, 23220, 4, 1, 7]: "mdoc IACA",
    [1, 0, 18013, 5, 1, 8]: "VICAL signer", [1, 0, 23220, 4, 1, 8]: "mdoc VICAL signer",
    responderKeyPurpose: "OCSP signer", statusSigningKeyPurpose: "status list signer",
  ]

  /// Returns the role that an extended key usage belongs to, or nil if it is unknown.
  static func role(of purpose: ASN1ObjectIdentifier) -> String? { rolePurposes[purpose] }

  /// Returns whether an extended key usage is known to be for something else than documents: another one of `id-kp`
  /// (RFC 5280, 4.2.1.12), for example that of web servers.
  static func isForeign(_ purpose: ASN1ObjectIdentifier) -> Bool {
    role(of: purpose) == nil && purpose.oidComponents.starts(with: [1, 3, 6, 1, 5, 5, 7, 3])
  }

  /// Issuer alternative name (RFC 5280, 4.2.1.7).
  package static let issuerAlternativeName: ASN1ObjectIdentifier = [2, 5, 29, 18]
  /// CRL distribution points (RFC 5280, 4.2.1.13).
  package static let crlDistributionPoints: ASN1ObjectIdentifier = [2, 5, 29, 31]
  /// `id-pkix-ocsp-nocheck`: the responder certificate's revocation is not checked (RFC 6960, 4.2.2.2.1).
  static let noRevocationCheck: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 48, 1, 5]

  /// Extensions that annex B forbids.
  private static let forbiddenExtensions: [ASN1ObjectIdentifier: String] = [
    [2, 5, 29, 33]: "policy mappings", .X509ExtensionID.nameConstraints: "name constraints",
    [2, 5, 29, 36]: "policy constraints", [2, 5, 29, 54]: "inhibit any policy", [2, 5, 29, 46]: "freshest CRL",
  ]

  /// Extensions that may be critical because they are processed: the rules of paths and leaves use constraints, usages
  /// and key identifiers. Alternative names and CRL distribution points do not restrict a path.
  private static let understoodExtensions: Set<ASN1ObjectIdentifier> = [
    .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage, .X509ExtensionID.extendedKeyUsage,
    .X509ExtensionID.subjectKeyIdentifier, .X509ExtensionID.authorityKeyIdentifier,
    .X509ExtensionID.subjectAlternativeName, issuerAlternativeName, crlDistributionPoints,
  ]

  /// Returns the names of the forbidden extensions.
  static func forbiddenExtensions(in extensions: Certificate.Extensions) -> [String] {
    extensions.compactMap { forbiddenExtensions[$0.oid] }
  }

  /// Returns the critical extensions that are not understood.
  static func unknownCriticalExtensions(in extensions: Certificate.Extensions) -> [ASN1ObjectIdentifier] {
    extensions.filter { $0.critical && !understoodExtensions.contains($0.oid) }.map(\.oid)
  }
}
