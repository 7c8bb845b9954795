import Checks

/// The checks of a Mac and an iPhone that work together, in presentment's model. Apple's protocol is not public, so no
/// clause of a standard requires them.
public enum NearbyCheck: CheckFamily {
  case account, unlocked, frame, message, invitation

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case malformed, other, unexpected, origin, website, `protocol`, expiry
  }

  /// The declaration of the check.
  public var definition: CheckDefinition {
    let clause = "model of presentment"
    return switch self {
    case .account:
      CheckDefinition(
        "nearby.account", "a device of the same account sent the advert", clause: clause,
        [
          .failure(Reason.malformed, "the advert cannot be read"),
          .failure(Reason.other, "the advert is not of a device of this account"),
        ])
    case .unlocked:
      CheckDefinition(
        "nearby.unlocked", "the iPhone was unlocked after it was switched on",
        "the iPhone has not been unlocked since it was switched on", clause: clause)
    case .frame:
      CheckDefinition(
        "nearby.frame", "the frame is the next one of the session and decrypts",
        "the frame does not decrypt: it was altered, repeated or left out", clause: clause)
    case .message:
      CheckDefinition(
        "nearby.message", "the message is well-formed, and the session expects it", clause: clause,
        [
          .failure(Reason.malformed, "the message cannot be read"),
          .failure(Reason.unexpected, "the session does not expect the message"),
        ])
    case .invitation:
      CheckDefinition(
        "nearby.invitation", "the invitation is for a website, for mobile documents, and for at most a minute",
        clause: clause,
        [
          .failure(Reason.origin, "the invitation has no serialized origin"),
          .failure(Reason.website, "the website of the invitation is not the host of its origin"),
          .failure(Reason.protocol, "the invitation is for a protocol that is not offered to an iPhone"),
          .failure(Reason.expiry, "the invitation has expired, or lasts longer than a minute"),
        ])
    }
  }
}

/// A failed check of a Mac or an iPhone.
public typealias NearbyFailure = CheckFailure<NearbyCheck>
