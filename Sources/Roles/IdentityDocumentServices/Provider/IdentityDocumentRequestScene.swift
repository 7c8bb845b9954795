/// A part of a provider app's extension that answers requests of one kind.
public protocol IdentityDocumentRequestScene: Sendable {
  /// Runs the scene for a presentment, until it has answered or cancelled. For whoever stands in for the system; an
  /// app only makes scenes.
  func present(_ context: ISO18013MobileDocumentRequestContext) async
}

/// The scene for requests for mobile documents. On a phone its content is a view; here it is what the app does with
/// the context, from showing the request to answering it.
public struct ISO18013MobileDocumentRequestScene: IdentityDocumentRequestScene {
  private let content: @Sendable (ISO18013MobileDocumentRequestContext) async -> Void

  /// A scene from its content.
  /// - Parameter content: lets the person decide, and then calls `sendResponse` or `cancel` of the context. A content
  ///   that calls neither leaves the presentment open.
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

  /// Without a scene there is nothing that could end the presentment, so it ends here.
  func present(_ context: ISO18013MobileDocumentRequestContext) async {
    guard let scene else { return context.cancel() }
    await scene.present(context)
  }
}
