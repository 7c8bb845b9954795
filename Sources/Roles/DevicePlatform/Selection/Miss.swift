import FoundationEssentials
import MobileDocument
import Primitives

/// The reason why an app is not offered, with its findings. The texts are made on demand, because most selections are never
/// printed.
struct Miss: Error, Sendable, Equatable {
  let reason: NearMiss
  let app: String
  /// The registration that is nearest to a match.
  var registration: SelectedRegistration?
  /// Key identifiers of the reader authorities that the registration requires.
  var authorities: [Data] = []
  /// Descriptions of the signers whose certificates are not valid at the moment.
  var outdated: [String] = []
  /// A description of the use case that cannot be satisfied.
  var unmet = ""

  init(_ reason: NearMiss, of app: String) {
    self.reason = reason
    self.app = app
  }

  /// A human-readable description of the finding.
  var message: String {
    switch reason {
    case .registrationInvalidated:
      registration?.invalidationDate.map { "\(reason.message), \(DateTime($0))" } ?? reason.message
    case .readerNotTrusted where !outdated.isEmpty: "\(reason.message): \(outdated.joined(separator: "; "))"
    case .useCaseUnsatisfied: "\(reason.message): \(unmet)"
    default: reason.message
    }
  }

  /// The change that makes the app appear.
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
