import Checks

/// The checks of a document's status, in the order in which they are made (ISO/IEC 18013-5 second edition draft, 12.3.6;
/// Token Status List draft, 8.3). Those of a list appear once for each list that the document names.
public enum StatusCheck: CheckFamily {
  case published, structure
  case location, fetched, listStructure, listType, listSigner, listTrust, listCertificate, listSignature, listClaims
  case listSubject, listValidity, entry, value, revocation

  /// Checks of the document's own entry.
  package static let ofDocument = [published, structure]
  /// Checks of each list.
  package static let ofList = allCases.filter { !ofDocument.contains($0) }

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case notYetValid = "not-yet-valid"
    case stale, revoked, suspended
    case malformed, departs
    case otherType = "other-type"
    case invalid
    case profile
  }

  /// The declaration of the check. Most findings are accepted or refused by the site's policy on revocation.
  public var definition: CheckDefinition {
    switch self {
    case .published:
      CheckDefinition(
        "status.published", "the document says where its status is published, if the policy requires it",
        "the document does not say where its status is published", clause: "18013-5 second edition draft, 12.3.6")
    case .structure:
      CheckDefinition(
        "status.structure", "the status of the document is well-formed", "the status of the document is malformed",
        clause: "18013-5 second edition draft, 12.3.6")
    case .location:
      CheckDefinition(
        "status.list.location", "the list is fetched over TLS",
        "the list cannot be fetched over TLS: its URI is not an https URI",
        clause: "18013-5 second edition draft, 12.3.6.2")
    case .fetched:
      CheckDefinition(
        "status.list.fetched", "the list was fetched", "the list cannot be fetched",
        clause: "Token Status List draft, 8.3")
    case .listStructure:
      CheckDefinition(
        "status.list.structure", "the fetched data is a signed token", clause: "Token Status List draft, 5.2",
        [
          .failure(Reason.malformed, "the fetched data is not a token with a list"),
          .deviation(Reason.departs, "the token departs from the required form"),
        ])
    case .listType:
      CheckDefinition(
        "status.list.type", "the token has the type that the document's entry needs",
        clause: "Token Status List draft, 5.2",
        [
          .failure(Reason.otherType, "the token has another type than the document's entry"),
          .deviation(Reason.departs, "the type is spelt as in the example of the standard's draft"),
        ])
    case .listSigner:
      CheckDefinition(
        "status.list.signer", "the list is not signed with the document signer's key",
        "the document signer signed the list itself: its key, once lost, could unrevoke documents",
        clause: "18013-5 second edition draft, 12.3.6.2")
    case .listTrust:
      CheckDefinition(
        "status.list.trust", "the list's signer leads to the document's issuing authority",
        "the list is not signed under the document's issuing authority",
        clause: "18013-5 second edition draft, 12.3.6.2")
    case .listCertificate:
      CheckDefinition(
        "status.list.certificate", "the certificate of the list's signer is valid and has the profile of one",
        clause: "18013-5 second edition draft, B.1",
        [
          .failure(Reason.invalid, "the certificate of the list's signer is not valid, or has another profile"),
          .deviation(Reason.profile, "the certificate of the list's signer departs from its profile"),
        ])
    case .listSignature:
      CheckDefinition(
        "status.list.signature", "the signature of the list verifies", "the signature of the list does not verify",
        clause: "Token Status List draft, 8.3")
    case .listClaims:
      CheckDefinition(
        "status.list.claims", "the claims of the list are well-formed", clause: "Token Status List draft, 5.2",
        [
          .failure(Reason.malformed, "the claims of the list are malformed"),
          .deviation(Reason.departs, "the claims of the list depart from the required form"),
        ])
    case .listSubject:
      CheckDefinition(
        "status.list.subject", "the list is the one that the document names",
        "the list is another one than the document names", clause: "Token Status List draft, 8.3")
    case .listValidity:
      CheckDefinition(
        "status.list.validity", "the list is up to date", clause: "Token Status List draft, 8.3",
        [
          .failure(Reason.notYetValid, "the list is dated in the future"),
          .failure(Reason.stale, "the list is out of date"),
        ])
    case .entry:
      CheckDefinition(
        "status.entry", "the list covers the document", "the list has no entry for the document",
        clause: "Token Status List draft, 8.3")
    case .value:
      CheckDefinition(
        "status.value", "the document's value in the list is known",
        "the document's value in the list is unknown", clause: "Token Status List draft, 7.1")
    case .revocation:
      CheckDefinition(
        "status.revocation", "the document is neither revoked nor suspended", clause: "Token Status List draft, 7.1",
        [
          .failure(Reason.revoked, "the document was revoked"),
          .failure(Reason.suspended, "the document is suspended"),
        ])
    }
  }

  /// The finding that a revocation policy decides about.
  func finding(_ reason: Reason?) -> RevocationPolicy.Finding {
    switch (self, reason) {
    case (.published, _): .absent
    case (.revocation, .suspended): .suspended
    case (.revocation, _): .revoked
    case (.location, _), (.fetched, _): .unreachable
    case (.listValidity, .stale): .stale
    default: .unusable
    }
  }
}
