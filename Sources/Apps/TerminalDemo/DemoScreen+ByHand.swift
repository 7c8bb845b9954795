import InteractiveWorlds
import ScenarioLanguage
import Telling
import Vocabulary

/// What the person can do by hand besides the controls of a screen, as on the stage: the places, and the actions at each.
extension DemoScreen {
  /// Keys in order: digits, and letters that have no other meaning there. Those of b, q and U are left out.
  private static let keys = Array("123456789acdefghijklmnoprstuvwxyzACDEFGHIJKLNOPRSTVWXYZ")

  static func byHand(_ place: DemoState.HandPlace?, _ state: DemoState) -> DemoScreen {
    let devices = state.world.devices.map(\.identifier)
    guard let device = place?.device ?? (devices.count == 1 ? devices.first : nil) else {
      let choices = zip(keys, devices).map { key, device in
        Choice(key: key, label: state.names.device(device), action: .byHand(DemoState.HandPlace(device: device)))
      }
      return DemoScreen(title: "More by hand", lines: [Line("The devices.", .quiet)], choices: choices)
    }
    guard let place, place.place != nil else { return places(on: device, state) }
    let deeds = (state.deeds[device] ?? []).filter { $0.place == place.place }
    let choices = zip(keys, deeds).map { key, deed in
      let label = deed.label ?? imperative(deed.words)
      let entry = DemoState.TextEntry(place: place, deed: deed)
      return Choice(key: key, label: label, action: deed.asksText ? .look(.entry(entry)) : .deed(deed.action))
    }
    let screen = DemoScreen(
      title: title(of: place, state), lines: deeds.isEmpty ? [Line(emptiness(of: place, state), .quiet)] : [],
      choices: choices)
    return front(screen, device, nil, state)
  }

  /// The field for the text of an act.
  static func entry(_ entry: DemoState.TextEntry, _ state: DemoState) -> DemoScreen {
    // The cursor shows a space at the end.
    let lines = [Line("The text of the code:", .quiet), Line(entry.text + "\u{258f}")]
    let screen = DemoScreen(title: imperative(entry.deed.words), lines: lines, choices: [])
    return front(screen, entry.place.device, nil, state)
  }

  /// The places of a device where something can be done, what is beside it last.
  private static func places(on device: String, _ state: DemoState) -> DemoScreen {
    var places: [ByHand.Place] = []
    for deed in state.deeds[device] ?? [] where !places.contains(deed.place) { places.append(deed.place) }
    places = places.filter { $0 != .person } + places.filter { $0 == .person }
    let choices = zip(keys, places).map { key, place in
      let chosen = DemoState.HandPlace(device: device, place: place)
      return Choice(key: key, label: title(of: chosen, state), action: .byHand(chosen))
    }
    let screen = DemoScreen(
      title: "More by hand", lines: choices.isEmpty ? [Line("Nothing can be done here now.", .quiet)] : [],
      choices: choices)
    return front(screen, device, nil, state)
  }

  private static func title(of place: DemoState.HandPlace, _ state: DemoState) -> String {
    switch place.place {
    case .screen: "On the screen"
    case .home: state.says(.home, on: place.device)
    case .settings: state.says(.settings, on: place.device)
    case .store: state.says(.appStore, on: place.device)
    case .app(let app): app
    case .browser: state.says(.browser, on: place.device)
    case .terminal(let terminal): state.terminals.first { $0.identifier == terminal }?.title ?? terminal
    case .person: "Beside the device"
    case nil: "More by hand"
    }
  }

  private static func emptiness(of place: DemoState.HandPlace, _ state: DemoState) -> String {
    switch place.place {
    case .settings: state.says(.noAppAsked, on: place.device)
    case .store: state.says(.noOtherApp, on: place.device)
    case .app: state.says(.appHasNoDocuments, on: place.device)
    case .screen, .home, .browser, .terminal, .person, nil: "Nothing can be done here now."
    }
  }

  /// The words of a deed as the label of a control: "installs Wallet" is "install Wallet".
  private static func imperative(_ words: String) -> String {
    let verb = words.prefix { $0.isLetter }
    let rest = words.dropFirst(verb.count)
    if verb.hasSuffix("ies") { return verb.dropLast(3) + "y" + rest }
    let isLong = ["ches", "shes", "sses", "xes", "goes"].contains { verb.hasSuffix($0) }
    let isPlural = verb.hasSuffix("s") && !verb.hasSuffix("ss")
    return String(verb.dropLast(isLong ? 2 : isPlural ? 1 : 0) + rest)
  }
}

extension ByHand.Deed {
  /// The action.
  var action: Action { Self.action(of: step) }

  /// The action with a text that the person entered.
  func action(with text: String) -> Action { Self.action(of: step(with: text)) }

  private static func action(of step: Step) -> Action {
    guard case .action(let action) = step.content else { return .person(.wait(.zero)) }
    return action
  }
}
