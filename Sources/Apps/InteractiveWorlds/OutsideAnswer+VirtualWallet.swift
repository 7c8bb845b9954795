import JSON

extension OutsideAnswer {
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
