/// A part of a provider app's extension that answers requests of one kind.
public protocol IdentityDocumentRequestScene: Sendable {
  /// Runs the scene for a presentment until it answers or cancels. For the system and for tests that replace it.
  func present(_ context: ISO18013MobileDocumentRequestContext) async
}

/// The scene for requests for mobile documents. On a phone its content is a view; here it is a function of the context,
/// which shows the request and answers it.
public struct ISO18013MobileDocumentRequestScene: IdentityDocumentRequestScene {
  private let content: @Sendable (ISO18013MobileDocumentRequestContext) async -> Void

  /// Makes a scene.
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
