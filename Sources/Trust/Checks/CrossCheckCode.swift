/// The checks of a cross-check by another implementation.
public enum CrossCheckCode: String, CheckCode {
  case signature = "cross-check.signature"
  case chain = "cross-check.chain"

  /// A human-readable description of the failure.
  public var message: String {
    switch self {
    case .signature: "another implementation disagrees about a signature"
    case .chain: "another implementation disagrees about a certificate chain"
    }
  }

  /// A human-readable description of the property that holds.
  public var title: String {
    switch self {
    case .signature: "another implementation agrees about every signature"
    case .chain: "another implementation agrees about every certificate chain"
    }
  }
}
