import CaseSuites
import Checks
import Faults
import LocatedYAML
import MobileDocument
import ScenarioLanguage

/// Every case of the suite, in the order in which they are run and reported.
public enum SuiteCatalogue {
  /// Every case.
  public static let all =
    genuine + genuineDeviceKeys + ofFaults + forged + deviceKeys + severalDocuments + roots + clock + revocation
    + crossProtocol + sessions + request + bodies

  /// The suite.
  public static let suite = Suite(
    subject: "server", cases: all.map(\.about),
    groups: [
      .genuine, .issuerSignature, .signatureArithmetic, .issuerCertificate, .trust, .securityObject, .dates, .clock,
      .digests, .mixedPeople, .severalDocuments, .responseForm, .asked, .deviceSignature, .deviceTranscript,
      .encryption,
      .envelope, .revocation, .crossProtocol, .sessions, .request, .http,
    ],
    mistakes: [.wronglyAccepted, .wronglyRefused, .showsRefused, .showsOther, .wrongRequest, .notRefusedCleanly],
    page: "test-your-server.md")

  /// The genuine answer beside which dishonest answers count, unless a case names another.
  static let twin = "genuine.license"

  /// The answer of a case that hands one in; nil for another case.
  static func plan(of id: String) -> AnswerPlan? {
    guard case .answer(let plan)? = all.first(where: { $0.id == id })?.play else { return nil }
    return plan
  }

  private static func genuineCase(
    _ name: String, _ title: String, _ changes: [SuiteWorld.Change] = [], clause: String = "ISO/IEC 18013-5, 9.3"
  ) -> VerifierCase {
    VerifierCase(
      id: "genuine.\(name)", group: .genuine, title: title, clause: clause, expects: .accept, weight: .must,
      play: .answer(AnswerPlan(changes: changes)))
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
      "longest-name", "a name of 150 characters",
      [.element("given_name", .text(String(repeating: "Kelly-Ann ", count: 15).dropLast().appending("e")))],
      clause: "ISO/IEC 18013-5, 7.2.1"),
    genuineCase(
      "name-with-apostrophe", "a name with an apostrophe, a hyphen and a space",
      [.element("given_name", .text("Kelly O'Neill-de la Cruz"))], clause: "ISO/IEC 18013-5, 7.2.1"),
    genuineCase(
      "born-on-leap-day", "a person who was born on the 29th of February",
      [.element("birth_date", .text("2000-02-29"))], clause: "ISO/IEC 18013-5, 7.2.1"),
    genuineCase(
      "short-validity", "a license that is valid for one day", [.document("valid-for", .text("1 day"))],
      clause: "ISO/IEC 18013-5, 9.1.2.4"),
    genuineCase(
      "long-validity", "a license that is valid for as long as its signer certificate",
      [.document("valid-for", .text("457 days"))], clause: "ISO/IEC 18013-5, 9.1.2.4"),
    genuineCase(
      "signed-es384", "a license that is signed with ES384, on P-384",
      [.issued(OutsideIssuance(signature: .es384))], clause: "ISO/IEC 18013-5, 9.1.2.4"),
    genuineCase(
      "signed-es512", "a license that is signed with ES512, on P-521",
      [.issued(OutsideIssuance(signature: .es512))], clause: "ISO/IEC 18013-5, 9.1.2.4"),
    genuineCase(
      "signed-eddsa", "a license that is signed with EdDSA, on Ed25519",
      [.issued(OutsideIssuance(signature: .edDSA))], clause: "ISO/IEC 18013-5, 9.1.2.4"),
    genuineCase(
      "digests-sha384", "a license with digests of SHA-384", [.issued(OutsideIssuance(digest: .sha384))],
      clause: "ISO/IEC 18013-5, 9.1.2.5"),
    genuineCase(
      "digests-sha512", "a license with digests of SHA-512", [.issued(OutsideIssuance(digest: .sha512))],
      clause: "ISO/IEC 18013-5, 9.1.2.5"),
    genuineCase(
      "browser-safari", "an answer by way of the rules of Safari", [.device("browser", .text("safari-26.0"))],
      clause: "ISO/IEC TS 18013-7, C"),
    genuineCase(
      "browser-chromium", "an answer by way of the rules of Chromium",
      [.device("browser", .text("chromium-2026"))], clause: "ISO/IEC TS 18013-7, C"),
  ]

  /// Every fault of the catalogue that a website's server notices in an answer.
  private static let ofFaults = FaultCatalogue.all.compactMap(VerifierCase.init)

  /// A key of small order, and the signature that fits it: with one of them alone no signature verifies.
  private static let forged = [
    VerifierCase(
      id: "device-key.forged-signature", group: .signatureArithmetic,
      title: "the device key is a point of small order, and a signature without a private key fits it",
      clause: "ISO/IEC 18013-5, 9.1.2.4", expects: .refuse, weight: .must, findings: ["mso.device-key/unusable"],
      play: .answer(
        AnswerPlan(
          faults: ["issuer.device-key-small-order", "wallet.device-signature-small-order"]
            .compactMap(FaultCatalogue.fault).map { PlannedFault($0) })))
  ]

  private static func rootCase(
    _ name: String, _ title: String, _ authority: OutsideIssuance.Authority
  ) -> VerifierCase {
    VerifierCase(
      id: "trust.\(name)", group: .trust, title: title, clause: "ISO/IEC 18013-5, 9.3.3", expects: .refuse,
      weight: .should, findings: ["issuer.trust"],
      play: .answer(AnswerPlan(changes: [.issued(OutsideIssuance(authority: authority))])))
  }

  private static let roots = [
    rootCase("root-expired", "the root that you trust has expired", .rootExpired),
    rootCase("root-not-yet-valid", "the root that you trust is not valid yet", .rootNotYetValid),
  ]

  static let (minute, hour, day): (Int64, Int64, Int64) = (60, 3600, 86_400)

  /// A document that is valid for a day, issued some seconds before the server sees it, or after.
  private static func clockCase(
    _ name: String, _ title: String, issuedBefore seconds: Int64, _ expects: SuiteCase.Expectation,
    _ weight: SuiteCase.Weight = .must
  ) -> VerifierCase {
    let finding = expects == .accept ? nil : "mso.validity/" + (seconds < 0 ? "not-yet-valid" : "expired")
    return VerifierCase(
      id: "clock.\(name)", group: .clock, title: title, clause: "ISO/IEC 18013-5, 9.3.1", expects: expects,
      weight: weight, findings: [finding].compactMap(\.self),
      play: .answer(AnswerPlan(changes: [.document("valid-for", .text("1 day"))], issuedBefore: seconds)))
  }

  private static let clock = [
    clockCase("ends-in-an-hour", "the document expires in an hour", issuedBefore: day - hour, .accept),
    clockCase("ends-in-two-minutes", "the document expires in two minutes", issuedBefore: day - 2 * minute, .accept),
    clockCase("ended-a-second-ago", "the document expired a second ago", issuedBefore: day + 1, .either, .may),
    clockCase("ended-a-minute-ago", "the document expired a minute ago", issuedBefore: day + minute, .refuse, .should),
    clockCase("ended-an-hour-ago", "the document expired an hour ago", issuedBefore: day + hour, .refuse),
    clockCase("ended-a-day-ago", "the document expired a day ago", issuedBefore: 2 * day, .refuse),
    clockCase("begins-in-a-minute", "the document is valid from a minute ahead", issuedBefore: -minute, .either, .may),
    clockCase("begins-in-an-hour", "the document is valid from an hour ahead", issuedBefore: -hour, .refuse),
  ]

  private static func foreign(
    _ name: String, _ title: String, _ form: CredentialForm, _ expects: SuiteCase.Expectation = .refuse,
    _ weight: SuiteCase.Weight = .should
  ) -> VerifierCase {
    VerifierCase(
      id: "cross-protocol.\(name)", group: .crossProtocol, title: title, clause: "ISO/IEC TS 18013-7, C",
      expects: expects, weight: weight, play: .credential(form))
  }

  private static let crossProtocol = [
    foreign("named-openid4vp", "the answer is handed in under the name of OpenID4VP", .under("openid4vp-v1-unsigned")),
    foreign("openid4vp", "the answer has the form of OpenID4VP", .vpToken(protocol: "openid4vp-v1-unsigned")),
    foreign(
      "openid4vp-under-annex-c", "the answer has the form of OpenID4VP under the name of annex C",
      .vpToken(protocol: "org-iso-mdoc")),
    foreign(
      "older-name", "the answer is handed in under a name that drafts of annex C had", .under("org.iso.mdoc"), .either,
      .may),
    foreign("oldest-name", "the answer is handed in under the name mdoc", .under("mdoc"), .either, .may),
  ]

  private static func session(
    _ name: String, _ title: String, _ play: SessionPlay, _ expects: SuiteCase.Expectation = .refuse,
    _ weight: SuiteCase.Weight = .must, clause: String = "ISO/IEC 18013-5, 9.1.5"
  ) -> VerifierCase {
    VerifierCase(
      id: "sessions.\(name)", group: .sessions, title: title, clause: clause, expects: expects, weight: weight,
      play: .session(play))
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
    session("no-session", "a person who has not begun a session hands in a genuine answer", .withoutSession),
    session(
      "answer-for-another-origin",
      "the answer that a person gave to another website is handed in under that website's origin",
      .answerForAnotherOrigin, clause: "ISO/IEC TS 18013-7, C.5"),
    session(
      "session-of-another-origin",
      "the answer that a person gave to another website is handed in to a session that began under that website's origin",
      .sessionOfAnotherOrigin, clause: "ISO/IEC TS 18013-7, C.5"),
    session(
      "after-refusal", "a genuine answer follows a refused one in the same session", .afterRefusal, .either, .may),
  ]

  private static func request(
    _ name: String, _ title: String, _ rule: RequestRule, _ clause: String, _ weight: SuiteCase.Weight = .must
  ) -> VerifierCase {
    VerifierCase(
      id: "request.\(name)", group: .request, title: title, clause: clause, expects: .accept, weight: weight,
      play: .request(rule))
  }

  private static let request = [
    request("fresh-nonce", "each session has a nonce of its own", .freshNonce, "ISO/IEC TS 18013-7, C.2"),
    request("fresh-key", "each session has a recipient key of its own", .freshKey, "ISO/IEC TS 18013-7, C.2", .should),
    request("no-secret", "the request has no private key", .noSecret, "RFC 9052, 7.1"),
    request(
      "encoding", "the request is in base64url without padding, and its CBOR has definite lengths", .encoding,
      "ISO/IEC TS 18013-7, C.2", .should),
    request("version", "the version of the request has its members", .version, "ISO/IEC 18013-5, 8.3.2.1.2.1", .should),
    request(
      "signature", "the signature of the request verifies for the origin of the page", .signature,
      "ISO/IEC 18013-5, 9.1.4.5", .should),
    request(
      "certificate", "the reader certificate is valid, and has the form of one", .certificate,
      "ISO/IEC 18013-5, B.1.7", .should),
    request("domain", "the reader certificate is for the host of the page", .domain, "RFC 9525, 6.3", .should),
  ]

  private static func body(_ name: String, _ title: String, _ body: ForeignBody) -> VerifierCase {
    VerifierCase(
      id: "http.\(name)", group: .http, title: title, clause: "RFC 9110, 15.5", expects: .refuse, weight: .should,
      play: .body(body))
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

  /// The beginnings of the ids of faults that are no cases: those of requests of apps, lists of issuers and simulated
  /// websites, and of SD-JWT credentials: the suite serves no list of issuers and answers with mobile documents, and a server
  /// under test brings its own website.
  static let leftOut = [
    "wallet.in-app-", "wallet.openid4vp-", "issuer.sd-jwt-", "list-operator.", "network.issuer-", "network.published-",
    "website.",
    // The suite hands out the lists of the authority, without a network between.
    "network.status-",
    // The cases of unreachable and stale lists have them.
    "issuer.status-list.unavailable", "issuer.status-list.outdated",
    // Two mistakes: the signer's certificate is not for lists either.
    "issuer.status-list.signed-by-document-signer",
    // Its validity ends when it begins, so it has expired when the server looks at it.
    "issuer.valid-for-no-time",
  ]

  /// Faults that leave what they touch readable in one way: a server that reads it all the same does no harm.
  static let tolerated: Set = ["browser.response-padded"]

  /// Changes to the world of a fault: the second person whom it needs, or no element of which it would make a second mistake.
  static let changes: [String: [SuiteWorld.Change]] = [
    "wallet.element-of-another-document": [.anotherPerson],
    "wallet.document-besides": [.anotherPerson],
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
    "issuer.type-not-requested", "browser.origin-replaced", "issuer.signature-second-half-zero",
    "issuer.signature-order", "wallet.device-signature-range", "wallet.device-signature-second-half-zero",
    "wallet.device-signature-order", "issuer.signer-of-lookalike-root", "issuer.signer-of-unknown-root",
    "issuer.signer-below-signer", "issuer.signer-too-deep", "wallet.element-of-another-document",
    "wallet.document-besides",
    "wallet.device-element-besides",
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
      id: fault.id, group: kind.group, title: fault.title.withinASentence,
      clause: kind.clause, expects: kind.isTolerated ? .either : .refuse,
      weight: kind.isTolerated ? .may : weighsMost ? .must : .should, findings: kind.findings,
      play: .answer(
        AnswerPlan(
          faults: [PlannedFault(fault, arguments: isTranscript ? ["in": "signature"] : [:])],
          changes: SuiteCatalogue.changes[fault.id] ?? [],
          followsAnother: fault.id == "wallet.transcript.another-session",
          status: SuiteCatalogue.status(of: fault))))
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
    isTolerated =
      unnoticed == nil && fault.findings.failed.isEmpty || found.severity != .failure
      || SuiteCatalogue.tolerated.contains(fault.id)
    group = isTranscript ? .deviceTranscript : Self.groups[fault.id] ?? Self.group(of: found.definition.id)
  }

  /// Groups of faults that are about more than the check that notices them.
  private static let groups: [String: SuiteCase.Group] = [
    SuiteCase.Group.signatureArithmetic: [
      "issuer.signature-length", "issuer.signature-range", "issuer.signature-second-half-zero",
      "issuer.signature-order", "issuer.signature-der", "issuer.signature-longer-halves",
      "issuer.signer-key-small-order", "issuer.device-key-small-order", "issuer.device-key-off-curve",
      "wallet.device-signature-length", "wallet.device-signature-range", "wallet.device-signature-second-half-zero",
      "wallet.device-signature-order", "wallet.device-signature-der", "wallet.device-signature-longer-halves",
      "wallet.device-signature-small-order",
    ],
    .trust: [
      "issuer.signer-of-another-root", "issuer.signer-of-lookalike-root", "issuer.signer-of-unknown-root",
      "issuer.signer-below-signer", "issuer.signer-too-deep",
    ],
    .crossProtocol: ["wallet.not-encrypted", "browser.protocol-replaced"],
    .revocation: ["issuer.status-entry.text-identifiers"],
    .mixedPeople: [
      "wallet.element-of-another-document", "wallet.document-besides", "wallet.device-element",
      "wallet.device-element-besides", "wallet.another-device-key",
    ],
  ].reduce(into: [:]) { groups, group in
    for fault in group.value { groups[fault] = group.key }
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
    case _ where check.hasPrefix("status."): .revocation
    case _ where check.hasPrefix("issuer."): .issuerCertificate
    case _ where check.hasPrefix("mso."): .securityObject
    case _ where check.hasPrefix("device."): .deviceSignature
    default: .responseForm
    }
  }
}
