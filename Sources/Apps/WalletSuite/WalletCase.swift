import CaseSuites

/// A case of the suite of wallets.
@dynamicMemberLookup
public struct WalletCase: Sendable, Identifiable {
  /// The case as reports know it.
  public let about: SuiteCase
  /// The play of the case.
  let play: Play

  /// The plays of cases.
  enum Play: Sendable {
    /// A request is shown, and agreed to if the wallet asks.
    case request(RequestPlan)
    /// Several messages about one or two requests.
    case consent(ConsentPlay)
    /// Two answers are compared.
    case twoAnswers
  }

  /// Creates a case.
  init(
    id: String, group: SuiteCase.Group, title: String, clause: String, expects: SuiteCase.Expectation,
    weight: SuiteCase.Weight, check: String?, play: Play
  ) {
    about = SuiteCase(
      id: id, group: group, title: title, clause: clause, expects: expects, weight: weight, check: check)
    self.play = play
  }

  /// The identifier.
  public var id: String { about.id }

  /// A property of the case.
  public subscript<Value>(dynamicMember property: KeyPath<SuiteCase, Value>) -> Value { about[keyPath: property] }

  /// The request of a case that has nothing else, so that it can be tried with files.
  var plan: RequestPlan? {
    guard case .request(let plan) = play else { return nil }
    return plan
  }
}

/// Several messages about one or two requests.
enum ConsentPlay: Sendable {
  /// The raw request follows although the person declined.
  case declined
  /// A raw request comes for a request that the wallet was never shown.
  case neverAsked
  /// The raw request comes again after its answer.
  case again
  /// The raw request of another view comes, of a request for more.
  case ofAnotherView
}

extension SuiteCase.Group {
  static let genuine = Self(rawValue: "genuine")
  static let reader = Self(rawValue: "reader")
  static let signature = Self(rawValue: "signature")
  static let transcript = Self(rawValue: "transcript")
  static let rawRequest = Self(rawValue: "raw-request")
  static let origin = Self(rawValue: "origin")
  static let consent = Self(rawValue: "consent")
  static let form = Self(rawValue: "form")
  static let limits = Self(rawValue: "limits")
}
