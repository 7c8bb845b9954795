/// The rejection of a call of `navigator.credentials.get()`: what a script sees, and the rule behind it.
public struct CredentialRequestException: Error, Hashable, Sendable {
  /// The name that a script sees.
  public let name: ExceptionName

  /// One sentence; it names the member at fault where there is one.
  public let message: String

  /// The stable code of the rule that rejected, one of `BrowserCode`'s raw values. A script does not see it.
  public let code: String

  /// A rejection by a rule.
  /// - Parameters:
  ///   - code: the rule.
  ///   - name: the name for the script; the standard's when nil.
  ///   - message: the sentence; the rule's own when nil.
  public init(_ code: BrowserCode, name: ExceptionName? = nil, message: String? = nil) {
    self.name = name ?? code.standardName
    self.message = message ?? code.sentence
    self.code = code.rawValue
  }

  /// The rejection with a signal's abort reason, which keeps the name and the message that the page chose.
  public init(aborted reason: AbortReason) {
    self.init(.aborted, name: ExceptionName(reason.name), message: reason.message)
  }
}

extension CredentialRequestException: CustomStringConvertible {
  /// Name, message and code on one line.
  public var description: String { "\(name): \(message) [\(code)]" }
}

extension BrowserCode {
  /// Lets a `catch` name a rule: `catch BrowserCode.policy`.
  public static func ~= (code: BrowserCode, error: any Error) -> Bool {
    (error as? CredentialRequestException)?.code == code.rawValue
  }
}

extension ExceptionName {
  /// Lets a `catch` name the family of rules that share an exception name: `catch ExceptionName.typeError`.
  public static func ~= (name: ExceptionName, error: any Error) -> Bool {
    (error as? CredentialRequestException)?.name == name
  }
}
