import Faults

/// A case of the suite: what happens to the server under test, and what it must do.
public struct SuiteCase: Sendable, Identifiable {
  /// The identifier: lower-case words joined by dots and dashes. It never changes its meaning. A case with a fault of the
  /// catalogue has the fault's.
  public let id: String
  /// The group in reports.
  public let group: Group
  /// The title, as a phrase.
  public let title: String
  /// The clause of the standard, or the text that the case follows from.
  public let clause: String
  /// The verdict that the server must give.
  public let expects: Expectation
  /// How much it matters.
  public let weight: Weight
  /// The check of presentment's own verifier that fails; nil for a case without one.
  public let check: String?
  /// The findings of presentment's own verifier: checks that fail, or deviate, in an answer with the mistake.
  let findings: [String]
  /// The play of the case.
  let play: Play

  /// A group of cases.
  public enum Group: String, Sendable, CaseIterable {
    case genuine
    case issuerSignature = "issuer-signature"
    case issuerCertificate = "issuer-certificate"
    case securityObject = "security-object"
    case dates, digests
    case responseForm = "response-form"
    case asked
    case deviceSignature = "device-signature"
    case deviceTranscript = "device-transcript"
    case encryption, envelope, sessions, request, http
  }

  /// The verdicts that a server must give.
  public enum Expectation: String, Sendable {
    case accept, refuse, either
  }

  /// How much a case matters.
  public enum Weight: String, Sendable {
    /// A clause obliges the server, or an untrue value, another person's document or another session would be accepted.
    case must
    /// The sender broke a rule, and nothing obliges the server to notice.
    case should
    /// Seen in deployed software, or read in two ways: a fact about the server, and no failure.
    case may
  }

  /// The plays of cases.
  enum Play: Sendable {
    /// A session is begun, and this answer is handed in.
    case answer(AnswerPlan)
    /// Several calls of sessions.
    case session(SessionPlay)
    /// Another body than a credential is handed in.
    case body(ForeignBody)
    /// Nothing is handed in: the request is looked at.
    case request(RequestRule)
  }
}

/// How an answer is made.
struct AnswerPlan: Sendable {
  /// The faults of issuer, wallet, browser and network.
  var faults: [PlannedFault] = []
  /// Changes to the world of the phone that answers.
  var changes: [SuiteWorld.Change] = []
  /// True if the phone has answered another session of the server before.
  var followsAnother = false

  /// A genuine answer.
  static let genuine = AnswerPlan()
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
}

/// Another body than a credential.
enum ForeignBody: Sendable {
  case empty, notJSON, array, number, withoutData, dataIsNumber, responseIsNumber, responseIsEmpty, responseIsLong, deep
}

/// A rule of the requests that a server makes.
enum RequestRule: Sendable {
  case freshNonce, freshKey, noSecret
}
