import DevicePlatform
import DigitalCredentials
import JSON
import MobileDocument
import Primitives
import ReaderOnboarding

/// Something done in a world: by the person, a page's script, an app's code or an authority, or to a server.
public enum Action: Sendable, Equatable {
  /// The person acts, on the device used last.
  case person(ByPerson)
  /// The script of a website's page, or of a frame in it, acts without the person. Nil means the website visited last, the
  /// page itself, and the device used last.
  case page(ByPage, website: String?, device: String?, frame: String? = nil)
  /// An app's code on the device used last acts without the person.
  case app(ByApp, name: String)
  /// The code of a requesting app on the device used last acts without the person.
  case requestingApp(ByRequestingApp, name: String)
  /// An issuing authority acts.
  case authority(ByAuthority, name: String)
  /// A reader authority acts.
  case readerAuthority(ByReaderAuthority, name: String)
  /// A website's server ends and starts again.
  case restartServer(website: String)
  /// A website's operator acts at its server.
  case website(ByOperator, name: String)
  /// The clerk at a terminal acts; nil means the terminal that a phone was held to last.
  case clerk(ByClerk, terminal: String?)

  /// Actions of the person.
  public indirect enum ByPerson: Sendable, Equatable {
    /// Turns to a device, which becomes the device used last, and acts on it.
    case on(String, ByPerson)
    /// Opens a website; nil means the device used last.
    case visit(website: String, device: String?)
    /// Opens a requesting app; nil means the device used last.
    case open(app: String, device: String?)
    /// Taps a button: in the app's view if one is open, otherwise in the requesting app or on the page, or in a frame of it.
    case tap(String, frame: String? = nil)
    /// Uses the window of the browser: its tabs, its history, its focus, and its warning.
    case browse(BrowserUse)
    /// Uploads a file with the form on the page.
    case upload(UploadedFile)
    /// Closes the QR code of a browser that asks another device; nil means the device used last.
    case cancelCode(device: String?)
    /// Scans the QR code on the screen of a device; nil means the device used last.
    case scan(device: String, phone: String?)
    /// Scans the QR code of a text; nil means the device used last.
    case scanText(String, phone: String?)
    /// Shows the code of the device used last, for a reader near it.
    case showCode
    /// Holds the device used last to a terminal, which reads its code, or its tag by NFC.
    case hold(terminal: String, by: Engagement = .qrCode)
    /// Unlocks a device, and uses nothing on it.
    case unlock(device: String)
    /// Carries a device to another place.
    case carry(device: String, place: String)
    /// Taps a notification for another device, which opens the selector, or declines it.
    case answerNotification(device: String, isAccepted: Bool)
    /// Leaves the sheet of the asking device for the QR code, or ends the request.
    case leaveContinueSheet(device: String, forCode: Bool)
    /// Touches what the operating system shows.
    case touch(Touch)
    /// Lets time pass.
    case wait(Duration)
    /// Switches a device off and on.
    case restart(device: String)
  }

  /// The ways in which a terminal engages with the device that is held to it.
  public enum Engagement: String, Sendable, CaseIterable {
    /// Its camera reads the code on the screen.
    case qrCode = "qr-code"
    /// Its reader finds the tag that the device is.
    case nfc
  }

  /// The person's touches of what the operating system of a device shows.
  public enum Touch: Sendable, Equatable {
    /// Picks an app in the selector.
    case pick(app: String)
    /// Picks another device in the selector.
    case pickAnotherDevice
    /// Closes the selector.
    case cancelSelector
    /// Taps a button in an app's view.
    case tap(String)
    /// Answers the consent sheet with Face ID or the passcode, or tries to.
    case authorize(OwnerAuthentication.Attempt)
    /// Chooses another document in an app's view.
    case choose(document: String)
    /// Deletes a document in an app.
    case delete(document: String, app: String)
    /// Answers the prompt that asks whether an app may provide documents.
    case answerPrompt(app: String, isAllowed: Bool)
    /// Switches an app on or off in Settings.
    case switchApp(String, isOn: Bool)
    /// Turns a setting of the device on or off, in Settings.
    case turn(DeviceSetting, isOn: Bool)
    /// Installs an app.
    case install(app: String)
    /// Installs an app's next version.
    case update(app: String)
    /// Removes an app.
    case remove(app: String)
  }

  /// The settings of a device that the person turns on and off.
  public enum DeviceSetting: String, Sendable, CaseIterable {
    /// The owner's authentication by the face. Without it, the passcode counts alone.
    case faceID = "face-id"
    /// The device has no connection to the internet; Bluetooth and NFC stay on.
    case flightMode = "flight-mode"

    /// The position on a new device.
    public var isUsuallyOn: Bool { self == .faceID }

    /// The name for people.
    public var label: String {
      switch self {
      case .faceID: OwnerAuthentication.Method.faceID.label
      case .flightMode: "flight mode"
      }
    }
  }

  /// Actions of a website's script.
  public enum ByPage: Sendable, Equatable {
    /// Calls the API without a gesture of the person.
    case call(PageCall = PageCall())
    /// Aborts the newest pending call.
    case abort(reason: String, name: String = "AbortError")
    /// Changes the page.
    case change(PageChange)
    /// Sends the last response once more.
    case replayResponse(to: ReplayedSession)
    /// Sends a message of a script that runs outside the world.
    case send(PageMessage)
  }

  /// A use of the browser's window.
  public enum BrowserUse: Sendable, Equatable {
    /// A way through the history of the tab in front.
    public enum Direction: String, Sendable, CaseIterable {
      case back, forward
    }

    /// Opens a website in a new tab.
    case openTab(website: String)
    /// Brings the tab with a website to the front.
    case showTab(website: String)
    /// Closes the tab with a website.
    case closeTab(website: String)
    /// Goes through the history of the tab in front.
    case go(Direction)
    /// Hides the window, shows it, or moves the focus away from it or back.
    case changeWindow(PageWindow.WindowChange)
    /// Moves the focus into a frame of the page in front; nil means the page itself.
    case focus(frame: String?)
    /// Touches the page in front, or a frame of it, where no script listens.
    case touch(frame: String?)
    /// Answers the warning that the browser shows before the chooser.
    case answerWarning(continues: Bool)
  }

  /// A call of the API by a page's script.
  public struct PageCall: Sendable, Equatable {
    /// The method.
    public var method = CredentialOperation.get
    /// The argument as JSON with the markers of ``PageValue`` and ``RequestPlaceholder``; nil for a call with the fetched
    /// request.
    public var options: String?
    /// The message of the `AbortError` with which the script aborts the signal before the call; nil if it does not.
    public var abortedBefore: String?

    /// A call with the fetched request.
    public init() {}
  }

  /// A change of a page by its own script.
  public enum PageChange: Sendable, Equatable {
    /// Removes a frame.
    case removeFrame(String)
    /// Loads the document of a frame, or of the page itself, again.
    case reload(frame: String?)
    /// Moves the focus into a frame, or to the page itself.
    case focus(frame: String?)
    /// Calls `window.stop()`.
    case stop
  }

  /// Actions of an app's own code.
  public enum ByApp: Sendable, Equatable {
    /// Calls `addRegistration`.
    case add(Registration)
    /// Calls `removeRegistration`.
    case remove(registration: String)
    /// Reads the store's `status`.
    case readStatus
    /// Reads the store's `registrations`.
    case readRegistrations
    /// Gets a further document from its issuing authority, and registers it.
    case provision(document: String)
    /// Gets a new copy of a document from its issuing authority, for a new key, and registers it.
    case renew(document: String)
    /// Calls `sendResponse` for the view on the screen before the person has acted in it.
    case respondWithoutConsent
  }

  /// Actions of the code of a requesting app.
  public enum ByRequestingApp: Sendable, Equatable {
    /// Requests the document without a tap of the person.
    case request
    /// Cancels its request.
    case cancel
    /// Sends the last envelope once more.
    case replay(to: ReplayedSession)
  }

  /// The session that an answer is sent to again.
  public enum ReplayedSession: String, Sendable, CaseIterable {
    /// The session that it was for.
    case same = "same-session"
    /// A new one of the same kind.
    case new = "new-session"
    /// A new one of the other kind: an app's for the response of a page, and a page's for the envelope of an app.
    case otherKind = "session-of-other-kind"
  }

  /// Actions of an issuing authority.
  public enum ByAuthority: Sendable, Equatable {
    /// Changes the status of a document that the authority issued to an app; nil means the device used last.
    case change(StatusChange, document: String, app: String, device: String?)
  }

  /// Actions of the clerk at a terminal.
  public enum ByClerk: Sendable, Equatable {
    /// Compares the portrait with the person at the counter.
    case compare(isAlike: Bool)

    /// The answers to a terminal that asks for the comparison, in the order of its buttons.
    public static let answers: [ByClerk] = [.compare(isAlike: true), .compare(isAlike: false)]

    /// The label of the button on the terminal.
    public var label: String {
      switch self {
      case .compare(let isAlike): isAlike ? "Yes" : "No"
      }
    }
  }

  /// Actions of a reader authority.
  public enum ByReaderAuthority: Sendable, Equatable {
    /// The staff decides about a website's brand.
    case reviews(BrandDecision, website: String)
    /// Revokes the certificates of a website.
    case revokes(website: String)
  }

  /// Actions of a website's operator.
  public enum ByOperator: Sendable, Equatable {
    /// Meets the requirements of a reader authority and applies again.
    case apply(authority: String)
    /// Submits another brand to the reader authorities that have requirements.
    case changeBrand(name: String)
  }

  /// A registration that an app's code makes up, for a document that the app may not hold.
  public struct Registration: Sendable, Equatable {
    /// `DocType`.
    public var documentType: String
    /// Document identifier; generated when nil.
    public var identifier: String?
    /// Reader authorities whose key identifiers the registration lists; nil for those that the app trusts.
    public var trustsReaders: [String]?
    /// Made-up issuer key identifiers; nil for none.
    public var issuerKeys: IssuerKeys?
    /// Invalidation date; nil for never.
    public var invalidation: DateTime?

    /// Made-up issuer key identifiers.
    public struct IssuerKeys: Sendable, Equatable {
      /// The number of identifiers.
      public var count: Int
      /// The length of each in bytes.
      public var length: Int

      /// Creates a number of identifiers.
      public init(count: Int, length: Int = 20) {
        self.count = count
        self.length = length
      }
    }

    /// Creates a registration of a document type.
    public init(documentType: String) { self.documentType = documentType }
  }
}

/// The JSON message from the person to the operating system: `{"label": "Wallet", "target": "pickApp"}`.
/// A touch as the operating system and apps get it: with the view that the person saw.
package struct SeenTouch: Sendable, Equatable {
  /// The touch.
  package var touch: Action.Touch
  /// The number of the app's view that was on the screen; 1 for a touch of anything else.
  package var view: Int

  package init(_ touch: Action.Touch, in view: Int) { (self.touch, self.view) = (touch, view) }
}

extension SeenTouch: JSONWritable, JSONReadable {
  package func write(to json: inout JSONWriter) {
    var body = touch.body
    body.view = view > 1 ? view : nil
    body.write(to: &json)
  }

  package init(json: JSONItem) throws(JSONError) {
    touch = try Action.Touch(json: json)
    view = try Action.Touch.Body(json: json).view ?? 1
  }
}

extension Action.Touch: JSONWritable, JSONReadable {
  fileprivate struct Body: JSONObject {
    /// The kind of the target.
    var target: String
    /// The name of the target: an app, a button, a document.
    var label: String
    /// The app in which a document is deleted, or that the prompt or the switch is for.
    var app: String?
    /// The result of an attempt to authenticate.
    var result: OwnerAuthentication.Result?
    /// The number of the app's view that the person saw, from the second on.
    var view: Int?

    static let json = JSONForm<Self>(
      Self.init, Member("target", \.target), Member("label", \.label), Member(optional: "app", \.app),
      Member(optional: "result", \.result), Member(optional: "view", \.view))
  }

  fileprivate var body: Body {
    switch self {
    case .pick(let app): Body(target: "pickApp", label: app)
    case .pickAnotherDevice: Body(target: "pickAnotherDevice", label: SelectorScreen.anotherDeviceLabel)
    case .cancelSelector: Body(target: "cancelSelector", label: "Cancel")
    case .tap(let label): Body(target: "appView", label: label)
    case .authorize(let attempt): Body(target: "authenticate", label: attempt.method.rawValue, result: attempt.result)
    case .choose(let document): Body(target: "chooseDocument", label: document)
    case .delete(let document, let app): Body(target: "deleteDocument", label: document, app: app)
    case .answerPrompt(let app, let isAllowed):
      Body(target: "prompt", label: isAllowed ? PromptScreen.allow : PromptScreen.doNotAllow, app: app)
    case .switchApp(let app, let isOn): Body(target: "settings", label: isOn ? "on" : "off", app: app)
    case .turn(let setting, let isOn): Body(target: setting.rawValue, label: isOn ? "on" : "off")
    case .install(let app): Body(target: "install", label: app)
    case .update(let app): Body(target: "update", label: app)
    case .remove(let app): Body(target: "remove", label: app)
    }
  }

  package func write(to json: inout JSONWriter) { body.write(to: &json) }

  package init(json: JSONItem) throws(JSONError) {
    let body = try Body(json: json)
    let label = body.label
    switch (body.target, body.app) {
    case ("pickApp", _): self = .pick(app: label)
    case ("pickAnotherDevice", _): self = .pickAnotherDevice
    case ("cancelSelector", _): self = .cancelSelector
    case ("appView", _): self = .tap(label)
    case ("authenticate", _):
      guard let method = OwnerAuthentication.Method(rawValue: label) else { throw json.error("unknown method") }
      guard let result = body.result else { throw json.error("the member 'result' is missing", .missingMember) }
      self = .authorize(OwnerAuthentication.Attempt(method, result))
    case ("chooseDocument", _): self = .choose(document: label)
    case ("deleteDocument", let app?): self = .delete(document: label, app: app)
    case ("prompt", let app?) where [PromptScreen.allow, PromptScreen.doNotAllow].contains(label):
      self = .answerPrompt(app: app, isAllowed: label == PromptScreen.allow)
    case ("settings", let app?) where ["on", "off"].contains(label): self = .switchApp(app, isOn: label == "on")
    case (let target, _) where ["on", "off"].contains(label) && Action.DeviceSetting(rawValue: target) != nil:
      guard let setting = Action.DeviceSetting(rawValue: target) else { throw json.error("unknown setting") }
      self = .turn(setting, isOn: label == "on")
    case ("install", _): self = .install(app: label)
    case ("update", _): self = .update(app: label)
    case ("remove", _): self = .remove(app: label)
    default: throw json.error("unknown target or label")
    }
  }
}

/// The positions of a device's settings.
public struct DeviceSettings: Sendable, Equatable {
  /// The settings that are not in their usual position.
  private var moved: [Action.DeviceSetting] = []

  /// The settings of a new device.
  public init() {}

  /// True if a setting is on.
  public func isOn(_ setting: Action.DeviceSetting) -> Bool { setting.isUsuallyOn != moved.contains(setting) }

  /// Turns a setting on or off.
  /// - Returns: False if it is in this position already.
  package mutating func turn(_ setting: Action.DeviceSetting, isOn: Bool) -> Bool {
    guard self.isOn(setting) != isOn else { return false }
    if isOn == setting.isUsuallyOn { moved.removeAll { $0 == setting } } else { moved.append(setting) }
    return true
  }
}
