import FoundationEssentials
import MobileDocument
import Primitives

/// The reason why an app is not offered, with its findings. The texts are made on demand, because most selections are never
/// printed.
struct Miss: Error, Sendable, Equatable {
  let finding: SelectorFinding
  let app: String
  /// The registration that is nearest to a match.
  var registration: SelectedRegistration?
  /// Key identifiers of the reader authorities that the registration requires.
  var authorities: [Data] = []
  /// Descriptions of the required authorities' signers whose certificates are not valid at the moment.
  var outdated: [String] = []
  /// A description of the use case that cannot be satisfied.
  var unmet = ""

  init(_ finding: SelectorFinding, of app: String) {
    self.finding = finding
    self.app = app
  }

  /// A human-readable description of the finding.
  var message: String {
    let details: String? =
      switch finding.check {
      case .registrationValidity: registration?.invalidationDate.map { "\(DateTime($0))" }
      case .reader where !outdated.isEmpty: outdated.joined(separator: "; ")
      case .useCase: unmet
      default: nil
      }
    return details.map { "\(finding.message): \($0)" } ?? finding.message
  }

  /// The change that makes the app appear.
  var remedy: String {
    let type = registration?.mobileDocumentType ?? ""
    return switch finding.check {
    case .appAuthorization: "allow \(app) in Settings"
    case .registration: "add a document to \(app)"
    case .entitlement: "add \(type) to the entitlement of \(app)"
    case .documentType: "ask for \(type)"
    case .registrationValidity: "let \(app) register the document with a later date"
    case .reader where finding.reason == .unsigned: "sign the request for an authority that \(app) trusts"
    case .reader:
      "sign the request with a valid certificate of an authority that \(app) trusts "
        + "(\(authorities.map { hexadecimal($0) }.joined(separator: ", ")))"
    case .issuer: "accept the issuer of the document, or name no issuers in the request"
    case .useCase: "add the missing document to \(app), or make the use case optional"
    }
  }
}
