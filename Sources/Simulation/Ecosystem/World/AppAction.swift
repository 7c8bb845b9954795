import MobileDocument
import Primitives

extension World {
  /// Something that an app's own code does, without the person.
  public enum AppAction: Sendable {
    /// Calls `addRegistration`.
    case adds(RegistrationDraft)
    /// Calls `removeRegistration`.
    case removes(String)
    /// Reads the store's `status`.
    case readsStatus
    /// Reads the store's `registrations`.
    case readsRegistrations
    /// Gets a document anew from its issuing authority, for a new key, and registers it.
    case renews(document: String)
    /// Calls `sendResponse` for the view on the screen before the person has acted in it.
    case answersUnasked
  }

  /// A registration that an app's code makes up: of a document that it need not hold.
  public struct RegistrationDraft: Sendable {
    /// `DocType`.
    public var documentType: String
    /// Document identifier; generated when nil.
    public var identifier: String?
    /// Reader authorities whose key identifiers it lists; nil for those that the app trusts.
    public var trustsReaders: [String]?
    /// How many issuer key identifiers it lists; they are made up.
    public var issuerKeyCount = 0
    /// Length of each in bytes.
    public var issuerKeyLength = 20
    /// Invalidation date; nil for never.
    public var invalidation: DateTime?

    /// A registration of a document type.
    public init(documentType: String) { self.documentType = documentType }
  }
}
