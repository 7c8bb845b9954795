import DevicePlatform
import Devices
import DigitalCredentials
import IdentityDocumentServices
import LocatedYAML
import OwnWallets
import Vocabulary

extension Form where Value == [WorldDescription.Device] {
  static let devices = Form.parts(
    "device", \.identifier, "devices", { WorldDescription.Device(identifier: $0) },
    [
      Key(
        "kind", \.kind, .oneOf(WorldDescription.Device.Kind.self, "kind"),
        "the kind of device: the apps of an `iphone`, `ipad` or `mac` answer its own browser, which can ask "
          + "[another device](model.md#another-device) too; an `iphone` or `ipad` scans QR codes; an `iphone` is asked by the "
          + "devices of its account; the browser of a `desktop` always asks another device"),
      Key(
        "language", \.language, .oneOf(Language.self, "language"),
        "the [language](#languages) of the device's screens, as a tag of BCP 47: English, Spanish, or simplified Chinese"
      ),
      Key("place", \.place, .text, "the place of the device"),
      Key(
        "bluetooth", \.bluetooth, .oneOf(WorldDescription.Device.BluetoothState.self, "state"),
        "the device's Bluetooth: `off` by the person, `denied` to the browser, or `missing`"),
      Key(
        "in-person-mode", \.inPersonMode, .oneOf(WorldDescription.Device.InPersonMode.self, "mode"),
        "the mode of Bluetooth for [terminals](#terminals): the phone is `central-client` and connects, or "
          + "`peripheral-server` and is connected to"),
      Key(
        "nfc-handover", \.nfcHandover, .oneOf(WorldDescription.Device.NFCHandover.self, "handover"),
        "what happens when the person holds the phone to a terminal by NFC: with `negotiated` the terminal offers carriers "
          + "and the phone chooses, with `static` the phone names its own at once"),
      Key(
        "in-person-transfer", \.inPersonTransfer, .oneOf(WorldDescription.Device.InPersonTransfer.self, "carrier"),
        "the carrier of a session that begins by NFC: `bluetooth`, or `nfc`, as long as the phone is held to the terminal"
      ),
      Key(
        "tunnel-service", \.tunnelService, .integer(in: 0...Int(UInt16.max)),
        "the number of the tunnel service of a phone, for browsers on other devices: 0 is Google's, 1 Apple's, and names "
          + "of those from 256 on are computed"),
      Key(
        "cancels", \.cancelStyle, .oneOf(WorldDescription.Device.CancelStyle.self, "style"),
        "the way in which a phone tells a browser on another device that the person declined: by a `message`, or "
          + "`silent`, by closing the tunnel"),
      Key(
        "account", \.account, .text, usual: "none",
        "the account of the device, which asks the other iPhones of its account first, if one is near, in "
          + "presentment's [model](model.md#a-nearby-iphone)"),
      Key(
        "unlocked", \.isUnlocked, .boolean,
        "the person has unlocked the iPhone since it was switched on; a locked one does not answer the devices "
          + "of its account, nor a terminal by NFC"),
      Key("browser", \.browserProfile, .browserProfile, "the browser's [profile](checks.md#browser)"),
      Key(
        "interstitial", \.interstitial, .interstitial,
        "the warning before the chooser, in browsers that have one: `no-dialog`, always `low-risk` or `high-risk`, or "
          + "`by-rule`, as Chromium does by default: for every request but one for ages or phone numbers in OpenID4VP"),
      Key(
        "authority-key-identifiers", \.authorityReading, .oneOf(Selection.AuthorityReading.self, "reading"),
        "the certificates of a chain that the selector compares with an app's list; see "
          + "[the selection rule](model.md#the-selection-rule)"),
      Key(
        "authority-signatures", \.authoritySignatures, .oneOf(Selection.AuthoritySignatures.self, "evidence"),
        "the evidence that an authority of an app's list certified a signature: the signatures of the chain, verified "
          + "with the authority certificates that the app has registered, or the key identifier that the chain names; see "
          + "[reader signatures](model.md#reader-signatures)"),
      Key(
        "document-providers", \.supportsDocumentProviders, .flag("supported", "unsupported", "support"),
        "the system's support for provider apps"),
      Key(
        "exceptions", \.explainsExceptions, .flag("explained", "private", "exceptions"),
        "the exception of a call that no app can answer: `explained`, it lists the apps with their reasons to the page's "
          + "developer; `private`, it says nothing of the device, as in [real systems](model.md#where-no-public-standard-applies)"
      ),
      Key(
        "sandbox", \.sandbox, .oneOf(WorldDescription.SandboxPlace.self, "place"),
        "the place where requests are parsed: in a confined [process](model.md#the-sandbox-process) of its own, or in "
          + "this process; the option `--sandbox` overrides it"),
      Key("apps", \.apps, .apps, "document provider apps"),
    ],
    check: { device, node, _ in
      for key in ["tunnel-service", "cancels"] where !device.kind.answersOthers {
        guard let setting = node[key] else { continue }
        throw SourceProblem(
          .unreadableValue, "a \(device.kind.rawValue) has no '\(key)'", at: setting.position,
          hint: "the phone that answers has it: a device of the kind 'iphone' or 'ipad'")
      }
      if !device.kind.hasProviderApps, !device.apps.isEmpty {
        throw SourceProblem(
          .unreadableValue, "the apps of a \(device.kind.rawValue) do not answer",
          at: node["apps"]?.position ?? node.position,
          hint: "give the apps to a device of the kind 'iphone', 'ipad' or 'mac'")
      }
      if device.kind == .desktop, device.account != nil {
        throw SourceProblem(
          .unreadableValue, "a desktop has no account", at: node["account"]?.position ?? node.position,
          hint: "a desktop does not lead to a nearby iPhone")
      }
      if (2...255).contains(device.tunnelService) {
        throw SourceProblem(
          .unreadableValue, "the tunnel service \(device.tunnelService) is not assigned",
          at: node["tunnel-service"]?.position ?? node.position, hint: "use 0, 1, or a number from 256 on")
      }
    })
}

extension Form where Value == BrowserProfile {
  fileprivate static let browserProfile = Form<String>.words(BrowserProfile.all.map(\.name), "browser profile")
    .mapped({ BrowserProfile.named($0) ?? .spec2026 }, \.name)
}

extension Form where Value == Interstitial.Setting.Dialog {
  private static func word(_ dialog: Value) -> String { dialog.rawValue.replacing("_", with: "-") }

  fileprivate static let interstitial = Form<String>.words(Value.allCases.map(word), "setting").mapped(
    { text in Value.allCases.first { word($0) == text } ?? .none }, word)
}

extension Form where Value == [WorldDescription.App] {
  fileprivate static let apps = Form.parts(
    "app", \.name, "apps", { WorldDescription.App(name: $0, style: $0 == "Wallet" ? .wallet : .custom) },
    [
      Key(
        "style", \.style, .style, usual: "`wallet` for an app called `Wallet`, otherwise `custom`",
        "the app's code and look: "
          + ProviderCatalogue.shipped.map { "`\($0.name)`, \($0.meaning)" }.joined(separator: "; ")
          + "; or the name of [an app of your own](provider-app.md#run-it-in-a-world)"),
      Key(
        "program", \.program, .program, usual: "none: an app in the world",
        "the program that holds the app's documents and answers, "
          + "[outside the world](test-your-wallet.md#in-a-world): words with spaces between them, or a list; it runs in the "
          + "folder of the file"),
      limits,
      Key(
        "recording", \.recording, .recording, usual: "none: the program is started",
        "a file beside this one with the answers of that program, which `run --record` wrote"),
      Key(
        "trusts-readers", \.trustsReaders, .list(.name(.readerAuthority)),
        usual: "none, which also answers unsigned requests",
        "the reader authorities whose signatures the app demands"),
      Key(
        "root-source", \.rootSource, .oneOf(RootSource.self, "source"),
        "the place where the app gets the roots of these authorities, as for a [website](#websites)"),
      Key(
        "authority-key", \.authorityKey, .oneOf(WorldDescription.App.AuthorityKey.self, "naming"),
        "the key of an authority that the app's registrations list: the root's, or that of the certificate that issues "
          + "reader certificates; the app trusts the root in both cases"),
      Key(
        "domain-mismatch", \.domainMismatch, .oneOf(WorldDescription.App.DomainMismatch.self, "conduct"),
        "the app's conduct towards a website that has the reader certificate of another one: it refuses before it asks "
          + "the person, or it warns with the origin in place of the certified name"),
      Key(
        "production", \.isInProduction, .boolean,
        "the app refuses readers of [test programmes](model.md#test-programmes)"),
      Key(
        "answers-in", \.answersIn, .list(.oneOf(DigitalCredentialPresentationProtocol.self, "protocol")),
        "the [protocols](openid4vp.md) of the requests that the app answers"),
      Key(
        "reports-errors", \.reportsErrors, .boolean,
        "the app answers the website with [an error code](openid4vp.md#errors-as-answers) if the person agreed to a "
          + "request in OpenID4VP and the app's own checks refuse it; otherwise it cancels"),
      Key(
        "entitlement", \.entitlement, .list(.text), usual: "those of its documents",
        "the document types of its entitlement"),
      Key(
        "next-version", \.nextEntitlement, .nextVersion, usual: "none", "the version that an update installs"),
      Key(
        "status", \.status, .status,
        "the person's decision about the app before the world begins; with `not-determined` the app's first "
          + "registration asks"),
      Key("installed", \.isInstalled, .boolean, "the app is on the device from the beginning"),
      Key("documents", \.documents, .documents, "the app's documents"),
    ],
    check: { app, node, _ in
      guard app.program != nil else {
        for key in ["limits", "recording"] where node[key] != nil {
          throw SourceProblem(
            .unreadableValue, "'\(key)' is about the 'program' of an app, which has none",
            at: node[key]?.position ?? node.position)
        }
        return
      }
      for document in app.documents {
        let name = SourceText.quote(document.identifier)
        let problem: String? =
          document.isCopy
          ? "\(name) is a copy"
          : document.outside != nil
            ? "\(name) comes with a key" : document.deviceKey == .agreement ? "the key of \(name) does not sign" : nil
        guard let problem else { continue }
        throw SourceProblem(
          .unreadableValue, "\(problem), but the program of the app makes the keys of its documents",
          at: node["documents"]?.position ?? node.position)
      }
    })

  /// The bounds belong to the program, which is read before them.
  private static var limits: Key<WorldDescription.App> {
    let form = Form<WalletTarget.Limits>.walletLimits
    return Key(
      type: KeyType(
        name: "limits", type: form.type, usual: "10 s, 1 MiB",
        meaning: "the bounds of each answer of the program: `timeout`, and `answer`, its longest length in bytes"),
      read: { node, app, context in if let limits = try form.read(node, context) { app.program?.limits = limits } },
      write: { $0.program.map { form.write($0.limits) } })
  }
}

extension Form where Value == WorldDescription.App.Style {
  /// The name of a provider app's code: shipped, or added by the program that reads the file.
  fileprivate static let style = Form(
    type: .words(ProviderCatalogue.shipped.map(\.name)),
    read: { node, _ in Value(rawValue: try node.oneOf(ProviderCatalogue.all.map(\.name), "style")) },
    write: { .text($0.rawValue) })
}

extension Form where Value == [String] {
  /// An app's next version, which is its entitlement.
  fileprivate static let nextVersion = Form.mapping(
    "next-version", { [] },
    [Key("entitlement", required: \.self, .list(.text), "the document types of its entitlement")])
}

extension Form where Value == IdentityDocumentProviderRegistrationStore.Status {
  private static let words: [(word: String, status: Value)] = [
    ("authorized", .authorized), ("not-authorized", .notAuthorized), ("not-determined", .notDetermined),
  ]

  /// The person's decision about an app before the world begins.
  fileprivate static let status = Form<String>.words(words.map(\.word), "status").mapped(
    { word in words.first { $0.word == word }?.status ?? .notDetermined },
    { status in words.first { $0.status == status }?.word ?? "not-determined" })
}
