extension OutsideAnswer {
  /// The format of an answer.
  public enum Format: String, Sendable, CaseIterable, Decodable {
    /// The value of `navigator.credentials.get`: `protocol` and `data`.
    case credential
    /// `digitalCredentials.setVirtualWalletBehavior` of WebDriver BiDi (Digital Credentials, 10).
    case webdriver
    /// `DigitalCredentials.setVirtualWalletBehavior` of the Chrome DevTools Protocol.
    case cdp
  }

  /// Returns the answer in a format, as JSON in UTF-8.
  ///
  /// Both kinds of command let a browser's virtual wallet give this answer until its behavior is set again.
  public func text(as format: Format) -> [UInt8] {
    switch format {
    case .credential: credential
    case .webdriver: command("digitalCredentials.setVirtualWalletBehavior")
    case .cdp: command("DigitalCredentials.setVirtualWalletBehavior")
    }
  }
}
