import Messaging

/// The screens that the person sees.
public struct PersonView: Sendable {
  /// The newest page of each website on each device, by the page's party.
  var pages: [Party: PageScreen] = [:]
  /// The selectors that are open, by the device's operating system.
  var selectors: [Party: SelectorScreen] = [:]
  /// The apps' views that are open, by the device's operating system.
  var authorizations: [Party: AuthorizationScreen] = [:]
  /// The prompts that are open, by the device's operating system.
  var prompts: [Party: PromptScreen] = [:]

  /// The newest page of a website on a device.
  public func page(of website: String, on device: String) -> PageScreen? {
    pages[World.pageParty(website, on: device)]
  }

  /// The selector, while it is open on a device.
  public func selector(on device: String) -> SelectorScreen? { selectors[Party(.operatingSystem, device)] }

  /// The prompt that asks whether an app may provide documents, while it is open on a device.
  public func prompt(on device: String) -> PromptScreen? { prompts[Party(.operatingSystem, device)] }

  /// An app's view, while it is open on a device.
  public func authorization(on device: String) -> AuthorizationScreen? {
    authorizations[Party(.operatingSystem, device)]
  }
}
