/// What a page shows to the person.
public struct PageScreen: Codable, Sendable, Equatable {
  /// A verified element on the page.
  public struct Element: Codable, Sendable, Equatable {
    /// `DocType`.
    public var documentType: String
    /// `NameSpace`.
    public var nameSpace: String
    /// `DataElementIdentifier`.
    public var identifier: String
    /// Its value in words.
    public var value: String
  }

  /// Name of the site.
  public var title: String
  /// Labels of its buttons.
  public var buttons: [String]
  /// What the server concluded: `verified` or `refused`.
  public var verdict: String?
  /// Code of the first check that failed.
  public var code: String?
  /// Verified elements.
  public var verified: [Element]?
  /// Name of the exception that the call threw.
  public var exception: String?
  /// Message of that exception. A real page would write it to its console.
  public var exceptionMessage: String?
  /// What the page offers instead.
  public var fallback: String?
}
