import Certificates
import Checks
import CrossCheckTrait
import DocumentFixtures
import MobileDocument
import Primitives
import RelyingParty
import StatusLists
import TestSupport
import Testing
import WebPresentment

private typealias Event = VerificationMachine.Event

@Suite("Verification of an answer", .crossChecked)
struct VerificationMachineTests {
  private var site: Site

  init() throws { site = try Site() }

  /// Plays events at one time, and returns the effects of each.
  private func play(
    _ events: [Event], on machine: VerificationMachine? = nil, at time: DateTime? = nil
  ) async -> [[VerificationMachine.Effect]] {
    var machine = machine ?? site.machine()
    var effects: [[VerificationMachine.Effect]] = []
    for event in events { effects.append(await machine.receive(event, at: time ?? site.now)) }
    return effects
  }

  private let uri = StatusPort.uri

  @Test("Marks the session, fetches the list, keeps its copy and concludes")
  func verified() async throws {
    let effects = await play([
      .submitted(try site.answer()), .marked(isFirst: true), .fetched(site.list, try site.fetched()),
    ])
    #expect(effects.map { $0.map(\.summary) } == [["mark 7"], ["fetch \(uri)"], ["keep \(uri)", "verified"]])
    let verdict = try #require(effects.last?.last?.verdict)
    #expect(verdict.checks.prefix(7).map(\.check) == ExchangeCheck.definitions.map(\.id))
    #expect(verdict.checks.suffix(StatusCheck.ofList.count).map(\.check) == StatusCheck.ofList.map(\.id))
    #expect(verdict.checks.allSatisfy { $0.status == .passed || $0.status == .deviates })
    #expect(verdict.documents.first?.elements.map(\.identifier).sorted() == ["age_over_21", "family_name", "portrait"])
  }

  @Test("Concludes at once if the document names no list")
  func withoutStatus() async throws {
    let effects = await play([.submitted(try site.answer(hasStatus: false)), .marked(isFirst: true)])
    #expect(effects.map { $0.map(\.summary) } == [["mark 7"], ["verified"]])
  }

  @Test("Refuses an answer to an unknown session without an effect on the store")
  func unknownSession() async throws {
    let effects = await play([.submitted(try site.answer())], on: site.machine(of: .session(nil)))
    #expect(effects.map { $0.map(\.summary) } == [["refused session.known"]])
    let checks = try #require(effects.last?.last?.verdict).checks
    #expect(checks.map(\.check) == ExchangeCheck.definitions.map(\.id))
    #expect(checks.dropFirst().allSatisfy { $0.status == .notReached })
  }

  @Test("Refuses a second answer, whether the session or the store knows of the first")
  func doubleSubmission() async throws {
    let session = site.session
    let used = VerifierSession(
      identifier: session.identifier, origin: session.origin, requests: session.requests, expires: session.expires,
      isUsed: true)
    let later = await play([.submitted(try site.answer())], on: site.machine(of: .session(used)))
    #expect(later.map { $0.map(\.summary) } == [["refused session.unused"]])
    // Two answers arrive before either is marked: the store lets one of them be first.
    let second = await play([.submitted(try site.answer()), .marked(isFirst: false)])
    #expect(second.map { $0.map(\.summary) } == [["mark 7"], ["refused session.unused"]])
    // Both answers went to one machine: the second has no effect.
    let same = await play([
      .submitted(try site.answer()), .submitted(try site.answer()), .marked(isFirst: true), .marked(isFirst: true),
    ])
    #expect(same.map { $0.map(\.summary) } == [["mark 7"], [], ["fetch \(uri)"], []])
  }

  @Test("Refuses an answer to a session with the same key and another nonce")
  func anotherNonce() async throws {
    let asked = AnnexCSession(
      asking: site.draft, recipientKey: site.request.recipientKey,
      nonce: [UInt8](repeating: 8, count: AnnexCSession.nonceLength))
    let earlier = VerifierSession(
      identifier: "6", origin: Site.origin, requests: [.annexC(asked)], expires: site.session.expires)
    let effects = await play([.submitted(try site.answer(to: earlier)), .marked(isFirst: true)])
    #expect(effects.last?.map(\.summary) == ["refused response.decryption/unexplained"])
    let again = await play(
      [.submitted(try site.answer(to: earlier, hasStatus: false)), .marked(isFirst: true)],
      on: site.machine(of: .session(earlier)))
    #expect(again.last?.map(\.summary) == ["verified"])
  }

  @Test("Uses up an expired session and refuses by the time of arrival")
  func expiredSession() async throws {
    let answer = try site.answer()
    let late = await play([.submitted(answer), .marked(isFirst: true)], at: site.session.expires)
    #expect(late.map { $0.map(\.summary) } == [["mark 7"], ["refused session.current/expired"]])
    // A slow store does not make an answer late.
    var machine = site.machine()
    _ = await machine.receive(.submitted(answer), at: site.session.expires.adding(seconds: -1))
    let effects = await machine.receive(.marked(isFirst: true), at: site.session.expires.adding(seconds: 5))
    #expect(effects.map(\.summary) == ["fetch \(uri)"])
  }

  @Test("Fetches nothing for a response that is refused")
  func refused() async throws {
    var stranger = site
    stranger.context.trustedIssuers = TrustedCertificates([], for: .documentSigner)
    let effects = await play([.submitted(try site.answer()), .marked(isFirst: true)], on: stranger.machine())
    #expect(effects.last?.map(\.summary) == ["refused issuer.trust"])
    let verdict = try #require(effects.last?.last?.verdict)
    #expect(verdict.documents.isEmpty && !verdict.json.contains("Garcia") && !verdict.pageJSON.contains("Garcia"))
  }

  @Test("A list that cannot be fetched refuses only where the policy says so")
  func unreachableList() async throws {
    let events: [Event] = [
      .submitted(try site.answer()), .marked(isFirst: true), .fetched(site.list, .unreachable("no route")),
    ]
    #expect(await play(events).last?.map(\.summary) == ["verified"])
    var strict = site
    strict.context.revocation = .strict
    #expect(await play(events, on: strict.machine()).last?.map(\.summary) == ["refused status.list.fetched"])
  }

  @Test("A revoked document is refused, and the list's copy is kept")
  func revoked() async throws {
    let effects = await play([
      .submitted(try site.answer()), .marked(isFirst: true), .fetched(site.list, try site.fetched(1)),
    ])
    #expect(effects.last?.map(\.summary) == ["keep \(uri)", "refused status.revocation/revoked"])
  }

  @Test("A copy takes the place of a fetch until it expires, and of a failed fetch after that")
  func copies() async throws {
    var copies = StatusListCopies()
    guard case .token(let bytes, let fetched) = try site.fetched(1) else { return }
    copies.keep(StatusListCopies.Copy(bytes: bytes, fetched: fetched, until: fetched.adding(seconds: 60)), of: uri)
    let submitted: [Event] = [.submitted(try site.answer()), .marked(isFirst: true)]
    let soon = await play(submitted, on: site.machine(copies: copies), at: site.now.adding(seconds: 60))
    #expect(
      soon.last?.map(\.summary) == ["reuse \(uri)", "keep \(uri)", "refused status.revocation/revoked"])
    let later = await play(
      submitted + [.fetched(site.list, .unreachable("no route"))], on: site.machine(copies: copies),
      at: site.now.adding(seconds: 61))
    #expect(later.map { $0.map(\.summary) }.dropFirst().first == ["fetch \(uri)"])
    #expect(later.last?.map(\.summary).last == "refused status.revocation/revoked")
    let fresh = await play(
      submitted + [.fetched(site.list, try site.fetched())], on: site.machine(copies: copies),
      at: site.now.adding(seconds: 61))
    #expect(fresh.last?.map(\.summary) == ["keep \(uri)", "verified"])
  }

  @Test("An exchange without a session leaves the checks of the session out")
  func exchange() async throws {
    let effects = await play([.submitted(try site.answer())], on: site.machine(of: .exchange(site.session)))
    #expect(effects.map { $0.map(\.summary) } == [["fetch \(uri)"]])
    let altered = SubmittedAnswer(protocol: "openid4vp", data: [])
    let refused = await play([.submitted(altered)], on: site.machine(of: .exchange(site.session)))
    #expect(refused.last?.map(\.summary) == ["refused response.protocol/other"])
    #expect(refused.last?.last?.verdict?.checks.contains { $0.check.hasPrefix("session.") } == false)
  }

  @Test("An unencrypted response has the checks of the response alone")
  func unencrypted() async throws {
    let expected = ExpectedResponse(
      transcript: site.request.sessionTranscript(origin: Site.origin), requests: site.request.documents)
    let effects = await play(
      [.submittedUnencrypted(try site.response(hasStatus: false))], on: site.machine(of: .response(expected)))
    #expect(effects.map { $0.map(\.summary) } == [["verified"]])
    #expect(effects.last?.last?.verdict?.exchange.isEmpty == true)
  }

  @Test(
    "In drawn sequences of events a machine marks once, before anything else, and concludes at most once",
    arguments: 0..<60)
  func sequences(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let good = try site.answer()
    let events: [Event] = [
      .submitted(good), .submitted(good), .submitted(SubmittedAnswer(protocol: "openid4vp", data: [])),
      .submittedUnencrypted(try site.response()), .marked(isFirst: true), .marked(isFirst: true),
      .marked(isFirst: false), .fetched(site.list, try site.fetched()), .fetched(site.list, .unreachable("no route")),
    ]
    var machine = site.machine()
    var summaries: [String] = []
    var isFirst = false
    var marks = 0
    var verdicts: [VerificationVerdict] = []
    for _ in 0..<Int.random(in: 1...12, using: &generator) {
      let event = try #require(events.randomElement(using: &generator))
      let effects = await machine.receive(event, at: site.now)
      // Nothing of the answer is read before the store has marked the session.
      if marks == 0 { #expect(machine.deviceResponse == nil) }
      if case .marked(let first) = event, marks == 1, verdicts.isEmpty, summaries.count == 1 { isFirst = first }
      for effect in effects {
        if case .markUsed = effect { marks += 1 }
        if let verdict = effect.verdict { verdicts.append(verdict) }
      }
      summaries += effects.map(\.summary)
      if !verdicts.isEmpty { #expect(effects.isEmpty || effects.last?.verdict != nil) }
    }
    #expect(marks <= 1 && verdicts.count <= 1)
    #expect(summaries.first == nil || summaries.first == "mark 7")
    if let verdict = verdicts.first {
      #expect(summaries.last.map { $0.hasPrefix(verdict.outcome) } == true)
      if verdict.isVerified { #expect(isFirst) }
    }
  }
}

@Suite("Copies of status lists")
struct StatusListCopiesTests {
  private func copy(until second: Int64) -> StatusListCopies.Copy {
    StatusListCopies.Copy(
      bytes: [], fetched: DateTime(secondsSince1970: 0), until: DateTime(secondsSince1970: second))
  }

  @Test("the newest copy replaces the one that expires first")
  func dropsFirstToExpire() {
    var copies = StatusListCopies()
    for number in 0..<StatusListCopies.maximumCount { copies.keep(copy(until: Int64(1_000 + number)), of: "\(number)") }
    copies.keep(copy(until: 5_000), of: "new")
    #expect(copies.count == StatusListCopies.maximumCount)
    #expect(copies["new"] != nil && copies["0"] == nil && copies["1"] != nil)
    copies.keep(copy(until: 9_000), of: "1")
    #expect(copies.count == StatusListCopies.maximumCount)
    #expect(copies["1"]?.until == DateTime(secondsSince1970: 9_000) && copies["2"] != nil)
  }
}
