import Certificates
import Checks
import FoundationEssentials
import OpenID4VP
import Primitives

/// The checks of a provider app between consent and answer, in the order in which they are made. The app stops at the
/// first that fails. It makes the checks of the reader and of the domain before it asks the person, too.
public enum ProviderCheck: CheckFamily {
  case rawRequest, origin, readerSignature, reader, production, domain, document, response

  /// The names of the reasons.
  public enum Reason: String, Sendable {
    case unreadable, differs, unsigned, untrusted, expired, missing, revoked
    case notYetValid = "not-yet-valid"
    case registrationEnded = "registration-ended"
  }

  /// The checks of an answer, in their order. Only an app in production makes the check of test programmes.
  package static func made(inProduction isInProduction: Bool) -> [ProviderCheck] {
    allCases.filter { $0 != .production || isInProduction }
  }

  /// The error code of an app that answers a request in OpenID4VP when this check fails (OpenID4VP, 8.5).
  package var errorCode: PresentationErrorCode {
    switch self {
    case .rawRequest, .origin, .readerSignature: .invalidRequest
    case .reader, .production, .domain, .document: .accessDenied
    case .response: .serverError
    }
  }

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .rawRequest:
      CheckDefinition(
        "provider.raw-request", "the raw request asks for the same as the authorization view shows",
        clause: "IdentityDocumentServices",
        [
          .failure(Reason.unreadable, "the raw request cannot be read"),
          .failure(Reason.differs, "the raw request asks for something else than the authorization view shows"),
          .failure(Reason.expired, "the raw request is not valid at this time"),
        ])
    case .origin:
      CheckDefinition(
        "provider.origin", "the request has an origin to which the response is bound",
        "the request has no origin to which a response can be bound", clause: "ISO/IEC 18013-7, C.5")
    case .readerSignature:
      CheckDefinition(
        "provider.reader-signature", "every reader signature in the raw request verifies",
        "a reader signature in the raw request does not verify", clause: "ISO/IEC 18013-5, 9.1.4.5")
    case .reader:
      CheckDefinition(
        "provider.reader", "the request is signed for a reader authority that the app trusts, or the app trusts none",
        clause: "ISO/IEC 18013-5, 9.1.4.5",
        [
          .failure(Reason.unsigned, "the request is not signed, and the app answers signed requests only"),
          .failure(Reason.untrusted, "the reader certificate does not lead to a reader authority that the app trusts"),
          .failure(Reason.revoked, "a reader authority that the app trusts has revoked the reader certificate"),
          .failure(Reason.expired, "the reader certificate of an authority that the app trusts has expired"),
          .failure(Reason.notYetValid, "the validity of the reader certificate of a trusted authority has not started"),
        ])
    case .production:
      CheckDefinition(
        "provider.production", "the trusted reader is not one of a test programme",
        "the trusted reader is one of a test programme", clause: "own rule; the EU's reference programme")
    case .domain:
      CheckDefinition(
        "provider.domain", "the certificate of a trusted reader names the domain of the requesting website",
        clause: "RFC 9525, 6.3",
        [
          .failure(Reason.differs, "the reader certificate is for another website than the requesting one"),
          .deviation(Reason.missing, "the reader certificate names no domain, so its name is not shown as certified"),
        ])
    case .document:
      CheckDefinition(
        "provider.document", "the app holds the documents that the website needs together, and they are valid",
        clause: "ISO/IEC 18013-5 second edition draft, 10.2.5",
        [
          .failure("the app does not hold the documents that the website needs together"),
          .failure(Reason.differs, "the app no longer holds the documents that the authorization view showed"),
          .failure(Reason.expired, "the document has expired"),
          .failure(Reason.notYetValid, "the validity of the document has not started"),
          .failure(Reason.registrationEnded, "the invalidation date of the document's registration has passed"),
        ])
    case .response:
      CheckDefinition(
        "provider.response", "the response is signed and encrypted", "the response cannot be signed or encrypted",
        clause: "ISO/IEC 18013-7, C.3")
    }
  }
}

/// A failed check of a provider app, with its reason.
public typealias ProviderFinding = CheckFinding<ProviderCheck>

/// A refusal of a provider app. Thrown inside `sendResponse`, it ends the presentment.
public typealias ProviderRefusal = CheckFailure<ProviderCheck>

extension ProviderRefusal {
  /// The refusal of a request whose signers do not lead to a reader authority that the app trusts.
  /// - Parameter errors: The error of each certificate chain; none for an unsigned request.
  static func noTrustedReader(_ errors: [CertificatePathError]) -> ProviderRefusal {
    guard !errors.isEmpty else { return ProviderRefusal(.reader, .unsigned) }
    // A signer that was certified until now, or will be, is nearer to trust than any other.
    let reason: ProviderCheck.Reason =
      errors.contains { $0.code == .expired }
      ? .expired : errors.contains { $0.code == .notYetValid } ? .notYetValid : .untrusted
    return ProviderRefusal(.reader, reason, adding: errors.map(\.message).uniqued().joined(separator: "; "))
  }
}

extension CheckFailure: LocalizedError where Family == ProviderCheck {
  /// The message.
  public var errorDescription: String? { message }
}
