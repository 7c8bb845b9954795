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

  /// The page, or the screen of the requesting app in front of it.
  var page: PageScreen?
  /// The website of the page; nil without one, or behind a requesting app.
  var website: String?
  /// The requesting app in front of the browser.
  var app: String?
  /// The selector, with the display names of document types.
  var selector: SelectorScreen?
  var authorization: Authorization?
  var prompt: PromptScreen?
  var code: Code?
  var notification: NotificationScreen?
  var continueSheet: ContinueScreen?
  /// The browser's warning before the chooser.
  var warning: WarningScreen?
  /// The frames of the page.
  var frames: [Frame] = []
  /// The message with which the system closed the selector or an app's view.
  var notice: String?

  /// The language of the device.
  var language = Language.english
  /// True for a device in flight mode.
  var isInFlightMode = false

  /// A device that shows nothing.
  init() {}

  init(
    _ view: PersonView, _ focus: Focus, of device: WorldDescription.Device, in world: WorldDescription
  ) {
    let name = device.identifier
    app = focus.openApp(on: name)
    website = app == nil ? focus.website(on: name) : nil
    page =
      app.flatMap { view.screen(ofRequestingApp: $0, on: name) } ?? website.flatMap { view.page(of: $0, on: name) }
    selector = view.selector(on: name).map { screen in
      var screen = screen
      for index in screen.offered.indices {
        screen.offered[index].documents = screen.offered[index].documents.map {
          ElementNames.label(documentType: $0, in: screen.language)
        }
      }
      return screen
    }
    authorization = view.authorization(on: name).map { Authorization($0, on: device, in: world) }
    prompt = view.prompt(on: name)
    code = (view.code(on: name) ?? view.codeInPerson(on: name)).map { Code(screen: $0, device: name) }
    notification = view.notification(on: name)
    continueSheet = view.continueSheet(on: name)
    warning = view.warning(on: name)
    let open = world.websites.first { $0.identifier == website }
    frames = (open?.page.frames ?? []).compactMap { frame in
      guard let open, let page = view.page(ofFrame: frame.name, in: open.identifier, on: name) else { return nil }
      return Frame(frame: frame, website: open.identifier, page: page)
    }
    notice = view.shownNotice(on: name)
    language = device.language
  }

  /// True if nothing of the run is on the screen.
  var isEmpty: Bool {
    let isPlain = page == nil && notice == nil && frames.isEmpty
    let hasNoSheet = selector == nil && authorization == nil && prompt == nil && notification == nil
    return isPlain && hasNoSheet && code == nil && continueSheet == nil && warning == nil
  }

  /// The screens of every device of a world.
  /// - Parameter settings: The settings of the devices, where they are known.
  static func all(
    _ view: PersonView, _ focus: Focus, settings: [String: DeviceSettings], in world: WorldDescription
  ) -> [String: DeviceScreen] {
    let screens = world.devices.map { device in
      var screen = DeviceScreen(view, focus, of: device, in: world)
      screen.isInFlightMode = settings[device.identifier]?.isOn(.flightMode) ?? false
      return (device.identifier, screen)
    }
    return Dictionary(screens) { first, _ in first }
  }
}

extension DeviceScreen: JSONObjectWritable {
  func writeMembers(to json: inout JSONWriter) {
    json.member(orNull: "app", app)
    json.member("asker", selector?.asker)
    json.member(orNull: "authorization", authorization)
    json.member(orNull: "code", code)
    json.member(orNull: "continue", continueSheet)
    if let page, !page.facts.isEmpty { json.member("facts", page.facts) }
    if !frames.isEmpty { json.member("frames", frames) }
    if isInFlightMode { json.member("isInFlightMode", true) }
    if language != .english { json.member("language", language.rawValue) }
    json.member(orNull: "notice", notice)
    json.member(orNull: "notification", notification)
    json.member(orNull: "page", page)
    json.member(orNull: "pageOf", website)
    json.member(orNull: "prompt", prompt)
    json.member(orNull: "selector", selector)
    json.member("warning", warning)
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

  /// Writes a member, `null` if its value is nil.
  package mutating func member(orNull name: String, _ text: String?) {
    if let text { member(name, text) } else { member(name) { $0.null() } }
  }
}
