import DevicePlatform
import DigitalCredentials
import JSON

/// A run of one row through the machines of a browser: the page, the mediator and the sandbox of the platform.
struct ChecklistRun {
  private let profile: BrowserProfile
  private var agent: UserAgent
  private var documents: [String: DocumentID] = [:]
  private var now = Duration.zero
  private var calls = 0
  private var nextDocument = 1
  private var outcomes: [Int: String] = [:]
  private var origins: [Int: String] = [:]
  private var data: [Int: String] = [:]
  private var readings: [String] = []
  /// The moment at which the sandbox has parsed a request.
  enum Sandbox {
    /// At once, before the script goes on.
    case isFirst
    /// After an abort that follows the call directly.
    case isLast
  }

  private let sandbox: Sandbox
  /// The refusals that the page has not got yet.
  private var refusals: [(call: CallID, failure: PlatformFailure)] = []

  /// Runs a row.
  /// - Returns: The results that a script sees: those of the calls in their order, then what the script read.
  static func results(of row: ChecklistRow, in profile: BrowserProfile, sandbox: Sandbox = .isFirst) -> String {
    var run = ChecklistRun(profile, sandbox)
    run.load(row.documents)
    for step in row.steps {
      if case .abort = step {} else { run.refuse() }
      run.perform(step)
    }
    run.refuse()
    return run.results
  }

  private init(_ profile: BrowserProfile, _ sandbox: Sandbox) {
    (self.profile, self.sandbox) = (profile, sandbox)
    agent = UserAgent(profile: profile, interstitial: .byRule)
  }

  private var results: String {
    var texts: [(text: String, count: Int)] = []
    for call in stride(from: 1, through: calls, by: 1) {
      let text = outcomes[call] ?? "pending"
      if texts.last?.text == text { texts[texts.count - 1].count += 1 } else { texts.append((text, 1)) }
    }
    let outcomes = texts.map { $0.count == 1 ? $0.text : "\($0.count) x \($0.text)" }.joined(separator: ", ")
    return ((outcomes.isEmpty ? [] : [outcomes]) + readings).joined(separator: "; ")
  }

  private mutating func freshDocument() -> DocumentID {
    defer { nextDocument += 1 }
    return DocumentID(rawValue: nextDocument)
  }

  private mutating func load(_ list: [ChecklistRow.Document]) {
    for document in list {
      let id = freshDocument()
      documents[document.name] = id
      if let container = document.container.flatMap({ documents[$0] }) {
        tell(.page(.addsFrame(id, document.source, document.attributes, in: container)))
      } else {
        tell(.page(.opensTab(1, id, document.source)))
      }
    }
  }

  private mutating func perform(_ step: ChecklistRow.Step) {
    switch step {
    case .gesture(let name): onDocument(name) { .interacts($0) }
    case .focus(let name): onDocument(name) { .focuses($0) }
    case .remove(let name): onDocument(name) { .removesFrame($0) }
    case .stop(let name): onDocument(name) { .stops($0) }
    case .leave:
      let next = freshDocument()
      onDocument("page") { .navigates($0, to: next, DocumentSource(.url(.opaque())), isKept: true) }
    case .back: tell(.page(.travels(1, by: -1, fresh: freshDocument())))
    case .call(let operation, let options, let name): call(operation, options, in: name)
    case .abort(let call, let reason): tell(.aborts(SignalID(rawValue: call), reason))
    case .respond(let call, let name, let response):
      tell(.mediator(.platformAnswered(CallID(rawValue: call), protocol: name, response: Array(response.utf8))))
    case .decline(let call): tell(.mediator(.platformFailed(CallID(rawValue: call), .cancelledByUser)))
    case .activation(let name):
      let isActive = documents[name].map { agent.window.hasTransientActivation($0, at: now) } ?? false
      readings.append(isActive ? "isActive true" : "isActive false")
    case .exists(let interface, let name):
      let exists = documents[name].map { agent.exposes(interface, to: $0) } ?? false
      readings.append(exists ? "exists" : "does not exist")
    case .allows(let names):
      readings.append(names.contains(where: profile.userAgentAllowsProtocol) ? "allowed" : "not allowed")
    case .preventSilentAccess(let name):
      guard let document = documents[name] else { return }
      readings.append(agent.preventSilentAccess(document)?.name.text ?? "resolves")
    case .origin(let call): readings.append("origin \(origins[call] ?? "none")")
    case .data(let call): readings.append(data[call] ?? "no data")
    }
  }

  private mutating func onDocument(_ name: String, _ event: (DocumentID) -> PageWindow.Event) {
    if let document = documents[name] { tell(.page(event(document))) }
  }

  private mutating func call(_ operation: CredentialOperation, _ options: String, in name: String) {
    calls += 1
    guard let document = documents[name] else { return }
    tell(
      .called(
        CallID(rawValue: calls), operation, Self.reading(options, for: operation), by: document,
        signal: SignalID(rawValue: calls)))
  }

  /// The conversion of options in JSON with markers. Large options meet the limit of the reader first.
  private static func reading(_ options: String, for operation: CredentialOperation) -> CredentialRequestOptions.Reading
  {
    let bytes = Array(options.utf8)
    guard bytes.count <= CredentialLimits.optionsBytes, let json = try? JSONReader.read(bytes) else {
      return CredentialRequestOptions.reading(bytes, for: operation)
    }
    return CredentialRequestOptions.reading(PageValue(marked: json), for: operation)
  }

  private mutating func tell(_ event: UserAgent.Event) {
    for effect in agent.receive(event, at: now) {
      switch effect {
      case .present(let call, let request): present(call, request)
      case .warnPerson(let call, _): tell(.mediator(.interstitialAnswered(call, continues: true)))
      case .resolve(let call, let credential):
        outcomes[call.rawValue] = credential.map { "\($0.type) \($0.protocol.rawValue)" } ?? "null"
        data[call.rawValue] = credential.map { String(decoding: $0.data, as: UTF8.self) }
      case .reject(let call, let exception, _): outcomes[call.rawValue] = exception.name.text
      case .consumeActivation, .passed, .dismiss, .warn: break
      }
    }
  }

  /// Validates the requests as the platform's sandbox does. A call with valid requests stays pending.
  private mutating func present(_ call: CallID, _ request: CredentialRequestContext) {
    origins[call.rawValue] = request.origin.serialized
    guard let failure = Self.failure(of: request, in: profile) else { return }
    refusals.append((call, failure))
    if sandbox == .isFirst { refuse() }
  }

  /// Gives the page the refusals of the sandbox. A call that has ended ignores its own.
  private mutating func refuse() {
    let refusals = refusals
    self.refusals = []
    for (call, failure) in refusals { tell(.mediator(.platformFailed(call, failure))) }
  }

  /// The failure of a platform that parses every mobile document request in its sandbox, or nil if the chooser opens.
  /// Requests in other protocols are known and not parsed.
  private static func failure(of request: CredentialRequestContext, in profile: BrowserProfile) -> PlatformFailure? {
    let isValid = request.requests.map { item in
      guard item.protocol == DigitalCredentialPresentationProtocol.mobileDocument.rawValue else { return true }
      do {
        _ = try RequestSandbox.parse(item.data, origin: request.origin.serialized)
        return true
      } catch {
        return false
      }
    }
    switch profile.malformedData {
    // The first invalid request ends the call.
    case .rejectsCall: return isValid.contains(false) ? .invalidRequest : nil
    // Invalid requests are dropped. Without any left the call ends, except where an empty chooser opens.
    case .dropsRequest:
      return isValid.contains(true) || profile.nothingValid == .presentsNothing ? nil : .invalidRequest
    // A wallet answers the request that it can read.
    case .isLeftToPlatform: return isValid.contains(true) ? nil : .invalidRequest
    }
  }
}
