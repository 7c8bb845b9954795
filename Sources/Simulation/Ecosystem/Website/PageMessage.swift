/// What a page sends whose script runs outside the world.
public struct PageMessage: Sendable, Equatable {
  /// Operations of the page's server and of its browser that a script can call.
  public enum Operation: String, Sendable, CaseIterable {
    /// Asks the server for a request.
    case beginPresentment = "POST /presentments"
    /// Gives the server the answer.
    case submitResponse = "POST /presentments/response"
    /// `navigator.credentials.get`, asked of the browser.
    case getCredential = "navigator.credentials.get"
    /// Takes such a call back.
    case abortCredential = "AbortController.abort"
  }

  /// What it calls.
  public var operation: Operation
  /// Its argument: JSON, as the script writes it.
  public var body: String

  /// Longest body in bytes: what the browser takes as options, and room for the call's number around it.
  public static let maximumLength = (1 << 20) + 64

  /// A message from its parts.
  public init(_ operation: Operation, body: String) {
    self.operation = operation
    self.body = body
  }
}
