import DevicePlatform
import DigitalCredentials
import Primitives

/// A device as its operating system knows it, without the contents of documents.
package struct DeviceManifest: Sendable {
  /// The name in the world.
  package let identifier: String
  /// The selector's interpretation of authority key identifiers.
  package let authorityReading: Selection.AuthorityReading
  /// The evidence that an authority certified a signature.
  package let authoritySignatures: Selection.AuthoritySignatures
  /// True if the system supports document provider apps.
  package let supportsDocumentProviders: Bool
  /// True if the system tells the browser which apps cannot answer, and why.
  package let explainsExceptions: Bool
  /// The apps of the app store.
  package let apps: [AppManifest]

  /// Takes the system's part of a description.
  package init(_ device: WorldDescription.Device) {
    identifier = device.identifier
    authorityReading = device.authorityReading
    authoritySignatures = device.authoritySignatures
    supportsDocumentProviders = device.supportsDocumentProviders
    explainsExceptions = device.explainsExceptions
    apps = device.apps.map(AppManifest.init)
  }

  /// The protocols in which apps on the device answer; that of mobile documents on a device without apps, which may ask
  /// another one.
  package var protocols: [DigitalCredentialPresentationProtocol] {
    apps.isEmpty ? [.mobileDocument] : apps.flatMap(\.answersIn).uniqued()
  }
}

/// An app as its device's operating system knows it: the part of the description that an app store delivers. It says nothing
/// about the person's documents.
package struct AppManifest: Sendable, Equatable {
  /// The name, unique on the device.
  package let name: String
  /// True for the wallet that comes with the system.
  package let isWallet: Bool
  /// The protocols of the requests that it answers.
  package let answersIn: [DigitalCredentialPresentationProtocol]
  /// The document types of its entitlement.
  package let entitlement: [String]
  /// The document types of its next version's entitlement, or nil without a next version.
  package let nextEntitlement: [String]?

  /// Takes the system's part of a description.
  package init(_ app: WorldDescription.App) {
    name = app.name
    isWallet = app.style == .wallet
    answersIn = app.answersIn
    entitlement = app.entitledDocumentTypes
    nextEntitlement = app.nextEntitlement
  }
}
