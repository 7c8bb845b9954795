import JSON
import PassKit
import Primitives

/// An app that may request documents in Wallet, as the system knows it: by its signature and its entitlement.
public struct RequestingApp: Sendable, Equatable {
  /// The app's name.
  public let name: String
  /// The team identifier in the app's signature.
  public let teamIdentifier: String
  /// The merchant identifiers of the entitlement.
  public let merchantIdentifiers: [String]
  /// The elements of the entitlement; nil for all.
  public let elements: [PKIdentityElement]?

  /// Creates an app.
  public init(
    name: String, teamIdentifier: String, merchantIdentifiers: [String], elements: [PKIdentityElement]? = nil
  ) {
    self.name = name
    self.teamIdentifier = teamIdentifier
    self.merchantIdentifiers = merchantIdentifiers
    self.elements = elements
  }

  /// Indicates whether the entitlement has an element. The statement about any age counts as one element.
  func isEntitled(to element: PKIdentityElement) -> Bool {
    guard let elements else { return true }
    return elements.contains { $0 == element || $0.threshold != nil && element.threshold != nil }
  }
}

/// A request for Wallet: the app's request, with all that the system knows about the app.
public struct WalletRequest: Sendable, Equatable {
  /// The app's request.
  public let request: IdentityRequest
  /// The team identifier of the app.
  public let teamIdentifier: String
  /// The name of the app.
  public let app: String
  /// The merchant's organization, from the encryption certificate.
  public let organization: String
  /// The encryption key of the merchant identifier, 65 bytes.
  public let recipientKey: [UInt8]

  /// Creates a request for Wallet.
  public init(
    request: IdentityRequest, teamIdentifier: String, app: String, organization: String, recipientKey: [UInt8]
  ) {
    self.request = request
    self.teamIdentifier = teamIdentifier
    self.app = app
    self.organization = organization
    self.recipientKey = recipientKey
  }
}

extension WalletRequest: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("request", \.request), Member("teamIdentifier", \.teamIdentifier), Member("app", \.app),
    Member("organization", \.organization), Member(base64URL: "recipientKey", \.recipientKey))
}
