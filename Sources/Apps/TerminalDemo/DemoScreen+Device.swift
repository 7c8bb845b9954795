import Checks
import DevicePlatform
import InteractiveWorlds
import MobileDocument
import Primitives
import ScenarioLanguage
import Telling
import Vocabulary

/// The screens of the person's devices.
extension DemoScreen {
  /// The screen that asks for the person, or the page that was opened last.
  static func device(_ state: DemoState) -> DemoScreen {
    let view = state.snapshot.view
    let used = state.snapshot.device
    let devices = [used] + state.world.devices.map(\.identifier).filter { $0 != used }
    for device in devices {
      if let prompt = view.prompt(on: device) { return sheet(Self.prompt(prompt, device, state), device, state) }
      if let shown = view.authorization(on: device) { return sheet(authorization(shown, device, state), device, state) }
      if let selector = view.selector(on: device) {
        return sheet(Self.selector(selector, device, state), device, state)
      }
    }
    for device in devices {
      if let shown = view.notification(on: device) { return sheet(notification(shown, device, state), device, state) }
    }
    for device in devices {
      if let shown = view.warning(on: device) { return sheet(warning(shown, device, state), device, state) }
    }
    for device in devices {
      if let code = view.codeInPerson(on: device) {
        return front(codeInPerson(code, device, state), device, nil, state)
      }
      if let code = view.code(on: device) { return front(Self.code(code, device, state), device, code.origin, state) }
      if let shown = view.continueSheet(on: device) { return sheet(continueSheet(shown, device), device, state) }
    }
    for device in devices {
      guard let open = openPage(device, state) else { continue }
      return front(page(open.page, device, state), device, open.address, state)
    }
    return front(home(state), used, nil, state)
  }

  /// The page or the requesting app in front on a device.
  private static func openPage(_ device: String, _ state: DemoState) -> (page: PageScreen, address: String)? {
    let (view, focus) = (state.snapshot.view, state.snapshot.focus)
    if let app = focus.openApp(on: device) { return view.screen(ofRequestingApp: app, on: device).map { ($0, app) } }
    guard let website = focus.website(on: device), let page = view.page(of: website, on: device) else { return nil }
    return (page, state.world.websites.first { $0.identifier == website }?.origin.serialized ?? website)
  }

  /// A screen of a device.
  static func front(_ screen: DemoScreen, _ device: String, _ address: String?, _ state: DemoState) -> DemoScreen {
    var screen = screen
    let isDesktop = state.world.devices.first { $0.identifier == device }.map { !$0.kind.answersOthers } ?? false
    screen.device = Device(
      title: state.names.device(device), isDesktop: isDesktop,
      time: String(state.snapshot.now.description.dropFirst(11).prefix(5)),
      isInFlightMode: state.snapshot.settings[device]?.isOn(.flightMode) ?? false,
      address: address?.withoutScheme)
    return screen
  }

  /// A sheet over the page of a device.
  private static func sheet(_ screen: DemoScreen, _ device: String, _ state: DemoState) -> DemoScreen {
    let open = openPage(device, state)
    var screen = front(screen, device, open?.address, state)
    screen.device?.behind = open.map { page($0.page, device, state).lines } ?? []
    return screen
  }

  /// An action of the person on a device, which need not be the device used last.
  static func act(_ action: Action.ByPerson, _ device: String, _ state: DemoState) -> DemoAction {
    .step(device == state.snapshot.device ? action : .on(device, action))
  }

  private static func home(_ state: DemoState) -> DemoScreen {
    let devices = state.devicesInUse
    let keys = Array("n23456789")
    var places = state.world.websites.map { website in
      ("open \(state.names.website(website.identifier))", visit(website.identifier, devices))
    }
    // The website of the last visit, at first the world's first, is the likeliest.
    if let last = state.world.websites.firstIndex(where: { $0.identifier == state.snapshot.website }) {
      places.insert(places.remove(at: last), at: 0)
    }
    let apps = state.world.requestingApps(on: state.snapshot.device)
    places += apps.map { ("open \($0.name)", .open(app: $0.name, device: nil)) }
    let choices = zip(keys, places).map { key, place in Choice(key: key, label: place.0, action: .step(place.1)) }
    let device = devices.areDifferent ? devices.browsing : state.snapshot.device
    return DemoScreen(
      title: state.says(.browser, on: device),
      lines: [Line("\(state.names.device(device)), with nothing open yet.", .quiet)],
      choices: choices + inPerson(state))
  }

  private static func visit(_ website: String, _ devices: DevicesInUse) -> Action.ByPerson {
    .visit(website: website, device: devices.areDifferent ? devices.browsing : nil)
  }

  /// The QR code on the device with the browser. The person scans it with the phone.
  private static func code(_ screen: QRCodeScreen, _ device: String, _ state: DemoState) -> DemoScreen {
    var choices = closing(screen, device)
    if screen.uri != nil {
      let answering = state.devicesInUse.answering
      // A phone cannot scan its own screen.
      let phone =
        answering != device
        ? answering
        : state.world.devices.first { $0.kind.answersOthers && $0.identifier != device }?.identifier
      if let phone {
        let scan = Action.ByPerson.scan(device: device, phone: phone)
        choices.insert(Choice(key: "s", label: "scan it with \(state.names.device(phone))", action: .step(scan)), at: 0)
      }
    }
    return DemoScreen(
      title: screen.says(.browserOn, ["device": state.names.device(device)]), code: screen.uri.map(Code.init),
      lines: [Line(screen.origin.withoutScheme, .heading), Line(screen.says(screen.message))], choices: choices)
  }

  /// The iPhone's notification about a request on another device.
  private static func notification(_ screen: NotificationScreen, _ device: String, _ state: DemoState) -> DemoScreen {
    let choices = zip("ad", screen.buttons).map { key, label in
      Choice(
        key: key, label: screen.says(label),
        action: .step(.answerNotification(device: device, isAccepted: label == NotificationScreen.continue)))
    }
    return DemoScreen(
      title: screen.says(.notification),
      lines: [
        Line(state.names.titled(screen.says(screen.title)), .heading), Line(screen.origin.withoutScheme),
        Line(screen.says(screen.model), .quiet),
      ], choices: choices)
  }

  /// The browser's warning before the chooser.
  private static func warning(_ screen: WarningScreen, _ device: String, _ state: DemoState) -> DemoScreen {
    let choices = zip("ac", screen.buttons).map { key, label in
      Choice(
        key: key, label: screen.says(label),
        action: act(.browse(.answerWarning(continues: label == WarningScreen.continue)), device, state))
    }
    return DemoScreen(
      title: screen.says(.browser),
      lines: [Line(screen.origin.withoutScheme, .heading), Line(screen.says(screen.text), .warning)],
      choices: choices)
  }

  /// The Mac's sheet that leads to an iPhone, or to a QR code.
  private static func continueSheet(_ screen: ContinueScreen, _ device: String) -> DemoScreen {
    let choices = screen.buttons.map { label in
      let isCode = label == ContinueScreen.useQRCode
      return Choice(
        key: isCode ? "u" : "c", label: screen.says(label),
        action: .step(.leaveContinueSheet(device: device, forCode: isCode)))
    }
    return DemoScreen(
      title: screen.says(.continueTitle),
      lines: [Line(screen.says(screen.text), .heading), Line(screen.says(screen.model), .quiet)], choices: choices)
  }

  private static func page(_ page: PageScreen, _ device: String, _ state: DemoState) -> DemoScreen {
    let focus = state.snapshot.focus
    let app = focus.openApp(on: device)
    let website = focus.website(on: device) ?? state.snapshot.website
    let icon =
      app.map { state.world.brand(ofRequestingApp: $0)?.icon }
      ?? state.world.websites.first { $0.identifier == website }?.brand.icon
    var lines = BrandPicture.lines(icon: icon ?? "")
    lines += content(of: page, from: website, notice: state.snapshot.view.shownNotice(on: device), state)
    if app == nil, page.step == .identity, page.verdict == nil, page.exception == nil, page.fallback == nil {
      lines.append(Line("It serves you once it knows who you are.", .quiet))
    }
    var choices = page.buttons.enumerated().map { number, button in
      let key: Character? =
        switch page.step {
        case .selection: Character(String((number + 1) % 10))
        case .identity: number == 0 ? "v" : nil
        case .summary, .ordered, .review: number == 0 ? "o" : nil
        }
      return Choice(key: key ?? Character(String(number + 1)), label: button, action: act(.tap(button), device, state))
    }
    if app == nil {
      let frames = frames(of: website, on: device, state)
      lines += frames.lines
      choices += frames.choices
    }
    if let form = page.form {
      choices.append(Choice(key: "u", label: form.button, action: act(.upload(SampleFile.scan.file), device, state)))
    }
    let again: Action.ByPerson =
      app.map { .open(app: $0, device: device) } ?? visit(website, DevicesInUse(state.world.devices, current: device))
    choices.append(Choice(key: "n", label: "once more", action: .step(again)))
    choices += inPerson(state)
    let browser = state.says(.browser, on: device)
    return DemoScreen(title: app ?? "\(browser) · \(page.title)", lines: lines, choices: choices)
  }

  /// The title, the result and the texts of a page.
  static func content(of page: PageScreen, from website: String, notice: String? = nil, _ state: DemoState) -> [Line] {
    var lines = [Line(page.title, .heading)]
    if let item = page.item {
      lines.append(Line([item.name, item.price].filter { !$0.isEmpty }.joined(separator: ", ")))
      if page.step == .identity, page.verdict == nil, !item.detail.isEmpty { lines.append(Line(item.detail, .quiet)) }
    }
    lines += result(of: page, state.checks(of: [website]))
    if let notice { lines.append(Line(notice, .warning)) }
    if let fallback = page.fallback { lines.append(Line(fallback)) }
    if let message = page.form?.message { lines.append(Line("The upload failed: \(message)", .bad)) }
    if let order = page.order { lines.append(Line("Order \(order)", .good)) }
    return lines + (page.notices ?? []).map { Line($0) }
  }

  /// The outcome of the request of a page or of an app.
  private static func result(of page: PageScreen, _ checks: [CheckResult]) -> [Line] {
    var lines: [Line] = []
    if let verdict = page.verdict {
      let isVerified = verdict == "verified"
      lines.append(
        Line((isVerified ? "✓ verified" : "✗ refused: \(page.code ?? "")") + count(checks), isVerified ? .good : .bad))
      lines += (page.verified ?? []).map { Line("  \($0.label): \($0.words)") }
      if !isVerified, let failed = checks.first(where: { $0.status == .failed }) {
        lines.append(Line(failed.message, .bad))
        lines += failed.evidence.flatMap(\.named).map { Line("  \($0.name): \($0.value)", .quiet) }
      }
    }
    if let exception = page.exception {
      lines.append(Line("The call threw \(exception).", .bad))
      if let message = page.exceptionMessage { lines.append(Line(message, .quiet)) }
    }
    if let error = page.error { lines.append(Line("The request ended with \(error).", .bad)) }
    return lines
  }

  /// The number of checks, for the line of the verdict.
  private static func count(_ checks: [CheckResult]) -> String {
    let (count, failed) = (checks.count, checks.count { $0.status == .failed })
    guard count > 0 else { return "" }
    return ", \(count.counted("check")), \(failed == 0 ? "none" : "\(failed)") failed"
  }

  private static func selector(_ selector: SelectorScreen, _ device: String, _ state: DemoState) -> DemoScreen {
    let showsHidden = state.look == .hiddenApps
    let isEmpty = selector.offered.isEmpty && selector.anotherDevice == nil
    var lines = [
      Line(selector.says(selector.origin.withoutScheme), .quiet),
      Line(selector.says(isEmpty ? .noAppCanAnswer : .chooseApp), .heading),
    ]
    var choices: [Choice] = []
    if let notice = selector.notice { lines.append(Line(selector.says(notice), .bad)) }
    for (number, app) in selector.offered.enumerated() {
      lines.append(Line("  \(number + 1)  \(app.app)"))
      lines.append(Line("     \(selector.words(of: app))", .quiet))
      choices.append(
        Choice(
          key: number < 9 ? Character(String(number + 1)) : "?", label: app.app,
          action: act(.touch(.pick(app: app.app)), device, state)))
    }
    if let anotherDevice = selector.anotherDevice.map(selector.says) {
      lines.append(Line("  o  \(anotherDevice)"))
      choices.append(Choice(key: "o", label: anotherDevice, action: act(.touch(.pickAnotherDevice), device, state)))
    }
    if showsHidden {
      lines.append(Line(selector.says(.notShown), .heading))
      if selector.hidden.isEmpty { lines.append(Line("  " + selector.says(.noneNotShown), .quiet)) }
      for app in selector.hidden {
        let message = selector.says(.nameAndText, ["name": app.app, "text": selector.says(app.message)])
        lines.append(Line("  " + message))
        lines.append(Line("    \(app.code)", .warning))
        lines.append(Line("    " + selector.says(.wouldHelp, ["remedy": selector.says(app.remedy)]), .quiet))
      }
    }
    choices.append(
      Choice(
        key: "c", label: selector.says(isEmpty ? .close : .cancel), action: act(.touch(.cancelSelector), device, state))
    )
    if !showsHidden {
      let count = selector.hidden.count
      let label = count == 1 ? selector.says(.oneAppHidden) : selector.says(.appsHidden, ["count": "\(count)"])
      choices.append(Choice(key: "h", label: label, action: .look(.hiddenApps)))
    }
    return DemoScreen(title: selector.says(.appSelector), lines: lines, choices: choices)
  }

  private static func authorization(_ view: AuthorizationScreen, _ device: String, _ state: DemoState) -> DemoScreen {
    var lines = view.icon.map { BrandPicture.lines(icon: $0) } ?? []
    lines.append(Line(view.title.map(view.says) ?? view.says(.asksToSee, ["requester": view.requester]), .heading))
    lines += (view.lines ?? []).map { Line(view.says($0)) }
    if view.title != nil { lines.append(Line(view.requester, .heading)) }
    let asker = Asker(of: view, in: state.world)
    let app = state.world.devices.first { $0.identifier == device }?.apps.first { $0.name == view.app }
    let certifier = asker.certifier(for: app)
    lines.append(
      view.isRequesterCertified
        ? Line(
          "✓ " + (certifier.map { view.says(.nameCertifiedBy, ["authority": $0]) } ?? view.says(.nameCertified)), .good)
        : Line(view.says(.nameNotCertified), .bad))
    lines.append(Line(view.says(.asksFor, ["asker": view.says(view.asker)])))
    for document in view.chosen {
      let names = ["document": view.says(document.title), "issuer": document.issuer]
      lines.append(Line(view.says(.documentFrom, names), .heading))
      if let problem = document.problem { lines.append(Line(view.says(problem), .bad)) }
    }
    // As on the stage: first what will be stored, in the order of the asker's list.
    let given = asker.inOrder(view.given)
    for element in given.filter(\.isRetained) + given.filter({ !$0.isRetained }) {
      let label = view.says(element.label)
      let text = element.storage.map { view.says(.nameAndText, ["name": label, "text": view.says($0)]) } ?? label
      lines.append(Line("  \(element.isRetained ? "●" : "○") \(text)"))
    }
    for element in view.absent {
      let names = ["name": view.says(element.label), "text": view.says(element.storageText)]
      lines.append(Line("  – " + view.says(.nameAndText, names), .quiet))
    }
    if view.given.contains(where: { $0.storage == nil }) { lines.append(Line(view.says(.storageLegend), .quiet)) }
    if let notice = view.notice { lines.append(Line(view.says(notice), .bad)) }
    let agreeing = view.agreeing.enumerated().map { number, button in
      let method = OwnerAuthentication.Method(rawValue: button)
      return Choice(
        key: number == 0 ? "a" : "e", label: method.map { view.says($0.word) } ?? view.says(button),
        action: method.map { .look(.authentication($0)) } ?? act(.tap(button), device, state))
    }
    let others = zip("123456789", view.others).map { key, document in
      Choice(
        key: key, label: view.says(.giveInstead, ["document": view.words(of: document)]),
        action: act(.touch(.choose(document: document.identifier)), device, state))
    }
    let choices =
      agreeing + others
      + view.declining.map { Choice(key: "d", label: view.says($0), action: act(.tap($0), device, state)) }
    return DemoScreen(title: view.app, lines: lines, choices: choices)
  }

  /// The device while it authenticates the person.
  static func authentication(_ method: OwnerAuthentication.Method, _ state: DemoState) -> DemoScreen {
    let shown = state.world.devices.map(\.identifier).first { state.snapshot.view.authorization(on: $0) != nil }
    let device = shown ?? state.snapshot.device
    let language = state.language(of: device)
    func attempt(_ result: OwnerAuthentication.Result) -> DemoAction {
      act(.touch(.authorize(OwnerAuthentication.Attempt(method, result))), device, state)
    }
    let (picture, text, right, wrong): ([String], ScreenWord, String, String) =
      switch method {
      case .passcode: ([], .enterPasscodeToHandOver, "the right one", "a wrong one")
      case .faceID:
        (
          ["  ╭─        ─╮", "  │  ·    ·  │", "      │     ", "     ╰──╯   ", "  ╰─        ─╯"], .lookToHandOver,
          "look at it", "let another person look"
        )
      }
    let screen = DemoScreen(
      title: method.word.text(in: language),
      lines: picture.map { Line($0, .picture) } + [Line(text.text(in: language))],
      choices: [
        Choice(key: "a", label: right, action: attempt(.succeeds)),
        Choice(key: "w", label: wrong, action: attempt(.fails)),
      ])
    return sheet(screen, device, state)
  }

  private static func prompt(_ prompt: PromptScreen, _ device: String, _ state: DemoState) -> DemoScreen {
    func answer(_ isAllowed: Bool) -> DemoAction {
      act(.touch(.answerPrompt(app: prompt.app, isAllowed: isAllowed)), device, state)
    }
    return DemoScreen(
      title: prompt.says(.allowTitle, ["app": prompt.app]), lines: [Line(prompt.says(prompt.question))],
      choices: [
        Choice(key: "a", label: prompt.says(PromptScreen.allow), action: answer(true)),
        Choice(key: "d", label: prompt.says(PromptScreen.doNotAllow), action: answer(false)),
      ])
  }
}
