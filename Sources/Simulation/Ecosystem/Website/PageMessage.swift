import Messaging

/// A message of a page whose script runs outside the world.
public struct PageMessage: Sendable, Equatable {
  /// Operations of the page's server and of its browser that a script can call.
  public enum Operation: String, Sendable, CaseIterable {
    /// Requests a new presentment from the server.
    case beginPresentment = "POST /presentments"
    /// Submits the answer to the server.
    case submitResponse = "POST /presentments/response"
    /// `navigator.credentials.get` of the browser.
    case getCredential = "navigator.credentials.get"
    /// Takes such a call back.
    case abortCredential = "AbortController.abort"

    /// The kind of the message.
    public var kind: MessageKind {
      switch self {
      case .beginPresentment: .beginPresentment
      case .submitResponse: .submitResponse
      case .getCredential: .getCredential
      case .abortCredential: .abortCredential
      }
    }
  }

  /// The operation.
  public var operation: Operation
  /// The argument: JSON, as the script writes it.
  public var body: String

  /// The maximum body size in bytes: the browser's limit for options, and space for the call's number.
  public static let maximumLength = (1 << 20) + 64

  /// Creates a message.
  public init(_ operation: Operation, body: String) {
    self.operation = operation
    self.body = body
  }
}
