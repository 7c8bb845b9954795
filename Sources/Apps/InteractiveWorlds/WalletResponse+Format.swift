import JSON

extension WalletResponse {
  /// The format of a response.
  public enum Format: String, Sendable, CaseIterable, Decodable {
    /// The result of `navigator.credentials.get`: `protocol` and `data`.
    case credential
    /// `digitalCredentials.setVirtualWalletBehavior` of WebDriver BiDi (Digital Credentials, 10).
    case webdriver
    /// `DigitalCredentials.setVirtualWalletBehavior` of the Chrome DevTools Protocol.
    case cdp
  }

  /// The response in a format, as JSON in UTF-8. With both kinds of command a browser's virtual wallet gives this
  /// response until its behavior is set again.
  public func text(as format: Format) -> [UInt8] {
    switch format {
    case .credential: credential
    case .webdriver: command("digitalCredentials.setVirtualWalletBehavior")
    case .cdp: command("DigitalCredentials.setVirtualWalletBehavior")
    }
  }
}

extension WalletResponse {
  /// A command that makes a browser's virtual wallet give this response, as JSON in UTF-8.
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
