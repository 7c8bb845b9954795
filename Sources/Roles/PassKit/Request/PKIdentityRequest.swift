import FoundationEssentials
import Primitives

/// An app's request for a document in Wallet: the description of the document, the nonce of the app's server, and the
/// merchant identifier whose encryption certificate the answer is sealed for.
public final class PKIdentityRequest {
  /// The description of the document.
  public var descriptor: (any PKIdentityDocumentDescriptor)?
  /// The nonce that the app's server drew for this request.
  public var nonce: Data?
  /// The merchant identifier, one of those in the app's entitlement.
  public var merchantIdentifier: String?

  /// Makes an empty request.
  public init() {}

  /// The request as a value.
  var content: IdentityRequest {
    IdentityRequest(
      description: descriptor?.description, nonce: nonce.map { [UInt8]($0) } ?? [],
      merchantIdentifier: merchantIdentifier ?? "")
  }
}

/// The content of a `PKIdentityRequest`, as it goes from the app to the system and from there to Wallet.
public struct IdentityRequest: Sendable, Equatable, Codable {
  /// The description of the document; nil without a descriptor.
  public let description: IdentityDescription?
  /// The nonce.
  public let nonce: [UInt8]
  /// The merchant identifier.
  public let merchantIdentifier: String

  /// Makes a request.
  public init(description: IdentityDescription?, nonce: [UInt8], merchantIdentifier: String) {
    self.description = description
    self.nonce = nonce
    self.merchantIdentifier = merchantIdentifier
  }

  private enum CodingKeys: String, CodingKey { case description, nonce, merchantIdentifier }

  /// Reads a request, with the nonce in base64url.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    description = try container.decodeIfPresent(IdentityDescription.self, forKey: .description)
    let text = try container.decode(String.self, forKey: .nonce)
    guard let nonce = Base64URL.decode(text) else {
      throw DecodingError.dataCorruptedError(forKey: .nonce, in: container, debugDescription: "not base64url")
    }
    self.nonce = nonce
    merchantIdentifier = try container.decode(String.self, forKey: .merchantIdentifier)
  }

  /// Writes the request, with the nonce in base64url.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(description, forKey: .description)
    try container.encode(Base64URL.encode(nonce), forKey: .nonce)
    try container.encode(merchantIdentifier, forKey: .merchantIdentifier)
  }
}
