/// The reason of an `AbortSignal` (DOM, "abort reason"), which a rejection hands back to the page unchanged.
public struct AbortReason: Hashable, Sendable {
  /// The name of the reason, such as `AbortError`, or any name that a page gave to its own error.
  public var name: String

  /// The message of the reason.
  public var message: String

  /// A reason that a page gave to `controller.abort(reason)`.
  public init(name: String, message: String) {
    self.name = name
    self.message = message
  }

  /// The reason of `controller.abort()` without an argument: an `AbortError`.
  public static let unspecified = AbortReason(name: "AbortError", message: BrowserCode.aborted.sentence)
}
