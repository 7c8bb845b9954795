/// What is on the screens that the person looks at.
public struct PersonView: Sendable {
  /// The newest page of each website.
  public internal(set) var pages: [String: PageScreen] = [:]
  /// The selector, while it is open.
  public internal(set) var selector: SelectorScreen?
  /// An app's view, while it is open.
  public internal(set) var authorization: AuthorizationScreen?
  /// The app's view that was open last.
  public internal(set) var lastAuthorization: AuthorizationScreen?
}
