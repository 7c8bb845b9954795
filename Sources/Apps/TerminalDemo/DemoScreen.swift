import DevicePlatform
import Ecosystem
import Inspection
import InteractiveWorlds
import Messaging
import MobileDocument
import QRCode
import ScenarioLanguage

/// The content of a demonstration's screen: a title, lines, and the person's choices.
public struct DemoScreen: Sendable, Equatable {
  /// A line of a screen.
  public struct Line: Sendable, Equatable {
    /// The tone of a line.
    public enum Tone: Sendable {
      case plain, heading, quiet, good, warning, bad, picture
    }

    /// The text.
    public var text: String
    /// The tone.
    public var tone: Tone

    init(_ text: String, _ tone: Tone = .plain) {
      self.text = text
      self.tone = tone
    }
  }

  /// A QR code.
  public struct Code: Sendable, Equatable {
    /// The text.
    public var text: String
    /// The drawing, in half blocks.
    public var drawing: [String]
  }

  /// A choice of the person.
  public struct Choice: Sendable, Equatable {
    /// The key.
    public var key: Character
    /// The label.
    public var label: String
    /// The action.
    public var action: DemoAction
  }

  /// The title.
  public var title: String
  /// The QR code above the lines; nil without one.
  public var code: Code?
  /// The lines.
  public var lines: [Line]
  /// The person's choices, the most likely first.
  public var choices: [Choice]
}

/// The action of a key.
public enum DemoAction: Sendable, Equatable {
  /// An action of the person in the world.
  case step(Action.ByPerson)
  /// Another view of the same state.
  case look(DemoState.Look)
  /// Starts the world again with faults.
  case begin(faults: [String])
  /// Adds the chosen faults to each other, or lets each replace the others.
  case combineFaults(Bool)
  /// Ends the demonstration.
  case quit
}

extension DemoScreen {
  /// The screen for a state.
  public init(_ state: DemoState) {
    let view = state.snapshot.view
    let devices = state.devicesInUse
    let device = devices.answering
    switch state.look {
    case .faults: self = Self.faults(state)
    case .checks: self = Self.checks(state)
    case .message(let number): self = Self.message(number, state)
    case .authentication(let method): self = Self.authentication(method)
    case .plain, .hiddenApps:
      if let prompt = view.prompt(on: device) {
        self = Self.prompt(prompt)
      } else if let authorization = view.authorization(on: device) {
        self = Self.authorization(authorization)
      } else if let selector = view.selector(on: device) {
        self = Self.selector(selector, showsHidden: state.look == .hiddenApps)
      } else if let code = view.code(on: devices.browsing) {
        self = Self.code(code, on: devices)
      } else if let page = view.page(of: state.snapshot.website, on: devices.browsing) {
        self = Self.page(page, state)
      } else {
        self = Self.home(state)
      }
    }
    choices += Self.always(state)
  }

  private static func always(_ state: DemoState) -> [Choice] {
    var choices: [Choice] = []
    if state.look == .plain { choices.append(Choice(key: "f", label: "faults", action: .look(.faults))) }
    return choices + [Choice(key: "q", label: "quit", action: .quit)]
  }

  private static func home(_ state: DemoState) -> DemoScreen {
    let device = state.devicesInUse.areDifferent ? state.devicesInUse.browsing : "A phone"
    return DemoScreen(
      title: "Browser",
      lines: [Line("\(device) with its browser open, and nothing in it yet.", .quiet)],
      choices: [visit(state, "open \(state.snapshot.website)")])
  }

  private static func visit(_ state: DemoState, _ label: String) -> Choice {
    let devices = state.devicesInUse
    let device = devices.areDifferent ? devices.browsing : nil
    return Choice(key: "n", label: label, action: .step(.visit(website: state.snapshot.website, device: device)))
  }

  /// The QR code on the device with the browser. The person scans it with the phone.
  private static func code(_ screen: QRCodeScreen, on devices: DevicesInUse) -> DemoScreen {
    var choices = screen.buttons.map {
      Choice(key: "c", label: $0, action: .step(.cancelCode(device: devices.browsing)))
    }
    var code: Code?
    if let uri = screen.uri {
      // The smaller level: the code is on a screen, and a terminal has few rows.
      code = Code(text: uri, drawing: (try? QRSymbol(uri, level: .low))?.halfBlocks ?? [])
      let scan = Action.ByPerson.scan(device: devices.browsing, phone: devices.answering)
      choices.insert(Choice(key: "s", label: "scan it with \(devices.answering)", action: .step(scan)), at: 0)
    }
    return DemoScreen(
      title: "Browser on \(devices.browsing)", code: code,
      lines: [Line(host(screen.origin), .heading), Line(screen.message)], choices: choices)
  }

  private static func page(_ page: PageScreen, _ state: DemoState) -> DemoScreen {
    var lines = BrandPicture.lines(icon: state.icons[state.snapshot.website] ?? "")
    lines.append(Line(page.title, .heading))
    if let item = page.item {
      lines.append(Line([item.name, item.price].filter { !$0.isEmpty }.joined(separator: ", ")))
      if page.step == .identity, page.verdict == nil, !item.detail.isEmpty { lines.append(Line(item.detail, .quiet)) }
    }
    if let verdict = page.verdict {
      let isVerified = verdict == "verified"
      lines.append(
        Line((isVerified ? "✓ verified" : "✗ refused: \(page.code ?? "")") + count(state), isVerified ? .good : .bad))
      lines += (page.verified ?? []).map { Line("  \($0.label): \($0.words)") }
      if !isVerified, let failed = state.checks.first(where: { $0.status == .failed }) {
        lines.append(Line(failed.message, .bad))
        lines += failed.evidence.flatMap(\.named).map { Line("  \($0.name): \($0.value)", .quiet) }
      }
    }
    if let exception = page.exception {
      lines.append(Line("The call threw \(exception).", .bad))
      if let message = page.exceptionMessage { lines.append(Line(message, .quiet)) }
    }
    if let fallback = page.fallback { lines.append(Line(fallback)) }
    if let message = page.form?.message { lines.append(Line("The upload failed: \(message)", .bad)) }
    if let order = page.order { lines.append(Line("Order \(order)", .good)) }
    lines += (page.notices ?? []).map { Line($0) }
    if page.step == .identity, page.verdict == nil, page.exception == nil, page.fallback == nil {
      lines.append(Line("It serves you once it knows who you are.", .quiet))
    }
    // A tap is for the device that the person used last: after the phone, the page is opened again.
    let buttons = state.snapshot.device == state.devicesInUse.browsing ? page.buttons : []
    var choices = buttons.enumerated().map { number, button in
      let key: Character =
        switch page.step {
        case .selection: Character(String((number + 1) % 10))
        case .identity: "v"
        case .summary, .ordered, .review: "o"
        }
      return Choice(key: key, label: button, action: .step(.tap(button)))
    }
    if let form = page.form {
      choices.append(Choice(key: "u", label: form.button, action: .step(.upload(SampleFile.scan.file))))
    }
    if !state.checks.isEmpty {
      choices.append(Choice(key: "k", label: "every check", action: .look(.checks)))
    }
    choices.append(visit(state, "once more"))
    return DemoScreen(title: "Browser · \(page.title)", lines: lines, choices: choices)
  }

  /// The number of checks, for the line of the verdict.
  private static func count(_ state: DemoState) -> String {
    let (count, failed) = (state.checks.count, state.checks.count { $0.status == .failed })
    guard count > 0 else { return "" }
    return ", \(count) check\(count == 1 ? "" : "s"), \(failed == 0 ? "none" : "\(failed)") failed"
  }

  private static func selector(_ selector: SelectorScreen, showsHidden: Bool) -> DemoScreen {
    var lines = [Line("\(host(selector.origin)) wants to verify your identity. Use an ID in:", .heading)]
    var choices: [Choice] = []
    if let notice = selector.notice { lines.append(Line(notice, .bad)) }
    for (number, app) in selector.offered.enumerated() {
      let documents = app.documents.map { DataElementCatalogue.label(documentType: $0) }.joined(separator: ", ")
      lines.append(Line("  \(number + 1)  \(app.app)"))
      lines.append(Line("     \(documents)", .quiet))
      choices.append(
        Choice(
          key: number < 9 ? Character(String(number + 1)) : "?", label: app.app,
          action: .step(.pick(app: app.app))))
    }
    if showsHidden {
      lines.append(Line("Not shown to the person:", .heading))
      if selector.hidden.isEmpty { lines.append(Line("  nothing", .quiet)) }
      for app in selector.hidden {
        lines.append(Line("  \(app.app): \(app.message)"))
        lines.append(Line("    \(app.code)", .warning))
        lines.append(Line("    it would appear: \(app.remedy)", .quiet))
      }
    }
    choices.append(Choice(key: "c", label: "Cancel", action: .step(.cancelSelector)))
    choices.append(
      showsHidden
        ? back : Choice(key: "h", label: "\(selector.hidden.count) hidden, and why", action: .look(.hiddenApps)))
    return DemoScreen(title: "App selector", lines: lines, choices: choices)
  }

  private static func authorization(_ view: AuthorizationScreen) -> DemoScreen {
    var lines = view.icon.map { BrandPicture.lines(icon: $0) } ?? []
    if let title = view.title { lines.append(Line(title, .heading)) }
    lines += (view.lines ?? []).map { Line($0) }
    lines.append(Line(view.requester, .heading))
    lines.append(
      view.isRequesterCertified
        ? Line("✓ certified by an authority that \(view.app) trusts", .good)
        : Line("No authority that \(view.app) trusts has certified this requester", .bad))
    lines.append(Line("\(view.asker) asks for:"))
    for element in view.elements {
      lines.append(Line("  \(element.isRetained ? "●" : "○") \(element.label)"))
    }
    lines.append(Line("● will be stored   ○ will not be stored", .quiet))
    if let notice = view.notice { lines.append(Line(notice, .bad)) }
    let agreeing = view.agreeing.enumerated().map { number, button in
      let method = OwnerAuthentication.Method(rawValue: button)
      return Choice(
        key: number == 0 ? "a" : "p", label: method?.label ?? button,
        action: method.map { .look(.authentication($0)) } ?? .step(.tap(button)))
    }
    let choices = agreeing + view.declining.map { Choice(key: "d", label: $0, action: .step(.tap($0))) }
    return DemoScreen(title: view.app, lines: lines, choices: choices)
  }

  private static func authentication(_ method: OwnerAuthentication.Method) -> DemoScreen {
    func attempt(_ result: OwnerAuthentication.Result) -> DemoAction {
      .step(.authorize(OwnerAuthentication.Attempt(method, result)))
    }
    guard method == .faceID else {
      return DemoScreen(
        title: method.label, lines: [Line("Enter the passcode to hand over your ID.")],
        choices: [
          Choice(key: "a", label: "the right one", action: attempt(.succeeds)),
          Choice(key: "w", label: "a wrong one", action: attempt(.fails)), back,
        ])
    }
    return DemoScreen(
      title: method.label,
      lines: [
        Line("  ╭─        ─╮", .picture), Line("  │  ·    ·  │", .picture), Line("      │     ", .picture),
        Line("     ╰──╯   ", .picture), Line("  ╰─        ─╯", .picture),
        Line("Look at the phone to hand over your ID."),
      ],
      choices: [
        Choice(key: "a", label: "look at it", action: attempt(.succeeds)),
        Choice(key: "w", label: "let another person look", action: attempt(.fails)), back,
      ])
  }

  private static func prompt(_ prompt: PromptScreen) -> DemoScreen {
    DemoScreen(
      title: "Allow \(prompt.app)?", lines: [Line(prompt.question)],
      choices: [
        Choice(key: "a", label: PromptScreen.allow, action: .step(.answerPrompt(app: prompt.app, isAllowed: true))),
        Choice(
          key: "d", label: PromptScreen.doNotAllow, action: .step(.answerPrompt(app: prompt.app, isAllowed: false))),
      ])
  }

  /// The choice that leaves a view.
  fileprivate static let back = Choice(key: "b", label: "back", action: .look(.plain))

  static func host(_ origin: String) -> String {
    origin.split(separator: "//", maxSplits: 1).last.map(String.init) ?? origin
  }
}

/// Views of the world's state that are not part of the world.
extension DemoScreen {
  /// Keys for the faults, in order: digits, and capital letters, which have no other meaning. Those of b and q are left out.
  private static let faultKeys = Array("123456789ACDEFGHIJKLMNOPRSTUVWXYZ")

  static func faults(_ state: DemoState) -> DemoScreen {
    var choices = zip(DemoFault.all, faultKeys).map { fault, key in
      let isOn = state.faults.contains(fault)
      let others = state.faults.map(\.name).filter { $0 != fault.name }
      return Choice(
        key: key, label: "\(isOn ? "■" : "□") \(fault.place): \(fault.label)",
        action: .begin(faults: isOn ? others : state.combinesFaults ? others + [fault.name] : [fault.name]))
    }
    choices.append(Choice(key: "0", label: "repair all", action: .begin(faults: [])))
    choices.append(
      Choice(
        key: "+", label: "\(state.combinesFaults ? "■" : "□") combine faults",
        action: .combineFaults(!state.combinesFaults)))
    choices.append(back)
    var lines = [Line("The world starts again with the fault that you choose.", .quiet)]
    if !state.faults.isEmpty {
      lines.append(Line("Broken: \(state.faults.map(\.label).joined(separator: "; "))", .warning))
    }
    return DemoScreen(title: "Faults", lines: lines, choices: choices)
  }

  static func checks(_ state: DemoState) -> DemoScreen {
    let lines = state.checks.map { check in
      switch check.status {
      case .passed: Line("✓ \(check.message)", .quiet)
      case .failed: Line("✗ \(check.message) [\(check.name)]", .bad)
      case .deviates: Line("~ \(check.message) [\(check.name)]", .warning)
      case .notReached: Line("- \(check.message)", .quiet)
      }
    }
    return DemoScreen(title: "Every check of the server", lines: lines, choices: [back])
  }

  static func message(_ number: Int, _ state: DemoState) -> DemoScreen {
    for entry in state.entries {
      guard case .message(let message) = entry.event, message.number == number else { continue }
      let readership = Readership(of: message)
      var lines = [
        Line("\(message.sender.title) → \(message.recipient.title)", .heading),
        Line("\(message.kind.rawValue), \(message.bytes.count) bytes, \(message.mediaType)"), Line(readership.message),
      ]
      if let withheld = readership.withheld { lines.append(Line(withheld, .warning)) }
      lines += Inspector.shown(message.bytes).split(separator: "\n", omittingEmptySubsequences: false).map {
        Line(String($0))
      }
      return DemoScreen(title: "Message \(number)", lines: lines, choices: [back])
    }
    return DemoScreen(title: "Message \(number)", lines: [Line("This message does not exist.")], choices: [back])
  }
}

extension OwnerAuthentication.Method {
  /// The label of the control for people.
  fileprivate var label: String {
    switch self {
    case .faceID: "Face ID"
    case .passcode: "Passcode"
    }
  }
}
