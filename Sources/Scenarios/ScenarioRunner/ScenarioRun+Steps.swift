import Faults
import Invariants
import Messaging
import ScenarioLanguage
import SimulationKernel
import Vocabulary

extension ScenarioRun {
  /// Does a step, or judges its expectation.
  mutating func perform(_ step: Step) throws(Stop) {
    let reason = step.because ?? scenario.because
    switch step.content {
    case .action(let action):
      if case .person(.on(let device, _)) = action { world.turn(to: device) }
      if let failure = obstacle(to: action) { throw stop(failure.because(reason)) }
      mark = world.journal.entries.count
      world.note(step: action.message(in: world.focus))
      try settle(elseSaying: action.failure) { run in try run.world.perform(action) }
      if let device = action.device(in: world.focus) { marks[device] = mark }
      if let failure = judgeEffect(of: action) { throw stop(failure.because(reason)) }
    case .restartWorld:
      mark = world.journal.entries.count
      world.note(step: "the world is restarted from its storage")
      try settle(elseSaying: "the world cannot be restarted") { run in
        run.world = try run.world.restarted()
        return run.world.prepare()
      }
      for device in scenario.world.devices { marks[device.identifier] = mark }
    case .fault(let change):
      // A fault is not an action: expectations still look at the last action.
      world.note(step: change.message)
      try settle(elseSaying: "the fault \(change.fault.id) cannot be injected") { run in
        try run.faults.apply(change, to: run.world, device: run.device)
        return .quiet
      }
    case .expectation(let expected):
      if let failure = failure(of: expected) {
        throw stop(failure.because(reason).corrected(by: correction(of: expected)))
      }
    }
  }

  /// The end of a run by a failure. A run that was interrupted has seen only a part of what is on the screens.
  private func stop(_ failure: ExpectationFailure) -> Stop {
    WorldScheduler.limits?.reason.map(Stop.undecided) ?? .failed(failure)
  }

  /// The failure of an expectation that does not hold, or nil.
  func failure(of expected: Expectation) -> ExpectationFailure? {
    let focus = world.focus
    let judge = expected.device.map { self.judge(on: $0) } ?? judge
    return switch expected {
    case .prompt(let expected): judge.judge(expected, view: world.view())
    case .notification(let expected): judge.judge(expected, view: world.view())
    case .code(let expected): judge.judge(expected, view: world.view())
    case .selector(let expected): judge.judge(expected, view: world.view())
    case .consent(let expected): judge.judge(expected, view: world.view())
    case .website(let expected):
      judge.judge(expected, view: world.view(), website: expected.device.flatMap(focus.website(on:)) ?? website)
    case .inApp(let expected): judge.judge(expected, view: world.view(), app: focus.openApp(on: judge.device))
    case .terminal(let expected): judge.judge(expected, view: world.view(), terminal: focus.terminal)
    case .exception(let expected): judge.judge(expected)
    case .decision(let expected): judge.judge(expected)
    case .messages(let expected): judge.judge(expected)
    case .tally(let expected): judge.judge(expected)
    case .invariants: brokenInvariant
    }
  }

  /// The failure of an invariant that does not hold so far, or nil.
  private var brokenInvariant: ExpectationFailure? {
    let violations = Invariants.violations(in: world.journal, world: scenario.world)
    return violations.first.map {
      ExpectationFailure($0, besides: violations.count - 1, note: "judged up to this step")
    }
  }

  /// Does something in the world that may be impossible.
  private mutating func settle(
    elseSaying message: String, _ body: (inout Self) throws -> WorldScheduler.Outcome
  ) throws(Stop) {
    let outcome: WorldScheduler.Outcome
    do {
      outcome = try body(&self)
    } catch {
      throw .undecided("\(message): \(error)")
    }
    try settle(outcome)
  }
}

extension Action {
  /// The device of an action that was done; nil for an action elsewhere.
  fileprivate func device(in focus: Focus) -> String? {
    switch self {
    case .person, .app, .requestingApp: focus.device
    case .page(_, _, let device, _): device ?? focus.device
    case .authority, .readerAuthority, .restartServer, .website, .clerk: nil
    }
  }

  /// The beginning of the report about an action that the world cannot do.
  fileprivate var failure: String {
    switch self {
    case .restartServer(let website): "the server of \(website) cannot be restarted"
    default: "the action cannot be done"
    }
  }
}

/// Conditions of actions: what must be there before, and what must have happened after.
extension ScenarioRun {
  /// The reason why an action cannot be done, or nil.
  func obstacle(to action: Action) -> ExpectationFailure? {
    switch action {
    case .person(let action): obstacle(to: action)
    case .app(let action, let name): obstacle(to: action, of: name)
    case .requestingApp(_, let name): obstacle(toRequestingApp: name)
    case .page(.replayResponse(.otherKind), let website, _, _):
      scenario.world.requestingApps.contains { $0.server == website ?? world.focus.website }
        ? nil : ExpectationFailure("no requesting app has the server of \(website ?? world.focus.website)")
    case .clerk(_, let name):
      (name ?? world.focus.terminal).flatMap { world.view().screen(ofTerminal: $0) }?.buttons.isEmpty == false
        ? nil
        : ExpectationFailure(
          "no terminal asks the clerk to compare a portrait", note: "give the terminal 'compares-portrait'",
          evidence: judge.latestFailures())
    case .page, .authority, .readerAuthority, .restartServer, .website: nil
    }
  }

  /// The reason why a requesting app cannot act or be opened.
  private func obstacle(toRequestingApp name: String, on chosen: String? = nil) -> ExpectationFailure? {
    let device = chosen ?? device
    let isThere = scenario.world.requestingApps(on: device).contains { $0.name == name }
    return isThere ? nil : ExpectationFailure("\(name) is not on \(device)")
  }

  /// The reason why the person cannot act: the thing to touch is not on the screen.
  private func obstacle(to action: Action.ByPerson) -> ExpectationFailure? {
    switch action {
    // The person has turned to the device.
    case .on(_, let action): return obstacle(to: action)
    case .touch(.pick(let app)):
      guard let selector = world.view().selector(on: device) else {
        return ExpectationFailure("no selector is open to pick \(app) in", evidence: judge.latestFailures())
      }
      if selector.offered.contains(where: { $0.app == app }) { return nil }
      let hidden = selector.hidden.first { $0.app == app }
      return ExpectationFailure(
        "the selector does not offer \(app)", code: hidden?.code, note: hidden?.message,
        evidence: hidden.map { ["it would appear: \($0.remedy)"] } ?? [])
    case .open(let app, let device): return obstacle(toRequestingApp: app, on: device)
    case .touch(.pickAnotherDevice) where world.view().selector(on: device)?.anotherDevice == nil:
      return ExpectationFailure(
        "no selector offers another device", note: "the world needs another iPhone or iPad to ask",
        evidence: judge.latestFailures())
    case .touch(.cancelSelector) where world.view().selector(on: device) == nil:
      return ExpectationFailure("no selector is open to cancel")
    case .scan(let device, let phone):
      guard world.view().code(on: device)?.uri != nil else { return noCode(on: device) }
      return obstacle(toScanWith: phone)
    case .scanText(_, let phone): return obstacle(toScanWith: phone)
    case .cancelCode(let chosen):
      let shown = chosen ?? world.focus.openPage?.device ?? device
      if world.view().code(on: shown) != nil || world.view().codeInPerson(on: shown) != nil { return nil }
      return noCode(on: shown)
    case .carry where !scenario.world.hasBluetooth:
      return ExpectationFailure(
        "the browsers of this world ask their own devices", note: "give the world another device, or a terminal")
    case .showCode, .hold(_, .nfc):
      guard let described = scenario.world.devices.first(where: { $0.identifier == device }),
        !scenario.world.presentsInPerson(described)
      else { return nil }
      return scenario.world.isInPerson
        ? ExpectationFailure("a \(described.kind.rawValue) does not present documents in person")
        : ExpectationFailure("the world has no terminal", note: "give the world 'terminals'")
    case .hold(_, .qrCode) where world.view().codeInPerson(on: device)?.uri == nil:
      return ExpectationFailure("\(device) does not show a code for a terminal", evidence: judge.latestFailures())
    case .answerNotification(let device, _):
      return world.view().notification(on: device) == nil
        ? ExpectationFailure("\(device) shows no notification") : nil
    case .leaveContinueSheet(let device, _):
      return world.view().continueSheet(on: device) == nil
        ? ExpectationFailure("\(device) does not lead to an iPhone") : nil
    case .touch(.authorize(let attempt)):
      guard let view = world.view().authorization(on: device) else {
        return ExpectationFailure("no app asks for consent")
      }
      let way = attempt.method.rawValue
      if view.agreeing.contains(way) { return nil }
      return ExpectationFailure(
        "\(view.app) does not take \(way)", note: "it takes \(view.buttons.joined(separator: ", "))")
    case .touch(.choose(let document)):
      guard let view = world.view().authorization(on: device) else {
        return ExpectationFailure("no app asks for consent")
      }
      if view.documents.contains(where: { $0.identifier == document }) { return nil }
      return ExpectationFailure(
        "\(view.app) does not offer \(document)",
        note: view.documents.isEmpty
          ? "it has no document that can answer"
          : "it offers \(view.documents.map(\.identifier).joined(separator: ", "))")
    case .tap(let label, let frame):
      let view = world.view()
      // The world does not know the buttons of a page whose script is external.
      let isExternal = scenario.world.websites.contains { $0.identifier == website && $0.script == .external }
      if isExternal, world.focus.openApp == nil, view.authorization(on: device) == nil { return nil }
      let front = world.focus.openApp.map { view.screen(ofRequestingApp: $0, on: device) }
      let page =
        frame.map { name in view.frames(of: website, on: device).first { $0.name == name }?.screen }
        ?? view.page(of: website, on: device)
      let labels = view.authorization(on: device)?.buttons ?? (front ?? page)?.buttons ?? []
      if labels.contains(label) { return nil }
      return ExpectationFailure(
        "the screen has no button \(label)",
        note: labels.isEmpty ? "the screen has no button" : "the screen has \(labels.joined(separator: ", "))")
    case .browse(let use): return obstacle(to: use)
    case .upload(let file):
      let view = world.view()
      if view.authorization(on: device) == nil, view.page(of: website, on: device)?.form != nil { return nil }
      return ExpectationFailure("the screen has no form to upload \(file.name) with")
    case .touch(.delete(let document, let app)):
      if world.documents(of: app, on: device).contains(document) { return nil }
      return ExpectationFailure("\(app) on \(device) does not hold a document called \(document)")
    case .touch(.install(let app)), .touch(.update(let app)):
      guard world.settings(of: device).isOn(.flightMode) else { return nil }
      return ExpectationFailure("\(device) cannot get \(app) from the app store", note: "it is in flight mode")
    case .touch(.answerPrompt(let app, _)):
      let asking = world.view().prompt(on: device)?.app
      if asking == app { return nil }
      return ExpectationFailure("no prompt for \(app) is on the screen", note: asking.map { "there is one for \($0)" })
    default: return nil
    }
  }

  /// The reason why the person cannot use the browser's window so.
  private func obstacle(to use: Action.BrowserUse) -> ExpectationFailure? {
    let focus = world.focus
    switch use {
    case .openTab: return nil
    case .showTab(let website), .closeTab(let website):
      if world.view().page(of: website, on: device) != nil { return nil }
      return ExpectationFailure("no tab on \(device) has shown \(website)")
    case .answerWarning:
      if world.view().warning(on: device) != nil { return nil }
      return ExpectationFailure(
        "the browser on \(device) shows no warning", note: "give the device an 'interstitial'",
        evidence: judge.latestFailures())
    case .focus(let frame), .touch(let frame):
      guard let frame, let website = focus.website(on: device) else { break }
      if scenario.world.websites.first(where: { $0.identifier == website })?.page.frames.contains(where: {
        $0.name == frame
      }) ?? false {
        return nil
      }
      return ExpectationFailure("the page of \(website) has no frame \(frame)")
    case .go, .changeWindow: break
    }
    return focus.website(on: device) == nil
      ? ExpectationFailure("nothing is open in the browser on \(device)") : nil
  }

  /// The failure of an action on a QR code that a device does not show.
  private func noCode(on device: String) -> ExpectationFailure {
    ExpectationFailure(
      "\(device) does not show a QR code", note: world.view().code(on: device)?.message,
      evidence: judge.latestFailures())
  }

  /// The reason why a device cannot scan a QR code.
  private func obstacle(toScanWith chosen: String?) -> ExpectationFailure? {
    let phone = chosen ?? world.scanningPhone
    guard let kind = scenario.world.devices.first(where: { $0.identifier == phone })?.kind, !kind.answersOthers else {
      return scenario.world.isCrossDevice
        ? nil : ExpectationFailure("the browsers of this world ask their own devices")
    }
    return ExpectationFailure("a \(kind.rawValue) does not scan QR codes", note: "name the phone with 'with'")
  }

  /// The reason why an app cannot act.
  private func obstacle(to action: Action.ByApp, of name: String) -> ExpectationFailure? {
    guard
      let app = scenario.world.devices.first(where: { $0.identifier == device })?.apps.first(where: { $0.name == name }
      ),
      world.isInstalled(name, on: device)
    else { return ExpectationFailure("\(name) is not on \(device)") }
    switch action {
    case .renew(let document) where !world.documents(of: name, on: device).contains(document):
      return ExpectationFailure("\(name) on \(device) does not have a document called \(document)")
    case .provision(let document) where !app.documents.contains { $0.identifier == document }:
      return ExpectationFailure("the world has no document called \(document) for \(name) on \(device)")
    case .provision(let document) where world.documents(of: name, on: device).contains(document):
      return ExpectationFailure("\(name) on \(device) has \(document) already; an app 'renews' it")
    case .respondWithoutConsent where world.view().authorization(on: device)?.app != name:
      return ExpectationFailure("\(name) does not have a view on the screen to answer from")
    default: return nil
    }
  }

  /// The failure of an action that changed nothing, or nil.
  func judgeEffect(of action: Action) -> ExpectationFailure? {
    if case .authority(let action, let name) = action {
      if judge.hasNoted(action.code) { return nil }
      return ExpectationFailure("the action of \(name) changes nothing", note: judge.reason(of: .issuerStatusKept))
    }
    if case .readerAuthority(let action, let name) = action {
      if judge.hasNoted(action.code) { return nil }
      return ExpectationFailure(
        "the action of \(name) changes nothing", note: judge.reason(of: .readerAuthorityUnchanged))
    }
    guard case .person(var action) = action else { return nil }
    if case .on(_, let there) = action { action = there }
    guard case .touch(let touch) = action else { return nil }
    let (code, message): (NoteCode, String)
    switch touch {
    case .switchApp(let app, let isOn):
      (code, message) = (
        isOn ? .osAppSwitchedOn : .osAppSwitchedOff, "the switch of \(app) in Settings does not change"
      )
    case .turn(let setting, let isOn):
      (code, message) = (.osSettingChanged, "\(setting.label) is \(isOn ? "on" : "off") on \(device) already")
    case .install(let app): (code, message) = (.osAppInstalled, "\(app) is not installed on \(device)")
    case .update(let app): (code, message) = (.osAppUpdated, "\(app) is not updated on \(device)")
    case .remove(let app): (code, message) = (.osAppRemoved, "\(app) is not removed from \(device)")
    default: return nil
    }
    return judge.hasNoted(code)
      ? nil : ExpectationFailure(message, evidence: judge.latestFailures())
  }
}

extension Action.ByReaderAuthority {
  /// The decision of the authority after it has acted.
  fileprivate var code: NoteCode {
    switch self {
    case .reviews: .readerAuthorityReviewed
    case .revokes: .readerAuthorityRevoked
    }
  }
}

extension Action.ByAuthority {
  /// The decision of the authority after it has acted.
  fileprivate var code: NoteCode {
    switch self {
    case .change(.revokes, _, _, _): .issuerRevoked
    case .change(.suspends, _, _, _): .issuerSuspended
    case .change(.reinstates, _, _, _): .issuerReinstated
    }
  }
}
