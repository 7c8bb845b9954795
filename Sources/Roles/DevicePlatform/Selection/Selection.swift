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

  /// An app that may not answer.
  public struct Hidden: Sendable, Equatable {
    /// The name of the app.
    public let app: String
    /// The first check that fails for the nearest registration.
    public var finding: SelectorFinding { miss.finding }
    /// The document identifier of the nearest registration, or nil if the app is not authorized or has no registration.
    public var registration: String? { miss.registration?.documentIdentifier }
    /// A human-readable description of the finding.
    public var message: String { miss.message }
    /// The change that makes the app appear.
    public var remedy: String { miss.remedy }

    private let miss: Miss

    init(_ miss: Miss) {
      app = miss.app
      self.miss = miss
    }
  }

  /// The interpretation of "a certificate issued by a root with this subject key identifier" for chains with intermediates.
  public enum AuthorityReading: String, Sendable, CaseIterable {
    /// The list names roots: the issuer of a chain's topmost certificate.
    case root
    /// The list names any issuer in a chain: the authority key identifier of any of its certificates.
    case anyInChain = "any-in-chain"
  }

  /// Apps that may answer, in the order of their names as UTF-8.
  public let offered: [Offer]
  /// Apps that may not answer, in the order of their names as UTF-8.
  public let hidden: [Hidden]

  /// Makes a selection.
  public init(offered: [Offer], hidden: [Hidden]) {
    self.offered = offered
    self.hidden = hidden
  }

  /// Returns the selection from every registration of every app.
  ///
  /// - Parameters:
  ///   - moment: The time at which registrations and reader certificates must be valid.
  ///   - reading: The comparison of authority key identifiers with chains.
  public static func decide(
    _ apps: [InstalledApp], for request: ISO18013MobileDocumentRequest, at moment: DateTime,
    reading: AuthorityReading = .root
  ) -> Selection {
    let criteria = SelectionCriteria(request, at: moment, reading: reading)
    return decide(apps.map { $0.facts(for: criteria) }, by: criteria)
  }

  /// Returns the selection from the facts about every app.
  ///
  /// - Parameter criteria: The criteria that the facts were made for.
  public static func decide(_ apps: [AppFacts], by criteria: SelectionCriteria) -> Selection {
    var offered: [Offer] = []
    var hidden: [Hidden] = []
    for app in apps.sorted(by: { $0.name.precedes($1.name) }) {
      switch criteria.decide(app) {
      case .success(let registrations): offered.append(Offer(app: app.name, registrations: registrations))
      case .failure(let miss):
        hidden.append(Hidden(miss))
      }
    }
    return Selection(offered: offered, hidden: hidden)
  }
}
