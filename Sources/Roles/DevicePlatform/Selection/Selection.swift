import FoundationEssentials
import IdentityDocumentServices
import MobileDocument
import Primitives

/// The apps that may answer a request, and the reasons why the others may not.
public struct Selection: Sendable, Equatable {
  /// An app that may answer.
  public struct Offer: Sendable, Equatable {
    /// The name of the app.
    public let app: String
    /// The matching registrations of every document set that the app can present completely, in the order of their document
    /// identifiers as UTF-8.
    public let registrations: [SelectedRegistration]
  }

  /// An app that may not answer. The texts are made on demand, because most selections are never printed.
  public struct Hidden: Sendable, Equatable {
    /// The name of the app.
    public let app: String
    /// The first check that fails for the nearest registration.
    public let finding: SelectorFinding
    /// The registration that is nearest to a match, or nil if the app is not authorized or has no registration.
    var nearest: SelectedRegistration?
    /// Key identifiers of the reader authorities that the registration requires.
    var authorities: [Data] = []
    /// Descriptions of the required authorities' signers whose certificates are not valid at the moment.
    var outdated: [String] = []
    /// A description of the use case that cannot be satisfied.
    var unmet = ""

    init(_ app: String, _ finding: SelectorFinding, nearest: SelectedRegistration? = nil) {
      self.app = app
      self.finding = finding
      self.nearest = nearest
    }
  }

  /// The decision about an app.
  enum Decision: Sendable, Equatable {
    case offered(Offer)
    case hidden(Hidden)
  }

  /// The interpretation of "a certificate issued by a root with this subject key identifier" for chains with intermediates.
  public enum AuthorityReading: String, Sendable, CaseIterable {
    /// The list names roots: the issuer of a chain's topmost certificate.
    case root
    /// The list names any issuer in a chain: the authority key identifier of any of its certificates.
    case anyInChain = "any-in-chain"
  }

  /// The evidence that an authority of a list certified a signature.
  public enum AuthoritySignatures: String, Sendable, CaseIterable {
    /// The signatures of the chain's certificates lead to an authority certificate of the registration. A registration
    /// without authority certificates is compared by key identifiers.
    case verified
    /// The chain names the key identifier of the authority.
    case names
  }

  /// Apps that may answer, in the order of their names as UTF-8.
  public let offered: [Offer]
  /// Apps that may not answer, in the order of their names as UTF-8.
  public let hidden: [Hidden]

  /// Creates a selection.
  public init(offered: [Offer], hidden: [Hidden]) {
    self.offered = offered
    self.hidden = hidden
  }

  /// Returns the selection from every registration of every app.
  ///
  /// - Parameters:
  ///   - apps: Every app on the device.
  ///   - request: The parsed request.
  ///   - moment: The time at which registrations and reader certificates must be valid.
  ///   - reading: The comparison of authority key identifiers with chains.
  ///   - signatures: The evidence that an authority certified a signature.
  ///   - silentApps: The names of the apps that do not answer requests in the protocol.
  public static func decide(
    _ apps: [InstalledApp], for request: ISO18013MobileDocumentRequest, at moment: DateTime,
    reading: AuthorityReading = .root, signatures: AuthoritySignatures = .verified, silentApps: Set<String> = []
  ) -> Selection {
    let criteria = SelectionCriteria(
      request, at: moment, reading: reading, signatures: signatures, silentApps: silentApps)
    return decide(apps.map { $0.facts(for: criteria) }, by: criteria)
  }

  /// Returns the selection from the facts about every app.
  ///
  /// - Parameters:
  ///   - apps: The facts about every app on the device.
  ///   - criteria: The criteria that the facts were made for.
  public static func decide(_ apps: [AppFacts], by criteria: SelectionCriteria) -> Selection {
    var offered: [Offer] = []
    var hidden: [Hidden] = []
    for app in apps.sorted(by: { $0.name.precedes($1.name) }) {
      switch criteria.decide(app) {
      case .offered(let offer): offered.append(offer)
      case .hidden(let app): hidden.append(app)
      }
    }
    return Selection(offered: offered, hidden: hidden)
  }
}

extension Selection.Hidden {
  /// The document identifier of the nearest registration, or nil if the app is not authorized or has no registration.
  public var registration: String? { nearest?.documentIdentifier }

  /// The document type of the nearest registration, or nil if the app is not authorized or has no registration.
  public var documentType: String? { nearest?.mobileDocumentType }

  /// A human-readable description of the finding.
  public var message: String {
    let details: String? =
      switch finding.check {
      case .registrationValidity: nearest?.invalidationDate.map { "\(DateTime($0))" }
      case .reader where !outdated.isEmpty: outdated.joined(separator: "; ")
      case .useCase: unmet
      default: nil
      }
    return details.map { "\(finding.message): \($0)" } ?? finding.message
  }

  /// The change that makes the app appear.
  public var remedy: String {
    let type = nearest?.mobileDocumentType ?? ""
    return switch finding.check {
    case .appAuthorization: "allow \(app) in Settings"
    case .exchangeProtocol: "ask in a protocol that \(app) answers, too"
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
