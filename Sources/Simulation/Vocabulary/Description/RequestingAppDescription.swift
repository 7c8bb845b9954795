import DevicePlatform
import PassKit

extension WorldDescription {
  /// An app that requests documents in Wallet through PassKit. The server of a website is its server, too.
  public struct RequestingApp: Sendable {
    /// The name.
    public var name: String
    /// The website whose server the app asks for nonces and sends answers to.
    public var server: String
    /// The team identifier of its developer account.
    public var teamIdentifier: String
    /// The merchant identifier of its requests.
    public var merchantIdentifier: String
    /// The requested elements with the intention to store each.
    public var asks: [IdentityDescription.Element] = []
    /// The merchant identifiers of its entitlement; nil for that of its requests.
    public var entitledMerchants: [String]?
    /// The elements of its entitlement; nil for all.
    public var entitledElements: [PKIdentityElement]?
    /// The devices that have it; nil for all.
    public var devices: [String]?
    /// Another app whose server it asks for nonces and sends answers to, as if it were that app.
    public var replaysRequestsOf: String?
    /// The length of its server's nonces in bytes.
    public var nonceLength = defaultNonceLength

    /// The length of a nonce that a server draws.
    public static let defaultNonceLength = 32

    /// Creates an app.
    public init(name: String, server: String, teamIdentifier: String, merchantIdentifier: String) {
      self.name = name
      self.server = server
      self.teamIdentifier = teamIdentifier
      self.merchantIdentifier = merchantIdentifier
    }

    /// The description of the requested document.
    package var description: IdentityDescription {
      IdentityDescription(documentType: PKIdentityDriversLicenseDescriptor().description.documentType, elements: asks)
    }

    /// The app as a device's system knows it.
    package var signature: DevicePlatform.RequestingApp {
      DevicePlatform.RequestingApp(
        name: name, teamIdentifier: teamIdentifier, merchantIdentifiers: entitledMerchants ?? [merchantIdentifier],
        elements: entitledElements)
    }
  }

  /// The requesting apps of a device.
  package func requestingApps(on device: String) -> [RequestingApp] {
    requestingApps.filter { $0.devices?.contains(device) ?? true }
  }

  /// The app that a requesting app claims to be towards a server: another one whose requests it replays, or itself.
  package func claimedApp(of app: RequestingApp) -> RequestingApp {
    app.replaysRequestsOf.flatMap { name in requestingApps.first { $0.name == name } } ?? app
  }
}
