import Messaging

/// The screens that the person sees.
public struct PersonView: Sendable, Equatable {
  /// The newest page of each website and the newest screen of each requesting app on each device, by their parties.
  package var pages: [Party: PageScreen] = [:]
  /// The frames among them that their pages do not show any more.
  package var missing: Set<Party> = []
  /// The selectors that are open, by the device's operating system.
  package var selectors: [Party: SelectorScreen] = [:]
  /// The apps' views that are open, by the device's operating system.
  package var authorizations: [Party: AuthorizationScreen] = [:]
  /// The prompts that are open, by the device's operating system.
  package var prompts: [Party: PromptScreen] = [:]
  /// The warnings that are shown before the chooser, by the device's browser.
  package var warnings: [Party: WarningScreen] = [:]
  /// The QR codes that are shown, by the device's client platform, or its mdoc.
  package var codes: [Party: QRCodeScreen] = [:]
  /// The sheets of Macs that lead to an iPhone, by the Mac's part in the model of a nearby iPhone.
  package var continueSheets: [Party: ContinueScreen] = [:]
  /// The notifications for other devices, by the iPhone's part in the model.
  package var notifications: [Party: NotificationScreen] = [:]
  /// The messages with which the system closed a selector or a view last, by the device's operating system.
  package var notices: [Party: DismissScreen] = [:]

  package init() {}

  /// The newest page of a website on a device.
  public func page(of website: String, on device: String) -> PageScreen? { pages[Party.page(of: website, on: device)] }

  /// The newest screen of a frame of a website's page on a device.
  public func page(ofFrame frame: String, in website: String, on device: String) -> PageScreen? {
    pages.first { party, _ in
      party.frame.map { $0 == (website, frame) } ?? false && party.deviceOfPage == device
    }?.value
  }

  /// The screens of the frames of a website's page on a device, in the order of their names.
  public func frames(of website: String, on device: String) -> [(name: String, screen: PageScreen)] {
    pages.compactMap { party, screen in
      guard let frame = party.frame, frame.website == website, party.deviceOfPage == device, !missing.contains(party)
      else { return nil }
      return (frame.name, screen)
    }.sorted { $0.0 < $1.0 }
  }

  /// The browser's warning before the chooser, while it is open on a device.
  public func warning(on device: String) -> WarningScreen? { warnings[Party(.browser, device)] }

  /// The newest screen of a requesting app on a device.
  public func screen(ofRequestingApp app: String, on device: String) -> PageScreen? {
    pages[Party.requestingApp(app, on: device)]
  }

  /// The selector, while it is open on a device.
  public func selector(on device: String) -> SelectorScreen? { selectors[Party(.operatingSystem, device)] }

  /// The prompt that asks whether an app may provide documents, while it is open on a device.
  public func prompt(on device: String) -> PromptScreen? { prompts[Party(.operatingSystem, device)] }

  /// The message with which the system closed the selector or an app's view last, until a selector opens again.
  public func notice(on device: String) -> String? { notices[Party(.operatingSystem, device)]?.notice }

  /// That message as the person reads it, in the language of the device.
  public func shownNotice(on device: String) -> String? {
    notices[Party(.operatingSystem, device)].flatMap { screen in screen.notice.map(screen.says) }
  }

  /// The QR code for a phone, while a device shows it.
  public func code(on device: String) -> QRCodeScreen? { codes[Party(.clientPlatform, device)] }

  /// The code for a reader near a device, while the device shows it.
  public func codeInPerson(on device: String) -> QRCodeScreen? { codes[Party(.mdoc, device)] }

  /// The newest screen of a terminal.
  public func screen(ofTerminal terminal: String) -> PageScreen? { pages[Party(.terminal, terminal)] }

  /// The sheet that leads to an iPhone, while a device shows it.
  public func continueSheet(on device: String) -> ContinueScreen? { continueSheets[Party(.nearby, device)] }

  /// The notification for another device, while a device shows it.
  public func notification(on device: String) -> NotificationScreen? { notifications[Party(.nearby, device)] }

  /// An app's view, while it is open on a device.
  public func authorization(on device: String) -> AuthorizationScreen? {
    authorizations[Party(.operatingSystem, device)]
  }
}
