import CaseSuites
import Faults
import Foundation
import InteractiveWorlds
import LocatedYAML
import MobileDocument
import OwnServers
import Primitives
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
    of target: VerifierTarget? = nil, fetchesLists: Bool = true, trusting trusted: [UInt8]? = nil
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
      Thread { continuation.resume(returning: run.run()) }.start()
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
    // The page has one origin with a port, no frame, and a request for one document without issuers. A wallet that holds contradicting ages
    // answers with one of them.
    let untested = result.outcomes.filter { $0.verdict == .notTested }.map(\.suiteCase.id)
    #expect(
      untested.sorted() == [
        "issuer.ages-contradict", "several-documents.both", "several-documents.either-order",
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
      (.failsOnMalformed, "http.empty", .notRefusedCleanly),
      (.failsOnMalformed, "http.deep", .notRefusedCleanly),
    ])
  func otherMistakes(_ mistake: MemoryServer.Mistake, _ id: String, _ verdict: CaseOutcome.Verdict) async throws {
    #expect(try await run(cases(id), [mistake]).outcomes.map(\.verdict) == [verdict])
    #expect(try await run(cases(id), []).outcomes.map(\.verdict) == [.right])
  }

  @Test(
    "a mistake with device keys of other curves is found",
    arguments: [("device.signature", "device-key.*-another-*", 6), ("device.algorithm", "device-key.*-es256", 5)])
  func deviceKeys(_ check: String, _ pattern: String, _ count: Int) async throws {
    let outcomes = try await run(cases(pattern), [.without(check: check)]).outcomes
    #expect(outcomes.map(\.verdict) == [CaseOutcome.Verdict](repeating: .wronglyAccepted, count: count))
  }

  @Test("a case with a genuine answer of its own is not tested if the server refuses that one")
  func twins() async throws {
    // The roots of the authorities outside the world come last.
    let begin = "-----BEGIN CERTIFICATE-----"
    let certificates = String(decoding: roots, as: UTF8.self).components(separatedBy: begin)
    let trusted = certificates.dropLast(OutsideIssuance.Authority.allCases.count).joined(separator: begin)
    let chosen = cases("genuine.device-es384", "device-key.es384-another-nonce")
    let outcomes = try await run(chosen, [], trusting: Array(trusted.utf8)).outcomes
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
