import IdentityDocumentServices
import MobileDocument
import Primitives

/// Which apps may answer a request and why the others may not.
public struct Selection: Sendable, Equatable {
  /// An app that may answer.
  public struct Offer: Sendable, Equatable {
    /// Its name.
    public let app: String
    /// The registrations that match and that a document set can use which the app can present whole, in the order of
    /// their document identifiers as UTF-8.
    public let registrations: [SelectedRegistration]
  }

  /// An app that may not answer.
  public struct Hidden: Sendable, Equatable {
    /// Its name.
    public let app: String
    /// The first condition that did not hold, of the registration that came furthest.
    public let reason: NearMiss
    /// Document identifier of that registration; nil when the app is not authorized or has none.
    public var registration: String? { miss.registration?.documentIdentifier }
    /// What was found, for a person to read.
    public var sentence: String { miss.sentence }
    /// What would make the app appear.
    public var remedy: String { miss.remedy }

    private let miss: Miss

    init(_ miss: Miss) {
      app = miss.app
      reason = miss.reason
      self.miss = miss
    }
  }

  /// How "a certificate issued by a root with this subject key identifier" is read when a chain has intermediates.
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

  /// A selection from its parts.
  public init(offered: [Offer], hidden: [Hidden]) {
    self.offered = offered
    self.hidden = hidden
  }

  /// Decides about every app by looking at each registration.
  ///
  /// - Parameters:
  ///   - moment: the time for which registrations and reader certificates must be valid.
  ///   - reading: how authority key identifiers are compared with chains.
  public static func decide(
    _ apps: [InstalledApp], for request: ISO18013MobileDocumentRequest, at moment: DateTime,
    reading: AuthorityReading = .root
  ) -> Selection {
    let criteria = SelectionCriteria(request, at: moment, reading: reading)
    return decide(apps.map { $0.facts(for: criteria) }, by: criteria)
  }

  /// Decides about every app by the facts about it.
  ///
  /// - Parameter criteria: those for which the facts were found.
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
