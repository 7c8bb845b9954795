import CBOR
import Checks
import StatusLists
import X509

/// A device response that passed every check. Only ``DeviceResponseVerifier`` makes one, and nothing that uses
/// elements accepts anything else.
public struct VerifiedDeviceResponse: Sendable {
  /// The documents, in the order returned.
  public let documents: [VerifiedDocument]
}

/// A verified document.
public struct VerifiedDocument: Sendable {
  /// `DocType`.
  public let documentType: String
  /// The elements, in the order returned. Their values are the holder's secrets.
  public let elements: [Element]
  /// Who issued it: common name of the trusted certificate that its signer leads to, or that it is itself.
  public let issuer: String?
  /// Dates that the issuer set.
  public let validity: MobileSecurityObject.Validity
  /// What it takes to look up its status; nil when its issuer publishes none.
  let statusQuery: StatusQuery?

  /// A verified element.
  public struct Element: Sendable {
    /// `NameSpace`.
    public let nameSpace: String
    /// `DataElementIdentifier`.
    public let identifier: String
    /// Its value.
    public let value: CBORValue
    /// Whether the device vouches for it, by the issuer's leave, and not the issuer.
    public let isDeviceSigned: Bool
  }
}

/// Every check of a verification and, when none failed, what was verified.
public struct VerificationReport: Sendable {
  /// The checks in the order of the standard.
  public let checks: [CheckResult]
  /// The verified response; nil when a check failed.
  public let verified: VerifiedDeviceResponse?

  /// The first check that failed.
  public var failure: CheckResult? { checks.first { $0.outcome == .failed } }
}
