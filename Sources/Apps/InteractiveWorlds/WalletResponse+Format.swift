import JSON

extension WalletResponse {
  /// The format of a response.
  public enum Format: String, Sendable, CaseIterable, Decodable {
    /// What `navigator.credentials.get` resolves to: `protocol` and `data`.
    case credential
    /// `digitalCredentials.setVirtualWalletBehavior` of WebDriver BiDi (Digital Credentials, 10).
    case webdriver
    /// `DigitalCredentials.setVirtualWalletBehavior` of the Chrome DevTools Protocol.
    case cdp
  }

  /// The response in a format, as JSON in UTF-8. Both kinds of command let a browser's virtual wallet answer so
  /// until its behavior is set again.
  public func text(as format: Format) -> [UInt8] {
    switch format {
    case .credential: credential
    case .webdriver: command("digitalCredentials.setVirtualWalletBehavior")
    case .cdp: command("DigitalCredentials.setVirtualWalletBehavior")
    }
  }
}

extension WalletResponse {
  /// A command that lets a browser's virtual wallet answer so from now on, as JSON in UTF-8.
  ///
  /// - Parameter method: `digitalCredentials.setVirtualWalletBehavior` of WebDriver BiDi (Digital Credentials, 10), or
  ///   `DigitalCredentials.setVirtualWalletBehavior` of the Chrome DevTools Protocol.
  func command(_ method: String) -> [UInt8] {
    struct Command: Encodable {
      struct Parameters: Encodable {
        var action = "respond"
        var `protocol`: String
        var response: [String: String]
      }
      var method: String
      var params: Parameters
    }
    let parameters = Command.Parameters(protocol: answer.protocol, response: answer.data)
    return JSONCoding.encode(Command(method: method, params: parameters))
  }
}
