import JSON
import Primitives

/// The parameters of `digitalCredentials.setVirtualWalletBehavior` (Digital Credentials, "Automation").
///
///     {"action": "decline" | "wait" | "clear" | "respond", "context": "…",
///      "protocol": "org-iso-mdoc", "response": {…}}                 with respond
///     {"action": "respond", "presentment:app": "Wallet", "presentment:decision": "authorize" | "decline"}
///
/// The members with a prefix are an extension (WebDriver BiDi, "Extensions"): the app answers the page's own request.
public struct VirtualWalletCommand: Hashable, Sendable {
  /// The name of the command.
  public static let method = "digitalCredentials.setVirtualWalletBehavior"

  /// The value of the member `action`.
  public enum Action: String, CaseIterable, Hashable, Sendable {
    /// Answers with a response.
    case respond
    /// Declines.
    case decline
    /// Leaves the call pending.
    case wait
    /// Clears the behavior.
    case clear
  }

  /// The behavior to set, or nil to clear it.
  public let behavior: VirtualWallet.Behavior?

  /// The browsing context whose behavior is set, or nil for the session's.
  public let context: String?

  /// The command as an event of the virtual wallet.
  public var event: VirtualWallet.Event { .behaviorSet(behavior, context: context) }
}

/// The refusal of a command to the virtual wallet.
public struct VirtualWalletError: CodedError, Hashable {
  /// The error code (WebDriver BiDi, "Errors").
  public enum Code: String, Hashable, Sendable {
    /// A parameter has a wrong value.
    case invalidArgument = "invalid argument"
  }

  /// The error code.
  public let code: Code
  /// A message that names the member at fault.
  public let message: String

  init(_ message: String) {
    code = .invalidArgument
    self.message = message
  }
}

extension VirtualWalletCommand {
  private enum Member {
    static let action = "action"
    static let context = "context"
    static let `protocol` = "protocol"
    static let response = "response"
    static let app = "presentment:app"
    static let decision = "presentment:decision"
  }

  /// The member with the app that answers.
  package static let appMember = Member.app

  /// The longest name of a browsing context or an app, in bytes: a UUID has 36.
  static let nameLimit = 256

  /// Reads the parameters of a command.
  /// - Throws: ``VirtualWalletError`` with `invalid argument`.
  package init(parameters: JSONValue) throws(VirtualWalletError) {
    guard case .object = parameters else { throw VirtualWalletError("the parameters must be an object") }
    let name = try Self.text(Member.action, of: parameters)
    guard let name else { throw VirtualWalletError("action is required") }
    guard let action = Action(rawValue: name) else {
      throw VirtualWalletError("action must be one of \(Action.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    context = try Self.text(Member.context, of: parameters)
    let ofResponses = [Member.protocol, Member.response, Member.app, Member.decision]
    if action != .respond, let extra = ofResponses.first(where: { parameters.member($0) != nil }) {
      throw VirtualWalletError("\(extra) is only allowed with the action respond")
    }
    behavior =
      switch action {
      case .decline: .decline
      case .wait: .wait
      case .clear: nil
      case .respond: try Self.response(parameters)
      }
  }

  private static func response(_ parameters: JSONValue) throws(VirtualWalletError) -> VirtualWallet.Behavior {
    let (name, response) = (try text(Member.protocol, of: parameters), parameters.member(Member.response))
    let app = try text(Member.app, of: parameters)
    let decision = try text(Member.decision, of: parameters)
    if let app {
      guard name == nil, response == nil else {
        throw VirtualWalletError("\(Member.app) replaces \(Member.protocol) and \(Member.response)")
      }
      guard let made = VirtualWallet.PersonOrder.Decision(rawValue: decision ?? "authorize") else {
        throw VirtualWalletError("\(Member.decision) must be authorize or decline")
      }
      return .person(VirtualWallet.PersonOrder(app: app, decision: made))
    }
    guard decision == nil else { throw VirtualWalletError("\(Member.decision) needs \(Member.app)") }
    guard let name else { throw VirtualWalletError("\(Member.protocol) is required with the action respond") }
    guard let known = DigitalCredentialProtocol(rawValue: name) else {
      throw VirtualWalletError("\(quoted(name)) is not a known protocol")
    }
    guard let response else { throw VirtualWalletError("\(Member.response) is required with the action respond") }
    guard case .object = response else {
      throw VirtualWalletError("\(Member.response) must be an object, but is \(response.kind)")
    }
    let bytes = response.bytes
    guard bytes.count <= CredentialLimits.responseBytes else {
      throw VirtualWalletError("\(Member.response) has more than \(CredentialLimits.responseBytes) bytes")
    }
    return .respond(known, response: bytes)
  }

  private static func text(_ name: String, of parameters: JSONValue) throws(VirtualWalletError) -> String? {
    guard let value = parameters.member(name) else { return nil }
    guard let text = value.text else { throw VirtualWalletError("\(name) must be a string, but is \(value.kind)") }
    guard text.utf8.count <= nameLimit else { throw VirtualWalletError("\(name) has more than \(nameLimit) bytes") }
    return text
  }
}
