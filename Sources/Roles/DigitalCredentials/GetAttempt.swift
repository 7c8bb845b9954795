/// One call of `get()` on its way through the checks of a profile.
struct GetAttempt {
  /// What became of the call.
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

  /// What the checks did on their way: warnings, and the consumption of the activation.
  private(set) var effects: [CredentialMediator.Effect] = []

  /// - Parameter pendingDocument: the document whose call is pending; nil when the mediator is idle.
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
    }
    return .presents(CredentialRequestContext(requests: candidates.map(\.request), origin: presentedOrigin))
  }

  private var presentedOrigin: Origin {
    switch profile.presentedOrigin {
    case .topLevel: context.topLevelOrigin
    case .callingDocument: context.origin
    }
  }

  /// The ending that a check brings about; nil when the call goes on.
  private mutating func apply(_ check: MediatorCheck) -> Ending? {
    switch check {
    case .fullyActive: reject(.notFullyActive, unless: context.isFullyActive)
    case .signalNotAborted: context.signalAborted.map { .rejects(CredentialRequestException(aborted: $0)) }
    case .credentialType: reject(.noCredentialType, unless: options.digital != nil)
    case .singleCredentialType: reject(.mixedCredentialTypes, unless: options.others.isEmpty)
    case .mediation:
      reject(
        .conditionalMediation, unless: options.mediation != .conditional || !profile.refusesConditionalMediation)
    case .noActiveCall: reject(.requestInProgress, unless: pendingDocument != context.document)
    case .permissionsPolicy: reject(.policy, unless: context.isAllowedByPolicy)
    case .platformAvailable: context.canPresent ? nil : .resolvesNull
    case .protocols: dropProtocols()
    case .tupleOrigin: reject(.opaqueOrigin, unless: !context.origin.isOpaque && !presentedOrigin.isOpaque)
    case .userAttention: reject(.notFocused, unless: context.hasUserAttention)
    case .userActivation: consumeActivation()
    case .coordinatorIdle: reject(.requestInProgress, unless: pendingDocument == nil)
    case .dataMembers: checkMembers()
    case .dataForm: checkForm()
    case .requestsRemain:
      reject(.noValidRequests, unless: !candidates.isEmpty || profile.nothingValid == .presentsNothing)
    }
  }

  private func reject(_ code: BrowserCode, unless isMet: Bool) -> Ending? {
    isMet ? nil : .rejects(profile.exception(code))
  }

  private mutating func consumeActivation() -> Ending? {
    guard context.hasTransientActivation else { return reject(.noUserActivation, unless: false) }
    effects.append(.consumeActivation(call))
    return nil
  }

  private mutating func drop(where fault: (CandidateRequest) -> String?) {
    var kept: [CandidateRequest] = []
    for candidate in candidates {
      if let fault = fault(candidate) {
        effects.append(.warn(call, "\(fault) The request was dropped."))
      } else {
        kept.append(candidate)
      }
    }
    candidates = kept
  }

  private mutating func dropProtocols() -> Ending? {
    guard !candidates.isEmpty else { return reject(.noRequests, unless: false) }
    let isAnyKnown = candidates.contains {
      DigitalCredentialPresentationProtocol(rawValue: $0.request.protocol) != nil
    }
    drop { [profile] candidate in
      guard !profile.userAgentAllowsProtocol(candidate.request.protocol) else { return nil }
      return "\(candidate.path).protocol \(quoted(candidate.request.protocol)) is not allowed by this browser."
    }
    return reject(isAnyKnown ? .protocolNotAllowed : .unknownProtocol, unless: !candidates.isEmpty)
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

  private func rejectMalformed(_ fault: String?) -> Ending? {
    fault.map { .rejects(profile.exception(.malformedData, $0)) }
  }
}
