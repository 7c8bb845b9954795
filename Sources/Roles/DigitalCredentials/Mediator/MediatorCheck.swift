/// A check of a call, after the conversion of its options in a secure context. The first that fails ends the call.
///
/// ```
///     standard: get(), create()       WebKit                           issue()
///   1 fullyActive                     fullyActive                      fullyActive
///   2 signalNotAborted                signalNotAborted                 userAttention
///   3 credentialType                  credentialType                   permissionsPolicy
///   4 singleCredentialType            singleCredentialType             signalNotAborted
///   5 mediation                       mediation                        credentialType
///   6 noActiveCall                    tupleOrigin                      userActivation (consumed)
///   7 permissionsPolicy               permissionsPolicy                coordinatorIdle
///   8 platformAvailable               platformAvailable                platformAvailable
///   9 protocols                       userAttention                    tupleOrigin
///  10 tupleOrigin                     protocols                        protocols
///  11 userAttention                   userActivation (consumed)        serializable
///  12 userActivation (consumed)       serializable                     dataMembers
///  13 coordinatorIdle                 dataMembers                      dataForm
///  14 serializable                    coordinatorIdle                  requestsRemain
///  15 dataMembers                     dataForm
///  16 dataForm                        requestsRemain
///  17 requestsRemain
///  then: an interstitial where the browser shows one, and the platform's chooser
/// ```
///
/// The standard's order is that of Credential Management, "Request a `Credential`", then Digital Credentials,
/// "`[[DiscoverFromExternalSource]]`", "Prepare credential requests" and "Validate credential requests". Chromium has it too,
/// with `userAttention` at the end. From `coordinatorIdle` on, a rejection comes from a queued task.
public enum MediatorCheck: String, CaseIterable, Hashable, Sendable {
  /// The document is fully active.
  case fullyActive
  /// The signal was not aborted before the call.
  case signalNotAborted
  /// The options ask for a digital credential, and the browser has the method.
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
  /// The document has the person's attention, as the browser defines it.
  case userAttention
  /// The window has transient activation. The check consumes it.
  case userActivation
  /// No call of the page and its frames is pending (the coordinator is idle).
  case coordinatorIdle
  /// The data can be serialized as JSON.
  case serializable
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
    case .serializable, .dataMembers, .dataForm: [.requestData]
    case .requestsRemain: [.requests]
    }
  }

  /// The checks in the standard's order.
  public static let standardOrder: [MediatorCheck] = allCases

  /// The checks in WebKit's order (`DigitalCredential::discoverFromExternalSource` and `CredentialRequestCoordinator`, 2026):
  /// the context first, then the list, and a pending call only after the activation.
  static let webKitOrder: [MediatorCheck] = [
    .fullyActive, .signalNotAborted, .credentialType, .singleCredentialType, .mediation, .tupleOrigin,
    .permissionsPolicy, .platformAvailable, .userAttention, .protocols, .userActivation, .serializable, .dataMembers,
    .coordinatorIdle, .dataForm, .requestsRemain,
  ]

  /// The checks in Chromium's order: the renderer follows the standard, and the browser's process asks last whether the page
  /// is visible (`DigitalIdentityRequestImpl::Get`, 2026).
  static let chromiumOrder: [MediatorCheck] = standardOrder.filter { $0 != .userAttention } + [.userAttention]

  /// The checks of `issue()`, in the order that its web-platform-tests state (web-platform-tests/wpt, `issue.tentative`, for
  /// w3c-fedid/digital-credentials pull request 546). They do not mention opaque origins; the coordinator refuses those.
  static let issueOrder: [MediatorCheck] = [
    .fullyActive, .userAttention, .permissionsPolicy, .signalNotAborted, .credentialType, .userActivation,
    .coordinatorIdle, .platformAvailable, .tupleOrigin, .protocols, .serializable, .dataMembers, .dataForm,
    .requestsRemain,
  ]
}
