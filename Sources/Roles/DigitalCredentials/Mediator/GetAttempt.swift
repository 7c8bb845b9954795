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
