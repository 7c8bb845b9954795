import FoundationEssentials
import JSON

/// An app's request for a document in Wallet: the description of the document, the nonce of the app's server, and the
/// merchant identifier whose encryption certificate the answer is sealed for.
public final class PKIdentityRequest {
  /// The description of the document.
  public var descriptor: (any PKIdentityDocumentDescriptor)?
  /// The nonce that the app's server drew for this request.
  public var nonce: Data?
  /// The merchant identifier, one of those in the app's entitlement.
  public var merchantIdentifier: String?

  /// Creates an empty request.
  public init() {}

  /// The request as a value.
  var content: IdentityRequest {
    IdentityRequest(
      description: descriptor?.description, nonce: nonce.map { [UInt8]($0) } ?? [],
      merchantIdentifier: merchantIdentifier ?? "")
  }
}

/// The content of a `PKIdentityRequest`, as it goes from the app to the system and from there to Wallet.
public struct IdentityRequest: Sendable, Equatable {
  /// The description of the document; nil without a descriptor.
  public let description: IdentityDescription?
  /// The nonce.
  public let nonce: [UInt8]
  /// The merchant identifier.
  public let merchantIdentifier: String
}

extension IdentityRequest: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member(optional: "description", \.description), Member(base64URL: "nonce", \.nonce),
    Member("merchantIdentifier", \.merchantIdentifier))
}
