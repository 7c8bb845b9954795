/// The browser's part in a request for a digital credential, as a pure machine (Digital Credentials, "Credential
/// Request Coordinator"). One mediator serves one top-level traversable with all its frames, so at most one request is
/// pending in the whole page.
///
///     page                 mediator                                platform
///      | get(options) ------> |                                        |
///      |                      | secure context? options converted?     |
///      |                      | the profile's checks, in its order     |
///      |                      | consume activation                     |
///      |                      | present(requests, origin) -----------> | chooser
///      | abort, or gone ----> | dismiss -----------------------------> |
///      | <--- reject(reason)  |                                        |
///      |                      | <------------- response, or an error   |
///      | <- resolve or reject |                                        |
///
/// Effects are to be carried out in the order in which they stand. `resolve` and `reject` settle the promise of their
/// call, each call exactly once; from then on whatever arrives for that call is ignored. The machine is idle again
/// with the same event that settles the pending call.
public struct CredentialMediator: Hashable, Sendable {
  private struct Pending: Hashable, Sendable {
    var call: CallID
    var document: DocumentID
  }

  private enum State: Hashable, Sendable {
    case idle
    case requesting(Pending)
  }

  /// How the browser differs from others.
  public let profile: BrowserProfile

  private var state = State.idle

  /// An idle mediator.
  public init(profile: BrowserProfile = .spec2026) {
    self.profile = profile
  }

  /// The call that the platform is serving; nil when the mediator is idle.
  public var pendingCall: CallID? { pending?.call }

  private var pending: Pending? {
    guard case .requesting(let pending) = state else { return nil }
    return pending
  }

  /// Takes an event and says what to do about it. An event that concerns no pending call has no effect.
  public mutating func receive(_ event: Event) -> [Effect] {
    switch event {
    case .getCalled(let call, let reading, let context):
      // A number that is in use would let one answer settle two promises.
      call == pendingCall ? [] : get(call, reading, context)
    case .signalAborted(let call, let reason):
      call == pendingCall ? abort(call, CredentialRequestException(aborted: reason)) : []
    case .documentInactive(let document):
      pending.flatMap { $0.document == document ? $0 : nil }
        .map { abort($0.call, profile.exception(.documentGone)) } ?? []
    case .platformAnswered(let call, let `protocol`, let response):
      call == pendingCall ? settle(call, `protocol`, response) : []
    case .platformFailed(let call, let error, let detail):
      call == pendingCall ? settle(call, profile.exception(error.code, detail.map(error.code.sentence(adding:)))) : []
    }
  }

  private mutating func get(
    _ call: CallID, _ reading: CredentialRequestOptions.Reading, _ context: CallingContext
  ) -> [Effect] {
    guard context.isSecureContext else { return [.reject(call, profile.exception(.insecureContext))] }
    let options: CredentialRequestOptions
    switch reading {
    case .success(let converted): options = converted
    case .failure(let exception): return [.reject(call, exception)]
    }
    var attempt = GetAttempt(call, options, context, profile: profile, pendingDocument: pending?.document)
    switch attempt.run() {
    case .presents(let request):
      state = .requesting(Pending(call: call, document: context.document))
      return attempt.effects + [.present(call, request)]
    case .resolvesNull: return attempt.effects + [.resolve(call, nil)]
    case .rejects(let exception): return attempt.effects + [.reject(call, exception)]
    }
  }

  private mutating func abort(_ call: CallID, _ exception: CredentialRequestException) -> [Effect] {
    state = .idle
    return [.dismiss(call), .reject(call, exception)]
  }

  private mutating func settle(_ call: CallID, _ exception: CredentialRequestException) -> [Effect] {
    state = .idle
    return [.reject(call, exception)]
  }

  private mutating func settle(_ call: CallID, _ protocolName: String, _ response: [UInt8]) -> [Effect] {
    do {
      let credential = try DigitalCredential(protocol: protocolName, response: response)
      state = .idle
      return [.resolve(call, credential)]
    } catch {
      let code = BrowserCode(rawValue: error.code)
      return settle(call, code.map { profile.exception($0, error.message) } ?? error)
    }
  }
}
