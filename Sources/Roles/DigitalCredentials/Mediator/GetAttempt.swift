import Checks
import JSON
import Primitives

/// One call of `get()` on its way through the checks of a profile.
struct GetAttempt {
  /// The end of the checks.
  enum Ending {
    case presents(CredentialRequestContext)
    case resolvesNull
    case rejects(CredentialRequestException)
  }

  private let call: CallID
  private let context: CallingContext
  private let profile: BrowserProfile
  private let pendingDocument: DocumentID?
  private let options: CredentialRequestOptions
  private var candidates: [CandidateRequest]

  private var made: Set<MediatorCheck> = []

  /// The effects of the checks so far: warnings, and the consumption of the activation.
  private(set) var effects: [CredentialMediator.Effect] = []

  /// - Parameter pendingDocument: The document with a pending call, or nil if the mediator is idle.
  init(
    _ call: CallID, _ options: CredentialRequestOptions, _ context: CallingContext, profile: BrowserProfile,
    pendingDocument: DocumentID?
  ) {
    self.call = call
    self.context = context
    self.profile = profile
    self.pendingDocument = pendingDocument
    self.options = options
    candidates = (options.digital?.requests ?? []).enumerated().map { index, request in
      CandidateRequest(path: "digital.requests[\(index)]", request: request)
    }
  }

  mutating func run() -> Ending {
    for check in profile.checks {
      if let ending = apply(check) { return ending }
      made.insert(check)
    }
    return .presents(CredentialRequestContext(requests: candidates.map(\.request), origin: presentedOrigin))
  }

  /// The named checks of which every part was made and passed.
  var passed: Set<BrowserCheck> {
    let missing = Set(profile.checks.filter { !made.contains($0) }.flatMap(\.parts))
    return Set(made.flatMap(\.parts)).subtracting(missing)
  }

  private var presentedOrigin: Origin {
    switch profile.presentedOrigin {
    case .topLevel: context.topLevelOrigin
    case .callingDocument: context.origin
    }
  }

  /// The ending that a check causes, or nil if the call continues.
  private mutating func apply(_ check: MediatorCheck) -> Ending? {
    switch check {
    case .fullyActive: reject(BrowserFinding(.fullyActive, .inactive), unless: context.isFullyActive)
    case .signalNotAborted: context.signalAborted.map { .rejects(CredentialRequestException(aborted: $0)) }
    case .credentialType: reject(BrowserFinding(.credentialType, .missing), unless: options.digital != nil)
    case .singleCredentialType: reject(BrowserFinding(.credentialType, .mixed), unless: options.others.isEmpty)
    case .mediation:
      reject(
        BrowserFinding(.mediation), unless: options.mediation != .conditional || !profile.refusesConditionalMediation)
    case .noActiveCall: reject(BrowserFinding(.singleCall), unless: pendingDocument != context.document)
    case .permissionsPolicy: reject(BrowserFinding(.policy), unless: context.isAllowedByPolicy)
    case .platformAvailable: context.canPresent ? nil : .resolvesNull
    case .protocols: dropProtocols()
    case .tupleOrigin: reject(BrowserFinding(.origin), unless: !context.origin.isOpaque && !presentedOrigin.isOpaque)
    case .userAttention: reject(BrowserFinding(.attention), unless: context.hasUserAttention)
    case .userActivation: consumeActivation()
    case .coordinatorIdle: reject(BrowserFinding(.singleCall), unless: pendingDocument == nil)
    case .dataMembers: checkMembers()
    case .dataForm: checkForm()
    case .requestsRemain:
      reject(
        BrowserFinding(.requests, .noneValid), unless: !candidates.isEmpty || profile.nothingValid == .presentsNothing)
    }
  }

  private func reject(_ finding: BrowserFinding, unless isMet: Bool) -> Ending? {
    isMet ? nil : .rejects(profile.exception(finding))
  }

  private mutating func consumeActivation() -> Ending? {
    guard context.hasTransientActivation else { return reject(BrowserFinding(.userActivation), unless: false) }
    effects.append(.consumeActivation(call))
    return nil
  }

  private mutating func drop(where problem: (CandidateRequest) -> String?) {
    var kept: [CandidateRequest] = []
    for candidate in candidates {
      if let problem = problem(candidate) {
        effects.append(.warn(call, "\(problem) The request was dropped."))
      } else {
        kept.append(candidate)
      }
    }
    candidates = kept
  }

  private mutating func dropProtocols() -> Ending? {
    guard !candidates.isEmpty else { return reject(BrowserFinding(.requests, .empty), unless: false) }
    let isAnyKnown = candidates.contains {
      DigitalCredentialPresentationProtocol(rawValue: $0.request.protocol) != nil
    }
    drop { [profile] candidate in
      guard !profile.userAgentAllowsProtocol(candidate.request.protocol) else { return nil }
      return "\(candidate.path).protocol \(quoted(candidate.request.protocol)) is not allowed by this browser."
    }
    return reject(
      isAnyKnown ? BrowserFinding(.protocol, .notAllowed) : BrowserFinding(.protocol, .unknown),
      unless: !candidates.isEmpty)
  }

  private func checkMembers() -> Ending? {
    guard profile.malformedData != .isLeftToPlatform else { return nil }
    return rejectMalformed(candidates.lazy.compactMap(\.missingMember).first)
  }

  private mutating func checkForm() -> Ending? {
    switch profile.malformedData {
    case .isLeftToPlatform: return nil
    case .rejectsCall: return rejectMalformed(candidates.lazy.compactMap(\.malformedMember).first)
    case .dropsRequest:
      drop(where: \.malformedMember)
      return nil
    }
  }

  private func rejectMalformed(_ problem: String?) -> Ending? {
    problem.map { .rejects(profile.exception(BrowserFinding(.requestData), $0)) }
  }
}

/// A request that has not been dropped, with its path in the options.
///
/// The browser looks at the data of `org-iso-mdoc` only (ISO/IEC TS 18013-7, Annex C): two base64url texts. The platform
/// decodes them.
struct CandidateRequest {
  private static let members = ["deviceRequest", "encryptionInfo"]

  let path: String
  let request: DigitalCredentialGetRequest

  /// A message about the first missing member of the data, or nil if the data has all required members.
  var missingMember: String? {
    requiredMembers.first { request.value.member($0) == nil }.map { "\(path).data.\($0) is required and is missing." }
  }

  /// A message about the first malformed member of the data, or nil if all required members are well-formed.
  var malformedMember: String? {
    for name in requiredMembers {
      guard let value = request.value.member(name) else { return missingMember }
      guard let text = value.text else { return "\(path).data.\(name) must be a string, but is \(value.kind)." }
      if text.isEmpty { return "\(path).data.\(name) must be unpadded base64url, but is empty." }
      if let violation = Base64URL.violation(in: text) {
        return "\(path).data.\(name) must be unpadded base64url, but \(violation)."
      }
    }
    return nil
  }

  private var requiredMembers: [String] {
    switch DigitalCredentialPresentationProtocol(rawValue: request.protocol) {
    case .mobileDocument: Self.members
    case .openID4VPUnsigned, .openID4VPSigned, .openID4VPMultisigned, nil: []
    }
  }
}

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
