import Checks
import MobileDocument

/// Why an app is not offered: the first condition that did not hold, in the order of the cases.
public enum NearMiss: String, CheckCode {
  case appNotAuthorized = "selector.app-not-authorized"
  case noRegistration = "selector.no-registration"
  case typeNotEntitled = "selector.type-not-entitled"
  case typeNotRequested = "selector.type-not-requested"
  case registrationInvalidated = "selector.registration-invalidated"
  case readerUnsigned = "selector.reader-unsigned"
  case readerNotTrusted = "selector.reader-not-trusted"
  case issuerNotAccepted = "selector.issuer-not-accepted"
  case useCaseUnsatisfied = "selector.use-case-unsatisfied"

  /// What it means when this fails, for a person to read.
  public var sentence: String {
    switch self {
    case .appNotAuthorized: "the person has not allowed the app to provide documents"
    case .noRegistration: "the app has registered no document"
    case .typeNotEntitled: "the app's entitlement does not list the document type"
    case .typeNotRequested: "the app has no document of a type that is asked for"
    case .registrationInvalidated: "the registration is past its invalidation date"
    case .readerUnsigned: "the app demands a signed request, and nobody signed this one"
    case .readerNotTrusted: "the request is not signed for a reader authority that the app trusts"
    case .issuerNotAccepted: "the website does not accept the issuer of the app's document"
    case .useCaseUnsatisfied: "the app cannot present every document that the website needs together"
    }
  }
}
