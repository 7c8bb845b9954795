import JSON

/// The argument of `navigator.credentials.get()` (Credential Management, `CredentialRequestOptions`), and, with the same
/// members, that of `create()` and `issue()`.
///
/// The `signal` is separate: its state comes with the calling context, and its abort as an event.
public struct CredentialRequestOptions: Hashable, Sendable {
  /// The member `digital` (Digital Credentials, `DigitalCredentialRequestOptions`).
  public struct Digital: Hashable, Sendable {
    /// The requests, in the page's order.
    public var requests: [DigitalCredentialGetRequest]

    /// Creates the member.
    public init(requests: [DigitalCredentialGetRequest]) { self.requests = requests }
  }

  /// The part that the person takes (Credential Management, `CredentialMediationRequirement`). A digital credential
  /// always needs the person, whatever the page asks for.
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

  /// The requests for a digital credential, or nil if the page does not ask for one.
  public var digital: Digital?

  /// The mediation that the page asks for.
  public var mediation: Mediation

  /// The types among `otherCredentialTypes` that the page also asks for.
  public var others: [String]

  /// Creates options.
  public init(digital: Digital? = nil, mediation: Mediation = .optional, others: [String] = []) {
    self.digital = digital
    self.mediation = mediation
    self.others = others
  }

  /// Creates options that ask for a digital credential.
  public init(requests: [DigitalCredentialGetRequest], mediation: Mediation = .required) {
    self.init(digital: Digital(requests: requests), mediation: mediation)
  }
}

extension CredentialRequestOptions {
  /// The options as UTF-8 JSON for `init(reading:)`.
  ///
  /// Members that ask for other credential types are written as `true`, since only their presence is kept.
  public var serialized: [UInt8] {
    let requests = digital?.requests.map { request in
      JSONValue(members: [("protocol", .string(request.protocol)), ("data", request.value)])
    }
    let members: [(String, JSONValue?)] = [
      ("digital", requests.map { JSONValue(members: [("requests", .array($0))]) }),
      ("mediation", .string(mediation.rawValue)),
    ]
    return JSONValue(present: members + others.map { ($0, .boolean(true)) }).bytes
  }
}
