import DevicePlatform
import DigitalCredentials
import JSON
import Messaging
import NearbyDevices
import Primitives
import SimulationKernel
import WebPresentment

/// A browser: loads pages, passes taps to them, mediates between page and operating system, and keeps the raw request.
///
/// ```
/// person --visit, tap--> browser --load, click--> page       a tap on a page is user activation, for a while
/// person --choose file--> browser --choose file--> page      a picture for the page's form
/// page   --navigator.credentials.get--> browser              the mediator checks and consumes the activation
/// browser --announcement--> operating system                 call, protocol and origin; the request stays here
/// sandbox --collect--> browser --request data--> sandbox     the only place that parses it before the person acts
/// operating system --release--> browser --raw request--> app  once, after the person has agreed in the app's view
/// operating system --response or failure--> browser --DigitalCredential or DOMException--> page
/// ```
///
/// A test sets the behavior of the virtual wallet, which may take the platform's place, or order the person what to do:
///
/// ```
/// page    --set virtual wallet behavior--> browser
/// browser --order--> person                                  the app to pick, and the decision in its view
/// ```
///
/// On a Mac or another desktop the client platform takes the operating system's place. It gets the raw request when it has a
/// secure channel to a phone.
actor Browser {
  nonisolated let executor: ActorExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let station: Station
  /// The party that the browser announces calls to: the operating system, or the client platform where the device's own apps
  /// cannot answer.
  private let platform: Party
  private let sandbox: Party
  private let person: Party
  /// Pages by the origin that serves them. A page's own statement about its origin is ignored.
  private let pages: [(origin: Origin, party: Party)]
  private var agent: UserAgent
  private var custody = RequestCustody()
  private var virtualWallet = VirtualWallet()
  /// The newest document of each page.
  private var documents: [Party: DocumentID] = [:]
  private var nextDocument = 1
  private var callers: [Int: Caller] = [:]
  private var nextCall = 1
  /// The documents of frames whose scripts are outside the world.
  private var frames: [Frame: DocumentID] = [:]
  /// The call for which the person has an order.
  private var orderedCall: CallID?

  private struct Caller {
    var page: Party
    var call: Int
    /// The browsing context, as the virtual wallet names it.
    var context: String?
  }

  private struct Frame: Hashable {
    var page: DocumentID
    var context: String?
    var origin: String
  }

  init(
    profile: BrowserProfile, pages: [(origin: Origin, party: Party)], platform: Party, sandbox: Party, person: Party,
    station: Station
  ) {
    executor = station.scheduler.makeExecutor()
    self.station = station
    self.platform = platform
    self.sandbox = sandbox
    self.person = person
    self.pages = pages
    agent = UserAgent(profile: profile)
  }

  func receive(_ message: Message) {
    switch (message.sender.role, message.kind) {
    case (.person, .visit): visit(message)
    case (.person, .tap): tap(message)
    case (.person, .choose): choose(message)
    case (.page, .getCredential): get(message)
    case (.page, .abortCredential): abort(message)
    case (.page, .setVirtualWallet): setVirtualWallet(message)
    case (.sandbox, .collectRequest) where message.sender == sandbox: handToSandbox(message)
    case (.clientPlatform, .collectRequest) where message.sender == platform: handToPlatform(message)
    case (.nearby, .collectRequest) where message.sender == platform: handToPlatform(message)
    case (.nearby, .release) where message.sender == platform: releaseToPlatform(message)
    case (.operatingSystem, .release) where message.sender == platform: release(message)
    case (_, .response) where message.sender == platform: answered(message)
    case (_, .presentmentFailed) where message.sender == platform: failed(message)
    default: station.ignore(message)
    }
  }

  private func visit(_ message: Message) {
    guard let body = message.body(VisitBody.self),
      let page = pages.first(where: { $0.origin.serialized == body.origin })
    else { return station.ignore(message) }
    let document = newDocument()
    documents[page.party] = document
    let source = DocumentSource(.url(page.origin))
    // The document of the page that is left stops being fully active.
    if let front = agent.window.frontPage {
      tell(.page(.navigates(front, to: document, source)))
    } else {
      tell(.page(.opensTab(0, document, source)))
    }
    station.send(.load, [String](), to: page.party)
  }

  private func newDocument() -> DocumentID {
    defer { nextDocument += 1 }
    return DocumentID(rawValue: nextDocument)
  }

  /// Carries out the effects of an event now.
  private func tell(_ event: UserAgent.Event) {
    perform(agent.receive(event, at: .nanoseconds(station.instant.nanosecondsSince1970)))
  }

  /// Records a gesture of the person.
  /// - Returns: The page in front, or nil before the first visit.
  private func interact() -> Party? {
    guard let front = agent.window.frontPage, let page = documents.first(where: { $0.value == front })?.key else {
      return nil
    }
    tell(.page(.interacts(front)))
    return page
  }

  private func tap(_ message: Message) {
    guard let page = interact() else { return station.ignore(message) }
    station.send(.click, bytes: message.bytes, as: MediaType.json, to: page)
  }

  /// Passes a file to the page in front. Sending a form is a gesture, as a tap is.
  private func choose(_ message: Message) {
    guard let page = interact() else { return station.ignore(message) }
    station.send(.choose, bytes: message.bytes, as: message.mediaType, to: page)
  }

  private func get(_ message: Message) {
    guard let body = CalledOptions(message.bytes), let page = documents[message.sender] else {
      return station.ignore(message)
    }
    let call = nextCall
    nextCall += 1
    callers[call] = Caller(page: message.sender, call: body.call, context: body.caller?.context)
    // Each call has a signal of its own, with its number.
    let signal = SignalID(rawValue: call)
    if let aborted = body.caller?.aborted {
      tell(.aborts(signal, AbortReason(name: aborted.name, message: aborted.message)))
    }
    let document = body.caller.flatMap { frame(of: $0, in: page) } ?? page
    tell(
      .called(
        CallID(rawValue: call), .get, CredentialRequestOptions.reading(body.options), by: document, signal: signal,
        reported: body.caller?.state))
  }

  /// The document of a frame whose script is outside the world. The page has the frame from its first call on.
  /// - Returns: nil if the page itself calls, or if it was left.
  private func frame(of caller: CallerFacts, in page: DocumentID) -> DocumentID? {
    guard let origin = caller.frameOrigin, let top = agent.window.document(page) else { return nil }
    let name = Frame(page: page, context: caller.context, origin: origin)
    if let known = frames[name] { return known }
    let document = newDocument()
    let (source, attributes) = caller.frame(with: origin, in: top.origin)
    tell(.page(.addsFrame(document, source, attributes, in: page)))
    guard agent.window.document(document) != nil else { return nil }
    frames[name] = document
    return document
  }

  /// Sets the behavior of the virtual wallet.
  private func setVirtualWallet(_ message: Message) {
    do throws(VirtualWalletError) {
      guard let parameters = try? JSONReader.read(message.bytes) else { return station.ignore(message) }
      carryOut(virtualWallet.receive(try VirtualWalletCommand(parameters: parameters).event))
    } catch {
      let refusal = RefusalBody(code: error.code.rawValue, message: error.message)
      station.send(.refused, refusal, to: message.sender, answering: message)
    }
  }

  private func abort(_ message: Message) {
    guard let body = message.body(AbortBody.self),
      let call = callers.first(where: { $0.value.page == message.sender && $0.value.call == body.call })?.key
    else { return }
    tell(.aborts(SignalID(rawValue: call), AbortReason(name: body.name, message: body.message)))
  }

  /// Hands the request of the pending call to the sandbox.
  private func handToSandbox(_ message: Message) {
    guard let body = message.body(CallReference.self) else { return station.ignore(message) }
    guard let data = custody.handToSandbox(CallID(rawValue: body.call)) else {
      let refusal = RefusalBody(code: "gone", message: "the call has ended, or its request was collected before")
      return station.send(.refused, refusal, to: message.sender, answering: message)
    }
    station.send(
      .requestData, RequestDataBody(call: body.call, requestData: String(decoding: data, as: UTF8.self)),
      to: message.sender, answering: message)
  }

  /// Hands the raw request of the pending call to the client platform, for another device.
  private func handToPlatform(_ message: Message) {
    guard let body = message.body(CallReference.self) else { return station.ignore(message) }
    guard let data = custody.handToClientPlatform(CallID(rawValue: body.call)) else {
      return station.send(
        .refused, RefusalBody(code: "gone", message: "the call has ended"), to: platform, answering: message)
    }
    station.send(
      .requestData, RequestDataBody(call: body.call, requestData: String(decoding: data, as: UTF8.self)),
      to: platform, answering: message)
  }

  /// Hands the raw request of the pending call to the Mac's part in the model of a nearby iPhone. The person agreed there.
  private func releaseToPlatform(_ message: Message) {
    guard let body = message.body(ReleaseBody.self) else { return station.ignore(message) }
    guard let data = custody.handToClientPlatform(CallID(rawValue: body.call)) else {
      return station.send(
        .refused, RefusalBody(code: "gone", message: "the call has ended"), to: platform, answering: message)
    }
    station.send(
      .rawRequest, RawRequestBody(requestData: Base64URL.encode(data)), to: platform, answering: message)
  }

  /// Hands the raw request to the app that the operating system names. Without a pending call the operating system already
  /// has the browser's withdrawal, or gets it now.
  private func release(_ message: Message) {
    guard let body = message.body(ReleaseBody.self),
      let data = custody.handToApp(CallID(rawValue: body.call))
    else { return station.ignore(message) }
    station.send(
      .rawRequest, RawRequestBody(requestData: Base64URL.encode(data)), to: Party(.app, body.app))
  }

  private func answered(_ message: Message) {
    guard let body = message.body(PresentmentResponseBody.self) else {
      return station.ignore(message)
    }
    let data = JSONCoding.encode(SubmittedResponse.ResponseMembers(response: body.response))
    tell(
      .mediator(
        .platformAnswered(CallID(rawValue: body.call), protocol: RequestData.protocolIdentifier, response: data)))
  }

  private func failed(_ message: Message) {
    guard let body = message.body(PresentmentFailedBody.self) else {
      return station.ignore(message)
    }
    let error = PlatformFailure(rawValue: body.error) ?? .unknown
    tell(.mediator(.platformFailed(CallID(rawValue: body.call), error, detail: body.detail)))
  }

  private func perform(_ effects: [CredentialMediator.Effect]) {
    for effect in effects {
      switch effect {
      case .consumeActivation: break
      case .passed(_, let checks):
        for result in agent.profile.results(passed: checks) { station.record(result) }
      case .present(let call, let request):
        carryOut(virtualWallet.receive(.presented(call, request, context: callers[call.rawValue]?.context)))
      case .warnPerson(let call, _):
        // Worlds do not show the page yet; the person continues.
        tell(.mediator(.interstitialAnswered(call, continues: true)))
      case .dismiss(let call):
        carryOut(virtualWallet.receive(.dismissed(call)))
      case .resolve(let call, let credential):
        end(call)
        resolve(call, credential)
      case .reject(let call, let exception, _):
        end(call)
        guard let caller = callers.removeValue(forKey: call.rawValue) else { continue }
        station.record(
          .exception(
            ExceptionEvent(
              name: exception.name.text, code: exception.code.name, message: exception.message, page: caller.page.name))
        )
        station.send(
          .exception,
          ExceptionAnswer(
            call: caller.call, name: exception.name.text, message: exception.message),
          to: caller.page)
      case .warn(_, let message):
        station.note(.browserConsole, message)
      }
    }
  }

  private func carryOut(_ effects: [VirtualWallet.Effect]) {
    for effect in effects {
      switch effect {
      case .settle(let event): tell(.mediator(event))
      case .present(let call, let request, let order):
        if let order {
          orderedCall = call
          station.send(.order, PersonOrderBody(order: order), to: person)
        }
        present(call, request)
      case .dismiss(let call): station.send(.dismiss, CallReference(call: call.rawValue), to: platform)
      }
    }
  }

  /// Drops the request of a call that has ended, and the person's order for it.
  private func end(_ call: CallID) {
    custody.end(call)
    guard orderedCall == call else { return }
    orderedCall = nil
    station.send(.order, PersonOrderBody(), to: person)
  }

  private func present(_ call: CallID, _ context: CredentialRequestContext) {
    // The platform takes one request; the first that its apps can answer is passed on. If a browser accepts a call
    // without any, an empty chooser opens, which the person can only close.
    guard let request = context.answerable else {
      return tell(.mediator(.platformFailed(call, .cancelledByUser)))
    }
    guard context.operation == .get else {
      return tell(.mediator(.platformFailed(call, .nothingCanAnswer, detail: "no app of this platform is an issuer's")))
    }
    custody.keep(request.data, of: call)
    station.send(
      .announce,
      AnnounceBody(
        call: call.rawValue, origin: context.origin.serialized, protocol: request.protocol,
        digest: platform.role == .nearby ? Base64URL.encode(Invitation.digest(of: request.data)) : nil),
      to: platform)
  }

  private func resolve(_ call: CallID, _ credential: DigitalCredential?) {
    guard let caller = callers.removeValue(forKey: call.rawValue), let credential else { return }
    station.send(
      .credential,
      CredentialDelivery(call: caller.call, credential: credential),
      to: caller.page)
  }
}
