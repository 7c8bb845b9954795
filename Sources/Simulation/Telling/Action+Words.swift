import DevicePlatform
import Messaging
import MobileDocument
import ReaderOnboarding
import Vocabulary

extension Action {
  /// The action in words, for the journal.
  public func message(in focus: Focus) -> String { words(in: focus, .identifiers) }

  /// The action in words.
  ///
  /// - Parameters:
  ///   - focus: The page and the device used last before the action.
  ///   - names: The names of the world's parts.
  public func words(in focus: Focus, _ names: WorldNames) -> String {
    switch self {
    case .person(let action): "\(names.actor) \(action.words(in: focus, names))"
    case .page(let action, let website, _, let frame):
      "the \(frame.map { "frame \($0) in the " } ?? "")page of \(names.website(website ?? focus.website)) "
        + action.message
    case .app(let action, let name): "\(name) \(action.words(names))"
    case .requestingApp(let action, let name): "\(name) \(action.message)"
    case .authority(let action, let name): "\(names.issuer(name)) \(action.words(names))"
    case .readerAuthority(.reviews(let decision, let website), let name):
      "\(names.readerAuthority(name)) \(decision.message) the brand of \(names.website(website))"
    case .readerAuthority(.revokes(let website), let name):
      "\(names.readerAuthority(name)) revokes the certificates of \(names.website(website))"
    case .clerk(.compare(let isAlike), let terminal):
      "the clerk at \(terminal.map(names.terminal) ?? "the terminal") sees "
        + (isAlike ? "the person of the portrait" : "another person than the portrait's")
    case .restartServer(let website): "the server of \(names.website(website)) ends and begins again"
    case .website(.apply(let authority), let website):
      "\(names.website(website)) applies to \(names.readerAuthority(authority))"
    case .website(.changeBrand(let name), let website): "\(names.website(website)) changes its brand to \(name)"
    }
  }
}

extension BrandDecision {
  /// The verb for messages.
  fileprivate var message: String {
    switch self {
    case .approves: "approves"
    case .asksForChanges: "asks for changes of"
    case .refuses: "refuses"
    }
  }
}

extension Action.ByPerson {
  fileprivate func words(in focus: Focus, _ names: WorldNames) -> String {
    switch self {
    case .on(let device, .visit(let website, _)) where names.areTitles:
      Self.visit(website: website, device: device).words(in: focus, names)
    case .on(let device, let action): "\(action.words(in: focus, names)) on \(names.device(device))"
    case .visit(let website, let device) where names.areTitles:
      "opens \(names.website(website)) on \(names.device(device ?? focus.device))"
    case .visit(let website, _): "visits \(website)"
    case .open(let app, let device?) where names.areTitles: "opens \(app) on \(names.device(device))"
    case .open(let app, _): "opens \(app)"
    case .tap(let label, let frame): "taps \(label)\(frame.map { " in the frame \($0)" } ?? "")"
    case .browse(let use): use.words(names)
    case .upload(let file): "uploads \(file.name)"
    case .cancelCode: "closes the QR code"
    case .scan(let device, _): "scans the QR code of \(names.device(device))"
    case .showCode: "shows the phone's code"
    case .hold(let terminal, .qrCode): "holds the phone to \(names.terminal(terminal))"
    case .hold(let terminal, .nfc): "holds the phone to \(names.terminal(terminal)), by NFC"
    case .scanText: "scans a QR code from elsewhere"
    case .unlock(let device): "unlocks \(names.device(device))"
    case .carry(let device, let place): "carries \(names.device(device)) \(names.destination(place))"
    case .answerNotification(let device, let isAccepted):
      "\(isAccepted ? "taps" : "declines") the notification on \(names.device(device))"
    case .leaveContinueSheet(let device, let forCode):
      "\(forCode ? "uses a QR code instead of the iPhone" : "cancels") on \(names.device(device))"
    case .touch(let touch): touch.words(names)
    case .wait(let duration): "waits \(duration)"
    case .restart(let device): "restarts \(names.device(device))"
    }
  }
}

extension Action.Touch {
  fileprivate func words(_ names: WorldNames) -> String {
    switch self {
    case .pick(let app): "picks \(app)"
    case .pickAnotherDevice: "continues on another device"
    case .cancelSelector: "cancels the selector"
    case .tap(let label): "taps \(label)"
    case .authorize(let attempt): attempt.words(names)
    case .choose(let document): "chooses \(names.document(document))"
    case .delete(let document, let app): "deletes \(names.document(document)) in \(app)"
    case .answerPrompt(let app, let isAllowed): "\(isAllowed ? "allows" : "does not allow") \(app)"
    case .switchApp(let app, let isOn): "switches \(app) \(isOn ? "on" : "off") in Settings"
    case .turn(let setting, let isOn): "turns \(setting.label) \(isOn ? "on" : "off") in Settings"
    case .install(let app): "installs \(app)"
    case .update(let app): "updates \(app)"
    case .remove(let app): "removes \(app)"
    }
  }
}

extension OwnerAuthentication.Attempt {
  fileprivate func words(_ names: WorldNames) -> String {
    switch result {
    case .succeeds: "authorizes with \(names.method(method))"
    case .fails: "fails to authorize with \(names.method(method))"
    case .cancelled: "cancels \(names.method(method))"
    }
  }
}

extension Action.ByPage {
  fileprivate var message: String {
    switch self {
    case .call(let call): call.message
    case .abort(let reason, "AbortError"): "aborts: \(reason)"
    case .abort(let reason, let name): "aborts with \(name): \(reason)"
    case .change(let change): change.message
    case .replayResponse(let session): "sends the last response again, \(session.message)"
    case .send(let message): "sends \(message.operation.rawValue)"
    }
  }
}

extension Action.PageCall {
  fileprivate var message: String {
    let what = method == .get ? "the API" : "\(method.rawValue)()"
    let options = options == nil ? "" : " with options of its own"
    return "calls \(what) on its own\(options)\(abortedBefore == nil ? "" : ", with an aborted signal")"
  }
}

extension Action.PageChange {
  fileprivate var message: String {
    switch self {
    case .removeFrame(let frame): "removes the frame \(frame)"
    case .reload(let frame): "loads \(frame.map { "the frame \($0)" } ?? "itself") again"
    case .focus(let frame): "moves the focus to \(frame.map { "the frame \($0)" } ?? "itself")"
    case .stop: "stops loading"
    }
  }
}

extension Action.BrowserUse {
  fileprivate func words(_ names: WorldNames) -> String {
    switch self {
    case .openTab(let website): "opens \(names.website(website)) in a new tab"
    case .showTab(let website): "switches to the tab with \(names.website(website))"
    case .closeTab(let website): "closes the tab with \(names.website(website))"
    case .go(let direction): "goes \(direction.rawValue)"
    case .changeWindow(.hidden): "hides the browser's window"
    case .changeWindow(.shown): "shows the browser's window again"
    case .changeWindow(.unfocused): "turns to another window"
    case .changeWindow(.focused): "turns to the browser's window again"
    case .focus(let frame): "moves the focus to \(frame.map { "the frame \($0)" } ?? "the page")"
    case .touch(let frame): "touches \(frame.map { "the frame \($0)" } ?? "the page")"
    case .answerWarning(let continues): continues ? "continues after the warning" : "cancels at the warning"
    }
  }
}

extension Action.ByApp {
  fileprivate func words(_ names: WorldNames) -> String {
    switch self {
    case .add(let registration): "registers a document of type \(names.documentType(registration.documentType))"
    case .remove(let identifier): "removes the registration \(identifier)"
    case .readStatus: "reads its status"
    case .readRegistrations: "reads its registrations"
    case .provision(let document): "gets \(names.document(document)) from its issuer"
    case .renew(let document): "gets a new copy of \(names.document(document)) from its issuer"
    case .respondWithoutConsent: "answers before the person has acted"
    }
  }
}

extension Action.ByRequestingApp {
  fileprivate var message: String {
    switch self {
    case .request: "requests the document on its own"
    case .cancel: "cancels its request"
    case .replay(let session): "sends the last envelope again, \(session.message)"
    }
  }
}

extension Action.ByAuthority {
  fileprivate func words(_ names: WorldNames) -> String {
    switch self {
    case .change(let change, let document, let app, _): "\(change.message) \(names.document(document)) in \(app)"
    }
  }
}

extension Action.ReplayedSession {
  fileprivate var message: String {
    switch self {
    case .same: "to the same session"
    case .new: "to a new session"
    case .otherKind: "to a new session of the other kind"
    }
  }
}
