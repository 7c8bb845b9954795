extension OutsideAnswer {
  /// How an answer is written.
  public enum Format: String, Sendable, CaseIterable, Decodable {
    /// What `navigator.credentials.get` resolves to: `protocol` and `data`.
    case credential
    /// `digitalCredentials.setVirtualWalletBehavior` of WebDriver BiDi (Digital Credentials, 10).
    case webdriver
    /// `DigitalCredentials.setVirtualWalletBehavior` of the Chrome DevTools Protocol.
    case cdp
  }

  /// The answer as somebody takes it, as JSON in UTF-8. Both kinds of command let a browser's virtual wallet answer so
  /// until its behavior is set again.
  /// - Throws: ``LiveRefusal`` when it cannot be written.
  public func text(as format: Format) throws(LiveRefusal) -> [UInt8] {
    switch format {
    case .credential: credential
    case .webdriver: try command("digitalCredentials.setVirtualWalletBehavior")
    case .cdp: try command("DigitalCredentials.setVirtualWalletBehavior")
    }
  }
}
