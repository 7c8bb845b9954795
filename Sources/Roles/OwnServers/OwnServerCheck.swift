import Checks

/// The conclusion of a verifier server outside the world, which says whether it accepts and not why.
public enum OwnServerCheck: String, CheckFamily {
  case accepted = "own-server.accepted"

  /// The declaration of the check.
  public var definition: CheckDefinition {
    CheckDefinition(rawValue, "the server accepts the answer", "the server refuses the answer", clause: "own rule")
  }
}
