import CaseSuites
import Faults
import Foundation
import InteractiveWorlds
import LocatedYAML
import MobileDocument
import OwnServers
import Primitives
import Reports
import Testing

@testable import VerifierSuite

@Suite("A run of the suite")
struct SuiteRunTests {
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("presentment-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }
  }

  private let folder: Folder
  private let target: VerifierTarget
  private let roots: [UInt8]

  init() throws {
    folder = try Folder()
    target = try Self.target(MemoryServer.text)
    roots = try SuiteRoots.pem(seed: 1, folder: folder.url)
  }

  private static func target(_ text: String) throws -> VerifierTarget {
    let problems = ProblemCollector()
    let file = try SourceFile(path: "memory.yaml", text: text)
    return try #require(VerifierTarget.read(file, problems), "\(problems.rendered())")
  }

  private func run(
    _ chosen: [VerifierCase], _ mistakes: Set<MemoryServer.Mistake>, asking elements: [String] = MemoryServer.elements,
    andOfPhotoID elementsOfPhotoID: [String] = [], useCases: [DeviceRequestInfo.UseCase] = [],
    of target: VerifierTarget? = nil, fetchesLists: Bool = true, trusting trusted: [UInt8]? = nil,
    until interruption: SuiteInterruption = SuiteInterruption(),
    ended: @escaping @Sendable (CaseOutcome) -> Void = { _ in }
  ) async throws -> SuiteResult {
    let lists = fetchesLists ? StatusListShelf() : nil
    let server = try MemoryServer(
      mistakes, roots: trusted ?? roots, asking: elements, elementsOfPhotoID: elementsOfPhotoID,
      useCases: useCases, lists: lists)
    let run = try SuiteRun(
      of: chosen, against: target ?? self.target, seed: 1, sandbox: .inProcess, folder: folder.url, lists: lists,
      client: { MemoryClient(server: server) })
    // A run waits on its thread for its verifier, which needs one of the threads of tests.
    return await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: run.run(until: interruption, ended: ended)) }.start()
    }
  }

  private func cases(_ patterns: String...) -> [VerifierCase] {
    SuiteCatalogue.all.filter { found in patterns.contains { CaseName.matches(found.id, $0) } }
  }

  @Test("presentment's own verifier does nothing wrong, and every case that its request allows is decided")
  func careful() async throws {
    let result = try await run(SuiteCatalogue.all, [])
    let wrong = result.outcomes.filter { $0.isWrong || $0.verdict == .unclear }
    #expect(wrong.isEmpty, "\(wrong.map { "\($0.suiteCase.id): \($0.verdict) \($0.detail)" })")
    #expect(result.exitCode(isStrict: true) == 0)
    // The page has one origin with a port, no frame, and an unsigned request for one document without issuers. A wallet
    // that holds contradicting ages answers with one of them.
    let untested = result.outcomes.filter { $0.verdict == .notTested }.map(\.suiteCase.id)
    #expect(
      untested.sorted() == [
        "issuer.ages-contradict", "request.certificate", "request.domain", "request.signature",
        "several-documents.both", "several-documents.either-order",
        "several-documents.first-value-changed", "several-documents.second-another-key",
        "several-documents.second-another-nonce", "several-documents.second-value-changed",
        "wallet.issuer-not-requested", "wallet.transcript.origin.default-port",
        "wallet.transcript.origin.frame",
        "wallet.transcript.origin.host-encoding", "wallet.transcript.origin.top-level",
      ])
  }

  @Test("a server that accepts all is wrong in every dishonest case, and one that refuses all is undecided")
  func extremes() async throws {
    let all = try await run(SuiteCatalogue.all, [.acceptsAll])
    // Bodies without a response have nothing to accept.
    let dishonest = all.outcomes.filter { outcome in
      outcome.suiteCase.expects == .refuse && outcome.suiteCase.group != .http
        && !outcome.suiteCase.id.hasPrefix("cross-protocol.openid4vp")
    }
    for outcome in dishonest {
      let isOnce = ["sessions.same-answer-twice", "sessions.twice-at-once", "sessions.no-session"]
        .contains(outcome.suiteCase.id)
      #expect(
        outcome.verdict == (isOnce ? .right : outcome.verdict == .notTested ? .notTested : .wronglyAccepted),
        "\(outcome.suiteCase.id)")
    }
    #expect(all.exitCode(isStrict: false) == 1)
    let none = try await run(SuiteCatalogue.all, [.refusesAll])
    #expect(none.outcomes.isEmpty)
    #expect(none.stop?.code == .genuineRefused)
    #expect(none.exitCode(isStrict: false) == 2)
  }

  /// Of the cases of a check: another check notices some of them, too.
  private static let triedCases = 3

  @Test("a check that is taken out is found")
  func plantedMistakes() async throws {
    let dishonest = SuiteCatalogue.all.filter { !$0.findings.isEmpty && $0.expects == .refuse }
    let checks = Set(dishonest.compactMap { $0.check.map { String($0.prefix { $0 != "/" }) } }).sorted()
    // Whatever cannot be opened cannot be read either.
    let notPlanted: Set = ["response.decryption", "response.envelope", "response.cbor", "response.data"]
    var found = 0
    for check in checks where !notPlanted.contains(check) {
      let own = dishonest.filter { $0.check?.prefix { $0 != "/" } == check[...] }
      let result = try await run(Array(own.prefix(Self.triedCases)), [.without(check: check)])
      let accepted = result.outcomes.filter { $0.verdict == .wronglyAccepted }
      let isUntried = result.outcomes.allSatisfy { $0.verdict == .notTested }
      #expect(!accepted.isEmpty || isUntried, "\(check): \(result.outcomes.map { "\($0.suiteCase.id) \($0.verdict)" })")
      found += accepted.isEmpty ? 0 : 1
    }
    #expect(found >= 25, "\(found) of \(checks)")
  }

  @Test(
    "a mistake with sessions, requests or values is found by its case",
    arguments: [
      (MemoryServer.Mistake.keepsSessions, "sessions.same-answer-twice", CaseOutcome.Verdict.wronglyAccepted),
      (.keepsSessions, "sessions.twice-at-once", .wronglyAccepted),
      (.anySession, "sessions.no-session", .wronglyAccepted),
      (.sameNonce, "request.fresh-nonce", .wrongRequest),
      (.sameKey, "request.fresh-key", .wrongRequest),
      (.tellsKey, "request.no-secret", .wrongRequest),
      (.showsRefused, "wallet.value-changed", .showsRefused),
      (.showsMalformed, "http.array", .showsRefused),
      (.believesOriginHeader, "sessions.answer-for-another-origin", .wronglyAccepted),
      (.believesOriginHeader, "sessions.session-of-another-origin", .wronglyAccepted),
      (.requests(.padded), "request.encoding", .wrongRequest),
      (.requests(.indefiniteLengths), "request.encoding", .wrongRequest),
      (.requests(.firstVersion), "request.version", .wrongRequest),
      (.failsOnMalformed, "http.empty", .notRefusedCleanly),
      (.failsOnMalformed, "http.deep", .notRefusedCleanly),
    ])
  func otherMistakes(_ mistake: MemoryServer.Mistake, _ id: String, _ verdict: CaseOutcome.Verdict) async throws {
    #expect(try await run(cases(id), [mistake]).outcomes.map(\.verdict) == [verdict])
    #expect(try await run(cases(id), []).outcomes.map(\.verdict) == [.right])
  }

  @Test(
    "a mistake with the reader certificate or the signature of a request is found by its case",
    arguments: [
      ([.signs(.otherDomain)], "request.domain"), ([.signs(.expired)], "request.certificate"),
      ([.signs(.right), .requests(.signatureAltered)], "request.signature"),
    ] as [(Set<MemoryServer.Mistake>, String)])
  func readers(_ mistakes: Set<MemoryServer.Mistake>, _ id: String) async throws {
    let chosen = cases("issuer.expired", "request.*")
    let outcomes = try await run(chosen, mistakes).outcomes.filter { $0.suiteCase.group == .request }
    #expect(outcomes.count == 8)
    #expect(outcomes.filter { $0.verdict != .right }.map(\.suiteCase.id) == [id])
    #expect(outcomes.first { $0.suiteCase.id == id }?.verdict == .wrongRequest)
    let right = try await run(chosen, [.signs(.right)])
    #expect(right.outcomes.allSatisfy { $0.verdict == .right }, "\(right.outcomes.map(\.detail))")
  }

  @Test("a request that the phone refuses is judged all the same")
  func refusedRequests() async throws {
    let result = try await run(cases("issuer.expired", "request.*"), [.signs(.right), .requests(.signatureAltered)])
    #expect(result.stop?.code == .request)
    #expect(result.outcomes.count == 8 && result.exitCode(isStrict: true) == 1 && result.exitCode(isStrict: false) == 2)
  }

  @Test("a website that relays an answer takes the signature out of the request")
  func relaysSignedRequests() async throws {
    let chosen = cases("sessions.*-another-origin")
    let wrong = try await run(chosen, [.signs(.right), .believesOriginHeader])
    #expect(wrong.outcomes.map(\.verdict) == [.wronglyAccepted, .wronglyAccepted])
    #expect(try await run(chosen, [.signs(.right)]).outcomes.map(\.verdict) == [.right, .right])
  }

  @Test("the elements that the server shows must have the values that were sent")
  func shownElements() async throws {
    let target = try Self.target(MemoryServer.textWithElements)
    let chosen = cases("genuine.license", "genuine.name-with-apostrophe", "issuer.expired")
    #expect(try await run(chosen, [], of: target).outcomes.map(\.verdict) == [.right, .right, .right])
    let wrong = try await run(chosen, [.showsAnother], of: target)
    #expect(wrong.outcomes.map(\.verdict) == [.showsOther, .showsOther, .right])
    #expect(wrong.outcomes.first?.detail == "the server shows given_name as 'Mallory'; 'Kelly' was sent")
    #expect(SuiteText(wrong, command: "again").text.hasPrefix("SHOWS OTHER VALUES  2 (2 must)\n"))
    #expect(wrong.exitCode(isStrict: false) == 1)
    // Without the place nothing is compared.
    #expect(try await run(chosen, [.showsAnother]).outcomes.map(\.verdict) == [.right, .right, .right])
    let elsewhere = try Self.target(MemoryServer.text + "elements: /verdict\n")
    let detail = try await run(chosen, [], of: elsewhere).outcomes.first?.detail
    #expect(
      detail == "memory.yaml:7:11: the server shows no element that was sent at '/verdict', where 'elements' looks")
  }

  @Test(
    "a pointer of the target that finds nothing is named with its place",
    arguments: [
      ("accepted: { json: /verdict, is: verified }", "accepted: { json: /nothing, is: verified }", "memory.yaml:5:19"),
      ("reason: /failure", "elements: /nothing", "memory.yaml:6:11"),
      ("verified: { json: /state", "verified: { json: /nothing", "memory.yaml:7:75"),
      ("GET http://localhost:9000/view/$session", "GET http://localhost:9000/page", "memory.yaml:7:66"),
    ])
  func wrongPointers(_ part: String, _ other: String, _ place: String) async throws {
    let target = try Self.target(MemoryServer.textWithView.replacing(part, with: other))
    let result = try await run(cases("genuine.license", "issuer.expired"), [], of: target)
    let stop = try #require(result.stop, "\(result.outcomes.map(\.detail))")
    #expect(stop.code == .target && result.outcomes.isEmpty)
    #expect(stop.message.hasPrefix("\(place): ") && stop.message.contains(" has nothing at '/"), "\(stop.message)")
  }

  @Test("a reason that is in no refusal is noted")
  func withoutReason() async throws {
    let text = MemoryServer.text.replacing("reason: /failure", with: "reason: /nowhere")
    let result = try await run(cases("issuer.expired"), [], of: try Self.target(text))
    #expect(
      result.remarks == ["memory.yaml:6:9: no refusing answer has anything at '/nowhere', where 'reason' looks"])
    #expect(try await run(cases("issuer.expired"), []).remarks.isEmpty)
    #expect(try await run(cases("genuine.license"), [], of: try Self.target(text)).remarks.isEmpty)
  }

  @Test("a server that does not answer is called once, and not asked whom it trusts")
  func withoutAnswer() async throws {
    let server = try MemoryServer([.neverAnswers], roots: roots)
    let run = try SuiteRun(
      of: cases("issuer.expired"), against: target, seed: 1, sandbox: .inProcess, folder: folder.url,
      client: { MemoryClient(server: server) })
    let stop = try #require(run.run().stop)
    #expect(stop.code == .genuineRefused && stop.message == "the server gives no answer to the first genuine one")
    #expect(!stop.details.contains { $0.contains("--roots") })
    #expect(server.answers == 1)
  }

  @Test("a wrong verdict about a genuine answer, or in a session, has an exchange too")
  func exchanges() async throws {
    let wrong = try await run(
      cases("genuine.signed-es384", "sessions.same-answer-twice", "http.empty"), [.keepsSessions, .failsOnMalformed],
      trusting: Self.withoutOutsideAuthorities(roots))
    #expect(wrong.outcomes.map(\.verdict) == [.wronglyRefused, .wronglyAccepted, .notRefusedCleanly])
    #expect(wrong.outcomes.map { $0.exchange != nil } == [true, true, false])
  }

  @Test("a run that is asked to end reports the cases before, and decides no more")
  func interrupted() async throws {
    let chosen = Array(SuiteCatalogue.all.filter { $0.id.hasPrefix("issuer.") }.prefix(45))
    let interruption = SuiteInterruption()
    let result = try await run(chosen, [], until: interruption) { _ in interruption.ask(by: 15) }
    #expect(result.outcomes.count == 20 && result.outcomes.allSatisfy { $0.verdict != .unclear })
    #expect(result.stop?.code == .interrupted)
    #expect(result.exitCode(isStrict: false) == 2)
    let early = SuiteInterruption()
    early.ask(by: 15)
    let none = try await run(chosen, [], until: early)
    #expect(none.outcomes.isEmpty && none.stop?.code == .interrupted)
  }

  private static func report(of result: SuiteResult) -> RunReport {
    result.report(path: "memory.yaml", seed: 1, command: "again", isStrict: false, time: .zero)
  }

  @Test("a report says why nothing was decided, or no more")
  func undecidedReports() async throws {
    let stopped = try await run(cases("issuer.expired"), [.refusesAll])
    let refused = Self.report(of: stopped)
    #expect(refused.cases.map(\.verdict) == [.undecided] && refused.stopped == .cannotContinue)
    #expect(refused.cases.first?.failure?.message == "the server refuses the first genuine answer")
    #expect(refused.cases.first?.failure?.code == "suite.genuine-refused")
    #expect(refused.cases.first?.failure?.detail.contains("does it trust the roots") == true)
    #expect(refused.verdict == .undecided)
    let untested = Self.report(of: try await run(cases("revocation.*"), [], fetchesLists: false))
    #expect(untested.cases.count == 10 && untested.entries.count == 10 && untested.stopped == nil)
    #expect(untested.verdict == .undecided && untested.cases.last?.failure?.message == "nothing was decided")
    let right = Self.report(of: try await run(cases("issuer.expired"), []))
    #expect(right.cases.count == 1 && right.verdict == .passed)
  }

  @Test("a report says whether a server accepts or refuses where both are right, and nothing for other cases")
  func reportedReadings() async throws {
    let accepting = try await run(cases("issuer.signature-tagged", "issuer.expired"), [])
    let report = Self.report(of: accepting)
    let readings = Dictionary(uniqueKeysWithValues: report.cases.map { ($0.tags[1], $0.reading) })
    #expect(readings == ["may": .accepts, "must": nil])
    let refusing = Self.report(
      of: try Self.result(of: [.refuses, .right, .wronglyAccepted], of: "issuer.signature-tagged"))
    #expect(refusing.cases.map(\.reading) == [.refuses, nil, nil])
    #expect(refusing.cases.map(\.verdict) == [.passed, .passed, .passed])
  }

  @Test("the last line names one mistake of a kind in the singular")
  func singular() throws {
    func line(_ verdicts: [CaseOutcome.Verdict]) throws -> String? {
      let result = try Self.result(of: verdicts, of: "issuer.expired")
      return SuiteText(result, command: "again").text.split(separator: "\n").first { $0.hasPrefix("planned") }.map(
        String.init)
    }
    #expect(try line([.wrongRequest]) == "planned 1, decided 1: 1 wrong request")
    #expect(try line([.wrongRequest, .wrongRequest]) == "planned 2, decided 2: 2 wrong requests")
    #expect(
      try line([.wronglyAccepted, .wronglyAccepted, .showsRefused, .unclear, .notTested])
        == "planned 5, decided 3, not tested 1, undecided 1: 2 wrongly accepted, 1 shown after refusal")
  }

  /// A result with these verdicts on a case.
  private static func result(of verdicts: [CaseOutcome.Verdict], of id: String) throws -> SuiteResult {
    let found = try #require(SuiteCatalogue.suite.cases.first { $0.id == id })
    var result = SuiteResult(of: SuiteCatalogue.suite, target: "Memory", planned: verdicts.count)
    result.outcomes = verdicts.map { CaseOutcome(suiteCase: found, verdict: $0, detail: "the server did so") }
    return result
  }

  @Test(
    "a mistake with device keys of other curves is found",
    arguments: [("device.signature", "device-key.*-another-*", 6), ("device.algorithm", "device-key.*-es256", 5)])
  func deviceKeys(_ check: String, _ pattern: String, _ count: Int) async throws {
    let outcomes = try await run(cases(pattern), [.without(check: check)]).outcomes
    #expect(outcomes.map(\.verdict) == [CaseOutcome.Verdict](repeating: .wronglyAccepted, count: count))
  }

  /// The roots of the authorities outside the world come last.
  private static func withoutOutsideAuthorities(_ roots: [UInt8]) -> [UInt8] {
    let begin = "-----BEGIN CERTIFICATE-----"
    let certificates = String(decoding: roots, as: UTF8.self).components(separatedBy: begin)
    let trusted = certificates.dropLast(OutsideIssuance.Authority.allCases.count).joined(separator: begin)
    return Array(trusted.utf8)
  }

  @Test("a case with a genuine answer of its own is not tested if the server refuses that one")
  func twins() async throws {
    let chosen = cases("genuine.device-es384", "device-key.es384-another-nonce")
    let outcomes = try await run(chosen, [], trusting: Self.withoutOutsideAuthorities(roots)).outcomes
    #expect(outcomes.map(\.verdict) == [.wronglyRefused, .notTested])
    #expect(outcomes.last?.detail.hasPrefix("the server must accept genuine.device-es384 first: ") == true)
  }

  @Test("a server that asks for two documents is tested with both")
  func severalDocuments() async throws {
    func verdicts(
      _ mistakes: Set<MemoryServer.Mistake>, _ patterns: String...
    ) async throws -> [String: CaseOutcome.Verdict] {
      let chosen = SuiteCatalogue.all.filter { found in patterns.contains { CaseName.matches(found.id, $0) } }
      let result = try await run(chosen, mistakes, andOfPhotoID: VerifierFiles.elementsOfPhotoID)
      return Dictionary(result.outcomes.map { ($0.suiteCase.id, $0.verdict) }) { first, _ in first }
    }
    let all = "several-documents.*"
    // It asks for the photo ID, and needs it beside a document that it does not ask for.
    var right = Dictionary(cases(all).map { ($0.id, CaseOutcome.Verdict.right) }) { first, _ in first }
    for id in ["not-requested", "unknown-type"] { right["several-documents.\(id)"] = .notTested }
    #expect(try await verdicts([], all) == right)
    var wrong = right.mapValues { $0 == .right ? CaseOutcome.Verdict.wronglyAccepted : $0 }
    for id in ["both", "either-order"] { wrong["several-documents.\(id)"] = .right }
    #expect(try await verdicts([.acceptsAll], all) == wrong)
    let changed = try await verdicts([.without(check: "element.digest")], all).filter { $0.value == .wronglyAccepted }
    #expect(
      changed.keys.sorted() == ["several-documents.first-value-changed", "several-documents.second-value-changed"])
    // One document is enough.
    let either = [DeviceRequestInfo.UseCase(isMandatory: true, documentSets: [[0], [1]])]
    let one = try await run(cases(all), [], andOfPhotoID: VerifierFiles.elementsOfPhotoID, useCases: either)
    let tested = one.outcomes.filter { $0.verdict != .notTested }
    #expect(tested.map(\.suiteCase.id) == ["several-documents.unknown-type"] && tested.map(\.verdict) == [.right])
    // A phone with a fault answers with one document.
    let others = try await verdicts([], "genuine.license", "wallet.value-changed", "network.response-altered")
    #expect(
      others == ["genuine.license": .right, "wallet.value-changed": .notTested, "network.response-altered": .right])
  }

  @Test("the person's view of a session must agree with the verdict")
  func views() async throws {
    let target = try Self.target(MemoryServer.textWithView)
    let chosen = cases("genuine.license", "issuer.expired")
    func verdicts(_ mistakes: Set<MemoryServer.Mistake>) async throws -> [CaseOutcome.Verdict] {
      try await run(chosen, mistakes, of: target).outcomes.map(\.verdict)
    }
    #expect(try await verdicts([]) == [.right, .right])
    #expect(try await verdicts([.alwaysShown]) == [.right, .showsRefused])
    #expect(try await verdicts([.neverShown]) == [.wronglyRefused, .right])
  }

  @Test("the policy of the target decides about lists that cannot be fetched and outdated ones")
  func policies() async throws {
    let chosen = cases("revocation.unreachable", "revocation.stale")
    func verdicts(_ policy: String) async throws -> [CaseOutcome.Verdict] {
      let text = MemoryServer.text + "status-lists: { address: http://127.0.0.1:0\(policy) }\n"
      return try await run(chosen, [], of: try Self.target(text.replacing(":0", with: ":9100"))).outcomes.map(\.verdict)
    }
    // Presentment's own policy accepts both.
    #expect(try await verdicts("") == [.accepts, .accepts])
    #expect(try await verdicts(", unreachable: accept, stale: accept") == [.right, .right])
    #expect(try await verdicts(", unreachable: refuse, stale: refuse") == [.wronglyAccepted, .wronglyAccepted])
  }

  @Test("a server that fetches no status lists is not judged by them")
  func withoutLists() async throws {
    let chosen = cases("revocation.*", "issuer.status-list.*")
    let outcomes = try await run(chosen, [], fetchesLists: false).outcomes
    #expect(outcomes.allSatisfy { $0.verdict == .notTested })
  }

  @Test("a server may close the connection of a body that is too long")
  func closed() async throws {
    let outcomes = try await run(cases("http.response-is-long"), [.closesOnLongBodies]).outcomes
    #expect(outcomes.map(\.verdict) == [.right])
  }

  @Test("a server that stops accepting decides nothing from then on")
  func limited() async throws {
    let chosen = Array(SuiteCatalogue.all.filter { $0.id.hasPrefix("issuer.") }.prefix(45))
    let result = try await run(chosen, [.limitsAnswers(30)])
    #expect(result.stop?.code == .lost)
    #expect(result.exitCode(isStrict: false) == 2)
    #expect(result.outcomes.count == 40)
    #expect(result.outcomes[..<20].allSatisfy { $0.verdict != .unclear })
    #expect(result.outcomes[20...].allSatisfy { $0.verdict == .unclear })
  }

  @Test("the mistake of a server that refuses the first genuine answer is named")
  func diagnosis() async throws {
    let result = try await run(cases("issuer.expired"), [.slash])
    #expect(result.outcomes.isEmpty)
    #expect(
      result.stop?.details.contains("the server makes the mistake wallet.transcript.origin.trailing-slash") == true)
  }

  @Test("a server that gets the data of answers alone is not judged by the names of their protocols")
  func dataAlone() async throws {
    let result = try await run(
      cases("genuine.license", "issuer.expired", "browser.protocol-replaced", "cross-protocol.named-openid4vp"),
      [.takesData])
    #expect(result.outcomes.map(\.verdict) == [.right, .right, .notTested, .notTested])
  }

  @Test("a server that refuses the first genuine answer is quoted, and asked what fits its answer")
  func quoted() async throws {
    let refused = try #require(try await run(cases("issuer.expired"), [.refusesAll]).stop)
    #expect(refused.details.first == #"the server refused: status 200: {"verdict":"refused"}"#)
    #expect(refused.details.contains("does it verify for the origin http://localhost:9000?"))
    let moved = try #require(try await run(cases("issuer.expired"), [.answersElsewhere]).stop)
    #expect(moved.details.first == "the server refused: status 404: {}")
    #expect(moved.details.contains("is the address of submit right?"))
    #expect(!moved.details.contains { $0.contains("--roots") })
  }

  @Test("a run in which nothing is decided does not pass, and the reasons are in the text")
  func nothingDecided() async throws {
    let result = try await run(cases("revocation.*"), [], fetchesLists: false)
    #expect(result.exitCode(isStrict: false) == 2)
    let text = SuiteText(result, command: "again").text
    #expect(text.hasPrefix("NOT TESTED  9\n  9  the target does not say where the server fetches status lists\n"))
    #expect(text.hasSuffix("planned 9, decided 0, not tested 9: nothing was decided"))
    #expect(!text.contains("revocation.revoked"))
    #expect(SuiteText(result, command: "again", isWhole: true).text.contains("revocation.revoked"))
  }

  @Test("the text counts mistakes by weight, and those that fail the run")
  func weights() async throws {
    let result = try await run(cases("issuer.expired", "issuer.signature-der", "wallet.value-changed"), [.acceptsAll])
    let text = SuiteText(result, command: "again").text
    #expect(text.hasPrefix("WRONGLY ACCEPTED  3 (2 must, 1 should)\n"), "\(text)")
    let end = "planned 3, decided 3: 3 wrongly accepted\n2 fail this run; 1 more with --strict"
    #expect(text.hasSuffix(end), "\(text)")
    let strict = SuiteText(result, command: "again", isStrict: true).text
    #expect(strict.hasSuffix("\n3 fail this run"))
    let right = try await run(cases("issuer.expired"), [])
    #expect(SuiteText(right, command: "again").text.hasSuffix("\n\nplanned 1, decided 1: nothing is wrong"))
  }

  @Test("a mistake that the request leaves no room for is not tested, rather than found")
  func noRoom() async throws {
    let result = try await run(
      cases("issuer.element-date-impossible", "issuer.ages-contradict"), [], asking: ["org.iso.18013.5.1:given_name"])
    #expect(result.outcomes.map(\.verdict) == [.notTested, .notTested])
  }

  @Test("known mistakes do not fail a run, and entries that are not true any more do")
  func knownMistakes() async throws {
    let result = try await run(cases("issuer.expired", "wallet.value-changed"), [.without(check: "mso.validity")])
    #expect(result.exitCode(isStrict: false) == 1)
    func applied(_ text: String) throws -> SuiteResult {
      let problems = ProblemCollector()
      let known = KnownFailures.read(
        try SourceFile(path: "known.yaml", text: text), of: SuiteCatalogue.suite, problems)
      return try #require(known, "\(problems.rendered())").applied(
        to: result, at: DateTime(secondsSince1970: 1_800_000_000))
    }
    let entry = "- { case: issuer.expired, verdict: wrongly-accepted, because: SHOP-212 }\n"
    #expect(try applied(entry).exitCode(isStrict: true) == 0)
    #expect(try applied(entry).outcomes.first { $0.suiteCase.id == "issuer.expired" }?.known == "SHOP-212")
    let stale = [
      entry.replacing("wrongly-accepted", with: "unclear"),
      entry + entry.replacing("issuer.expired", with: "wallet.value-*"),
      entry.replacing("because", with: "until: 2026-01-01, because"),
    ]
    for text in stale { #expect(try applied(text).exitCode(isStrict: false) == 1, "\(text)") }
    let flaky =
      entry + entry.replacing("issuer.expired", with: "wallet.value-*").replacing(" }", with: ", flaky: true }")
    #expect(try applied(flaky).exitCode(isStrict: false) == 0)
    let other = entry.replacing("verdict", with: "target: Other, verdict")
    #expect(try applied(other).exitCode(isStrict: false) == 1)
    for text in [entry.replacing("SHOP-212", with: "\"?\""), entry.replacing("issuer.expired", with: "issuer.expires")]
    {
      let problems = ProblemCollector()
      #expect(
        KnownFailures.read(
          try SourceFile(path: "known.yaml", text: text), of: SuiteCatalogue.suite, problems) == nil)
      #expect(!problems.isEmpty)
    }
    let written = KnownFailures.written(result.outcomes, target: "Memory")
    #expect(
      written.contains("issuer.expired") && written.contains("wrongly-accepted") && !written.contains("value-changed"))
  }

  @Test("a filter's star stands for any characters")
  func names() {
    let known = [
      ("issuer.expired", "issuer.expired", true), ("issuer.expired", "issuer.*", true), ("issuer.expired", "*", true),
      ("issuer.expired", "*expired", true), ("issuer.expired", "i*r.e*d", true), ("issuer.expired", "issuer", false),
      ("issuer.expired", "issuer.expired*", true), ("aba", "ab*ba", false), ("a", "", false),
    ]
    for (id, pattern, expected) in known { #expect(CaseName.matches(id, pattern) == expected, "\(id) \(pattern)") }
  }
}
