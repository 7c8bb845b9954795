/// The parties' parts that sign, seal and start processes. A world uses the standard equipment; a world with a faulty
/// party is built with equipment that replaces that party's part.
package struct Equipment: Sendable {
  /// Signs the documents of issuing authorities.
  package var documentIssuer: any DocumentIssuer = StandardDocumentIssuer()
  /// Signs the status lists of issuing authorities.
  package var statusListIssuer: any StatusListIssuer = StandardStatusListIssuer()
  /// Makes the encryption information of verifier servers.
  package var encryptionInfoSource: any EncryptionInfoSource = StandardEncryptionInfoSource()
  /// Signs the requests of verifier servers.
  package var requestSigner: any RequestSigner = StandardRequestSigner()
  /// Builds the responses of provider apps.
  package var responseBuilder: any ResponseBuilder = StandardResponseBuilder()
  /// Starts the sandbox's process on devices that have one.
  package var sandboxLauncher: any SandboxLauncher = StandardSandboxLauncher()

  /// The standard equipment.
  package init() {}
}
