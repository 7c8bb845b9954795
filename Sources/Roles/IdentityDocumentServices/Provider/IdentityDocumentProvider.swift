/// The extension of a document provider app: updates the registrations, and has a scene in which the person decides about a
/// request.
///
/// ```swift
/// struct DocumentProviderExtension: IdentityDocumentProvider {
///   var body: some IdentityDocumentRequestScene {
///     ISO18013MobileDocumentRequestScene { context in
///       // Show the requester and the request; then `context.sendResponse` or `context.cancel()`.
///     }
///   }
///
///   func performRegistrationUpdates() async {
///     // Register every document that the system does not know.
///   }
/// }
/// ```
public protocol IdentityDocumentProvider: Sendable {
  /// The type of ``body``.
  associatedtype Body: IdentityDocumentRequestScene

  /// The scene that the system starts for each request that the person picks the app for.
  @IdentityDocumentRequestSceneBuilder var body: Body { get }

  /// Registers every document of the app. The system calls it periodically, and after the person authorizes the app in
  /// Settings. It cannot throw, so it must show its errors itself.
  func performRegistrationUpdates() async
}

extension IdentityDocumentProvider {
  /// Runs the extension's scene for a presentment. For the system and for tests that replace it.
  public func present(_ context: ISO18013MobileDocumentRequestContext) async {
    await body.present(context)
  }
}
