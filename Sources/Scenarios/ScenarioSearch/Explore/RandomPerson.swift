import DevicePlatform
import Faults
import ScenarioLanguage
import ScenarioRunner
import SimulationKernel
import Vocabulary

/// Draws what happens next in a world: mostly what a person who wants to get through would do with the screens, and
/// sometimes something else.
struct RandomPerson {
  private var draws: EntropyStream
  private let world: WorldDescription
  /// The faults that act.
  private var acting: [Fault] = []

  /// A choice with its weight among the others.
  private struct Choice {
    let weight: Int
    let content: Step.Content
  }

  /// Weights. The usual continuation of a presentment comes often enough that most runs reach a verdict.
  private enum Weight {
    /// The touch that the screen is there for.
    static let usual = 40
    /// Another touch that the screen offers.
    static let other = 5
    /// An action that no screen asks for.
    static let unasked = 1
  }

  /// The chances in 100.
  private enum Chance {
    static let faultAtFirst = 75
    static let furtherFault = 4
    static let endOfFault = 4
  }

  /// The waits of a person: within a session, past the end of one, past the validity of a certificate or document.
  private static let waits: [Duration] = [
    .seconds(1), .seconds(20), .seconds(240), .seconds(700), .seconds(86_400), .seconds(40 * 86_400),
    .seconds(400 * 86_400),
  ]

  /// The faults that can be drawn. A sandbox's process is not part of these runs.
  static let faults = FaultCatalogue.all.filter { $0.party != .sandbox }

  /// Creates the person of a run.
  /// - Parameter world: The world, which the person knows.
  init(in world: WorldDescription, drawing draws: EntropyStream) {
    self.world = world
    self.draws = draws
  }

  /// Returns a number below a bound.
  mutating func below(_ bound: Int) -> Int { draws.below(bound) }

  /// The faults with which a run begins: none, the one whose turn it is, or that and another one.
  ///
  /// - Parameter turn: The number of the run; each fault has its turn once in as many runs as there are faults.
  mutating func firstFaults(turn: Int) -> [Step] {
    guard draws.below(100) < Chance.faultAtFirst else { return [] }
    var steps = [begin(Self.faults[turn % Self.faults.count])]
    if draws.below(3) == 0 { steps.append(begin(Self.faults[draws.below(Self.faults.count)])) }
    return steps
  }

  /// Returns the next step.
  mutating func next(in run: ScenarioRun) -> Step {
    let chance = draws.below(100)
    if chance < Chance.furtherFault { return begin(Self.faults[draws.below(Self.faults.count)]) }
    if chance < Chance.furtherFault + Chance.endOfFault, !acting.isEmpty {
      return Step(.fault(.ends(acting.remove(at: draws.below(acting.count)))))
    }
    let files = SampleFile.allCases
    let choices = choices(
      in: run, waiting: Self.waits[draws.below(Self.waits.count)], uploading: files[draws.below(files.count)])
    var place = draws.below(choices.reduce(0) { $0 + $1.weight })
    for choice in choices {
      place -= choice.weight
      if place < 0 { return Step(choice.content) }
    }
    return .person(.wait(Self.waits[0]))
  }

  private mutating func begin(_ fault: Fault) -> Step {
    if !acting.contains(fault) { acting.append(fault) }
    return Step(.fault(.begins(.example(of: fault))))
  }

  /// Everything that can be done now.
  private func choices(in run: ScenarioRun, waiting wait: Duration, uploading file: SampleFile) -> [Choice] {
    let view = run.world.view()
    var choices: [Choice] = []
    func choose(_ weight: Int, _ action: Action.ByPerson) {
      choices.append(Choice(weight: weight, content: .action(.person(action))))
    }
    for device in world.devices {
      let here = device.identifier
      func add(_ weight: Int, _ action: Action.ByPerson) {
        // A person stays with a device more often than not.
        choose(here == run.device ? weight * 2 : weight, world.devices.count == 1 ? action : .on(here, action))
      }
      screens(of: device, view, run, uploading: file, add)
      if let screen = view.code(on: here), screen.uri != nil {
        for phone in world.devices where phone.kind.answersOthers && phone.identifier != here {
          choose(Weight.usual, .scan(device: here, phone: phone.kind == .iPhone ? phone.identifier : nil))
        }
      }
      if view.code(on: here) != nil { choose(Weight.other, .cancelCode(device: nil)) }
      if view.notification(on: here) != nil {
        choose(Weight.usual, .answerNotification(device: here, isAccepted: true))
        choose(Weight.other, .answerNotification(device: here, isAccepted: false))
      }
      if view.continueSheet(on: here) != nil {
        choose(Weight.other, .leaveContinueSheet(device: here, forCode: true))
        choose(Weight.other, .leaveContinueSheet(device: here, forCode: false))
      }
      unasked(of: device, run, add)
    }
    choose(Weight.other, .wait(wait))
    let device = world.devices.first { $0.identifier == run.device }
    if let device { choices += code(on: device, view, run) }
    return choices + elsewhere()
  }

  /// The touches that the screens of a device ask for.
  private func screens(
    of device: WorldDescription.Device, _ view: PersonView, _ run: ScenarioRun, uploading file: SampleFile,
    _ add: (Int, Action.ByPerson) -> Void
  ) {
    let here = device.identifier
    if let prompt = view.prompt(on: here) {
      add(Weight.usual, .touch(.answerPrompt(app: prompt.app, isAllowed: true)))
      add(Weight.other, .touch(.answerPrompt(app: prompt.app, isAllowed: false)))
    }
    if view.warning(on: here) != nil {
      add(Weight.usual, .browse(.answerWarning(continues: true)))
      add(Weight.other, .browse(.answerWarning(continues: false)))
    }
    if let screen = view.authorization(on: here) {
      for label in screen.agreeing {
        guard let method = OwnerAuthentication.Method(rawValue: label) else {
          add(Weight.usual, .tap(label))
          continue
        }
        add(Weight.usual, .touch(.authorize(OwnerAuthentication.Attempt(method))))
        add(Weight.other, .touch(.authorize(OwnerAuthentication.Attempt(method, .fails))))
        add(Weight.unasked, .touch(.authorize(OwnerAuthentication.Attempt(method, .cancelled))))
      }
      for label in screen.declining { add(Weight.other, .tap(label)) }
      for document in screen.others { add(Weight.other, .touch(.choose(document: document.identifier))) }
    } else if let selector = view.selector(on: here) {
      for offered in selector.offered { add(Weight.usual, .touch(.pick(app: offered.app))) }
      if selector.anotherDevice != nil { add(Weight.other, .touch(.pickAnotherDevice)) }
      add(Weight.other, .touch(.cancelSelector))
    } else {
      page(of: device, view, run, uploading: file, add)
    }
  }

  /// The touches that the page or the requesting app in front asks for, and the websites and apps to open.
  private func page(
    of device: WorldDescription.Device, _ view: PersonView, _ run: ScenarioRun, uploading file: SampleFile,
    _ add: (Int, Action.ByPerson) -> Void
  ) {
    let here = device.identifier
    let focus = run.world.focus
    let front = focus.openApp(on: here)
    let website = focus.website(on: here)
    let screen =
      front.flatMap { view.screen(ofRequestingApp: $0, on: here) }
      ?? website.flatMap { view.page(of: $0, on: here) }
    for label in screen?.buttons ?? [] { add(Weight.usual, .tap(label)) }
    for frame in website.map({ front == nil ? view.frames(of: $0, on: here) : [] }) ?? [] {
      for label in frame.screen.buttons { add(Weight.other, .tap(label, frame: frame.name)) }
    }
    if screen?.form != nil { add(Weight.other, .upload(file.file)) }
    let weight = screen == nil ? Weight.usual : Weight.other
    for website in world.websites { add(weight, .visit(website: website.identifier, device: nil)) }
    for app in world.requestingApps(on: here) { add(weight, .open(app: app.name, device: nil)) }
  }

  /// The actions on a device that no screen asks for.
  private func unasked(of device: WorldDescription.Device, _ run: ScenarioRun, _ add: (Int, Action.ByPerson) -> Void) {
    let here = device.identifier
    for app in device.apps {
      if run.world.isInstalled(app.name, on: here) {
        add(Weight.unasked, .touch(.switchApp(app.name, isOn: false)))
        add(Weight.unasked, .touch(.switchApp(app.name, isOn: true)))
        add(Weight.unasked, .touch(.remove(app: app.name)))
        if app.nextEntitlement != nil { add(Weight.unasked, .touch(.update(app: app.name))) }
        for document in run.world.documents(of: app.name, on: here) {
          add(Weight.unasked, .touch(.delete(document: document, app: app.name)))
        }
      } else {
        add(Weight.other, .touch(.install(app: app.name)))
      }
    }
    add(Weight.unasked, .restart(device: here))
  }

  /// The actions of apps and pages on the device used last, without the person.
  private func code(on device: WorldDescription.Device, _ view: PersonView, _ run: ScenarioRun) -> [Choice] {
    var choices: [Choice] = []
    func add(_ weight: Int, _ action: Action) { choices.append(Choice(weight: weight, content: .action(action))) }
    let here = device.identifier
    if let screen = view.authorization(on: here), device.apps.contains(where: { $0.name == screen.app }) {
      add(Weight.other, .app(.respondWithoutConsent, name: screen.app))
    }
    for app in device.apps where run.world.isInstalled(app.name, on: here) {
      let held = run.world.documents(of: app.name, on: here)
      for document in app.documents {
        let name = document.identifier
        let action: Action.ByApp = held.contains(name) ? .renew(document: name) : .provision(document: name)
        add(Weight.unasked, .app(action, name: app.name))
      }
    }
    if let website = run.world.focus.website(on: here) {
      add(Weight.unasked, .page(.call(), website: website, device: here))
      add(Weight.unasked, .page(.abort(reason: "the page changed its mind"), website: website, device: here))
      add(Weight.other, .page(.replayResponse(to: .same), website: website, device: here))
      add(Weight.unasked, .page(.replayResponse(to: .new), website: website, device: here))
    }
    for app in world.requestingApps(on: here) {
      add(Weight.unasked, .requestingApp(.request, name: app.name))
      add(Weight.unasked, .requestingApp(.cancel, name: app.name))
      add(Weight.unasked, .requestingApp(.replay(to: .same), name: app.name))
    }
    return choices
  }

  /// The actions of servers and authorities, and the restart of the world.
  private func elsewhere() -> [Choice] {
    var choices: [Choice] = []
    func add(_ content: Step.Content) { choices.append(Choice(weight: Weight.unasked, content: content)) }
    for website in world.websites { add(.action(.restartServer(website: website.identifier))) }
    for issuer in world.issuers where issuer.publishesStatus != nil {
      for device in world.devices {
        for app in device.apps {
          for document in app.documents where document.issuer == issuer.identifier {
            for change in StatusChange.allCases {
              add(
                .action(
                  .authority(
                    .change(change, document: document.identifier, app: app.name, device: device.identifier),
                    name: issuer.identifier)))
            }
          }
        }
      }
    }
    for authority in world.readerAuthorities where authority.publishesRevocations {
      for website in world.websites where website.signsFor.contains(authority.identifier) {
        add(.action(.readerAuthority(.revokes(website: website.identifier), name: authority.identifier)))
      }
    }
    if world.storage != .memory { add(.restartWorld) }
    return choices
  }
}
