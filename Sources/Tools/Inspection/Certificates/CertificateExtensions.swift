import Certificates
import MobileDocument
import Primitives
import SwiftASN1
import X509

extension Outline {
  /// Writes a certificate extension: its meaning if it is known, its bytes otherwise.
  mutating func certificateExtension(_ found: Certificate.Extension) {
    let name = CertificateExtensionName.name(of: found.oid)
    let critical = found.critical ? ", critical" : ""
    let label = name.map { "\($0) (\(found.oid)\(critical))" } ?? "extension \(found.oid)\(critical)"
    line("\(label): \(CertificateExtensionName.meaning(of: found) ?? Printed.bytes(found.value, full: isFull))")
  }
}

/// Names and contents of the certificate extensions of ISO/IEC 18013-5 annex B.
enum CertificateExtensionName {

  private static let names: [ASN1ObjectIdentifier: String] = [
    .X509ExtensionID.subjectKeyIdentifier: "subject key identifier",
    .X509ExtensionID.authorityKeyIdentifier: "authority key identifier",
    .X509ExtensionID.basicConstraints: "basic constraints",
    .X509ExtensionID.keyUsage: "key usage",
    .X509ExtensionID.extendedKeyUsage: "extended key usage",
    .X509ExtensionID.subjectAlternativeName: "subject alternative name",
    CertificateOID.issuerAlternativeName: "issuer alternative name",
    CertificateOID.crlDistributionPoints: "CRL distribution points",
    [2, 5, 29, 32]: "certificate policies",
    [2, 5, 29, 20]: "CRL number",
    [1, 3, 6, 1, 5, 5, 7, 48, 1, 5]: "no revocation check",
    [1, 3, 6, 1, 5, 5, 7, 1, 1]: "authority information access",
    [1, 3, 6, 1, 4, 1, 32473, 18013, 1]: "brand identity of this model",
    [1, 3, 6, 1, 5, 5, 7, 1, 12]: "logotypes",
    [1, 2, 840, 113635, 100, 6, 78]: "elements that the reader may request",
  ]

  /// Purposes of extended key usages (ISO/IEC 18013-5 annex B; ISO/IEC 23220-4).
  private static let purposes: [ASN1ObjectIdentifier: String] = [
    [1, 0, 18013, 5, 1, 2]: "mDL document signer",
    [1, 0, 18013, 5, 1, 4]: "mDL IACA link",
    [1, 0, 18013, 5, 1, 6]: "mDL reader authentication",
    [1, 0, 18013, 5, 1, 7]: "mDL IACA",
    [1, 0, 18013, 5, 1, 8]: "VICAL signer",
    [1, 0, 23220, 4, 1, 2]: "mdoc document signer",
    [1, 0, 23220, 4, 1, 4]: "mdoc IACA link",
    [1, 0, 23220, 4, 1, 6]: "mdoc reader authentication",
    [1, 0, 23220, 4, 1, 7]: "mdoc IACA",
    [1, 0, 23220, 4, 1, 8]: "mdoc VICAL signer",
    [1, 3, 130, 2, 0, 0, 1, 2]: "EU document signer",
    [1, 3, 6, 1, 5, 5, 7, 3, 1]: "TLS server",
    [1, 3, 6, 1, 5, 5, 7, 3, 2]: "TLS client",
    [1, 3, 6, 1, 5, 5, 7, 3, 9]: "OCSP signer",
    [1, 2, 840, 113635, 100, 4, 21]: "Apple reader authentication",
  ]

  /// Returns the name of an extension; nil if it is unknown.
  static func name(of identifier: ASN1ObjectIdentifier) -> String? { names[identifier] }

  /// Returns the meaning of an extension; nil if it cannot be read or is unknown.
  static func meaning(of found: Certificate.Extension) -> String? {
    switch found.oid {
    case .X509ExtensionID.subjectKeyIdentifier: (try? SubjectKeyIdentifier(found)).map { hexadecimal($0.keyIdentifier) }
    case .X509ExtensionID.authorityKeyIdentifier:
      (try? AuthorityKeyIdentifier(found)).map { $0.keyIdentifier.map { hexadecimal($0) } ?? "no key identifier" }
    case .X509ExtensionID.basicConstraints: (try? BasicConstraints(found)).map(constraints)
    case .X509ExtensionID.keyUsage: (try? KeyUsage(found))?.names(orNone: "none")
    case .X509ExtensionID.extendedKeyUsage: (try? ExtendedKeyUsage(found)).map(purposes)
    case .X509ExtensionID.subjectAlternativeName, CertificateOID.issuerAlternativeName: alternativeNames(found)
    case CertificateOID.crlDistributionPoints: distributionPoints(found)
    default: nil
    }
  }

  private static func constraints(_ constraints: BasicConstraints) -> String {
    switch constraints {
    case .isCertificateAuthority(let length?): "authority, path length \(length)"
    case .isCertificateAuthority(nil): "authority, any path length"
    case .notCertificateAuthority: "not an authority"
    }
  }

  private static func purposes(_ usage: ExtendedKeyUsage) -> String {
    let found = usage.map { purpose in
      // A usage from the library's case and one made from its identifier are equal.
      purposes.first { ExtendedKeyUsage.Usage(oid: $0.key) == purpose }.map { "\($0.value) (\($0.key))" }
        ?? Printed.onOneLine(purpose.description)
    }
    return found.isEmpty ? "none" : found.joined(separator: ", ")
  }

  /// The issuer alternative name has the syntax of the subject's (RFC 5280, 4.2.1.7).
  private static func alternativeNames(_ found: Certificate.Extension) -> String? {
    let subject = Certificate.Extension(
      oid: .X509ExtensionID.subjectAlternativeName, critical: found.critical, value: found.value)
    guard let names = try? SubjectAlternativeNames(subject) else { return nil }
    return names.map(shown).joined(separator: ", ")
  }

  private static func shown(_ name: GeneralName) -> String {
    switch name {
    case .dnsName(let text): "DNS \(Printed.quoted(text, full: false))"
    case .rfc822Name(let text): "e-mail \(Printed.quoted(text, full: false))"
    case .uniformResourceIdentifier(let text): "URI \(Printed.quoted(text, full: false))"
    default: Printed.onOneLine(name.description)
    }
  }

  /// The full names of CRL distribution points (RFC 5280, 4.2.1.13).
  private static func distributionPoints(_ found: Certificate.Extension) -> String? {
    let zero = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
    guard let points = try? DER.parse(found.value).children else { return nil }
    let names = points.filter { $0.identifier == .sequence }.flatMap(\.children).filter { $0.identifier == zero }
      .flatMap(\.children).filter { $0.identifier == zero }.flatMap(\.children)
      .compactMap { try? GeneralName(derEncoded: $0) }
    return names.isEmpty ? nil : names.map(shown).joined(separator: ", ")
  }
}
