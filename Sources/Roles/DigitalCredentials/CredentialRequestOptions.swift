/// The argument of `navigator.credentials.get()` (Credential Management, `CredentialRequestOptions`).
///
/// The `signal` is no part of it: its state comes with the calling context and its aborting as an event of its own.
public struct CredentialRequestOptions: Hashable, Sendable {
  /// The member `digital` (Digital Credentials, `DigitalCredentialRequestOptions`).
  public struct Digital: Hashable, Sendable {
    /// The requests, in the page's order.
    public var requests: [DigitalCredentialGetRequest]

    /// A list of requests.
    public init(requests: [DigitalCredentialGetRequest]) {
      self.requests = requests
    }
  }

  /// How far the person takes part (Credential Management, `CredentialMediationRequirement`). For a digital credential
  /// the person always does, whatever the page asks.
  public enum Mediation: String, CaseIterable, Hashable, Sendable {
    /// Without the person.
    case silent
    /// With the person where needed; the default.
    case optional
    /// Without a dialog, for the types that support it.
    case conditional
    /// Always with the person.
    case required
  }

  /// The members that ask for other credential types, by the name of the type.
  public static let otherCredentialTypes = ["federated", "identity", "otp", "password", "publicKey"]

  /// The requests for a digital credential; nil when the page asks for none.
  public var digital: Digital?

  /// The mediation that the page asks for.
  public var mediation: Mediation

  /// Which of `otherCredentialTypes` the page asks for too.
  public var others: [String]

  /// Options from their parts.
  public init(digital: Digital? = nil, mediation: Mediation = .optional, others: [String] = []) {
    self.digital = digital
    self.mediation = mediation
    self.others = others
  }

  /// Options that ask for a digital credential.
  public init(requests: [DigitalCredentialGetRequest], mediation: Mediation = .required) {
    self.init(digital: Digital(requests: requests), mediation: mediation)
  }
}
