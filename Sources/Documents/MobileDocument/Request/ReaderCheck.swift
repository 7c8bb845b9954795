import Checks

/// The checks of a reader signature whose failures are accepted. A signature that does not verify refuses the request
/// with ``DeviceRequestError``.
public enum ReaderCheck: CheckFamily {
  case signature

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case form, unsupported
  }

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .signature:
      CheckDefinition(
        "reader.signature", "the reader signature has the required form and a supported algorithm",
        clause: "ISO/IEC 18013-5, 9.1.4.4",
        [
          .deviation(Reason.form, "the reader signature departs from the required form"),
          .deviation(Reason.unsupported, "a reader signature with an unsupported algorithm or key is left out"),
        ])
    }
  }
}
