/// The presentation protocols of the standard (Digital Credentials, `DigitalCredentialPresentationProtocol`).
///
/// Identifiers are compared exactly: letter case and spaces count.
public enum DigitalCredentialPresentationProtocol: String, CaseIterable, Hashable, Sendable {
  /// An unsigned request of OpenID for Verifiable Presentations 1.0, clause A.3.1.
  case openID4VPUnsigned = "openid4vp-v1-unsigned"
  /// A signed request of OpenID for Verifiable Presentations 1.0, clause A.3.2.
  case openID4VPSigned = "openid4vp-v1-signed"
  /// A request with several signatures of OpenID for Verifiable Presentations 1.0, clause A.3.2.2.
  case openID4VPMultisigned = "openid4vp-v1-multisigned"
  /// A mobile document request of ISO/IEC TS 18013-7, Annex C.
  case mobileDocument = "org-iso-mdoc"
}

/// The issuance protocols of the standard (Digital Credentials, `DigitalCredentialIssuanceProtocol`).
public enum DigitalCredentialIssuanceProtocol: String, CaseIterable, Hashable, Sendable {
  /// OpenID for Verifiable Credential Issuance 1.0.
  case openID4VCI = "openid4vci-v1"
}

/// A protocol of the standard, for a presentation or for an issuance (Digital Credentials, `DigitalCredentialProtocol`).
public enum DigitalCredentialProtocol: RawRepresentable, Hashable, Sendable {
  /// A protocol of `get()`.
  case presentation(DigitalCredentialPresentationProtocol)
  /// A protocol of `create()` and `issue()`.
  case issuance(DigitalCredentialIssuanceProtocol)

  /// Creates the case for an identifier, or returns nil if the standard does not define it.
  public init?(rawValue: String) {
    if let known = DigitalCredentialPresentationProtocol(rawValue: rawValue) {
      self = .presentation(known)
    } else if let known = DigitalCredentialIssuanceProtocol(rawValue: rawValue) {
      self = .issuance(known)
    } else {
      return nil
    }
  }

  /// The identifier.
  public var rawValue: String {
    switch self {
    case .presentation(let known): known.rawValue
    case .issuance(let known): known.rawValue
    }
  }
}
