/// The website and the device of actions that do not name their own.
public struct Focus: Sendable, Equatable {
  /// The website visited last; at first the world's first.
  public var website: String
  /// The device used last; at first the world's first.
  public var device: String
  /// The page that the person opened last; nil at first, and after a device or the world was restarted.
  public var openPage: Page?
  /// The terminal that a phone was held to last; nil at first.
  public package(set) var terminal: String?
  /// The requesting app in front of the browser on the device used last; nil if the browser is in front.
  public var openApp: String? { openApp(on: device) }
  /// The websites whose pages were opened last, by their devices.
  private var websites: [String: String] = [:]
  /// The requesting apps in front of the browser, by their devices.
  private var apps: [String: String] = [:]

  /// Creates the focus of a world in which nothing was opened.
  package init(website: String, device: String) {
    self.website = website
    self.device = device
  }

  /// The requesting app in front of the browser on a device; nil if the browser is in front.
  public func openApp(on device: String) -> String? { apps[device] }

  /// The website visited last on a device; nil before the first visit.
  public func website(on device: String) -> String? { websites[device] }

  /// The person turns to a device, and to the page that was opened last on it.
  package mutating func turn(to device: String) {
    self.device = device
    guard let website = websites[device] else { return }
    self.website = website
    openPage = Page(website: website, device: device)
  }

  /// The person opens a page on the device used last.
  package mutating func open(website: String) {
    self.website = website
    websites[device] = website
    apps[device] = nil
    openPage = Page(website: website, device: device)
  }

  /// The person holds a phone to a terminal.
  package mutating func hold(to terminal: String) { self.terminal = terminal }

  /// The person closes the last tab on the device used last.
  package mutating func closeBrowser() {
    websites[device] = nil
    if openPage?.device == device { openPage = nil }
  }

  /// The person opens a requesting app on the device used last.
  package mutating func open(app: String) { apps[device] = app }

  /// A device is switched off and on.
  package mutating func restart(_ device: String) {
    self.device = device
    websites[device] = nil
    apps[device] = nil
    openPage = nil
  }

  /// A page in a device's browser.
  public struct Page: Sendable, Equatable {
    /// The website.
    public var website: String
    /// The device.
    public var device: String

    /// Creates the page of a website on a device.
    public init(website: String, device: String) {
      self.website = website
      self.device = device
    }
  }
}
