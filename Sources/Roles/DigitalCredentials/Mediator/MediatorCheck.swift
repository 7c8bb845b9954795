/// A check of a call of `get()`, after the conversion of its options in a secure context.
///
/// `standardOrder` is the order of the standard: Credential Management, "Request a `Credential`", then Digital
/// Credentials, "`[[DiscoverFromExternalSource]]`", "Prepare credential requests" and "Validate credential requests".
public enum MediatorCheck: String, CaseIterable, Hashable, Sendable {
  /// The document is fully active.
  case fullyActive
  /// The signal was not aborted before the call.
  case signalNotAborted
  /// The options ask for a digital credential.
  case credentialType
  /// The options ask for one credential type only.
  case singleCredentialType
  /// Digital credentials support the mediation, in browsers that check it.
  case mediation
  /// No call of the same document is pending ("active credential types").
  case noActiveCall
  /// The permissions policy grants the feature.
  case permissionsPolicy
  /// The platform has a chooser; otherwise the call yields `null`.
  case platformAvailable
  /// At least one request names a protocol that the browser allows; the others are dropped.
  case protocols
  /// The calling origin and the presented origin are not opaque.
  case tupleOrigin
  /// The document is visible and focused.
  case userAttention
  /// The window has transient activation. The check consumes it.
  case userActivation
  /// No call of the page and its frames is pending (the coordinator is idle).
  case coordinatorIdle
  /// The data has the members that its protocol requires.
  case dataMembers
  /// The members of the data have the form that their protocol requires.
  case dataForm
  /// At least one request remains.
  case requestsRemain

  /// The named checks that the check is a part of, or all of.
  var parts: [BrowserCheck] {
    switch self {
    case .fullyActive: [.fullyActive]
    case .signalNotAborted: [.signal]
    case .credentialType, .singleCredentialType: [.credentialType]
    case .mediation: [.mediation]
    case .noActiveCall, .coordinatorIdle: [.singleCall]
    case .permissionsPolicy: [.policy]
    // Without a chooser the call yields null, which is not a failure.
    case .platformAvailable: []
    case .protocols: [.requests, .protocol]
    case .tupleOrigin: [.origin]
    case .userAttention: [.attention]
    case .userActivation: [.userActivation]
    case .dataMembers, .dataForm: [.requestData]
    case .requestsRemain: [.requests]
    }
  }

  /// The checks in the standard's order.
  public static let standardOrder: [MediatorCheck] = allCases

  /// The checks in WebKit's order: the context first, then the list, and a pending call only after the activation.
  static let webKitOrder: [MediatorCheck] = [
    .fullyActive, .signalNotAborted, .credentialType, .singleCredentialType, .mediation, .tupleOrigin,
    .permissionsPolicy, .platformAvailable, .userAttention, .protocols, .userActivation, .dataMembers,
    .coordinatorIdle, .dataForm, .requestsRemain,
  ]
}
