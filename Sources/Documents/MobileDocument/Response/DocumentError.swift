import FoundationEssentials
import Primitives

/// An error that a document cannot be issued, or that an issued document is refused.
public struct DocumentError: CodedError, LocalizedError, Equatable {
  /// The broken rule.
  public enum Code: String, Sendable, CaseIterable {
    /// An element's value does not have the type that its name space defines.
    case elementType = "document.element-type"
    /// The issuing authority does not issue the document.
    case notIssued = "document.not-issued"
    /// The document, its signature or its certificate cannot be read or does not verify.
    case unreadable = "document.unreadable"
    /// A member of the mobile security object is malformed.
    case securityObject = "document.security-object"
    /// The document is bound to another device key.
    case deviceKey = "document.device-key"
    /// The digest of an element does not match.
    case digest = "document.digest"
    /// The document has no element, although the issuer signed the digests of several.
    case noElements = "document.no-elements"
  }

  /// The broken rule.
  public let code: Code
  /// A human-readable description of the error, without element values.
  public let message: String

  /// The element at fault, for example `birth_date of org.iso.18013.5.1`; nil if the error is not about one.
  public let location: String?

  /// Creates an error.
  public init(_ code: Code, _ message: String, location: String? = nil) {
    self.code = code
    self.message = message
    self.location = location
  }

  /// The localized description: the same as ``message``.
  public var errorDescription: String? { message }
}
