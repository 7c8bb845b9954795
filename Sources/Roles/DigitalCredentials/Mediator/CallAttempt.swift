import Checks
import JSON
import Primitives

/// One call on its way through the checks of a profile.
struct CallAttempt {
  /// The end of the checks.
  enum Ending {
    case presents(CredentialRequestContext)
    case resolvesNull
    case rejects(CredentialRequestException, CredentialMediator.Delivery)
  }

  private let call: CallID
  private let operation: CredentialOperation
  private let context: CallingContext
  private let profile: BrowserProfile
  private let pendingDocument: DocumentID?
  private let options: CredentialRequestOptions
  private var candidates: [CandidateRequest]

  /// The number of checks that passed, in the profile's order.
  private var made = 0

  /// The effects of the checks so far: warnings, and the consumption of the activation.
  private(set) var effects: [CredentialMediator.Effect] = []

  /// - Parameter pendingDocument: The document with a pending call, or nil if the mediator is idle.
  init(
    _ call: CallID, _ operation: CredentialOperation, _ options: CredentialRequestOptions, _ context: CallingContext,
    profile: BrowserProfile, pendingDocument: DocumentID?
  ) {
    self.call = call
    self.operation = operation
    self.context = context
    self.profile = profile
    self.pendingDocument = pendingDocument
    self.options = options
    candidates = (options.digital?.requests ?? []).enumerated().map { index, request in
      CandidateRequest(path: "\(operation.requestsPath)[\(index)]", request: request)
    }
  }

  mutating func run() -> Ending {
    var delivery = CredentialMediator.Delivery.atOnce
    for check in profile.checks(of: operation) {
      if check == .coordinatorIdle { delivery = .queuedTask }
      switch apply(check) {
      case .passes: made += 1
      case .resolvesNull: return .resolvesNull
      case .rejects(let exception): return .rejects(exception, delivery)
      }
    }
    preferMobileDocuments()
    return .presents(
      CredentialRequestContext(
        requests: candidates.map(\.request), origin: presentedOrigin, operation: operation))
  }

  /// The named checks of which every part was made and passed.
  var passed: Set<BrowserCheck> {
    let checks = profile.checks(of: operation)
    let missing = Set(checks.dropFirst(made).flatMap(\.parts))
    return Set(checks.prefix(made).flatMap(\.parts)).subtracting(missing)
  }

  private var presentedOrigin: Origin {
    switch profile.presentedOrigin {
    case .topLevel: context.topLevelOrigin
    case .callingDocument: context.origin
    }
  }

  /// The outcome of one check.
  private enum Step {
    case passes
    case resolvesNull
    case rejects(CredentialRequestException)
  }

  private mutating func apply(_ check: MediatorCheck) -> Step {
    switch check {
    case .fullyActive: reject(BrowserFinding(.fullyActive, .inactive), unless: context.isFullyActive)
    case .signalNotAborted: context.signalAborted.map { .rejects(CredentialRequestException(aborted: $0)) } ?? .passes
    case .credentialType:
      reject(
        BrowserFinding(.credentialType, .missing),
        unless: options.digital != nil && profile.support(of: operation) == .supported)
    case .singleCredentialType: reject(BrowserFinding(.credentialType, .mixed), unless: options.others.isEmpty)
    case .mediation:
      reject(
        BrowserFinding(.mediation), unless: options.mediation != .conditional || !profile.refusesConditionalMediation)
    case .noActiveCall: reject(BrowserFinding(.singleCall), unless: pendingDocument != context.document)
    case .permissionsPolicy: reject(BrowserFinding(.policy), unless: context.isAllowedByPolicy, operation.policyMessage)
    case .platformAvailable: context.canPresent ? .passes : .resolvesNull
    case .protocols: dropProtocols()
    case .tupleOrigin: reject(BrowserFinding(.origin), unless: !context.origin.isOpaque && !presentedOrigin.isOpaque)
    case .userAttention: reject(BrowserFinding(.attention), unless: hasAttention)
    case .userActivation: consumeActivation()
    case .coordinatorIdle: reject(BrowserFinding(.singleCall), unless: pendingDocument == nil)
    case .serializable: checkSerialization()
    case .dataMembers: checkMembers()
    case .dataForm: checkForm()
    case .requestsRemain:
      reject(
        BrowserFinding(.requests, .noneValid), unless: !candidates.isEmpty || profile.nothingValid == .presentsNothing)
    }
  }

  private func reject(_ finding: BrowserFinding, unless isMet: Bool, _ message: String? = nil) -> Step {
    isMet ? .passes : .rejects(profile.exception(finding, message))
  }

  private var hasAttention: Bool {
    switch profile.attention {
    case .topLevelTraversable: context.hasUserAttention
    case .focusedDocument: context.hasFocus
    case .visibleDocument: context.isVisible
    }
  }

  private mutating func consumeActivation() -> Step {
    guard context.hasTransientActivation else { return reject(BrowserFinding(.userActivation), unless: false) }
    effects.append(.consumeActivation(call))
    return .passes
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

  private mutating func dropProtocols() -> Step {
    guard !candidates.isEmpty else { return reject(BrowserFinding(.requests, .empty), unless: false) }
    let isAnyKnown = candidates.contains { operation.knows($0.request.protocol) }
    drop { [profile, operation] candidate in
      guard !profile.allows(candidate.request.protocol, for: operation) else { return nil }
      return "\(candidate.path).protocol \(quoted(candidate.request.protocol)) is not allowed by this browser."
    }
    return reject(
      isAnyKnown ? BrowserFinding(.protocol, .notAllowed) : BrowserFinding(.protocol, .unknown),
      unless: !candidates.isEmpty, isAnyKnown ? nil : operation.unknownProtocolMessage)
  }

  private func checkSerialization() -> Step {
    for candidate in candidates {
      guard let failure = candidate.request.failure else { continue }
      let exception = profile.exception(
        BrowserFinding(.requestData, .notSerializable), "\(candidate.path).data \(failure.problem).")
      return .rejects(exception.renamed(failure.name))
    }
    return .passes
  }

  private func checkMembers() -> Step {
    guard profile.malformedData != .isLeftToPlatform else { return .passes }
    return rejectMalformed(candidates.lazy.compactMap(\.missingMember).first)
  }

  private mutating func checkForm() -> Step {
    switch profile.malformedData {
    case .isLeftToPlatform: return .passes
    case .rejectsCall: return rejectMalformed(candidates.lazy.compactMap(\.malformedMember).first)
    case .dropsRequest:
      drop(where: \.malformedMember)
      return .passes
    }
  }

  private func rejectMalformed(_ problem: String?) -> Step {
    problem.map { .rejects(profile.exception(BrowserFinding(.requestData), $0)) } ?? .passes
  }

  /// Drops the other protocols of a call that has mobile documents too, in browsers that do so.
  private mutating func preferMobileDocuments() {
    let name = DigitalCredentialPresentationProtocol.mobileDocument.rawValue
    guard profile.prefersMobileDocuments, candidates.contains(where: { $0.request.protocol == name }) else { return }
    drop { candidate in
      guard candidate.request.protocol != name else { return nil }
      return "\(candidate.path).protocol is not \(name), which this browser prefers in a call with several protocols."
    }
  }
}

extension CredentialOperation {
  /// The path of the requests in the argument of the call.
  var requestsPath: String {
    switch self {
    case .get, .create: "digital.requests"
    case .issue: "requests"
    }
  }

  /// Returns whether the standard defines a protocol for the operation.
  func knows(_ name: String) -> Bool {
    switch self {
    case .get: DigitalCredentialPresentationProtocol(rawValue: name) != nil
    case .create, .issue: DigitalCredentialIssuanceProtocol(rawValue: name) != nil
    }
  }

  /// The message about unknown protocols, or nil for the declared one.
  fileprivate var unknownProtocolMessage: String? { self == .get ? nil : "No request names a known issuance protocol." }

  /// The message of a refusal by the permissions policy, or nil for the declared one.
  fileprivate var policyMessage: String? {
    self == .get ? nil : "The permissions policy does not grant \(feature.rawValue) to this document."
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
