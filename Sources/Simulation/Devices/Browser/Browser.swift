import DevicePlatform
import DigitalCredentials
import JSON
import Messaging
import Primitives
import SimulationKernel
import Vocabulary
import WebPresentment

/// A browser: loads pages, passes taps to them, mediates between page and operating system, and keeps the raw request.
///
/// ```
/// person --visit, tap--> browser --load, click--> page       a tap on a page is user activation, for a while
/// person --choose file--> browser --choose file--> page      a picture for the page's form
/// person --use browser--> browser                            tabs, history, focus, and the answer to a warning
/// page   --change page--> browser                            frames that go or load again, focus, window.stop
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
/// Each frame of a page has a script, a party and a document of its own; the machine of the browser's window decides what
/// each of them may do.
///
/// The operating system decides where the answer comes from. The part of the device that asks another device for it gets the
/// raw request when it has a secure channel to that device. On a desktop without provider apps the client platform takes the
/// operating system's place.
package actor Browser: StationedActor {
  package nonisolated let station: Station
  /// The party that the browser announces calls to: the operating system, or the client platform where the device's own apps
  /// cannot answer.
  private let platform: Party
  /// The protocols in which the platform answers.
  private let platformProtocols: [DigitalCredentialPresentationProtocol]
  /// The protocols of the announced requests.
  private var protocols: [CallID: String] = [:]
  /// The parts of the device that ask another device.
  private let otherDevices: OtherDevices
  /// The operating system of a locked device, until the person uses the browser.
  private var locked: Party?
  private var open: OpenPages
  private var agent: UserAgent
  private var custody = RequestCustody()
  private var virtualWallet = VirtualWallet()
  private var nextTab = 1
  private var callers: [Int: Caller] = [:]
  private var nextCall = 1
  /// The page's number of the newest call of each page.
  private var newestCalls: [Party: Int] = [:]
  /// The abort of a call that has not come yet, for each page.
  private var earlyAborts: [Party: CallErrorBody] = [:]
  /// The documents of frames whose scripts are outside the world.
  private var frames: [Frame: DocumentID] = [:]
  /// The call for which the person has an order.
  private var orderedCall: CallID?
  /// The call for which the browser shows a warning.
  private var warnedCall: CallID?

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

  /// The parts of a device that ask another device; nil where the device does not have them.
  package struct OtherDevices: Sendable {
    package var clientPlatform: Party?
    package var nearby: Party?

    package init(clientPlatform: Party?, nearby: Party?) {
      (self.clientPlatform, self.nearby) = (clientPlatform, nearby)
    }
  }

  package init(
    profile: BrowserProfile, interstitial: Interstitial.Setting, pages: [LoadablePage], platform: Party,
    platformProtocols: [DigitalCredentialPresentationProtocol], otherDevices: OtherDevices, locked: Party?,
    station: Station
  ) {
    self.station = station
    self.platform = platform
    self.platformProtocols = platformProtocols
    self.otherDevices = otherDevices
    self.locked = locked
    open = OpenPages(pages)
    agent = UserAgent(profile: profile, interstitial: interstitial)
  }

  package func receive(_ message: Message) {
    if message.sender == Party.person, let system = locked {
      locked = nil
      station.send(.unlocked, [String](), to: system)
    }
    switch (message.sender.role, message.kind) {
    case (.person, .visit): visit(message)
    case (.person, .tap): tap(message)
    case (.person, .choose): choose(message)
    case (.person, .browse): use(message)
    case (.page, .getCredential): call(message)
    case (.page, .abortCredential): abort(message)
    case (.page, .setVirtualWallet): setVirtualWallet(message)
    case (.page, .changePage): change(message)
    case (.sandbox, .collectRequest) where message.sender == station.part(.sandbox):
      custody.answerSandbox(message, of: "the call", at: station)
    case (.clientPlatform, .collectRequest) where message.sender == otherDevices.clientPlatform,
      (.nearby, .collectRequest) where message.sender == otherDevices.nearby:
      handToOtherDevice(message)
    case (.operatingSystem, .release) where message.sender == platform: custody.release(message, at: station)
    case (_, .response) where message.sender == platform: answered(message)
    case (_, .presentmentFailed) where message.sender == platform: failed(message)
    default: station.ignore(message)
    }
  }

  private func visit(_ message: Message) {
    guard let body = message.body(VisitBody.self), let page = open.page(of: body.origin) else {
      return station.ignore(message)
    }
    visit(page, inNewTab: false)
  }

  /// Loads a page in the tab in front, or in a new one.
  private func visit(_ page: LoadablePage, inNewTab: Bool) {
    let document = open.newDocument()
    // The document of the page that is left stops being fully active.
    if let front = agent.window.frontPage, !inNewTab {
      let left = agent.window.document(front).flatMap { open.page(from: $0.source) }
      tell(.page(.navigates(front, to: document, page.source, isKept: left?.isKept ?? false)))
    } else {
      tell(.page(.opensTab(TabID(rawValue: nextTab), document, page.source)))
      nextTab += 1
    }
    begin(page, in: document)
  }

  /// Begins the scripts of a page and of its frames.
  private func begin(_ page: LoadablePage, in document: DocumentID) {
    for loaded in open.load(page, into: document) {
      if let addition = loaded.addition { tell(.page(addition)) }
      begin(loaded)
    }
  }

  /// Begins the script of a document, if its sandbox lets it.
  private func begin(_ loaded: OpenPages.Loaded) {
    guard agent.window.document(loaded.document)?.runsScripts == true else { return }
    station.send(.load, [String](), to: loaded.party)
  }

  /// Carries out the effects of an event now.
  private func tell(_ event: UserAgent.Event) {
    perform(agent.receive(event, at: .nanoseconds(station.instant.nanosecondsSince1970)))
  }

  /// Carries out the effects of a call, and of an abort in the same turn of its script, now.
  private func tell(_ call: UserAgent.Event, aborting abort: UserAgent.Event?) {
    guard let abort else { return tell(call) }
    perform(agent.receive(turn: [call, abort], at: .nanoseconds(station.instant.nanosecondsSince1970)))
  }

  /// The website of the page in front; nil before the first visit.
  package var frontWebsite: String? { agent.window.frontPage.flatMap(open.party(of:))?.website }

  /// The frames of pages that are not shown any more: removed, or in a frame that was removed.
  package var removedFrames: Set<Party> {
    open.parties.filter { open.document(of: $0).flatMap(agent.window.document)?.state == .removed }
  }

  /// The document of the page in front, or of a frame of it.
  private func front(_ frame: String?) -> DocumentID? {
    guard let front = agent.window.frontPage else { return nil }
    return frame.map { open.frame($0, in: front) } ?? front
  }

  /// Records a gesture of the person.
  /// - Returns: The page in front, or the script of a frame of it; nil before the first visit.
  private func interact(in frame: String? = nil) -> Party? {
    guard let document = front(frame), let page = open.party(of: document) else { return nil }
    tell(.page(.interacts(document)))
    return page
  }

  private func tap(_ message: Message) {
    guard let body = message.body(TapBody.self), let page = interact(in: body.frame) else {
      return station.ignore(message)
    }
    station.send(.click, bytes: message.bytes, as: MediaType.json, to: page)
  }

  /// Passes a file to the page in front. Sending a form is a gesture, as a tap is.
  private func choose(_ message: Message) {
    guard let page = interact() else { return station.ignore(message) }
    station.send(.choose, bytes: message.bytes, as: message.mediaType, to: page)
  }

  private func use(_ message: Message) {
    guard let body = station.body(BrowserUseBody.self, of: message) else { return }
    let page = body.origin.flatMap(open.page(of:))
    let tab = page.flatMap { open.document(of: $0.party) }.flatMap(agent.window.document)?.tab
    switch body.use {
    case .openTab:
      guard let page else { return station.ignore(message) }
      visit(page, inNewTab: true)
    case .showTab:
      guard let tab else { return station.ignore(message) }
      tell(.page(.showsTab(tab)))
    case .closeTab:
      guard let tab else { return station.ignore(message) }
      tell(.page(.closesTab(tab)))
    case .go(let direction): go(direction)
    case .changeWindow(let change): tell(.page(.window(change)))
    case .focus(let frame):
      guard let document = front(frame) else { return station.ignore(message) }
      tell(.page(.focuses(document)))
    case .touch(let frame): guard interact(in: frame) != nil else { return station.ignore(message) }
    case .answerWarning(let continues):
      guard let call = warnedCall else { return station.ignore(message) }
      dismissWarning(of: call)
      tell(.mediator(.interstitialAnswered(call, continues: continues)))
    }
  }

  /// Goes through the history of the tab in front. A page that was not kept is loaded again.
  private func go(_ direction: Action.BrowserUse.Direction) {
    guard let tab = agent.window.frontTab, let left = agent.window.page(of: tab) else { return }
    let fresh = open.newDocument()
    tell(.page(.travels(tab, by: direction == .back ? -1 : 1, fresh: fresh)))
    guard let document = agent.window.page(of: tab), document != left,
      let page = agent.window.document(document).flatMap({ open.page(from: $0.source) })
    else { return }
    if document == fresh { begin(page, in: document) } else { open.restore(page, document) }
  }

  /// Changes a page as its script, or the script of a frame in it, says.
  private func change(_ message: Message) {
    guard let body = message.body(PageChangeBody.self), let document = open.document(of: message.sender) else {
      return station.ignore(message)
    }
    let page = agent.window.pageAround(document)
    func named(_ frame: String?) -> DocumentID? { frame.map { open.frame($0, in: page) } ?? document }
    switch body.change {
    case .removeFrame(let frame):
      guard let frame = named(frame) else { return station.ignore(message) }
      tell(.page(.removesFrame(frame)))
    case .reload(nil) where document == page:
      guard let loaded = agent.window.document(page).flatMap({ open.page(from: $0.source) }) else { return }
      let new = open.newDocument()
      tell(.page(.navigates(page, to: new, loaded.source)))
      begin(loaded, in: new)
    case .reload(let frame):
      guard let name = frame ?? message.sender.frame?.name,
        let (loaded, old, source) = open.reload(frame: name, in: page)
      else { return station.ignore(message) }
      tell(.page(.navigates(old, to: loaded.document, source)))
      begin(loaded)
    case .focus(let frame):
      guard let frame = named(frame) else { return station.ignore(message) }
      tell(.page(.focuses(frame)))
    case .stop: tell(.page(.stops(document)))
    }
  }

  private func call(_ message: Message) {
    guard let body = CalledOptions(message.bytes), let page = open.document(of: message.sender) else {
      return station.ignore(message)
    }
    let call = nextCall
    nextCall += 1
    callers[call] = Caller(page: message.sender, call: body.call, context: body.caller?.context)
    newestCalls[message.sender] = max(newestCalls[message.sender] ?? 0, body.call)
    // Each call has a signal of its own, with its number.
    let signal = SignalID(rawValue: call)
    if let aborted = body.aborted { tell(.aborts(signal, aborted)) }
    if let early = earlyAborts[message.sender], early.call == body.call {
      earlyAborts[message.sender] = nil
      tell(.aborts(signal, AbortReason(name: early.name, message: early.message)))
    }
    let document = body.caller.flatMap { frame(of: $0, in: page) } ?? page
    let abortion = body.abortion.map { UserAgent.Event.aborts(signal, $0) }
    let called = UserAgent.Event.called(
      CallID(rawValue: call), body.method, body.reading, by: document, signal: signal, reported: body.caller?.state)
    tell(called, aborting: abortion)
  }

  /// The document of a frame whose script is outside the world. The page has the frame from its first call on.
  /// - Returns: Nil if the page itself calls, or if it was left.
  private func frame(of caller: CallerFacts, in page: DocumentID) -> DocumentID? {
    guard let origin = caller.frameOrigin, let top = agent.window.document(page) else { return nil }
    let name = Frame(page: page, context: caller.context, origin: origin)
    if let known = frames[name] { return known }
    let document = open.newDocument()
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
      station.refuse(message, code: error.code.rawValue, error.message)
    }
  }

  private func abort(_ message: Message) {
    guard let body = message.body(CallErrorBody.self) else { return }
    guard let call = callers.first(where: { $0.value.page == message.sender && $0.value.call == body.call })?.key else {
      // The messages of a script outside the world can overtake each other: its call comes with an aborted signal then.
      if body.call > newestCalls[message.sender] ?? 0 { earlyAborts[message.sender] = body }
      return
    }
    tell(.aborts(SignalID(rawValue: call), AbortReason(name: body.name, message: body.message)))
  }

  /// Hands the raw request of the pending call to the part of the device that asks another one.
  private func handToOtherDevice(_ message: Message) {
    guard let body = station.body(CallReference.self, of: message) else { return }
    guard let data = custody.handToOtherDevice(CallID(rawValue: body.call)) else {
      return station.refuse(message, code: "gone", "the call has ended")
    }
    station.answer(
      message, .requestData, RequestDataBody(call: body.call, requestData: String(decoding: data, as: UTF8.self)))
  }

  private func answered(_ message: Message) {
    guard let body = station.body(PresentmentResponseBody.self, of: message) else { return }
    let call = CallID(rawValue: body.call)
    let asked = protocols[call].flatMap(DigitalCredentialPresentationProtocol.init(rawValue:)) ?? .mobileDocument
    tell(
      .mediator(
        .platformAnswered(
          call, protocol: body.protocol ?? asked.rawValue,
          response: body.data.map { Array($0.utf8) } ?? body.credentialData(in: asked))))
  }

  private func failed(_ message: Message) {
    guard let body = station.body(PresentmentFailedBody.self, of: message) else { return }
    let error = PlatformFailure(rawValue: body.error) ?? .unknown
    tell(.mediator(.platformFailed(CallID(rawValue: body.call), error, detail: body.detail)))
  }

  private func perform(_ effects: [CredentialMediator.Effect]) {
    for effect in effects {
      switch effect {
      case .consumeActivation: break
      case .passed(_, let checks): station.record(agent.profile.results(passed: checks))
      case .present(let call, let request):
        carryOut(virtualWallet.receive(.presented(call, request, context: callers[call.rawValue]?.context)))
      case .warnPerson(let call, let interstitial): warn(call, interstitial)
      case .dismiss(let call): carryOut(virtualWallet.receive(.dismissed(call)))
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
          .exception, CallErrorBody(call: caller.call, name: exception.name.text, message: exception.message),
          to: caller.page)
      case .warn(_, let message): station.note(.browserConsole, message)
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
          station.send(.order, order, to: Party.person)
        }
        present(call, request)
      case .dismiss(let call): station.send(.dismiss, CallReference(call: call.rawValue), to: platform)
      }
    }
  }

  /// Shows the warning before the chooser. A virtual wallet takes the place of both.
  private func warn(_ call: CallID, _ interstitial: Interstitial) {
    let document = agent.document(of: call).flatMap(agent.window.document)
    guard virtualWallet.behavior(for: callers[call.rawValue]?.context) == nil, let document else {
      return tell(.mediator(.interstitialAnswered(call, continues: true)))
    }
    warnedCall = call
    let screen = WarningScreen(interstitial, origin: document.origin, in: station.language)
    station.send(.showWarning, screen, as: MediaType.screen, to: Party.person)
  }

  private func dismissWarning(of call: CallID) {
    guard warnedCall == call else { return }
    warnedCall = nil
    station.send(.dismissWarning, CallReference(call: call.rawValue), to: Party.person)
  }

  /// Drops the request of a call that has ended, its warning, and the person's order for it.
  private func end(_ call: CallID) {
    custody.end(call)
    protocols[call] = nil
    dismissWarning(of: call)
    guard orderedCall == call else { return }
    orderedCall = nil
    station.send(.order, [String: String](), to: Party.person)
  }

  private func present(_ call: CallID, _ context: CredentialRequestContext) {
    // The platform takes one request; the first that its apps can answer is passed on. If a browser accepts a call
    // without any, an empty chooser opens, which the person can only close.
    guard let request = context.answerable(in: platformProtocols) else {
      return tell(.mediator(.platformFailed(call, .cancelledByUser)))
    }
    custody.keep(request.data, of: call)
    protocols[call] = request.protocol
    station.send(
      .announce,
      AnnounceBody(call: call.rawValue, origin: context.origin.serialized, protocol: request.protocol), to: platform)
  }

  private func resolve(_ call: CallID, _ credential: DigitalCredential?) {
    guard let caller = callers.removeValue(forKey: call.rawValue), let credential else { return }
    // The data as the platform or the virtual wallet made it.
    let answer = JSONValue(members: [
      ("call", .number(String(caller.call))), ("data", credential.value),
      ("protocol", .string(credential.protocol.rawValue)),
    ])
    station.send(.credential, answer, to: caller.page)
  }
}
