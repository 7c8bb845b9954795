/// The content of a page on the screen.
public struct PageScreen: Codable, Sendable, Equatable {
  /// A verified element on the page.
  public struct Element: Codable, Sendable, Equatable {
    /// `DocType`.
    public var documentType: String
    /// `NameSpace`.
    public var nameSpace: String
    /// `DataElementIdentifier`.
    public var identifier: String
    /// Its value as text.
    public var value: String
  }

  /// Name of the site.
  public var title: String
  /// Labels of its buttons.
  public var buttons: [String]
  /// The server's verdict: `verified` or `refused`.
  public var verdict: String?
  /// The name of the first check that failed.
  public var code: String?
  /// Verified elements.
  public var verified: [Element]?
  /// Name of the exception that the call threw.
  public var exception: String?
  /// Message of that exception. A real page writes it to its console.
  public var exceptionMessage: String?
  /// The page's alternative to a verification.
  public var fallback: String?
}
