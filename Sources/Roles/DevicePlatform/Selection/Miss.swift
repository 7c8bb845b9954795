import FoundationEssentials
import MobileDocument
import Primitives

/// Why an app is not offered, with what was found. Its words are made when somebody asks for them: most selections are
/// told to nobody.
struct Miss: Error, Sendable, Equatable {
  let reason: NearMiss
  let app: String
  /// The registration that came furthest.
  var registration: SelectedRegistration?
  /// Key identifiers of the reader authorities whose signatures the registration demands.
  var authorities: [Data] = []
  /// Sentences about signers whose certificates are not valid at the moment.
  var outdated: [String] = []
  /// What a use case that cannot be met asks for, and why the rest does not come together.
  var unmet = ""

  init(_ reason: NearMiss, of app: String) {
    self.reason = reason
    self.app = app
  }

  /// What was found, for a person to read.
  var sentence: String {
    switch reason {
    case .registrationInvalidated:
      registration?.invalidationDate.map { "\(reason.sentence), \(DateTime($0))" } ?? reason.sentence
    case .readerNotTrusted where !outdated.isEmpty: "\(reason.sentence): \(outdated.joined(separator: "; "))"
    case .useCaseUnsatisfied: "\(reason.sentence): \(unmet)"
    default: reason.sentence
    }
  }

  /// What would make the app appear.
  var remedy: String {
    let type = registration?.mobileDocumentType ?? ""
    return switch reason {
    case .appNotAuthorized: "allow \(app) in Settings"
    case .noRegistration: "add a document to \(app)"
    case .typeNotEntitled: "add \(type) to the entitlement of \(app)"
    case .typeNotRequested: "ask for \(type)"
    case .registrationInvalidated: "let \(app) register the document with a later date"
    case .readerUnsigned: "sign the request for an authority that \(app) trusts"
    case .readerNotTrusted:
      "sign the request with a valid certificate of an authority that \(app) trusts "
        + "(\(authorities.map { hexadecimal($0) }.joined(separator: ", ")))"
    case .issuerNotAccepted: "accept the issuer of the document, or name no issuers in the request"
    case .useCaseUnsatisfied: "add the missing document to \(app), or make the use case optional"
    }
  }
}
