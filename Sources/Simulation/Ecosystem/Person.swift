import DigitalCredentials
import Messaging
import Vocabulary

/// The person: sees screens, and acts as the scenario says, or as a browser's virtual wallet orders.
actor Person: StationedActor {
  nonisolated let station: Station

  private(set) var view = PersonView()
  /// The orders of virtual wallets, by the device.
  private var orders: [String: Order] = [:]

  private struct Order {
    var content: VirtualWallet.PersonOrder
    var hasPicked = false
  }

  init(station: Station) {
    self.station = station
  }

  func receive(_ message: Message) {
    switch message.kind {
    case .showPage, .showApp, .showTerminal: view.pages[message.sender] = message.body(PageScreen.self)
    case .showSelector:
      view.notices[message.sender] = nil
      view.selectors[message.sender] = message.body(SelectorScreen.self)
      obey(on: message.sender)
    case .show:
      view.selectors[message.sender] = nil
      view.authorizations[message.sender] = message.body(AuthorizationScreen.self)
      obey(on: message.sender)
    case .order:
      orders[message.sender.name] = message.body(VirtualWallet.PersonOrder.self).map { Order(content: $0) }
      obey(on: Party(.operatingSystem, message.sender.name))
    case .dismissInterface:
      view.notices[message.sender] = message.body(DismissScreen.self)
      view.selectors[message.sender] = nil
      view.authorizations[message.sender] = nil
    case .showPrompt: view.prompts[message.sender] = message.body(PromptScreen.self)
    case .showCode: view.codes[message.sender] = message.body(QRCodeScreen.self)
    case .dismissCode: view.codes[message.sender] = nil
    case .showContinue: view.continueSheets[message.sender] = message.body(ContinueScreen.self)
    case .dismissContinue: view.continueSheets[message.sender] = nil
    case .showNotification: view.notifications[message.sender] = message.body(NotificationScreen.self)
    case .dismissNotification: view.notifications[message.sender] = nil
    case .showWarning: view.warnings[message.sender] = message.body(WarningScreen.self)
    case .dismissWarning: view.warnings[message.sender] = nil
    case .dismissPrompt: view.prompts[message.sender] = nil
    default: station.ignore(message)
    }
  }

  /// Acts on the screen of a device as ordered. Without the app in the selector, the person closes it.
  private func obey(on operatingSystem: Party) {
    guard let order = orders[operatingSystem.name] else { return }
    if let selector = view.selectors[operatingSystem] {
      let isOffered = selector.offered.contains { $0.app == order.content.app }
      // An app is picked once: a selector that opens again would be picked from without an end.
      let picks = isOffered && !order.hasPicked
      orders[operatingSystem.name]?.hasPicked = true
      touch(picks ? .pick(app: order.content.app) : .cancelSelector, on: operatingSystem)
    } else if let screen = view.authorizations[operatingSystem] {
      let labels =
        switch order.content.decision {
        case .authorize: screen.agreeing
        case .decline: screen.declining
        }
      // Decides once: a view that is shown again asks for something else.
      orders[operatingSystem.name] = nil
      if let label = labels.first { touch(.tap(label), on: operatingSystem) }
    }
  }

  /// Clears the view of a device that was switched off.
  func lookAway(from operatingSystem: Party, pages: [Party]) {
    view.selectors[operatingSystem] = nil
    view.authorizations[operatingSystem] = nil
    view.prompts[operatingSystem] = nil
    view.notices[operatingSystem] = nil
    view.warnings[Party(.browser, operatingSystem.name)] = nil
    view.codes[Party(.clientPlatform, operatingSystem.name)] = nil
    view.codes[Party(.mdoc, operatingSystem.name)] = nil
    let nearby = Party(.nearby, operatingSystem.name)
    view.continueSheets[nearby] = nil
    view.notifications[nearby] = nil
    for page in pages { view.pages[page] = nil }
    orders[operatingSystem.name] = nil
  }

  /// Takes note of the frames that a browser does not show any more. Their last screens stay for those who ask for them.
  func miss(_ frames: Set<Party>, on device: String) {
    view.missing = view.missing.filter { $0.deviceOfPage != device }.union(frames)
  }

  /// Does something with a device or a terminal.
  func send(_ kind: MessageKind, _ bytes: [UInt8], as mediaType: String, to party: Party) {
    station.send(kind, bytes: bytes, as: mediaType, to: party)
  }

  func touch(_ touch: Action.Touch, on operatingSystem: Party) {
    let view: Int? =
      switch touch {
      case .tap, .authorize, .choose: view.authorizations[operatingSystem]?.number
      default: nil
      }
    station.send(.tap, SeenTouch(touch, in: view ?? 1), to: operatingSystem)
  }
}
