import Checks
import MobileDocument

/// The check of the selection rule that hides an app: the first property that does not hold, in the order of the cases.
public enum NearMiss: String, CheckCode {
  case appNotAuthorized = "selector.app-authorization"
  case noRegistration = "selector.registration"
  case typeNotEntitled = "selector.entitlement"
  case typeNotRequested = "selector.document-type"
  case registrationInvalidated = "selector.registration-validity"
  case readerUnsigned = "selector.reader/unsigned"
  case readerNotTrusted = "selector.reader/untrusted"
  case issuerNotAccepted = "selector.issuer"
  case useCaseUnsatisfied = "selector.use-case"

  /// A human-readable description of the failure.
  public var message: String {
    switch self {
    case .appNotAuthorized: "the person has not allowed the app to provide documents"
    case .noRegistration: "the app has registered no document"
    case .typeNotEntitled: "the app's entitlement does not list the document type"
    case .typeNotRequested: "the app has no document of a type that is asked for"
    case .registrationInvalidated: "the registration is past its invalidation date"
    case .readerUnsigned: "the app requires a signed request, and this one is not signed"
    case .readerNotTrusted: "the request is not signed for a reader authority that the app trusts"
    case .issuerNotAccepted: "the website does not accept the issuer of the app's document"
    case .useCaseUnsatisfied: "the app cannot present every document that the website needs together"
    }
  }
}
