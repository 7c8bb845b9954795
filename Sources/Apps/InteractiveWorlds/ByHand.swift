import DevicePlatform
import Ecosystem
import ScenarioLanguage
import Telling
import Vocabulary

/// What a person can do by hand in a world: the actions that the scenario language has for it, each at its place, as far as
/// they can be done now.
public struct ByHand: Sendable {
  /// The place where a person finds an action.
  public enum Place: Sendable, Equatable {
    /// A sheet, a page or a notification on the screen has the control.
    case screen
    /// The home screen.
    case home
    /// Settings.
    case settings
    /// The app store.
    case store
    /// A document provider app.
    case app(String)
    /// The window of the browser.
    case browser
    /// A terminal, at the counter.
    case terminal(String)
    /// The person and the simulator, beside the device.
    case person
  }

  /// An action that can be done now.
  public struct Deed: Sendable, Equatable {
    /// The place.
    public let place: Place
    /// The step, as in a scenario.
    public let step: Step
    /// The action in words, without the person.
    public let words: String
    /// The label of its control on a device with another language than English; nil for English, and beside the device.
    public let label: String?

    /// The longest text of a QR code, in characters: digits in version 40-L (ISO/IEC 18004).
    public static let longestText = 7_089

    /// True if the person enters the text of the step, in which it is empty.
    public var asksText: Bool { if case .action(.person(.scanText)) = step.content { true } else { false } }

    /// The step with a text that the person entered.
    public func step(with text: String) -> Step {
      guard case .action(.person(.scanText(_, let phone))) = step.content else { return step }
      return Step(.action(.person(.scanText(String(text.prefix(Self.longestText)), phone: phone))))
    }
  }

  /// The waits of a person: within a session, past the end of one, past the validity of certificates and documents.
  private static let waits: [Duration] = [
    .seconds(60), .seconds(600), .seconds(7 * 86_400), .seconds(40 * 86_400), .seconds(400 * 86_400),
  ]

  private let world: WorldDescription
  private let names: WorldNames
  private let byPerson: [Action.ByPerson]
  private let byApps: [(action: Action.ByApp, app: String)]
  private let byClerks: [Action.ByClerk]

  /// Finds the actions of a scenario's world in the grammar.
  public init(_ scenario: Scenario) {
    world = scenario.world
    names = scenario.world.names
    let ofPerson = Step.all("person", in: scenario, waits: Self.waits).flatMap { step -> [Action.ByPerson] in
      switch step.content {
      case .action(.person(.hold(let terminal, _))):
        Action.Engagement.allCases.map { .hold(terminal: terminal, by: $0) }
      case .action(.person(let action)): [action]
      default: []
      }
    }
    byPerson = ofPerson + Self.carries(in: scenario.world) + Self.scansOfTexts(in: scenario.world)
    byClerks = Step.all("clerk", in: scenario).compactMap {
      if case .action(.clerk(let action, _)) = $0.content { action } else { nil }
    }
    byApps = Set(scenario.world.devices.flatMap(\.apps).map(\.name)).sorted().flatMap { app in
      Step.all("app", named: app, in: scenario).compactMap { step in
        if case .action(.app(let action, let name)) = step.content { (action, name) } else { nil }
      }
    }
  }

  /// The ways to carry devices to the places of a world, whose names are no words of the grammar.
  private static func carries(in world: WorldDescription) -> [Action.ByPerson] {
    let bluetooth = world.bluetooth
    guard world.hasBluetooth, !bluetooth.places.isEmpty else { return [] }
    let here = WorldDescription.Bluetooth.here
    // A place without a name of its own.
    let isHereNamed = bluetooth.places.contains { $0.place == bluetooth[here] }
    let places = (isHereNamed ? [] : [here]) + bluetooth.places.map(\.name)
    return world.devices.flatMap { device in places.map { .carry(device: device.identifier, place: $0) } }
  }

  /// The scans of codes that no device of a world shows, each with an empty text.
  private static func scansOfTexts(in world: WorldDescription) -> [Action.ByPerson] {
    guard world.isCrossDevice else { return [] }
    return world.devices.filter(\.kind.answersOthers).map { .scanText("", phone: $0.identifier) }
  }

  /// Names the phone of a scan in a world in which several can scan.
  private func scanning(_ action: Action.ByPerson, with phone: String) -> Action.ByPerson {
    guard case .scan(let device, nil) = action, world.devices.count(where: \.kind.answersOthers) > 1 else {
      return action
    }
    return .scan(device: device, phone: phone)
  }

  /// The actions that can be done on a device now.
  public func deeds(on device: String, in snapshot: InteractiveWorld.Snapshot) -> [Deed] {
    guard let described = world.devices.first(where: { $0.identifier == device }) else { return [] }
    let moment = Moment(world: world, device: described, snapshot: snapshot)
    let focus = snapshot.focus
    func deed(_ place: Place?, _ action: Action) -> Deed? {
      guard let place else { return nil }
      let step = Step(.action(action))
      let (sentence, subject) = (step.words(in: focus, names), names.person + " ")
      let words = sentence.hasPrefix(subject) ? String(sentence.dropFirst(subject.count)) : sentence
      let label = described.language == .english ? nil : action.controlLabel?.text(in: described.language)
      return Deed(place: place, step: step, words: words, label: label)
    }
    let ofPerson = (moment.taps + byPerson).map { scanning($0, with: device) }.compactMap { action in
      deed(moment.place(of: action), .person(world.devices.count > 1 ? action.onDevice(device) : action))
    }
    // The code of an app runs on the device used last.
    guard snapshot.device == device else { return ofPerson }
    // A terminal whose screen asks the clerk.
    let asking = world.terminals.map(\.identifier).filter {
      snapshot.view.screen(ofTerminal: $0)?.buttons.isEmpty == false
    }
    let ofClerks = asking.flatMap { terminal in
      byClerks.compactMap { deed(.terminal(terminal), .clerk($0, terminal: terminal)) }
    }
    return ofPerson + ofClerks
      + byApps.compactMap { deed(moment.place(of: $0.action, in: $0.app), .app($0.action, name: $0.app)) }
  }
}

extension ByHand {
  /// A device at a moment.
  private struct Moment {
    let world: WorldDescription
    let device: WorldDescription.Device
    let snapshot: InteractiveWorld.Snapshot

    private var here: String { device.identifier }
    private var view: PersonView { snapshot.view }
    private var contents: DeviceContents? { snapshot.contents[here] }
    private var website: String? { snapshot.focus.website(on: here) }
    private var hasPage: Bool { website != nil && snapshot.focus.openApp(on: here) == nil }
    /// True while nothing lies over the page, the app or the home screen.
    private var isFree: Bool {
      view.selector(on: here) == nil && view.authorization(on: here) == nil && view.prompt(on: here) == nil
        && view.warning(on: here) == nil
    }

    /// The taps on the buttons of the screens, whose labels the grammar does not know.
    var taps: [Action.ByPerson] {
      if let sheet = view.authorization(on: here) {
        return sheet.buttons.filter { OwnerAuthentication.Method(rawValue: $0) == nil }.map { .tap($0) }
      }
      guard isFree else { return [] }
      if let app = snapshot.focus.openApp(on: here) {
        return view.screen(ofRequestingApp: app, on: here)?.buttons.map { .tap($0) } ?? []
      }
      guard let website else { return [] }
      let inFrames = view.frames(of: website, on: here).flatMap { frame in
        frame.screen.buttons.map { Action.ByPerson.tap($0, frame: frame.name) }
      }
      return (view.page(of: website, on: here)?.buttons.map { .tap($0) } ?? []) + inFrames
    }

    /// The place of an action, or nil if it cannot be done on the device now.
    func place(of action: Action.ByPerson) -> Place? {
      switch action {
      // The device is added where a world has several.
      case .on: nil
      case .visit: isFree ? .home : nil
      case .open(let app, _): isFree && isHere(app) ? .home : nil
      case .tap: .screen
      case .browse(let use): place(of: use)
      case .upload: website.flatMap { view.page(of: $0, on: here)?.form } != nil ? .screen : nil
      case .cancelCode: view.code(on: here) != nil || view.codeInPerson(on: here) != nil ? .screen : nil
      case .scan(let other, let phone):
        device.kind.answersOthers && other != here && (phone ?? here) == here && view.code(on: other)?.uri != nil
          ? .home : nil
      case .scanText(_, let phone): phone == here ? .person : nil
      case .showCode: world.presentsInPerson(device) && isFree ? .home : nil
      case .hold(let terminal, .qrCode): view.codeInPerson(on: here) != nil ? .terminal(terminal) : nil
      case .hold(let terminal, .nfc): world.presentsInPerson(device) ? .terminal(terminal) : nil
      case .unlock(let unlocked): unlocked == here && contents?.isLocked == true ? .person : nil
      case .carry(let carried, let place): carried == here && isElsewhere(place) ? .person : nil
      case .answerNotification(let notified, _): notified == here && view.notification(on: here) != nil ? .screen : nil
      case .leaveContinueSheet(let shown, _): shown == here && view.continueSheet(on: here) != nil ? .screen : nil
      case .touch(let touch): place(of: touch)
      case .wait: .person
      case .restart(let restarted): restarted == here ? .person : nil
      }
    }

    private func place(of touch: Action.Touch) -> Place? {
      switch touch {
      case .pick(let app): view.selector(on: here)?.offered.contains { $0.app == app } == true ? .screen : nil
      case .pickAnotherDevice: view.selector(on: here)?.anotherDevice != nil ? .screen : nil
      case .cancelSelector: view.selector(on: here) != nil ? .screen : nil
      case .tap: .screen
      case .authorize(let attempt):
        view.authorization(on: here)?.agreeing.contains(attempt.method.rawValue) == true
          ? (attempt.result == .succeeds ? .screen : .person) : nil
      case .choose(let document):
        view.authorization(on: here)?.others.contains { $0.identifier == document } == true ? .screen : nil
      case .delete(let document, let app): contents?.app(app)?.documents.contains(document) == true ? .app(app) : nil
      case .answerPrompt(let app, _): view.prompt(on: here)?.app == app ? .screen : nil
      case .switchApp(let app, let isOn): contents?.app(app)?.isOn == !isOn ? .settings : nil
      case .turn(.faceID, _) where !device.kind.hasProviderApps: nil
      case .turn(let setting, let isOn): contents?.settings.isOn(setting) == !isOn ? .settings : nil
      case .install(let app): canDownload && isKnown(app) && contents?.app(app) == nil ? .store : nil
      case .update(let app): canDownload && isKnown(app) && contents?.app(app) != nil ? .store : nil
      case .remove(let app): contents?.app(app) != nil ? .store : nil
      }
    }

    private func place(of use: Action.BrowserUse) -> Place? {
      switch use {
      case .answerWarning: return view.warning(on: here) != nil ? .screen : nil
      case .openTab(let opened), .showTab(let opened): return hasPage && isFree && opened != website ? .browser : nil
      case .closeTab(let closed): return hasPage && isFree && closed == website ? .browser : nil
      case .go, .changeWindow: return hasPage && isFree ? .browser : nil
      case .focus(let frame), .touch(let frame):
        let frames = world.websites.first { $0.identifier == website }?.page.frames ?? []
        return hasPage && isFree && (frame.map { name in frames.contains { $0.name == name } } ?? true) ? .browser : nil
      }
    }

    /// The place of what an app does for the person; nil for what its code does by itself.
    func place(of action: Action.ByApp, in app: String) -> Place? {
      guard let documents = contents?.app(app)?.documents,
        let own = device.apps.first(where: { $0.name == app })?.documents.map(\.identifier)
      else { return nil }
      switch action {
      case .provision(let document): return own.contains(document) && !documents.contains(document) ? .app(app) : nil
      case .renew(let document): return own.contains(document) && documents.contains(document) ? .app(app) : nil
      case .add, .remove, .readStatus, .readRegistrations, .respondWithoutConsent: return nil
      }
    }

    /// True for a place where the device is not.
    private func isElsewhere(_ place: String) -> Bool {
      contents?.place.map { world.bluetooth[$0] != world.bluetooth[place] } ?? false
    }

    /// True if the app store has apps for the device.
    private var canDownload: Bool { contents?.settings.isOn(.flightMode) == false }

    private func isKnown(_ app: String) -> Bool { device.apps.contains { $0.name == app } }

    private func isHere(_ app: String) -> Bool { world.requestingApps(on: here).contains { $0.name == app } }
  }
}
