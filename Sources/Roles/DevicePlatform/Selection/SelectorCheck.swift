import Checks

/// The checks of the selection rule, in the order in which they are made. The first that fails hides an app.
public enum SelectorCheck: CheckFamily {
  case appAuthorization, exchangeProtocol, registration, entitlement, documentType, registrationValidity, reader,
    issuer, useCase

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case unsigned, untrusted, forged, expired
    case notYetValid = "not-yet-valid"
  }

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .appAuthorization:
      CheckDefinition(
        "selector.app-authorization", "the person allows the app to provide documents",
        "the person has not allowed the app to provide documents", clause: "own rule")
    case .exchangeProtocol:
      CheckDefinition(
        "selector.protocol", "the app answers requests in the protocol",
        "the app does not answer requests in the protocol", clause: "IdentityDocumentServices")
    case .registration:
      CheckDefinition(
        "selector.registration", "the app has registered a document", "the app has registered no document",
        clause: "IdentityDocumentServices")
    case .entitlement:
      CheckDefinition(
        "selector.entitlement", "the app's entitlement lists the document type",
        "the app's entitlement does not list the document type", clause: "IdentityDocumentServices")
    case .documentType:
      CheckDefinition(
        "selector.document-type", "the app has a document of a requested type",
        "the app has no document of a requested type", clause: "IdentityDocumentServices")
    case .registrationValidity:
      CheckDefinition(
        "selector.registration-validity", "the registration is before its invalidation date",
        "the registration is past its invalidation date", clause: "IdentityDocumentServices")
    case .reader:
      CheckDefinition(
        "selector.reader", "the request is signed for a reader authority that the app trusts, or the app requires none",
        clause: "IdentityDocumentServices",
        [
          .failure(Reason.unsigned, "the app requires a signed request, and this one is not signed"),
          .failure(Reason.untrusted, "the request is not signed for a reader authority that the app trusts"),
          .failure(
            Reason.forged,
            "the request names a reader authority that the app trusts, and that authority did not issue its certificate"
          ),
          .failure(Reason.expired, "the reader certificate of an authority that the app trusts has expired"),
          .failure(Reason.notYetValid, "the validity of the reader certificate of a trusted authority has not started"),
        ])
    case .issuer:
      CheckDefinition(
        "selector.issuer", "the website accepts the issuer of the app's document",
        "the website does not accept the issuer of the app's document",
        clause: "ISO/IEC 18013-5 second edition draft, 10.2.4")
    case .useCase:
      CheckDefinition(
        "selector.use-case", "the app can present every document that the website needs together",
        "the app cannot present every document that the website needs together",
        clause: "ISO/IEC 18013-5 second edition draft, 10.2.5")
    }
  }
}

/// A check that hides an app, with its reason.
public typealias SelectorFinding = CheckFinding<SelectorCheck>
