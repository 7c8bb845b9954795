/// The checks of a cross-check by another implementation.
public enum ComparisonCheck: CheckFamily {
  case signature, chain

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .signature:
      CheckDefinition(
        "cross-check.signature", "another implementation agrees about every signature",
        "another implementation disagrees about a signature", clause: "own rule")
    case .chain:
      CheckDefinition(
        "cross-check.chain", "another implementation agrees about every certificate chain",
        "another implementation disagrees about a certificate chain", clause: "own rule")
    }
  }
}
