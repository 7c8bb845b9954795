import DevicePlatform
import DigitalCredentials
import LocatedYAML
import MobileDocument
import Primitives
import ReaderOnboarding
import Vocabulary

/// The actions of the person.
extension Form where Value == Action.ByPerson {
  static let person = Form.oneOf(
    "person", subject: "the person", { String?.none },
    shared: [
      Key(
        "on", \.self, .name(.device), usual: "the device used last, at first the world's first",
        "the device to act on, which becomes the device used last; not with actions that name their device themselves")
    ], sharedKeysAreLast: true,
    [
      Alternative(
        "visits", .name(.website), "opens the website", { Action.ByPerson.visit(website: $0, device: nil) },
        { if case .visit(let website, _) = $0 { website } else { nil } }),
      Alternative(
        "opens", .name(.requestingApp), "opens the requesting app",
        { Action.ByPerson.open(app: $0, device: nil) }, { if case .open(let app, _) = $0 { app } else { nil } }),
      Alternative(
        "taps", .text, optional: "frame", .frame, "the frame of the page with the button; if left out, the page itself",
        "taps the button with this label: in the app's view if one is open, otherwise in the requesting app or on the "
          + "page",
        { .tap($0, frame: $1) }, { if case .tap(let label, let frame) = $0 { (label, frame) } else { nil } }),
      Alternative(
        "touches", .frameOrPage,
        "touches a frame, or the `page` itself, where no script listens: user activation without a click",
        { .browse(.touch(frame: $0)) }, { if case .browse(.touch(let frame)) = $0 { .some(frame) } else { nil } }),
      Alternative(
        "focuses", .frameOrPage, "moves the focus into a frame of the page, or to the `page` itself",
        { .browse(.focus(frame: $0)) }, { if case .browse(.focus(let frame)) = $0 { .some(frame) } else { nil } }),
      Alternative(
        "opens-tab", .name(.website), "opens the website in a new tab of the browser",
        { .browse(.openTab(website: $0)) }, { if case .browse(.openTab(let name)) = $0 { name } else { nil } }),
      Alternative(
        "shows-tab", .name(.website), "brings the tab with the website to the front",
        { .browse(.showTab(website: $0)) }, { if case .browse(.showTab(let name)) = $0 { name } else { nil } }),
      Alternative(
        "closes-tab", .name(.website), "closes the tab with the website",
        { .browse(.closeTab(website: $0)) }, { if case .browse(.closeTab(let name)) = $0 { name } else { nil } }),
      Alternative(
        "goes", .oneOf(Action.BrowserUse.Direction.self, "direction"),
        "goes through the history of the tab in front; a page comes out of the back/forward cache, or is loaded again",
        { .browse(.go($0)) }, { if case .browse(.go(let direction)) = $0 { direction } else { nil } }),
      Alternative(
        "changes-window-to", .oneOf(PageWindow.WindowChange.self, "state"),
        "hides the browser's window or shows it again, or moves the focus to another window and back",
        { .browse(.changeWindow($0)) }, { if case .browse(.changeWindow(let change)) = $0 { change } else { nil } }),
      Alternative(
        "answers-warning", .flag("continue", "cancel", "answer"),
        "continues after the browser's warning before the chooser, or cancels there",
        { .browse(.answerWarning(continues: $0)) },
        { if case .browse(.answerWarning(let continues)) = $0 { continues } else { nil } }),
      Alternative(
        "uploads",
        Form<SampleFile>.oneOf(SampleFile.self, "file").mapped(
          \.file, { file in SampleFile.allCases.first { $0.file == file } ?? .scan }),
        "uploads a file with the page's form, which the page shows when it falls back: a picture of an ID, the same "
          + "picture labelled as JPEG although it is PNG, a text, or a file without content",
        Action.ByPerson.upload, { if case .upload(let file) = $0 { file } else { nil } }),
      Alternative(
        "picks", .name(.app), "picks the app in the selector, which must offer it", { .touch(.pick(app: $0)) },
        { if case .touch(.pick(let app)) = $0 { app } else { nil } }),
      Alternative(
        "continues-on", .words(["another-device"], "place"),
        "picks another device in the selector, which must offer it beside the apps",
        { _ in .touch(.pickAnotherDevice) },
        { if case .touch(.pickAnotherDevice) = $0 { "another-device" } else { nil } }),
      Alternative(
        "cancels", .words(["selector"], "thing to cancel"), "closes the selector", { _ in .touch(.cancelSelector) },
        { if case .touch(.cancelSelector) = $0 { "selector" } else { nil } }),
      Alternative(
        "scans", .name(.device), optional: "with", .name(.device),
        "the phone; if left out, the device used last, or the first that answers requests",
        "scans the QR code on the screen of this device with a phone",
        Action.ByPerson.scan, { if case .scan(let device, let phone) = $0 { (device, phone) } else { nil } }),
      Alternative(
        "scans-text", .text, optional: "with", .name(.device),
        "the phone; if left out, the device used last, or the first that answers requests",
        "scans a QR code of this text with a phone",
        Action.ByPerson.scanText, { if case .scanText(let text, let phone) = $0 { (text, phone) } else { nil } }),
      Alternative(
        "shows", .words(["code"], "thing to show"),
        "shows the phone's code for a reader near it, whose app and document the person chooses when the reader has asked",
        { _ in Action.ByPerson.showCode }, { if case .showCode = $0 { "code" } else { nil } }),
      Alternative(
        "holds-to", .name(.terminal), optional: "by", Form<Action.Engagement>.oneOf(Action.Engagement.self, "way"),
        "the way in which they engage; if left out, `qr-code`: the phone must show its code, and the camera reads it",
        "holds the phone to the terminal; by `nfc` it stays there until it is carried away or held to a terminal again",
        { .hold(terminal: $0, by: $1 ?? .qrCode) },
        { value in
          guard case .hold(let terminal, let way) = value else { return nil }
          return (terminal, way == .qrCode ? nil : way)
        }),
      Alternative(
        "closes", .words(["qr-code"], "thing to close"),
        "closes the QR code of a browser that asks another device, or of a phone for a terminal; without `on`, of the one "
          + "with the page opened last",
        { _ in Action.ByPerson.cancelCode(device: nil) }, { if case .cancelCode = $0 { "qr-code" } else { nil } }),
      Alternative(
        "unlocks", .name(.device), "unlocks the device and uses nothing on it; from then on it is the device used last",
        Action.ByPerson.unlock, { if case .unlock(let device) = $0 { device } else { nil } }),
      Alternative(
        "carries", .name(.device), required: "to", .place, "the place",
        "carries the device to another place; devices in range hear each other's Bluetooth", Action.ByPerson.carry,
        { if case .carry(let device, let place) = $0 { (device, place) } else { nil } }),
      Alternative(
        "taps-notification-on", .name(.device),
        "taps the notification that another device's request shows on this iPhone, which opens the selector; from then on it is the "
          + "device used last", { .answerNotification(device: $0, isAccepted: true) },
        { if case .answerNotification(let device, true) = $0 { device } else { nil } }),
      Alternative(
        "declines-notification-on", .name(.device), "declines that notification",
        { .answerNotification(device: $0, isAccepted: false) },
        { if case .answerNotification(let device, false) = $0 { device } else { nil } }),
      Alternative(
        "uses-qr-code-on", .name(.device),
        "leaves the sheet of this device that leads to an iPhone, for a QR code that any phone can scan",
        { .leaveContinueSheet(device: $0, forCode: true) },
        { if case .leaveContinueSheet(let device, true) = $0 { device } else { nil } }),
      Alternative(
        "cancels-on", .name(.device), "ends the request in the sheet of this device",
        { .leaveContinueSheet(device: $0, forCode: false) },
        { if case .leaveContinueSheet(let device, false) = $0 { device } else { nil } }),
      Alternative(
        "chooses", .name(.document),
        "chooses the document in the app's view, which must offer it; the app then gives this one in place of another",
        { .touch(.choose(document: $0)) }, { if case .touch(.choose(let document)) = $0 { document } else { nil } }),
      Alternative(
        "authorizes-with", .attempt,
        "answers the consent sheet of an app with the style `wallet`; `face-id` is the same as `taps: face-id`. With "
          + "`{ face-id: fails }` the phone sees another face, and with `{ face-id: cancelled }` the person ends the attempt",
        { .touch(.authorize($0)) }, { if case .touch(.authorize(let attempt)) = $0 { attempt } else { nil } }),
      Alternative(
        "waits", .duration, "lets time pass; all waits of a scenario together are at most 100 years",
        Action.ByPerson.wait, { if case .wait(let duration) = $0 { duration } else { nil } }),
      Alternative(
        "deletes", .name(.document), required: "in", .name(.app), "the app that holds the document",
        "deletes the document with its registration; while the app is switched off, the registration stays until the "
          + "app can remove it", { .touch(.delete(document: $0, app: $1)) },
        { if case .touch(.delete(let document, let app)) = $0 { (document, app) } else { nil } }),
      Alternative(
        "allows", .name(.app),
        "answers the app's [prompt](#prompt) with Allow; the system then calls its `performRegistrationUpdates`",
        { .touch(.answerPrompt(app: $0, isAllowed: true)) },
        { if case .touch(.answerPrompt(let app, true)) = $0 { app } else { nil } }),
      Alternative(
        "does-not-allow", .name(.app), "answers the app's [prompt](#prompt) with Don't Allow",
        { .touch(.answerPrompt(app: $0, isAllowed: false)) },
        { if case .touch(.answerPrompt(let app, false)) = $0 { app } else { nil } }),
      Alternative(
        "switches-on", .name(.app),
        "lets the app provide documents, in Settings; the system then calls its `performRegistrationUpdates`",
        { .touch(.switchApp($0, isOn: true)) }, { if case .touch(.switchApp(let app, true)) = $0 { app } else { nil } }),
      Alternative(
        "switches-off", .name(.app), "takes that back, in Settings", { .touch(.switchApp($0, isOn: false)) },
        { if case .touch(.switchApp(let app, false)) = $0 { app } else { nil } }),
      Alternative(
        "turns-on", .oneOf(Action.DeviceSetting.self, "setting"),
        "turns a setting of the device on, in Settings: `flight-mode` ends its connection to the internet, and Bluetooth "
          + "and NFC stay on",
        { .touch(.turn($0, isOn: true)) }, { if case .touch(.turn(let setting, true)) = $0 { setting } else { nil } }),
      Alternative(
        "turns-off", .oneOf(Action.DeviceSetting.self, "setting"),
        "turns it off; without `face-id`, apps with the style `wallet` ask for the passcode",
        { .touch(.turn($0, isOn: false)) },
        { if case .touch(.turn(let setting, false)) = $0 { setting } else { nil } }),
      Alternative(
        "installs", .name(.app),
        "installs the app with the documents that the world gives it; its first registration asks the person",
        { .touch(.install(app: $0)) }, { if case .touch(.install(let app)) = $0 { app } else { nil } }),
      Alternative(
        "updates",
        .name(.app).checked { name, node, context in
          guard context.world.devices.flatMap(\.apps).contains(where: { $0.name == name && $0.nextEntitlement != nil })
          else {
            throw SourceProblem(
              .unknownName, "\(name) does not have a next version", at: node.position,
              hint: "give the app a 'next-version'")
          }
        }, "installs the app's `next-version`", { .touch(.update(app: $0)) },
        { if case .touch(.update(let app)) = $0 { app } else { nil } }),
      Alternative(
        "removes", .name(.app), "removes the app with its registrations and documents",
        { .touch(.remove(app: $0)) }, { if case .touch(.remove(let app)) = $0 { app } else { nil } }),
      Alternative(
        "restarts", .name(.device), "switches the device off and on; from then on it is the device used last",
        Action.ByPerson.restart, { if case .restart(let device) = $0 { device } else { nil } }),
    ],
    { part, device, node, _ in
      guard let device else { return part }
      guard let action = part.turned(to: device) else {
        throw SourceProblem(
          .unknownKey, "this action takes no 'on': it names its device itself, or needs none",
          at: node["on"]?.position ?? node.position)
      }
      return action
    },
    { value in
      switch value {
      case .on(let device, let action): (action, device)
      case .visit(_, let device), .open(_, let device), .cancelCode(let device): (value, device)
      default: (value, nil)
      }
    })
}

extension Action.ByPerson {
  /// The action on a device, or as it is if it names its device itself or needs none.
  public func onDevice(_ device: String) -> Action.ByPerson { turned(to: device) ?? self }

  /// True if the person does something else by doing it on another device.
  public var isOfItsDevice: Bool {
    switch self {
    case .scan, .scanText, .on: true
    default: turned(to: "") != nil
    }
  }

  /// The device that the action is done on, if it names it.
  public var namedDevice: String? {
    switch self {
    case .on(let device, _): device
    case .visit(_, let device), .open(_, let device), .cancelCode(let device): device
    case .scan(_, let phone), .scanText(_, let phone): phone
    default: nil
    }
  }

  /// The action on a device; nil for one that names its device itself or needs none.
  fileprivate func turned(to device: String) -> Action.ByPerson? {
    switch self {
    case .visit(let website, _): .visit(website: website, device: device)
    case .open(let app, _): .open(app: app, device: device)
    case .cancelCode: .cancelCode(device: device)
    case .scan, .scanText, .unlock, .carry, .answerNotification, .leaveContinueSheet, .wait, .restart, .on: nil
    case .tap, .browse, .upload, .touch, .showCode, .hold: .on(device, self)
    }
  }
}

extension Form where Value == OwnerAuthentication.Attempt {
  private static let methods = OwnerAuthentication.Method.allCases.map(\.rawValue)

  /// A way to authenticate, or a way with the result of the attempt.
  fileprivate static let attempt = Form(
    type: .either([
      .words(methods), .named("way to authorize", .words(OwnerAuthentication.Result.allCases.map(\.rawValue))),
    ]),
    read: { node, context in
      if node.scalar != nil {
        return OwnerAuthentication.Attempt(try node.oneOf(OwnerAuthentication.Method.self, "way to authorize"))
      }
      let results = Form<OwnerAuthentication.Result>.oneOf(OwnerAuthentication.Result.self, "result")
      let attempts = try Form<[Named<OwnerAuthentication.Result>]>.named("way to authorize", results) { name, _ in
        guard OwnerAuthentication.Method(rawValue: name.value) == nil else { return }
        throw SourceProblem.unknownKey(name, known: methods)
      }.read(node, context)
      guard let attempt = attempts?.first, attempts?.count == 1 else {
        throw SourceProblem(.notOneKey, "the person authorizes in one way in a step", at: node.position)
      }
      return OwnerAuthentication.Method(rawValue: attempt.name).map { OwnerAuthentication.Attempt($0, attempt.value) }
    },
    write: { attempt in
      let method = attempt.method.rawValue
      if attempt.result == .succeeds { return .text(method) }
      return .mapping([YAMLValue.Entry(method, .text(attempt.result.rawValue))])
    })
}

/// The actions of pages, apps, servers and authorities.
extension Form where Value == Action {
  private struct PageKeys: Sendable {
    var name: String?
    var device: String?
    var frame: String?
  }

  private static let callKeys: [Key<Action.PageCall>] = [
    Key("method", \.method, .method, usual: "`get`", "the method"),
    Key(
      "options", \.options, .json, usual: "options with the fetched request",
      "the argument of the call; see [options of a call](#options-of-a-call)"),
    Key(
      "aborted-before", \.abortedBefore, .text, usual: "not aborted",
      "the message of the `AbortError` with which the script aborts the signal before the call"),
  ]

  private static let calls = Alternative<Action.ByPage>(
    key: KeyType(name: "calls", type: .words(["without-gesture"]), meaning: "the script calls the API without a tap"),
    companions: callKeys.map(\.type),
    read: { node, entries, whole, context in
      _ = try Form<String>.words(["without-gesture"], "way to call").read(node, context)
      return MappingForm(callKeys).read(entries, of: whole, into: Action.PageCall(), context).map(Action.ByPage.call)
    },
    write: { value in
      guard case .call(let call) = value else { return nil }
      return [YAMLValue.Entry("calls", .text("without-gesture"))]
        + MappingForm(callKeys).write(call, besides: Action.PageCall())
    })

  static let page = Form.oneOf(
    "page", subject: "the page", { PageKeys() },
    shared: [
      Key("name", \PageKeys.name, .name(.website), usual: "the website visited last", "the website of the page"),
      Key(
        "on", \PageKeys.device, .name(.device), usual: "the device used last",
        "the device of the browser; it does not become the device used last"),
      Key("frame", \PageKeys.frame, .frame, usual: "the page itself", "the frame of the page whose script acts"),
    ],
    [
      calls,
      Alternative(
        "aborts", .text, optional: "as", .text, "the name of the reason; if left out, `AbortError`",
        "the script aborts its newest pending call with a reason of this message",
        { .abort(reason: $0, name: $1 ?? "AbortError") },
        { value in
          guard case .abort(let reason, let name) = value else { return nil }
          return (reason, name == "AbortError" ? nil : name)
        }),
      Alternative(
        "removes", .frame, "the script removes a frame from its page",
        { .change(.removeFrame($0)) }, { if case .change(.removeFrame(let frame)) = $0 { frame } else { nil } }),
      Alternative(
        "reloads", .frameOrPage, "the script loads the document of a frame, or its own `page`, again",
        { .change(.reload(frame: $0)) }, { if case .change(.reload(let frame)) = $0 { .some(frame) } else { nil } }),
      Alternative(
        "focuses", .frameOrPage, "the script moves the focus into a frame, or to its own `page`",
        { .change(.focus(frame: $0)) }, { if case .change(.focus(let frame)) = $0 { .some(frame) } else { nil } }),
      Alternative(
        "stops", .words(["loading"], "thing to stop"), "the script calls `window.stop()`",
        { _ in .change(.stop) }, { if case .change(.stop) = $0 { "loading" } else { nil } }),
      Alternative(
        "replays", .oneOf(Action.ReplayedSession.self, "session"),
        "the script sends its last response to the server again; the session of the other kind is one of the server's app",
        Action.ByPage.replayResponse, { if case .replayResponse(let session) = $0 { session } else { nil } }),
      Alternative(
        "sends", .oneOf(PageMessage.Operation.self, "operation"), required: "body", .body, "the JSON text to send",
        "the script sends this to its server or its browser; only for a website with `script: external`, whose `name` "
          + "is required",
        { .send(PageMessage($0, body: $1)) },
        { if case .send(let message) = $0 { (message.operation, message.body) } else { nil } }),
    ],
    { part, keys, node, context in
      if case .send = part {
        guard let name = keys.name else {
          throw SourceProblem(
            .missingKey, "the key 'name' is missing: the website whose page sends this", at: node.position)
        }
        guard context.world.websites.contains(where: { $0.identifier == name && $0.script == .external }) else {
          throw SourceProblem(
            .unknownName, "the script of \(name) runs in the world", at: node["name"]?.position ?? node.position,
            hint: "an external script is for a website with 'script: external'")
        }
      }
      if let frame = keys.frame, let name = keys.name,
        context.world.websites.first(where: { $0.identifier == name })?.page.frames.contains(where: { $0.name == frame }
        )
          == false
      {
        throw SourceProblem(
          .unknownName, "the page of \(name) has no frame \(SourceText.quote(frame))",
          at: node["frame"]?.position ?? node.position)
      }
      return .page(part, website: keys.name, device: keys.device, frame: keys.frame)
    },
    { value in
      guard case .page(let part, let website, let device, let frame) = value else { return nil }
      return (part, PageKeys(name: website, device: device, frame: frame))
    })

  static let app = Form.oneOf(
    "app", subject: "the app", { "" },
    shared: [Key("name", required: \.self, .name(.app), "the app, on the device used last")],
    [
      Alternative(
        "adds", .registration, "calls `addRegistration` with a document that the app need not hold", Action.ByApp.add,
        { if case .add(let registration) = $0 { registration } else { nil } }),
      Alternative(
        "removes", .text, "calls `removeRegistration` with this document identifier", Action.ByApp.remove,
        { if case .remove(let identifier) = $0 { identifier } else { nil } }),
      Alternative(
        "reads", .flag("status", "registrations", "thing to read"),
        "reads the store's `status` or its `registrations`", { $0 ? .readStatus : .readRegistrations },
        { value in
          switch value {
          case .readStatus: true
          case .readRegistrations: false
          default: nil
          }
        }),
      Alternative(
        "provisions", .name(.document),
        "gets a document that it does not have from its issuing authority, and registers it, outside of its extension; for "
          + "a document with `issued: on-demand`, or one that was deleted",
        Action.ByApp.provision, { if case .provision(let document) = $0 { document } else { nil } }),
      Alternative(
        "renews", .name(.document),
        "gets a new copy of the document from its issuing authority, for a new key, and registers it",
        Action.ByApp.renew, { if case .renew(let document) = $0 { document } else { nil } }),
      Alternative(
        "responds", .words(["without-consent"], "way to respond"),
        "calls `sendResponse` for the view on the screen before the person has acted in it",
        { _ in Action.ByApp.respondWithoutConsent },
        { if case .respondWithoutConsent = $0 { "without-consent" } else { nil } }),
    ],
    { part, name, _, _ in .app(part, name: name) },
    { if case .app(let part, let name) = $0 { (part, name) } else { nil } })

  static let clerk = Form.oneOf(
    "clerk", subject: "the clerk", { String?.none },
    shared: [
      Key(
        "at", \.self, .name(.terminal), usual: "the one that the phone was held to last", "the terminal")
    ],
    [
      Alternative(
        "sees", .flag("holder", "another-person", "person"),
        "compares the portrait on the terminal with the person at the counter: the `holder`, or `another-person`",
        { Action.ByClerk.compare(isAlike: $0) }, { if case .compare(let isAlike) = $0 { isAlike } else { nil } })
    ],
    { part, terminal, _, _ in .clerk(part, terminal: terminal) },
    { if case .clerk(let part, let terminal) = $0 { (part, terminal) } else { nil } })

  static let server = Form.oneOf(
    "server", subject: "the server",
    [
      Alternative(
        "restarts", .name(.website),
        "ends the website's server and starts it again: it gets new reader certificates and keeps the sessions that its "
          + "storage holds",
        Action.restartServer, { if case .restartServer(let website) = $0 { website } else { nil } }),
      Alternative(
        "applies-for", .name(.website), required: "at", .name(.readerAuthority),
        "the reader authority that the website applies to",
        "the website's operator accepts the authority's terms, serves its token, and applies again",
        { .website(.apply(authority: $1), name: $0) },
        { if case .website(.apply(let authority), let name) = $0 { (name, authority) } else { nil } }),
      Alternative(
        "changes-brand-of", .name(.website), required: "to", .text, "the new name of the brand",
        "the website's operator submits a brand with another name to the reader authorities with `onboarding`; until it is "
          + "reviewed, they certify no new key",
        { .website(.changeBrand(name: $1), name: $0) },
        { if case .website(.changeBrand(let brand), let name) = $0 { (name, brand) } else { nil } }),
    ])

  private static func review(_ decision: BrandDecision, _ key: String, _ meaning: String)
    -> Alternative<Action.ByReaderAuthority>
  {
    Alternative(
      key, .name(.website), meaning, { .reviews(decision, website: $0) },
      { if case .reviews(decision, let website) = $0 { website } else { nil } })
  }

  static let readerAuthority = Form.oneOf(
    "reader-authority", subject: "the reader authority", { "" },
    shared: [Key("name", required: \.self, .name(.readerAuthority), "the reader authority")],
    [
      review(.approves, "approves", "its staff approves the brand of the website"),
      review(.asksForChanges, "asks-for-changes-of", "its staff asks for changes of the website's brand"),
      review(.refuses, "refuses", "its staff refuses the brand of the website"),
      Alternative(
        "revokes", .name(.website), "revokes the certificates of the website",
        Action.ByReaderAuthority.revokes, { if case .revokes(let website) = $0 { website } else { nil } }),
    ],
    { part, name, _, _ in .readerAuthority(part, name: name) },
    { if case .readerAuthority(let part, let name) = $0 { (part, name) } else { nil } })

  private static func change(_ change: StatusChange, _ meaning: String) -> Alternative<Action.ByAuthority> {
    let name = change.rawValue
    let document = Form<String>.name(.document)
    let app = Form<String>.name(.app)
    let device = Form<String>.name(.device)
    return Alternative(
      key: KeyType(name: name, type: document.type, meaning: meaning),
      companions: [
        KeyType(name: "in", type: app.type, isRequired: true, meaning: "the app that holds the document"),
        KeyType(name: "on", type: device.type, usual: "the device used last", meaning: "the device of the app"),
      ],
      read: { node, entries, whole, context in
        let issuer = (try? whole["name"]?.string()) ?? ""
        if change == .suspends,
          context.world.issuers.first(where: { $0.identifier == issuer })?.publishesStatus?.knowsSuspension == false
        {
          throw SourceProblem(
            .unreadableValue, "an identifier list cannot say that a document is suspended", at: node.position,
            hint: "give the issuer 'publishes-status: status-list'")
        }
        let documents = context.world.devices.flatMap(\.apps).flatMap(\.documents).filter { $0.issuer == issuer }
        let document = try node.oneOf(documents.map(\.identifier).uniqued(), "document")
        guard let entry = entries["in"] else { throw whole.missing("in") }
        let app = context.problems.attempt(entry.value) { try app.read($0, context) }
        let used = entries["on"].flatMap { entry in
          context.problems.attempt(entry.value) { try device.read($0, context) }
        }
        return app.map { .change(change, document: document, app: $0, device: used) }
      },
      write: { value in
        guard case .change(change, let document, let app, let device) = value else { return nil }
        return [YAMLValue.Entry(name, .text(document)), YAMLValue.Entry("in", .text(app))]
          + (device.map { [YAMLValue.Entry("on", .text($0))] } ?? [])
      })
  }

  static let authority = Form.oneOf(
    "authority", subject: "the authority", { "" },
    shared: [Key("name", required: \.self, .publisher, "an issuing authority that publishes lists")],
    [
      change(.revokes, "revokes the document, for good"), change(.suspends, "suspends the document"),
      change(.reinstates, "ends the suspension of the document"),
    ],
    { part, name, _, _ in .authority(part, name: name) },
    { if case .authority(let part, let name) = $0 { (part, name) } else { nil } })
}

extension Form where Value == Action.Registration {
  private static let issuerKeys = Form<Action.Registration.IssuerKeys>.mapping(
    "issuer-keys", { Action.Registration.IssuerKeys(count: 0) },
    [
      // Enough to exceed the limit of a registration, and little enough for a message.
      Key("count", required: \.count, .integer(in: 0...10_000), "the number of identifiers"),
      Key("length", \.length, .integer(in: 0...1_000), usual: "20", "the length of each identifier in bytes"),
    ])

  static let registration = Form.mapping(
    "adds", { Action.Registration(documentType: "") },
    [
      Key("type", required: \.documentType, .text, "the document type"),
      Key("id", \.identifier, .text, usual: "generated", "the document identifier"),
      Key(
        "trusts-readers", \.trustsReaders, .list(.name(.readerAuthority)), usual: "those that the app trusts",
        "the reader authorities whose key identifiers the registration lists"),
      Key("issuer-keys", \.issuerKeys, issuerKeys, usual: "none", "made-up issuer key identifiers"),
      Key("invalidation", \.invalidation, .date, usual: "never", "the invalidation date"),
    ])
}

extension Form where Value == String {
  /// The JSON text of a message from a page's script.
  fileprivate static let body = Form.text.checked { text, node, _ in
    guard text.utf8.count <= PageMessage.maximumLength else {
      throw SourceProblem(
        .outOfRange, "a body has at most \(PageMessage.maximumLength) bytes, not \(text.utf8.count)",
        at: node.position)
    }
  }

  /// An issuing authority that publishes lists.
  static let publisher = Form<String>.name(.issuer).checked { name, node, context in
    guard context.world.issuers.contains(where: { $0.identifier == name && $0.publishesStatus != nil }) else {
      throw SourceProblem(
        .unreadableValue, "\(name) does not publish a list", at: node.position,
        hint: "give the issuer a 'publishes-status'")
    }
  }
}

extension Form where Value == CredentialOperation {
  fileprivate static let method = Form.oneOf(CredentialOperation.self, "method")
}

extension Form where Value == String {
  /// A frame of a page of the world.
  static let frame = Form<String>.name(.frame)
}

extension Form where Value == String? {
  /// A frame of a page of the world, or `page`.
  fileprivate static let frameOrPage = Form(
    type: .either([.words(["page"]), .name(.frame)]),
    read: { node, context in
      if node.scalar?.text == "page" { return .some(nil) }
      return .some(try node.oneOf(context.names(of: .frame), NameKind.frame.rawValue))
    }, write: { .text($0 ?? "page") })
}
