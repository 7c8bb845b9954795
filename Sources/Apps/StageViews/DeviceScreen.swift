import InteractiveWorlds
import JSON
import MobileDocument
import Primitives
import QRCode
import Telling
import Vocabulary

/// Everything on the screens of one device, as JSON for the stage.
struct DeviceScreen {
  /// A document provider's view, with the style of the app.
  struct Authorization: JSONObjectWritable {
    private let view: AuthorizationScreen
    private let app: WorldDescription.App?
    private let asker: Asker

    init(_ view: AuthorizationScreen, on device: WorldDescription.Device, in world: WorldDescription) {
      self.view = view
      app = device.apps.first { $0.name == view.app }
      asker = Asker(of: view, in: world)
    }

    func writeMembers(to json: inout JSONWriter) {
      json.member("agreeing", view.agreeing)
      json.member("app", view.app)
      json.member("buttons", view.buttons)
      json.member("cards", view.documents.map { DocumentCard(shown: $0, app: app) })
      // None if several reader authorities certified the requester.
      json.member("certifiedBy", view.isRequesterCertified ? asker.certifier(for: app) : nil)
      json.member("elements", asker.inOrder(view.elements))
      json.member("icon", view.logotype?.url ?? view.icon)
      json.member("isRequesterCertified", view.isRequesterCertified)
      json.member("lines", view.lines)
      json.member("local", view.local)
      json.member("notice", view.notice)
      json.member("origin", view.requestingApp ?? view.origin)
      json.member("requester", view.requester)
      json.member("style", (app?.style ?? .wallet).rawValue)
      json.member("title", view.title)
    }
  }

  /// The QR code of a browser that asks another device, or of a phone for a terminal.
  struct Code: JSONObjectWritable {
    let screen: QRCodeScreen
    /// The device that shows it.
    let device: String

    func writeMembers(to json: inout JSONWriter) {
      json.member("buttons", screen.buttons.map(screen.says))
      json.member("device", device)
      json.member("isInPerson", screen.isInPerson)
      json.member("message", screen.says(screen.message))
      json.member("origin", screen.says(screen.origin))
      // A phone that has scanned the code leaves none.
      json.member("svg", screen.uri.flatMap { try? QRSymbol($0) }?.svg)
      json.member("title", screen.says(screen.title))
    }
  }

  /// A frame of the page of a website, with the page that is in it.
  struct Frame: JSONObjectWritable {
    let frame: WorldDescription.Website.Frame
    let website: String
    let page: PageScreen

    func writeMembers(to json: inout JSONWriter) {
      if !page.facts.isEmpty { json.member("facts", page.facts) }
      json.member("in", frame.container)
      json.member("name", frame.name)
      json.member("page", page)
      // The kind of the document's URL, unless it is the website's own address.
      json.member("source", frame.source == .url ? nil : frame.source.rawValue)
      json.member("website", frame.website ?? website)
    }
  }

  let view: PersonView
  let focus: Focus
  let device: WorldDescription.Device
  let world: WorldDescription
  /// True for a device in flight mode.
  var isInFlightMode = false

  private var name: String { device.identifier }

  /// The requesting app in front of the browser.
  private var app: String? { focus.openApp(on: name) }

  /// The website of the page; nil without one, or behind a requesting app.
  private var website: String? { app == nil ? focus.website(on: name) : nil }

  /// The page, or the screen of the requesting app in front of it.
  private var page: PageScreen? {
    app.flatMap { view.screen(ofRequestingApp: $0, on: name) } ?? website.flatMap { view.page(of: $0, on: name) }
  }

  /// The frames of the page that show something, in their order on the page.
  private var frames: [Frame] {
    let open = world.websites.first { $0.identifier == website }
    return (open?.page.frames ?? []).compactMap { frame in
      guard let open, let page = view.page(ofFrame: frame.name, in: open.identifier, on: name) else { return nil }
      return Frame(frame: frame, website: open.identifier, page: page)
    }
  }

  /// The selector, with the display names of document types.
  private var selector: SelectorScreen? {
    view.selector(on: name).map { screen in
      var screen = screen
      for index in screen.offered.indices {
        screen.offered[index].documents = screen.offered[index].documents.map {
          ElementNames.label(documentType: $0, in: screen.language)
        }
      }
      return screen
    }
  }

  /// The QR code of the browser, or of the phone.
  private var code: QRCodeScreen? { view.code(on: name) ?? view.codeInPerson(on: name) }

  /// True if nothing of the run is on the screen.
  var isEmpty: Bool {
    let isPlain = page == nil && view.shownNotice(on: name) == nil && frames.isEmpty
    let hasNoSheet =
      view.selector(on: name) == nil && view.authorization(on: name) == nil && view.prompt(on: name) == nil
      && view.notification(on: name) == nil
    return isPlain && hasNoSheet && code == nil && view.continueSheet(on: name) == nil
      && view.warning(on: name) == nil
  }

  /// The screens of every device of a world.
  /// - Parameter settings: The settings of the devices, where they are known.
  static func all(
    _ view: PersonView, _ focus: Focus, settings: [String: DeviceSettings], in world: WorldDescription
  ) -> [String: DeviceScreen] {
    let screens = world.devices.map { device in
      let isInFlightMode = settings[device.identifier]?.isOn(.flightMode) ?? false
      return (
        device.identifier,
        DeviceScreen(view: view, focus: focus, device: device, world: world, isInFlightMode: isInFlightMode)
      )
    }
    return Dictionary(screens) { first, _ in first }
  }
}

extension DeviceScreen: JSONObjectWritable {
  func writeMembers(to json: inout JSONWriter) {
    let page = self.page
    let frames = self.frames
    let selector = self.selector
    json.member(orNull: "app", app)
    json.member("asker", selector?.asker)
    json.member(orNull: "authorization", view.authorization(on: name).map { Authorization($0, on: device, in: world) })
    json.member(orNull: "code", code.map { Code(screen: $0, device: name) })
    json.member(orNull: "continue", view.continueSheet(on: name))
    if let page, !page.facts.isEmpty { json.member("facts", page.facts) }
    if !frames.isEmpty { json.member("frames", frames) }
    if isInFlightMode { json.member("isInFlightMode", true) }
    if device.language != .english { json.member("language", device.language.rawValue) }
    // The message with which the system closed the selector or an app's view.
    json.member(orNull: "notice", view.shownNotice(on: name))
    json.member(orNull: "notification", view.notification(on: name))
    json.member(orNull: "page", page)
    json.member(orNull: "pageOf", website)
    json.member(orNull: "prompt", view.prompt(on: name))
    json.member(orNull: "selector", selector)
    // The browser's warning before the chooser.
    json.member("warning", view.warning(on: name))
  }
}

extension PageScreen {
  /// The verified elements on the page.
  fileprivate var facts: [[String: String]] { (verified ?? []).map(\.fact) }
}

extension PageScreen.Element {
  /// A verified element, for people.
  var fact: [String: String] { ["label": label, "name": "\(nameSpace) \(identifier)", "words": words] }
}

extension JSONWriter {
  /// Writes a member, `null` if its value is nil.
  package mutating func member(orNull name: String, _ value: (some JSONWritable)?) {
    if let value { member(name, value) } else { member(name) { $0.null() } }
  }
}
