import Primitives

/// The reason why a text has no QR symbol.
public struct QRCodeError: CodedError, Equatable {
  /// The reasons.
  public enum Code: String, Sendable, CaseIterable {
    /// An empty text.
    case empty = "qr.empty"
    /// A text that exceeds the largest supported version (``QRVersion/largest``).
    case tooLong = "qr.too-long"
  }

  /// The reason.
  public let code: Code
  /// A human-readable description of the failure.
  public let message: String
  /// The size of the text, if it is too long.
  public let evidence: String?

  init(_ code: Code, _ message: String, evidence: String? = nil) {
    self.code = code
    self.message = message
    self.evidence = evidence
  }
}
