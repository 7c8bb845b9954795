import Foundation

extension OutsideAnswer {
  /// A command that lets a browser's virtual wallet answer so from now on, as JSON in UTF-8.
  ///
  /// - Parameter method: `digitalCredentials.setVirtualWalletBehavior` of WebDriver BiDi (Digital Credentials, 10), or
  ///   `DigitalCredentials.setVirtualWalletBehavior` of the Chrome DevTools Protocol.
  public func virtualWalletCommand(_ method: String) -> [UInt8] {
    struct Answer: Codable {
      var `protocol`: String
      var data: [String: String]
    }
    struct Command: Encodable {
      struct Parameters: Encodable {
        var action = "respond"
        var `protocol`: String
        var response: [String: String]
      }
      var method: String
      var params: Parameters
    }
    guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(credential)) else { return [] }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let parameters = Command.Parameters(protocol: answer.protocol, response: answer.data)
    return (try? encoder.encode(Command(method: method, params: parameters))).map(Array.init) ?? []
  }
}
