/// The document types (`DocType`) with a name in presentment.
public enum DocumentType {
  /// A mobile driving licence (ISO/IEC 18013-5).
  public static let drivingLicence = "org.iso.18013.5.1.mDL"
  /// A photo ID (ISO/IEC 23220-4, annex C).
  public static let photoID = "org.iso.23220.photoid.1"
  /// Person identification data of the European Union.
  public static let personIdentification = "eu.europa.ec.eudi.pid.1"
  /// A proof of age of the European Union.
  public static let ageVerification = "eu.europa.ec.av.1"
}
