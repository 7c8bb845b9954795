import OwnWallets
import SimulationKernel

/// An app as its own code knows it: its conduct, and references to the records that its documents are issued from. The issuing
/// authority has the records; the app learns the elements when it gets the document.
package struct AppProgram: Sendable {
  /// A document that the app orders.
  package struct Order: Sendable {
    /// The name in the app, which is also its registration's identifier.
    package let identifier: String
    /// `DocType`.
    package let documentType: String
    /// The name of its issuing authority in the world.
    package let issuer: String
    /// True if the app orders it when it is opened for the first time.
    package let isIssuedAtFirst: Bool
    /// True if the registration ends with the document.
    package let registersInvalidationDate: Bool
    /// True if it was copied from another device, without that device's key.
    package let isCopy: Bool
    /// The purpose of its device key.
    package let deviceKey: WorldDescription.Document.DeviceKeyPurpose
    /// The device key, if the document was issued outside the world.
    package let outsideKey: DeterministicSigningKey?

    init(_ document: WorldDescription.Document) {
      identifier = document.identifier
      documentType = document.documentType
      issuer = document.issuer
      isIssuedAtFirst = document.isIssuedAtFirst
      registersInvalidationDate = document.registersInvalidationDate
      isCopy = document.isCopy
      deviceKey = document.deviceKey
      outsideKey = document.outside?.deviceKey
    }
  }

  /// The name, unique on the device.
  package let name: String
  /// The look of its view.
  package let style: WorldDescription.App.Style
  /// The program outside the world that holds its documents and answers; nil for an app of the world.
  package let outside: WalletTarget?
  /// Reader authorities that it trusts; empty if it also answers unsigned requests.
  package let trustsReaders: [String]
  /// The place where it gets the roots of these authorities.
  package let rootSource: RootSource
  /// The key of these authorities in its registrations.
  package let authorityKey: WorldDescription.App.AuthorityKey
  /// Its conduct towards a website that has the reader certificate of another one.
  package let domainMismatch: WorldDescription.App.DomainMismatch
  /// True if it answers a request in OpenID4VP that its own checks refuse with an error code.
  package let reportsErrors: Bool
  /// True if it refuses the readers of test programmes.
  package let isInProduction: Bool
  /// The documents that it orders.
  package let documents: [Order]

  /// Takes the app's part of a description.
  package init(_ app: WorldDescription.App) {
    name = app.name
    style = app.style
    outside = app.program
    trustsReaders = app.trustsReaders
    rootSource = app.rootSource
    authorityKey = app.authorityKey
    domainMismatch = app.domainMismatch
    reportsErrors = app.reportsErrors
    isInProduction = app.isInProduction
    documents = app.documents.map(Order.init)
  }
}
