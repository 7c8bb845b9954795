import Ecosystem
import InteractiveWorlds
import MobileDocument
import ScenarioLanguage

extension DemoScreen {
  /// The screen for a state.
  public init(_ state: DemoState) {
    let view = state.snapshot.view
    let device = state.snapshot.device
    switch state.look {
    case .faults: self = Self.faults(state)
    case .checks: self = Self.checks(state)
    case .message(let number): self = Self.message(number, state)
    case .face(let button): self = Self.face(button)
    case .plain, .hiddenApps:
      if let prompt = view.prompt(on: device) {
        self = Self.prompt(prompt)
      } else if let authorization = view.authorization(on: device) {
        self = Self.authorization(authorization)
      } else if let selector = view.selector(on: device) {
        self = Self.selector(selector, showsHidden: state.look == .hiddenApps)
      } else if let page = view.page(of: state.snapshot.website, on: device) {
        self = Self.page(page, state)
      } else {
        self = Self.home(state)
      }
    }
    if state.look != .faults { choices += Self.always(state) }
  }

  private static func always(_ state: DemoState) -> [Choice] {
    var choices: [Choice] = []
    if state.look == .plain { choices.append(Choice(key: "f", label: "faults", action: .look(.faults))) }
    return choices + [Choice(key: "q", label: "quit", action: .quit)]
  }

  private static func home(_ state: DemoState) -> DemoScreen {
    DemoScreen(
      title: "Browser",
      lines: [Line("A phone with its browser open, and nothing in it yet.", .quiet)],
      choices: [visit(state, "open \(state.snapshot.website)")])
  }

  private static func visit(_ state: DemoState, _ label: String) -> Choice {
    Choice(key: "n", label: label, action: .step(.visit(website: state.snapshot.website, device: nil)))
  }

  private static func page(_ page: PageScreen, _ state: DemoState) -> DemoScreen {
    var lines = BrandPicture.lines(icon: state.icons[state.snapshot.website] ?? "")
    lines.append(Line(page.title, .heading))
    if let verdict = page.verdict {
      let isVerified = verdict == "verified"
      lines.append(Line(isVerified ? "✓ verified" : "✗ refused: \(page.code ?? "")", isVerified ? .good : .bad))
      for element in page.verified ?? [] {
        let label = DataElementCatalogue.label(nameSpace: element.nameSpace, identifier: element.identifier)
        lines.append(Line("  \(label): \(element.value)"))
      }
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
    if page.verdict == nil, page.exception == nil, page.fallback == nil {
      lines.append(Line("It serves you once it knows who you are.", .quiet))
    }
    var choices = page.buttons.map { button in
      Choice(key: "v", label: button, action: .step(.tap(button)))
    }
    if !state.checks.isEmpty {
      let failed = state.checks.filter { $0.status == .failed }.count
      lines.append(
        Line("\(state.checks.count) checks by the server, \(failed) failed", failed == 0 ? .quiet : .bad))
      choices.append(Choice(key: "k", label: "every check", action: .look(.checks)))
    }
    choices.append(visit(state, "once more"))
    return DemoScreen(title: "Browser · \(page.title)", lines: lines, choices: choices)
  }

  private static func selector(_ selector: SelectorScreen, showsHidden: Bool) -> DemoScreen {
    var lines = [
      Line("\(host(selector.origin)) wants to verify", .heading), Line("your identity. Use an ID in:", .heading),
    ]
    var choices: [Choice] = []
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
        lines.append(Line("    \(app.code)", .bad))
        lines.append(Line("    it would appear: \(app.remedy)", .quiet))
      }
    }
    choices.append(Choice(key: "c", label: "Cancel", action: .step(.cancelSelector)))
    choices.append(
      Choice(
        key: "h", label: showsHidden ? "as the person sees it" : "\(selector.hidden.count) hidden, and why",
        action: .look(showsHidden ? .plain : .hiddenApps)))
    return DemoScreen(title: "App selector", lines: lines, choices: choices)
  }

  private static func authorization(_ view: AuthorizationScreen) -> DemoScreen {
    var lines = view.icon.map { BrandPicture.lines(icon: $0) } ?? []
    lines.append(Line(view.requester, .heading))
    lines.append(
      view.isRequesterCertified
        ? Line("✓ certified by an authority that \(view.app) trusts", .good)
        : Line("No authority that \(view.app) trusts has certified this requester", .bad))
    lines.append(Line("\(host(view.origin)) asks for:"))
    for element in view.elements {
      lines.append(Line("  \(element.isRetained ? "●" : "○") \(element.label)"))
    }
    lines.append(Line("● will be stored   ○ will not be stored", .quiet))
    let choices = view.buttons.enumerated().map { number, button in
      let label = button == "face-id" ? "Face ID" : button
      let action: DemoAction =
        button == "face-id" ? .look(.face(button: button)) : .step(.tap(button))
      return Choice(key: number == 0 ? "a" : "d", label: label, action: action)
    }
    return DemoScreen(title: view.app, lines: lines, choices: choices)
  }

  private static func face(_ button: String) -> DemoScreen {
    DemoScreen(
      title: "Face ID",
      lines: [
        Line("  ╭─        ─╮", .picture), Line("  │  ·    ·  │", .picture), Line("      │     ", .picture),
        Line("     ╰──╯   ", .picture), Line("  ╰─        ─╯", .picture),
        Line("Look at the phone to hand over your ID."),
      ],
      choices: [
        Choice(key: "a", label: "look at it", action: .step(.tap(button))),
        Choice(key: "b", label: "back", action: .look(.plain)),
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

  static func host(_ origin: String) -> String {
    origin.split(separator: "//", maxSplits: 1).last.map(String.init) ?? origin
  }
}
