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
  struct Authorization {
    /// A document that the view offers, as a card shows it.
    struct Card {
      var identifier: String
      var documentType: String
      /// The display name of the document type.
      var title: String
      /// The displayed name of the issuing authority.
      var issuer: String
      var hasPortrait: Bool
      /// True if the app gives this document when the person agrees.
      var isChosen: Bool
      /// The reason for which the app would not give it.
      var problem: String?
    }

    var style: String
    var app: String
    var requester: String
    /// The file of the icon, or a `data` URL.
    var icon: String?
    var isRequesterCertified: Bool
    /// The displayed name of the reader authority that certified the requester; nil if several did.
    var certifiedBy: String?
    var origin: String
    /// The elements, in the order of the website's list.
    var elements: [AuthorizationScreen.Element]
    /// The documents that can answer, in the app's order.
    var cards: [Card]
    var title: String?
    var lines: [String]?
    var buttons: [String]
    var agreeing: [String]
    var notice: String?
    /// The texts in the language of the device; nil for English.
    var local: LocalTexts?

    init(_ view: AuthorizationScreen, on device: WorldDescription.Device, in world: WorldDescription) {
      let app = device.apps.first { $0.name == view.app }
      let asker = Asker(of: view, in: world)
      style = (app?.style ?? .wallet).rawValue
      (self.app, requester, icon) = (view.app, view.requester, view.logotype?.url ?? view.icon)
      isRequesterCertified = view.isRequesterCertified
      certifiedBy = view.isRequesterCertified ? asker.certifier(for: app) : nil
      origin = view.requestingApp ?? view.origin
      elements = asker.inOrder(view.elements)
      cards = view.documents.map { Card($0, of: app) }
      (title, lines) = (view.title, view.lines)
      (buttons, agreeing, notice, local) = (view.buttons, view.agreeing, view.notice, view.local)
    }
  }

  /// The QR code of a browser that asks another device, or of a phone for a terminal.
  struct Code {
    /// The device that shows it.
    var device: String
    var title: String
    var origin: String
    var message: String
    var buttons: [String]
    /// True for a terminal.
    var isInPerson: Bool
    /// The drawing; nil after a phone has scanned it.
    var svg: String?

    init(_ screen: QRCodeScreen, on device: String) {
      self.device = device
      (title, origin) = (screen.says(screen.title), screen.says(screen.origin))
      (message, buttons) = (screen.says(screen.message), screen.buttons.map(screen.says))
      isInPerson = screen.isInPerson
      svg = screen.uri.flatMap { try? QRSymbol($0) }?.svg
    }
  }

  /// A verified element on the page, for people.
  struct Fact {
    /// Its name space and identifier.
    var name: String
    var label: String
    var words: String

    init(_ element: PageScreen.Element) {
      name = "\(element.nameSpace) \(element.identifier)"
      (label, words) = (element.label, element.words)
    }
  }

  /// A frame of the page, with the page that is in it.
  struct Frame {
    var name: String
    /// The website whose page it is.
    var website: String
    /// The kind of the document's URL; nil for the website's own address.
    var source: String?
    /// The frame around this one; nil for the page itself.
    var container: String?
    var page: PageScreen
    /// The verified elements on it.
    var facts: [Fact] { (page.verified ?? []).map(Fact.init) }

    /// The frames of a website's page that show something, in their order on the page.
    static func all(of website: WorldDescription.Website, in view: PersonView, on device: String) -> [Frame] {
      website.page.frames.compactMap { frame in
        view.page(ofFrame: frame.name, in: website.identifier, on: device).map { page in
          Frame(
            name: frame.name, website: frame.website ?? website.identifier,
            source: frame.source == .url ? nil : frame.source.rawValue, container: frame.container, page: page)
        }
      }
    }
  }

  /// The page, or the screen of the requesting app in front of it.
  var page: PageScreen?
  /// The verified elements on it.
  var facts: [Fact] { (page?.verified ?? []).map(Fact.init) }
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
    code = (view.code(on: name) ?? view.codeInPerson(on: name)).map { Code($0, on: name) }
    notification = view.notification(on: name)
    continueSheet = view.continueSheet(on: name)
    warning = view.warning(on: name)
    let open = world.websites.first { $0.identifier == website }
    frames = open.map { Frame.all(of: $0, in: view, on: name) } ?? []
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
    if !facts.isEmpty { json.member("facts", facts) }
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

extension DeviceScreen.Frame: JSONObjectWritable {
  func writeMembers(to json: inout JSONWriter) {
    if !facts.isEmpty { json.member("facts", facts) }
    json.member("in", container)
    json.member("name", name)
    json.member("page", page)
    json.member("source", source)
    json.member("website", website)
  }
}

extension DeviceScreen.Fact: JSONObjectWritable {
  func writeMembers(to json: inout JSONWriter) {
    json.member("label", label)
    json.member("name", name)
    json.member("words", words)
  }
}

extension DeviceScreen.Code: JSONObjectWritable {
  func writeMembers(to json: inout JSONWriter) {
    json.member("buttons", buttons)
    json.member("device", device)
    json.member("isInPerson", isInPerson)
    json.member("message", message)
    json.member("origin", origin)
    json.member("svg", svg)
    json.member("title", title)
  }
}

extension DeviceScreen.Authorization: JSONObjectWritable {
  func writeMembers(to json: inout JSONWriter) {
    json.member("agreeing", agreeing)
    json.member("app", app)
    json.member("buttons", buttons)
    json.member("cards", cards)
    json.member("certifiedBy", certifiedBy)
    json.member("elements", elements)
    json.member("icon", icon)
    json.member("isRequesterCertified", isRequesterCertified)
    json.member("lines", lines)
    json.member("local", local)
    json.member("notice", notice)
    json.member("origin", origin)
    json.member("requester", requester)
    json.member("style", style)
    json.member("title", title)
  }
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
