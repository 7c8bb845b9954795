import CBOR
import Checks
import StatusLists
import X509

/// A device response that passed every check. Only ``DeviceResponseVerifier`` makes one, from complete runs of checks, and
/// code that uses elements accepts only this type.
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
  /// The issuer: common name of the trusted certificate that the signer certificate leads to, or is itself.
  public let issuer: String?
  /// Dates that the issuer set.
  public let validity: MobileSecurityObject.Validity
  /// The data to look up its status; nil if its issuer publishes none.
  let statusQuery: StatusQuery?

  /// A verified element.
  public struct Element: Sendable {
    /// `NameSpace`.
    public let nameSpace: String
    /// `DataElementIdentifier`.
    public let identifier: String
    /// Its value.
    public let value: CBORValue
    /// True if the device signed the element with the issuer's authorization; false if the issuer signed it.
    public let isDeviceSigned: Bool
  }
}

/// Every check of a verification and, if none failed, the verified response.
public struct VerificationReport: Sendable {
  /// The checks in the order of the standard.
  public let checks: [CheckResult]
  /// The verified response; nil when a check failed.
  public let verified: VerifiedDeviceResponse?

  /// The first check that failed, or that was not reached if none failed; nil if the response is verified.
  public var failure: CheckResult? {
    checks.failure ?? (verified == nil ? checks.first { $0.status == .notReached } : nil)
  }
}

extension [CheckResult] {
  /// The first check that failed.
  public var failure: CheckResult? { first { $0.status == .failed } }
}
