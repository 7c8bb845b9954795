import Messaging

/// A message of a page whose script runs outside the world.
public struct PageMessage: Sendable, Equatable {
  /// Operations of the page's server and of its browser that a script can call.
  public enum Operation: String, Sendable, CaseIterable {
    /// Requests a new presentment from the server.
    case beginPresentment = "POST /presentments"
    /// Submits the answer to the server.
    case submitResponse = "POST /presentments/response"
    /// Places an order at the server.
    case placeOrder = "POST /orders"
    /// `navigator.credentials.get` of the browser.
    case getCredential = "navigator.credentials.get"
    /// Takes such a call back.
    case abortCredential = "AbortController.abort"
    /// Sets the behavior of the browser's virtual wallet, as a test does with WebDriver BiDi.
    case setVirtualWallet = "digitalCredentials.setVirtualWalletBehavior"

    /// The kind of the message.
    public var kind: MessageKind {
      switch self {
      case .beginPresentment: .beginPresentment
      case .submitResponse: .submitResponse
      case .placeOrder: .placeOrder
      case .getCredential: .getCredential
      case .abortCredential: .abortCredential
      case .setVirtualWallet: .setVirtualWallet
      }
    }
  }

  /// The operation.
  public var operation: Operation
  /// The argument: JSON, as the script writes it.
  public var body: String

  /// The maximum body size in bytes: the browser's limit for options, and space for the call's number and the state of
  /// the document that calls.
  public static let maximumLength = (1 << 20) + (4 << 10)

  /// Creates a message.
  public init(_ operation: Operation, body: String) {
    self.operation = operation
    self.body = body
  }
}
