import CaseSuites
import Faults
import InteractiveWorlds
import OwnServers
import Vocabulary

/// A case of the suite of verifier servers. A case with a fault of the catalogue has the fault's id.
@dynamicMemberLookup
public struct VerifierCase: Sendable, Identifiable {
  /// The case as reports know it.
  public let about: SuiteCase
  /// The findings of presentment's own verifier: checks that fail, or deviate, in an answer with the mistake. The first is
  /// the check in reports.
  let findings: [String]
  /// The play of the case.
  let play: Play
  /// The id of the genuine case beside which this one counts: a server that refuses that one shows nothing by refusing this
  /// one. Nil for the genuine answer that a run begins with.
  let twin: String?

  /// Creates a case.
  init(
    id: String, group: SuiteCase.Group, title: String, clause: String, expects: SuiteCase.Expectation,
    weight: SuiteCase.Weight, findings: [String] = [], play: Play, twin: String? = nil
  ) {
    about = SuiteCase(
      id: id, group: group, title: title, clause: clause, expects: expects, weight: weight, check: findings.first)
    self.findings = findings
    self.play = play
    self.twin = twin
  }

  /// The case for a server whose policy about status lists is declared: a declared finding must be refused, or accepted.
  func decided(by target: VerifierTarget) -> VerifierCase {
    let policy: StatusListPlace.Decision?
    switch id {
    case SuiteCatalogue.unreachable: policy = target.statusLists?.unreachable
    case SuiteCatalogue.stale: policy = target.statusLists?.stale
    default: return self
    }
    guard let policy else { return self }
    return VerifierCase(
      id: id, group: about.group, title: about.title, clause: about.clause,
      expects: policy == .accept ? .accept : .refuse, weight: .must, findings: findings, play: play, twin: twin)
  }

  /// The identifier.
  public var id: String { about.id }

  /// A property of the case.
  public subscript<Value>(dynamicMember property: KeyPath<SuiteCase, Value>) -> Value { about[keyPath: property] }

  /// The plays of cases.
  enum Play: Sendable {
    /// A session is begun, and this answer is handed in.
    case answer(AnswerPlan)
    /// A session is begun, and a genuine answer is handed in under another name or in another form.
    case credential(CredentialForm)
    /// Several calls of sessions.
    case session(SessionPlay)
    /// Another body than a credential is handed in.
    case body(ForeignBody)
    /// Nothing is handed in: the request is looked at.
    case request(RequestRule)

    /// The plan of the answer that is handed in, or changed before; nil where none is or where only its body counts.
    var plan: AnswerPlan? {
      switch self {
      case .answer(let plan): plan
      case .credential, .session: .genuine
      case .body, .request: nil
      }
    }
  }
}

extension SuiteCase.Group {
  static let genuine = Self(rawValue: "genuine")
  static let issuerSignature = Self(rawValue: "issuer-signature")
  static let signatureArithmetic = Self(rawValue: "signature-arithmetic")
  static let trust = Self(rawValue: "trust")
  static let clock = Self(rawValue: "clock")
  static let mixedPeople = Self(rawValue: "mixed-people")
  static let crossProtocol = Self(rawValue: "cross-protocol")
  static let issuerCertificate = Self(rawValue: "issuer-certificate")
  static let securityObject = Self(rawValue: "security-object")
  static let dates = Self(rawValue: "dates")
  static let digests = Self(rawValue: "digests")
  static let responseForm = Self(rawValue: "response-form")
  static let asked = Self(rawValue: "asked")
  static let deviceSignature = Self(rawValue: "device-signature")
  static let severalDocuments = Self(rawValue: "several-documents")
  static let deviceTranscript = Self(rawValue: "device-transcript")
  static let encryption = Self(rawValue: "encryption")
  static let envelope = Self(rawValue: "envelope")
  static let sessions = Self(rawValue: "sessions")
  static let request = Self(rawValue: "request")
  static let revocation = Self(rawValue: "revocation")
  static let http = Self(rawValue: "http")
}

/// How an answer is made.
struct AnswerPlan: Sendable {
  /// The faults of issuer, wallet, browser and network.
  var faults: [PlannedFault] = []
  /// Changes to the world of the phone that answers.
  var changes: [SuiteWorld.Change] = []
  /// The seconds between the issue of the document and the answer; negative for an issue after it.
  var issuedBefore: Int64 = 0
  /// True if the phone has answered another session of the server before.
  var followsAnother = false
  /// The status of the license; nil for one without a status.
  var status: StatusPlan?
  /// The documents of an answer that is made without a phone; nil for one of a phone.
  var outside: OutsidePlan?

  /// A genuine answer.
  static let genuine = AnswerPlan()
}

/// The status of the license in an answer.
struct StatusPlan: Sendable {
  /// The authority that issues the license and publishes its status.
  var publisher: Publisher
  /// The change that it makes before the answer; nil for none.
  var change: DocumentStatusChange?
  /// True if its lists cannot be fetched.
  var isUnreachable = false

  /// An issuing authority with lists. Each case has one of its own, because servers keep the lists that they fetched.
  struct Publisher: Sendable {
    let identifier: String
    let name: String
    let publishes: PublishedStatus
  }
}

/// Another form of a genuine credential.
enum CredentialForm: Sendable {
  /// Under the name of another protocol.
  case under(String)
  /// As the `vp_token` of OpenID4VP.
  case vpToken(protocol: String)
}

/// Several calls of sessions.
enum SessionPlay: Sendable {
  /// An accepted answer is handed in again.
  case again
  /// An answer is handed in several times at once.
  case atOnce
  /// The answer of one session is handed in to another session of the same person.
  case answerOfAnotherSession
  /// The answer of one person's session is handed in to another person's session.
  case answerOfAnotherPerson
  /// A person who has not begun a session hands in an answer.
  case withoutSession
  /// A genuine answer is handed in after a refused one.
  case afterRefusal
  /// The answer that a person gave to another website is handed in under that website's origin.
  case answerForAnotherOrigin
  /// The same, to a session that began under that origin, too.
  case sessionOfAnotherOrigin
}

/// Another body than a credential.
enum ForeignBody: Sendable {
  case empty, notJSON, array, number, withoutData, dataIsNumber, responseIsNumber, responseIsEmpty, responseIsLong, deep
}

/// A rule of the requests that a server makes.
enum RequestRule: Sendable {
  case freshNonce, freshKey, noSecret, encoding, version, signature, certificate, domain
}
