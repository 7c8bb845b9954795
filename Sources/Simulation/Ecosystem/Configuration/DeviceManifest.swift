import DevicePlatform

/// A device as its operating system knows it, without the contents of documents.
struct DeviceManifest: Sendable {
  /// The name in the world.
  let identifier: String
  /// The selector's interpretation of authority key identifiers.
  let authorityReading: Selection.AuthorityReading
  /// The evidence that an authority certified a signature.
  let authoritySignatures: Selection.AuthoritySignatures
  /// True if the system supports document provider apps.
  let supportsDocumentProviders: Bool
  /// The apps of the app store.
  let apps: [AppManifest]

  /// Takes the system's part of a description.
  init(_ device: WorldDescription.Device) {
    identifier = device.identifier
    authorityReading = device.authorityReading
    authoritySignatures = device.authoritySignatures
    supportsDocumentProviders = device.supportsDocumentProviders
    apps = device.apps.map(AppManifest.init)
  }
}

/// An app as its device's operating system knows it: the part of the description that an app store delivers. It says nothing
/// about the person's documents.
struct AppManifest: Sendable, Equatable {
  /// The name, unique on the device.
  let name: String
  /// True for the wallet that comes with the system.
  let isWallet: Bool
  /// The document types of its entitlement.
  let entitlement: [String]
  /// The document types of its next version's entitlement, or nil without a next version.
  let nextEntitlement: [String]?

  /// Takes the system's part of a description.
  init(_ app: WorldDescription.App) {
    name = app.name
    isWallet = app.style == .wallet
    entitlement = app.entitledDocumentTypes
    nextEntitlement = app.nextEntitlement
  }
}
