/// Names one call of `get()`. The caller chooses it and never uses it twice for the same mediator.
public struct CallID: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// The number of the call.
  public let rawValue: Int

  /// The call with a number.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The call with a number.
  public init(integerLiteral value: Int) {
    self.init(rawValue: value)
  }

  /// The call as `call 7`.
  public var description: String { "call \(rawValue)" }
}

/// Names one document below a top-level traversable (HTML, "Document"): the page itself or one in a frame.
public struct DocumentID: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// The document of the page itself, where nothing needs to tell frames apart.
  public static let page: DocumentID = 0

  /// The number of the document.
  public let rawValue: Int

  /// The document with a number.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The document with a number.
  public init(integerLiteral value: Int) {
    self.init(rawValue: value)
  }

  /// The document as `document 7`.
  public var description: String { "document \(rawValue)" }
}
