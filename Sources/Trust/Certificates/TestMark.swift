import X509

/// The mark of a test programme in certificates and documents: the country UT, "Utopia", which ISO 3166-1 does not assign.
///
/// The EU's reference programme has it in its authorities (`CN=PID Issuer CA - UT 02, O=EUDI Wallet Reference
/// Implementation, C=UT`), in its signers, and in the documents that they sign. A signer inherits the country of its root
/// (ISO/IEC 18013-5, B.1.1), and a document that of its signer, so no document of the programme is without the mark.
public enum TestMark {
  /// The country in the subject of a certificate, and in the element `issuing_country`.
  public static let country = "UT"

  /// Returns whether a certificate of a path has the mark. The path begins at a trusted certificate, so a leaf cannot
  /// leave the mark out: it is in the root, too.
  public static func isOn(_ path: ValidatedCertificatePath) -> Bool {
    path.certificates.contains { $0.country == country }
  }
}
