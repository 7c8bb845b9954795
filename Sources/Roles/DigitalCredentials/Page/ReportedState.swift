/// The state of a document at a call, as its script finds it in another browser: that of a real page whose calls come here.
///
/// It replaces what the window knows, for this call only. The window has the document and its origin, but sees neither the
/// headers nor the focus and the gestures there.
public struct ReportedState: Hashable, Sendable {
  /// Indicates whether the document is fully active (HTML, "fully active").
  public var isFullyActive: Bool

  /// Indicates whether the document has the person's attention: its page is visible and has the focus.
  public var hasUserAttention: Bool

  /// Indicates whether the window has transient activation (HTML, "transient activation").
  public var hasTransientActivation: Bool

  /// Indicates whether the permissions policy grants the feature of the call.
  public var isAllowedByPolicy: Bool

  /// Creates a state, by default of an active document that the person has just tapped.
  public init(
    isFullyActive: Bool = true, hasUserAttention: Bool = true, hasTransientActivation: Bool = true,
    isAllowedByPolicy: Bool = true
  ) {
    self.isFullyActive = isFullyActive
    self.hasUserAttention = hasUserAttention
    self.hasTransientActivation = hasTransientActivation
    self.isAllowedByPolicy = isAllowedByPolicy
  }
}

extension CallingContext {
  /// Replaces what the window knows with what the document reports. A document that has left the window stays inactive:
  /// the mediator would never hear of its end.
  mutating func replace(with state: ReportedState) {
    isFullyActive = isFullyActive && state.isFullyActive
    hasUserAttention = state.hasUserAttention
    hasFocus = state.hasUserAttention
    isVisible = state.hasUserAttention
    hasTransientActivation = state.hasTransientActivation
    isAllowedByPolicy = state.isAllowedByPolicy
  }
}
