import Ecosystem
import Faults
import ScenarioLanguage

extension Scenario {
  /// True if the stage shows what the case expects. The stage takes the world and the faults of a case; a person plays the
  /// rest by hand. The rule:
  ///
  /// 1. Faults begin before the person acts. None ends, and none is of the storage: the stage keeps everything in memory.
  /// 2. The person opens one website on the first device, or on the desktop that asks it, and taps its button. Afterwards
  ///    the person only scans or closes a QR code, and picks, authorizes, taps, cancels and answers prompts on the phone.
  ///    A case in which time passes, a script, an app, an
  ///    authority or a server acts, or a device restarts, is left out.
  /// 3. No step fails, and the case expects a result on the website's page or an exception. It expects nothing of the
  ///    checkout around the button: the stage's pages have their own.
  /// 4. The website's origin and script do not matter: the stage puts every website at an origin of its own, with its own
  ///    page.
  public var isPlayableByHand: Bool {
    let all = steps.map(\.step)
    let faults = all.prefix { if case .fault = $0.content { true } else { false } }
    let rest = all.dropFirst(faults.count)
    let actions = rest.filter { if case .expectation = $0.content { false } else { true } }
    return skip == nil && expectedFailure == nil && all.allSatisfy { $0.fails == nil }
      && rest.contains(where: \.expectsResult)
      && !rest.contains(where: \.expectsCheckout) && faults.allSatisfy(\.isFaultOfAnyOrigin)
      && isFlowByHand(Array(actions))
      && world.websites.allSatisfy(\.isReplaceable)
  }

  private func isFlowByHand(_ actions: [Step]) -> Bool {
    guard actions.count >= 2, case .action(.person(.visit(_, let device))) = actions[0].content,
      opensAtTheStage(device), case .action(.person(.tap)) = actions[1].content
    else { return false }
    let later = actions.dropFirst(2)
    // A tap in an app's view comes after the app was picked; any other is a second tap on the page.
    if case .action(.person(.tap))? = later.first?.content { return false }
    return later.allSatisfy { $0.isOnThePhone(of: devicesInUse) }
  }

  private var devicesInUse: DevicesInUse {
    DevicesInUse(world.devices, current: world.devices.first?.identifier ?? "")
  }

  /// Returns whether the stage opens its page on the same device.
  private func opensAtTheStage(_ device: String?) -> Bool {
    let others = world.devices.filter { !$0.kind.answersRequests }
    guard others.allSatisfy({ $0.kind == .desktop }) else { return false }
    return (device ?? world.devices.first?.identifier) == devicesInUse.browsing
  }
}

extension WorldDescription.Website {
  /// True for a website with an ordinary origin, an ordinary page and a certificate for the origin.
  fileprivate var isReplaceable: Bool {
    replaysRequestsOf == nil && script == .own && certifiedDomain == nil && origin.serialized.hasPrefix("https://")
  }
}

extension Step {
  fileprivate var isFaultOfAnyOrigin: Bool {
    guard case .fault(.begins(let planned)) = content else { return false }
    return planned.fault.party != .storage && !planned.fault.id.contains(".transcript.origin.")
  }

  fileprivate func isOnThePhone(of devices: DevicesInUse) -> Bool {
    guard case .action(.person(let action)) = content else { return false }
    return switch action {
    case .pick, .tap, .cancelSelector, .answerPrompt: true
    case .scan(let device, let phone): device == devices.browsing && phone ?? device == devices.answering
    case .cancelCode(let device): device ?? devices.browsing == devices.browsing
    case .authorize(let attempt): attempt.result != .cancelled
    default: false
    }
  }

  fileprivate var expectsCheckout: Bool {
    guard case .expectation(.website(let expected)) = content else { return false }
    return expected.step != nil || expected.form != nil || expected.mentions != nil
  }

  fileprivate var expectsResult: Bool {
    switch content {
    case .expectation(.website), .expectation(.exception): true
    default: false
    }
  }
}
