import FoundationEssentials

/// A registration of a document with the system.
public protocol IdentityDocumentRegistration: Sendable {
  /// What links the registration to a document in the app's own storage.
  var documentIdentifier: String { get }
}

/// Tells the system that an app holds a mobile document, of which type, and whose requests it answers.
public struct MobileDocumentRegistration: IdentityDocumentRegistration, Sendable, Equatable, Codable {
  /// `DocType` (ISO/IEC 18013-5).
  public var mobileDocumentType: String
  /// Authority key identifiers from the document signer chain; a request that names issuers is offered the document
  /// only when it names one of these. At most ``maximumIssuerKeyIdentifiers`` of ``maximumKeyIdentifierLength`` bytes.
  public var supportedIssuerKeyIdentifiers: [Data]
  /// Key identifiers of the reader authorities whose signatures the app demands. Empty when it demands none.
  public var supportedAuthorityKeyIdentifiers: [Data]
  /// What links the registration to a document in the app's own storage.
  public var documentIdentifier: String
  /// From when on the document is not offered until it is registered anew; nil for never.
  public var invalidationDate: Date?

  /// Most issuer key identifiers of a registration.
  public static let maximumIssuerKeyIdentifiers = 1_000
  /// Longest key identifier in bytes: room for SHA-512, where most are SHA-1.
  public static let maximumKeyIdentifierLength = 64

  /// A registration for documents of any issuer.
  ///
  /// - Parameter documentIdentifier: generated when left out; the app finds it again in the store's registrations.
  public init(
    mobileDocumentType: String, supportedAuthorityKeyIdentifiers: [Data],
    documentIdentifier: String = IdentityDocumentServicesHost.makeDocumentIdentifier(),
    invalidationDate: Date? = nil
  ) {
    self.init(
      mobileDocumentType: mobileDocumentType, supportedIssuerKeyIdentifiers: [],
      supportedAuthorityKeyIdentifiers: supportedAuthorityKeyIdentifiers, documentIdentifier: documentIdentifier,
      invalidationDate: invalidationDate)
  }

  /// A registration that names the issuers of its document.
  public init(
    mobileDocumentType: String, supportedIssuerKeyIdentifiers: [Data], supportedAuthorityKeyIdentifiers: [Data],
    documentIdentifier: String = IdentityDocumentServicesHost.makeDocumentIdentifier(),
    invalidationDate: Date? = nil
  ) {
    self.mobileDocumentType = mobileDocumentType
    self.supportedIssuerKeyIdentifiers = supportedIssuerKeyIdentifiers
    self.supportedAuthorityKeyIdentifiers = supportedAuthorityKeyIdentifiers
    self.documentIdentifier = documentIdentifier
    self.invalidationDate = invalidationDate
  }

  /// Most authority key identifiers of a registration: there are not as many reader authorities in the world.
  public static let maximumAuthorityKeyIdentifiers = 1_000
  /// Longest document type and document identifier in bytes.
  public static let maximumNameLength = 256

  /// Whether the registration keeps the limits on its lists and names, and its date is one. A name holds no character
  /// U+0000, at which others would end it.
  public var isWithinLimits: Bool {
    supportedIssuerKeyIdentifiers.count <= Self.maximumIssuerKeyIdentifiers
      && supportedAuthorityKeyIdentifiers.count <= Self.maximumAuthorityKeyIdentifiers
      && (supportedIssuerKeyIdentifiers + supportedAuthorityKeyIdentifiers)
        .allSatisfy { (1...Self.maximumKeyIdentifierLength).contains($0.count) }
      && [mobileDocumentType, documentIdentifier]
        .allSatisfy { (1...Self.maximumNameLength).contains($0.utf8.count) && !$0.utf8.contains(0) }
      && invalidationDate?.timeIntervalSinceReferenceDate.isFinite != false
  }
}
