import CaseSuites
import Checks
import Faults
import LocatedYAML
import MobileDocument
import ScenarioLanguage

/// Every case of the suite, in the order in which they are run and reported.
public enum SuiteCatalogue {
  /// Every case.
  public static let all = genuine + ofFaults + sessions + request + bodies

  /// The suite.
  public static let suite = Suite(
    subject: "server", cases: all.map(\.about),
    groups: [
      .genuine, .issuerSignature, .issuerCertificate, .securityObject, .dates, .digests, .responseForm, .asked,
      .deviceSignature, .deviceTranscript, .encryption, .envelope, .sessions, .request, .http,
    ],
    mistakes: [.wronglyAccepted, .wronglyRefused, .showsRefused, .wrongRequest, .notRefusedCleanly],
    page: "test-your-server.md")

  /// The genuine answer beside which dishonest answers count.
  static let twin = "genuine.license"

  private static func genuineCase(
    _ name: String, _ title: String, _ changes: [SuiteWorld.Change] = [], clause: String = "ISO/IEC 18013-5, 9.3"
  ) -> VerifierCase {
    VerifierCase(
      id: "genuine.\(name)", group: .genuine, title: title, clause: clause, expects: .accept, weight: .must, check: nil,
      findings: [], play: .answer(AnswerPlan(changes: changes)))
  }

  private static let genuine: [VerifierCase] = [
    genuineCase("license", "a license of which every requested element is sent"),
    genuineCase(
      "elements-left-out", "a license without an element that may have been asked for",
      [.element("portrait", nil)], clause: "ISO/IEC 18013-5, 8.3.2.1.2.2"),
    genuineCase(
      "names-of-other-scripts", "names with letters outside ASCII",
      [.element("resident_city", .text("Åkersberga-Süd"))], clause: "ISO/IEC 18013-5, 7.2.1"),
    genuineCase(
      "short-validity", "a license that is valid for one day", [.document("valid-for", .text("1 day"))],
      clause: "ISO/IEC 18013-5, 9.1.2.4"),
    genuineCase(
      "long-validity", "a license that is valid for as long as its signer certificate",
      [.document("valid-for", .text("457 days"))], clause: "ISO/IEC 18013-5, 9.1.2.4"),
    genuineCase(
      "browser-safari", "an answer by way of the rules of Safari", [.device("browser", .text("safari-26.0"))],
      clause: "ISO/IEC TS 18013-7, C"),
    genuineCase(
      "browser-chromium", "an answer by way of the rules of Chromium",
      [.device("browser", .text("chromium-2026"))], clause: "ISO/IEC TS 18013-7, C"),
  ]

  /// Every fault of the catalogue that a website's server notices in an answer.
  private static let ofFaults = FaultCatalogue.all.compactMap(VerifierCase.init)

  private static func session(
    _ name: String, _ title: String, _ play: SessionPlay, _ expects: SuiteCase.Expectation = .refuse,
    _ weight: SuiteCase.Weight = .must
  ) -> VerifierCase {
    VerifierCase(
      id: "sessions.\(name)", group: .sessions, title: title, clause: "ISO/IEC 18013-5, 9.1.5", expects: expects,
      weight: weight, check: nil, findings: [], play: .session(play))
  }

  private static let sessions = [
    session("same-answer-twice", "an accepted answer is handed in again", .again),
    session("twice-at-once", "an answer is handed in twice at once", .atOnce),
    session(
      "answer-of-another-session", "the answer of one session is handed in to another session of the same person",
      .answerOfAnotherSession),
    session(
      "answer-of-another-person", "the answer of one person's session is handed in to another person's session",
      .answerOfAnotherPerson),
    session(
      "no-session", "a person who has not begun a session hands in a genuine answer", .withoutSession),
    session(
      "after-refusal", "a genuine answer follows a refused one in the same session", .afterRefusal, .either, .may),
  ]

  private static func request(
    _ name: String, _ title: String, _ rule: RequestRule, _ clause: String, _ weight: SuiteCase.Weight = .must
  ) -> VerifierCase {
    VerifierCase(
      id: "request.\(name)", group: .request, title: title, clause: clause, expects: .accept, weight: weight,
      check: nil,
      findings: [], play: .request(rule))
  }

  private static let request = [
    request("fresh-nonce", "each session has a nonce of its own", .freshNonce, "ISO/IEC TS 18013-7, C.2"),
    request("fresh-key", "each session has a recipient key of its own", .freshKey, "ISO/IEC TS 18013-7, C.2", .should),
    request("no-secret", "the request has no private key", .noSecret, "RFC 9052, 7.1"),
  ]

  private static func body(_ name: String, _ title: String, _ body: ForeignBody) -> VerifierCase {
    VerifierCase(
      id: "http.\(name)", group: .http, title: title, clause: "RFC 9110, 15.5", expects: .refuse, weight: .should,
      check: nil, findings: [], play: .body(body))
  }

  private static let bodies = [
    body("empty", "the body is empty", .empty),
    body("not-json", "the body is not JSON", .notJSON),
    body("array", "the body is an array", .array),
    body("number", "the body is a number", .number),
    body("without-data", "the credential has no data", .withoutData),
    body("data-is-number", "the credential's data is a number", .dataIsNumber),
    body("response-is-number", "the response is a number", .responseIsNumber),
    body("response-is-empty", "the response is an empty text", .responseIsEmpty),
    body("response-is-long", "the response has 8 MiB", .responseIsLong),
    body("deep", "arrays nest 100,000 deep", .deep),
  ]

  /// The beginnings of the ids of faults that are no cases: those of requests of apps, status lists, lists of issuers and
  /// simulated websites. The suite serves no list, and a server under test brings its own website.
  static let leftOut = [
    "wallet.in-app-", "wallet.openid4vp-", "list-operator.", "issuer.status-entry.", "issuer.status-list.",
    "network.issuer-", "network.published-", "network.status-", "website.",
    // Its validity ends when it begins, so it has expired when the server looks at it.
    "issuer.valid-for-no-time",
  ]

  /// Elements that a license must not have, because a fault would make a second mistake of them.
  static let withoutSecondMistake: [String: [SuiteWorld.Change]] = [
    "issuer.signer-of-another-state": [.element("issuing_jurisdiction", nil)],
    "issuer.element-type": [.element("issuing_country", nil), .element("issuing_jurisdiction", nil)],
  ]

  /// Faults whose answers carry an untrue value, another person's document, or another session or origin; and those of
  /// which a clause obliges the reader to look.
  static let weighsMost: Set = [
    "issuer.not-signed", "issuer.signature-altered", "issuer.signature-length", "issuer.signature-range",
    "issuer.algorithm-unknown", "issuer.signer-of-another-root", "issuer.signer-expired", "issuer.signer-not-yet-valid",
    "issuer.not-yet-valid", "issuer.expired", "issuer.other-document-type", "issuer.name-space-not-covered",
    "issuer.element-not-covered", "wallet.value-changed", "wallet.second-value-changed",
    "wallet.last-value-changed", "wallet.value-of-another-element", "wallet.device-not-signed",
    "wallet.another-device-key",
    "wallet.signs-for-another-origin", "wallet.signs-for-another-nonce", "wallet.device-signature-length",
    "wallet.device-element", "wallet.another-payload-attached", "wallet.transcript.another-session",
    "wallet.another-nonce", "wallet.no-documents", "wallet.issuer-not-requested", "network.response-altered",
    "issuer.type-not-requested", "browser.origin-replaced",
  ]
}

extension VerifierCase {
  /// The case of a fault; nil for a fault that a website's server does not notice in an answer.
  fileprivate init?(_ fault: Fault) {
    guard let kind = FaultKind(fault) else { return nil }
    let weighsMost = SuiteCatalogue.weighsMost.contains(fault.id)
    // A transcript that is wrong in the encryption, too, would hide whether the server looks at the signature.
    let isTranscript = fault.id.hasPrefix("wallet.transcript.")
    self.init(
      id: fault.id, group: kind.group, title: fault.title.prefix(1).lowercased() + fault.title.dropFirst(),
      clause: kind.clause, expects: kind.isTolerated ? .either : .refuse,
      weight: kind.isTolerated ? .may : weighsMost ? .must : .should, check: kind.findings.first,
      findings: kind.findings,
      play: .answer(
        AnswerPlan(
          faults: [PlannedFault(fault, arguments: isTranscript ? ["in": "signature"] : [:])],
          changes: SuiteCatalogue.withoutSecondMistake[fault.id] ?? [],
          followsAnother: fault.id == "wallet.transcript.another-session")))
  }
}

/// The check that notices a fault, as the suite sorts cases.
private struct FaultKind {
  let group: SuiteCase.Group
  let clause: String
  /// The findings of presentment's own verifier.
  let findings: [String]
  /// True if some policy accepts what the fault makes.
  let isTolerated: Bool

  /// The finding of a verifier, with the declaration of its check.
  private static let declared: [String: (definition: CheckDefinition, severity: CheckDefinition.Severity)] = {
    let definitions = CheckTable.verifier.flatMap(\.definitions)
    return Dictionary(
      definitions.flatMap { definition in
        definition.reasons.map { reason in
          ([definition.id, reason.id].compactMap(\.self).joined(separator: "/"), (definition, reason.severity))
        }
      }
    ) { first, _ in first }
  }()

  /// Faults that the server notices first if the request is not signed for its origin.
  private static let unnoticedBefore = ["browser.origin-replaced": "response.decryption/unexplained"]

  init?(_ fault: Fault) {
    let unnoticed = Self.unnoticedBefore[fault.id]
    guard fault.findings.party == "server" || unnoticed != nil else { return nil }
    guard !SuiteCatalogue.leftOut.contains(where: fault.id.hasPrefix) else { return nil }
    let isTranscript = fault.id.hasPrefix("wallet.transcript.")
    let names = unnoticed.map { [$0] } ?? fault.findings.failed + fault.findings.deviating
    findings = isTranscript ? Array(names.suffix(1)) : names
    guard let name = findings.first, let found = Self.declared[name] else { return nil }
    clause = found.definition.clause
    isTolerated = unnoticed == nil && fault.findings.failed.isEmpty || found.severity != .failure
    group = isTranscript ? .deviceTranscript : Self.group(of: found.definition.id)
  }

  private static func group(of check: String) -> SuiteCase.Group {
    switch check {
    case "issuer.certificate", "issuer.form", "issuer.algorithm", "issuer.signature": .issuerSignature
    case "mso.dates", "mso.validity-order", "mso.signer-validity", "mso.validity", "element.dates": .dates
    case "element.coverage", "element.digest", "element.unique", "element.salt", "element.type", "element.ages",
      "element.errors":
      .digests
    case "document.requested", "issuer.requested", "element.requested", "response.documents": .asked
    case "response.decryption": .encryption
    case "response.envelope", "response.protocol", "response.data": .envelope
    case _ where check.hasPrefix("issuer."): .issuerCertificate
    case _ where check.hasPrefix("mso."): .securityObject
    case _ where check.hasPrefix("device."): .deviceSignature
    default: .responseForm
    }
  }
}
