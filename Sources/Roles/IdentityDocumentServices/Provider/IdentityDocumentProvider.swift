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
  public func present(_ context: ISO18013MobileDocumentRequestContext) async { await body.present(context) }
}

/// A part of a provider app's extension that answers requests of one kind.
public protocol IdentityDocumentRequestScene: Sendable {
  /// Runs the scene for a presentment until it answers or cancels. For the system and for tests that replace it.
  func present(_ context: ISO18013MobileDocumentRequestContext) async
}

/// The scene for requests for mobile documents. On a phone its content is a view; here it is a function of the context,
/// which shows the request and answers it.
public struct ISO18013MobileDocumentRequestScene: IdentityDocumentRequestScene {
  private let content: @Sendable (ISO18013MobileDocumentRequestContext) async -> Void

  /// Creates a scene.
  /// - Parameter content: Lets the person decide, and then calls `sendResponse` or `cancel` of the context. A content that
  ///   calls neither leaves the presentment open.
  public init(content: @escaping @Sendable (ISO18013MobileDocumentRequestContext) async -> Void) {
    self.content = content
  }

  /// Runs the content.
  public func present(_ context: ISO18013MobileDocumentRequestContext) async { await content(context) }
}

/// Builds the body of an ``IdentityDocumentProvider``.
@resultBuilder
public struct IdentityDocumentRequestSceneBuilder {
  /// A body of one scene.
  public static func buildBlock<Content: IdentityDocumentRequestScene>(_ content: Content) -> Content { content }

  /// A scene behind a condition.
  public static func buildOptional(
    _ scene: (any IdentityDocumentRequestScene)?
  ) -> some IdentityDocumentRequestScene { ConditionalScene(scene: scene) }

  /// A scene behind an availability check.
  public static func buildLimitedAvailability(
    _ scene: some IdentityDocumentRequestScene
  ) -> any IdentityDocumentRequestScene { scene }
}

/// A scene that may be missing.
private struct ConditionalScene: IdentityDocumentRequestScene {
  let scene: (any IdentityDocumentRequestScene)?

  /// Ends the presentment, because without a scene no code can end it.
  func present(_ context: ISO18013MobileDocumentRequestContext) async {
    guard let scene else { return context.cancel() }
    await scene.present(context)
  }
}
