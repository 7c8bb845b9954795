import FoundationEssentials

/// Lets an app request a document in Wallet. The system asks the person before anything is returned.
///
/// ```
/// app --requestDocument--> system --request--> Wallet --consent sheet--> person
/// app <--PKIdentityDocument: an HPKE envelope for the app's server------ Wallet
/// ```
public final class PKIdentityAuthorizationController: Sendable {
  private let system: (any PassKitSystem)?

  /// Creates a controller of the running app.
  public init() { system = PassKitHost.system }

  /// Returns whether the app may request the document, and Wallet has it.
  public func canRequestDocument(_ descriptor: any PKIdentityDocumentDescriptor) async -> Bool {
    await system?.canRequest(descriptor.description) ?? false
  }

  /// Requests a document.
  /// - Returns: The document, which only the app's server can read.
  /// - Throws: ``PKIdentityError``.
  public func requestDocument(_ request: PKIdentityRequest) async throws(PKIdentityError) -> PKIdentityDocument {
    guard let system else { throw PKIdentityError(.notSupported) }
    return PKIdentityDocument(encryptedData: try await system.request(request.content))
  }

  /// Cancels the request in progress, if one is. It then throws ``PKIdentityError/Code/cancelled``, unless it has been
  /// answered already.
  public func cancelRequest() { system?.cancel() }
}

/// Wallet's answer to a request.
public struct PKIdentityDocument: Sendable, Equatable {
  /// The `HPKEEnvelope` for the app's server.
  public let encryptedData: Data
}

/// The system of an app. It receives the calls of the controller.
public protocol PassKitSystem: Sendable {
  /// Returns whether the app may request a document, and Wallet has it.
  func canRequest(_ description: IdentityDescription) async -> Bool
  /// Requests a document.
  func request(_ request: IdentityRequest) async throws(PKIdentityError) -> Data
  /// Cancels the request in progress.
  func cancel()
}

/// The binding of an app's code to its system. A host binds it while the code runs, so that the code is the same as on a
/// phone: `PKIdentityAuthorizationController()`.
public enum PassKitHost {
  /// The system of the running app, or nil outside any system.
  @TaskLocal public static var system: (any PassKitSystem)?
}

/// An error of a request for a document in Wallet.
public struct PKIdentityError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason of an error.
  public enum Code: Int, Sendable, CaseIterable {
    case unknown, notSupported, cancelled, networkUnavailable, noElementsRequested, requestAlreadyInProgress
    case invalidNonce, invalidElement, regionNotSupported
  }

  /// The reason.
  public let code: Code

  /// Creates an error.
  public init(_ code: Code) { self.code = code }

  /// The error with the name of a reason, such as `cancelled`; nil for any other text.
  public init?(named description: String) {
    guard let code = Code.allCases.first(where: { "\($0)" == description }) else { return nil }
    self.code = code
  }

  /// The name of the reason.
  public var description: String { "\(code)" }
}
