/// A document provider app's extension: keeps the system's registrations up to date, and has a scene in which the
/// person decides about a request.
///
/// ```swift
/// struct DocumentProviderExtension: IdentityDocumentProvider {
///   var body: some IdentityDocumentRequestScene {
///     ISO18013MobileDocumentRequestScene { context in
///       // Show who asks and for what; then `context.sendResponse` or `context.cancel()`.
///     }
///   }
///
///   func performRegistrationUpdates() async {
///     // Register every document that the system does not know.
///   }
/// }
/// ```
public protocol IdentityDocumentProvider: Sendable {
  /// What ``body`` is.
  associatedtype Body: IdentityDocumentRequestScene

  /// The scene that the system starts for each request that the person picks the app for.
  @IdentityDocumentRequestSceneBuilder var body: Body { get }

  /// Makes sure that every document of the app is registered. The system calls it when the person has allowed the
  /// app in Settings, and from time to time. It cannot throw: an error that it does not show is lost.
  func performRegistrationUpdates() async
}

extension IdentityDocumentProvider {
  /// Starts the extension's scene for a presentment, and returns when the scene is done with it. For whoever stands in
  /// for the system.
  public func present(_ context: ISO18013MobileDocumentRequestContext) async {
    await body.present(context)
  }
}
