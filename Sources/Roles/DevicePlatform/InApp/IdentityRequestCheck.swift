import Checks
import PassKit
import WebPresentment

/// The checks of the operating system before Wallet is asked for a document that an app requests, in the order in which
/// they are made. It stops at the first that fails.
public enum IdentityRequestCheck: CheckFamily {
  case inProgress, nonce, elements, age, entitlement, certificate, document

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case missing, merchant, element, malformed, untrusted, outdated, other
    case tooLong = "too-long"
    case outOfRange = "out-of-range"
    case bothKinds = "both-kinds"
  }

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .inProgress:
      CheckDefinition(
        "identity-request.in-progress", "no other request is in progress", "another request is in progress",
        clause: "PassKit, requestDocument")
    case .nonce:
      CheckDefinition(
        "identity-request.nonce", "the nonce has 1 to \(AppleHandover.maximumNonceLength) bytes",
        clause: "PassKit, PKIdentityRequest",
        [
          .failure(Reason.missing, "the request has no nonce"),
          .failure(Reason.tooLong, "the nonce is longer than \(AppleHandover.maximumNonceLength) bytes"),
        ])
    case .elements:
      CheckDefinition(
        "identity-request.elements", "the request has a descriptor with elements",
        "the request has no element of a document", clause: "PassKit, PKIdentityError")
    case .age:
      CheckDefinition(
        "identity-request.age", "the request asks for the age, or whether it is at least a number of years",
        clause: "PassKit, PKIdentityElement",
        [
          .failure(Reason.outOfRange, "the number of years is not from 1 to 125"),
          .failure(Reason.bothKinds, "the request asks for the age and whether it is at least a number of years"),
        ])
    case .entitlement:
      CheckDefinition(
        "identity-request.entitlement", "the app's entitlement has the merchant identifier and the elements",
        clause: "PassKit, PKIdentityRequest",
        [
          .failure(Reason.merchant, "the app's entitlement does not have the merchant identifier"),
          .failure(Reason.element, "the app's entitlement does not have a requested element"),
        ])
    case .certificate:
      CheckDefinition(
        "identity-request.certificate", "the portal certified an encryption key for the merchant identifier",
        clause: "Verifying Wallet identity requests, Understand the response structure",
        [
          .failure(Reason.missing, "the portal has no encryption certificate for the merchant identifier"),
          .failure(Reason.malformed, "the encryption certificate cannot be read"),
          .failure(Reason.untrusted, "the portal's root did not issue the encryption certificate"),
          .failure(Reason.outdated, "the encryption certificate is not valid now"),
          .failure(Reason.other, "the encryption certificate is that of another merchant identifier or team"),
        ])
    case .document:
      CheckDefinition(
        "identity-request.document", "Wallet holds the requested document",
        "Wallet does not hold the requested document",
        clause: "PassKit, canRequestDocument")
    }
  }

  /// The error that the app gets for a failure.
  static func error(of failure: CheckFailure<Self>) -> PKIdentityError {
    switch (failure.check, failure.reason) {
    case (.inProgress, _): PKIdentityError(.requestAlreadyInProgress)
    case (.nonce, _): PKIdentityError(.invalidNonce)
    case (.elements, _): PKIdentityError(.noElementsRequested)
    case (.age, _), (.entitlement, .element): PKIdentityError(.invalidElement)
    case (.document, _): PKIdentityError(.notSupported)
    case (.entitlement, _), (.certificate, _): PKIdentityError(.unknown)
    }
  }
}
