import MobileDocument

/// A document of an app in a world, with everything needed to present it outside the world.
public struct ProvisionedDocument: Sendable {
  /// The document's name in the world.
  public let identifier: String
  /// The issuing authority's name in the world, or nil if the app's description no longer has the document.
  public let issuer: String?
  /// `IssuerSigned` as the issuing authority sent it.
  public let issued: [UInt8]
  /// The document as the app keeps it.
  public let held: HeldDocument
  /// The private key that the app presents it with, 32 bytes. It follows from the world's seed, so it is not secret.
  public let deviceKey: [UInt8]
}

extension World {
  /// The documents of an app on a device, in the order of arrival; empty if the app is not installed.
  /// - Throws: an error if the app's storage cannot be read.
  public func provisionedDocuments(of app: String, on device: String) throws -> [ProvisionedDocument] {
    guard isInstalled(app, on: device), let database = parts(of: device)?.memory.documents(of: app) else { return [] }
    let described = description.devices.first { $0.identifier == device }?.apps.first { $0.name == app }?.documents
    return try database.documents().map { stored in
      ProvisionedDocument(
        identifier: stored.identifier, issuer: described?.first { $0.identifier == stored.identifier }?.issuer,
        issued: stored.issued, held: stored.document, deviceKey: stored.deviceKey.rawRepresentation)
    }
  }
}
