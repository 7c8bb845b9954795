import Checks

/// The conclusions of a wallet of one's own, which says whether it answers and not by which check it refuses.
public enum OwnWalletCheck: CheckFamily {
  case request, rawRequest

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .request:
      CheckDefinition(
        "own-wallet.request", "the wallet shows the request to the person", "the wallet refuses the request",
        clause: "own rule")
    case .rawRequest:
      CheckDefinition(
        "own-wallet.raw-request", "the wallet answers the raw request", "the wallet refuses the raw request",
        clause: "own rule")
    }
  }
}
