/// Why a text names no origin.
public struct OriginError: Error, Hashable, Sendable {
  /// The rule that a text broke.
  public enum Code: String, CaseIterable, Hashable, Sendable {
    /// The text does not begin with `http://` or `https://`.
    case scheme = "origin.scheme"
    /// The text holds a user name or a password.
    case userInfo = "origin.user-info"
    /// The host is missing or is no lower-case-able ASCII domain or IP address.
    case host = "origin.host"
    /// The port is not a decimal number from 0 to 65535 without leading zeros.
    case port = "origin.port"
    /// More than `/` follows where only an origin may stand.
    case path = "origin.path"
    /// A space, a control character or a character outside ASCII.
    case character = "origin.character"

    /// One sentence that says what is wrong.
    public var sentence: String {
      switch self {
      case .scheme: "An origin begins with https:// or http://."
      case .userInfo: "An origin holds no user name and no password."
      case .host: "The host is neither a domain name in ASCII nor an IP address in its usual form."
      case .port: "A port is a decimal number from 0 to 65535 without leading zeros."
      case .path: "Nothing may follow an origin except one slash."
      case .character: "An origin is written in visible ASCII; a name in another script needs its xn-- form."
      }
    }
  }

  /// The rule that the text broke.
  public let code: Code

  /// The text that was read.
  public let text: String

  init(_ code: Code, in text: String) {
    self.code = code
    self.text = text
  }
}

extension OriginError: CustomStringConvertible {
  /// The sentence of the rule with the text that broke it.
  public var description: String { "\(code.sentence) Found: \(quoted(text))" }
}
