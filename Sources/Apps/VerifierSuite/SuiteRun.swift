import CaseSuites
import Faults
import Foundation
import InteractiveWorlds
import JSON
import MobileDocument
import OwnServers
import Primitives
import ScenarioRunner
import Synchronization
import Vocabulary
import WebPresentment

/// A run of the suite against a server.
public struct SuiteRun: Sendable {
  /// The server under test.
  public let target: VerifierTarget
  /// The cases, in their order.
  public let cases: [VerifierCase]
  private let client: @Sendable () -> any HTTPCaller
  private let answers: AnswerMaker
  private let oracle: SuiteOracle
  private let numbers: Numbers
  /// The status lists for the server under test; nil if it fetches none.
  private let lists: StatusListShelf?

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - seed: The seed of keys and certificates. The same seed gives the same issuers.
  ///   - sandbox: The place where the sandbox of each phone parses requests.
  ///   - folder: A folder for temporary files, which only the owner may read.
  /// - Throws: ``InteractiveWorldError`` if this machine cannot run a world.
  public init(
    of cases: [VerifierCase], against target: VerifierTarget, seed: UInt64, sandbox: WorldDescription.SandboxPlace,
    folder: URL
  ) throws(InteractiveWorldError) {
    let lists = target.statusLists.map { _ in StatusListShelf() }
    try self.init(of: cases, against: target, seed: seed, sandbox: sandbox, folder: folder, lists: lists) {
      HTTPClient(visiting: target, from: folder)
    }
  }

  /// Creates a run with clients of its own.
  /// - Parameters:
  ///   - lists: The status lists for the server; nil for a server that fetches none.
  ///   - client: Makes the client of a person whom the server does not know.
  init(
    of cases: [VerifierCase], against target: VerifierTarget, seed: UInt64, sandbox: WorldDescription.SandboxPlace,
    folder: URL, lists: StatusListShelf? = nil, client: @escaping @Sendable () -> any HTTPCaller
  ) throws(InteractiveWorldError) {
    self.client = client
    self.target = target
    self.lists = lists
    self.cases = cases.map { $0.decided(by: target) }
    answers = AnswerMaker(origin: target.origin.serialized, seed: seed, sandbox: sandbox, folder: folder)
    oracle = SuiteOracle(answers: answers, roots: try answers.issuerRoots())
    numbers = Numbers()
  }

  /// Numbers that are given out once.
  private final class Numbers: Sendable {
    private let last = Mutex(0)

    func next() -> Int {
      last.withLock { last in
        last += 1
        return last
      }
    }
  }

  /// A genuine answer is handed in after this many cases: a server that refuses everything from some case on would seem to
  /// do right from then on.
  private static let casesBetweenGenuineAnswers = 20

  /// Runs the cases.
  /// - Parameters:
  ///   - interruption: Asks the run to end between two cases.
  ///   - ended: Called with each outcome, by one thread at a time, in the order of the cases.
  public func run(
    until interruption: SuiteInterruption = SuiteInterruption(), ended: (CaseOutcome) -> Void = { _ in }
  ) -> SuiteResult {
    var result = SuiteResult(of: SuiteCatalogue.suite, target: target.name, planned: cases.count)
    do {
      try tryFirst(&result, interruption)
    } catch {
      result.stop = error
      // Nothing but an answer is missing, and requests need none.
      if error.code == .request {
        result.outcomes = cases.filter { if case .request = $0.play { true } else { false } }.map(outcome)
        result.outcomes.forEach(ended)
      }
      return result
    }
    var server: StatusListServer?
    if let lists, let place = target.statusLists {
      do { server = try StatusListServer(port: place.port, lists) } catch {
        result.stop = error
        return result
      }
    }
    defer { server?.stop() }
    var rest = cases[...]
    while !rest.isEmpty, !interruption.isAsked {
      let batch = Array(rest.prefix(Self.casesBetweenGenuineAnswers))
      rest = rest.dropFirst(batch.count)
      var outcomes = run(batch, until: interruption)
      if let reaction = genuineReaction() {
        outcomes = outcomes.map { $0.undecided("the server does not accept a genuine answer after it: \(reaction)") }
        result.stop = SuiteStop(.lost, "the server no longer accepts a genuine answer", details: [reaction])
      }
      for outcome in outcomes {
        result.outcomes.append(outcome)
        ended(outcome)
      }
      if result.stop != nil { break }
    }
    if interruption.isAsked, result.stop == nil, result.outcomes.count < cases.count {
      result.stop = SuiteInterruption.stop
    }
    let refusals = result.outcomes.filter { $0.verdict == .right && $0.suiteCase.expects == .refuse && $0.isOfAnswer }
    if !refusals.isEmpty, !result.outcomes.contains(where: { $0.reason != nil }), let remark = target.withoutReason {
      result.remarks.append(remark)
    }
    let fetching = result.outcomes.contains { $0.suiteCase.group == .revocation && $0.isDecided }
    if fetching, lists?.isAsked == false { result.remarks.append("the server fetched no status list") }
    return result
  }

  /// Runs some cases at the same time, and leaves out those that have not begun when the run is asked to end.
  private func run(_ cases: [VerifierCase], until interruption: SuiteInterruption) -> [CaseOutcome] {
    WorkBoard<CaseOutcome>(count: cases.count).run(threads: min(target.limits.parallel, cases.count)) { board in
      while !interruption.isAsked, board.next({ outcome(of: cases[$0]) }) {}
    }
  }

  // MARK: Before the first case

  /// Longer differences between the clocks decide dates.
  private static let (clockRemark, clockLimit) = (60, 300)

  /// Begins a session and hands in a genuine answer, without which no case means anything.
  private func tryFirst(_ result: inout SuiteResult, _ interruption: SuiteInterruption) throws(SuiteStop) {
    var session = visit()
    do { try session.begin() } catch {
      throw SuiteStop(.unreachable, error.message, details: [error.evidence].compactMap(\.self))
    }
    if let seconds = session.beginning?.header("date").flatMap(HTTPDate.seconds) {
      let difference = abs(seconds - DateTime(Date()).secondsSince1970)
      guard difference <= Self.clockLimit else {
        throw SuiteStop(
          .clock, "the server's clock differs by \(difference) s: dates of documents would be judged wrongly")
      }
      if difference > Self.clockRemark { result.remarks.append("the server's clock differs by \(difference) s") }
    }
    let answer: AnswerMaker.Answer
    do { answer = try answers.answer(to: session.options, .genuine, number: numbers.next()) } catch {
      var details: [String] = []
      if case .refused(let refusal) = error { details = refusal.details }
      throw SuiteStop(.request, "the phone does not answer the server's request: \(error.message)", details: details)
    }
    let tried = handIn(answer, session)
    guard case .accepted = tried.reaction else {
      throw interruption.isAsked ? SuiteInterruption.stop : stop(tried, interruption)
    }
    try requireView(of: tried)
  }

  /// Requires that the pointers of the target find something in the server's view of an accepted answer.
  private func requireView(of tried: Tried) throws(SuiteStop) {
    // Whatever else is wrong with the view is an outcome of cases.
    let shown = try? tried.session.shown(isAwaited: true)
    if let shown, !shown.isVerified,
      let problem = target.nothingFound(by: .shown, in: shown.answer, "the server's view of an accepted answer")
    {
      throw SuiteStop(.target, problem, details: [shown.answer.excerpt])
    }
    guard let answer = shown?.answer ?? tried.response, shown?.isVerified != false else { return }
    if let problem = target.nothingFound(by: .elements, in: answer, "the answer with the verified elements") {
      throw SuiteStop(.target, problem, details: [answer.excerpt])
    }
  }

  /// The stop of a run whose first genuine answer is not accepted.
  private func stop(_ tried: Tried, _ interruption: SuiteInterruption) -> SuiteStop {
    guard let response = tried.response else {
      return SuiteStop(
        .genuineRefused, "the server gives no answer to the first genuine one",
        details: [tried.words] + target.questions(about: nil))
    }
    if let mistake = mistake(tried, interruption) { return mistake }
    let reason = reason(in: response).map { ["its reason: \($0)"] } ?? []
    if (200...299).contains(response.status),
      let problem = target.nothingFound(by: .accepted, in: response, "the answer to the first genuine one")
    {
      return SuiteStop(
        .target, problem,
        details: [response.excerpt] + reason + ["if this is a refusal:"] + target.questions(about: response))
    }
    return SuiteStop(
      .genuineRefused, "the server refuses the first genuine answer",
      details: [tried.words] + reason + target.questions(about: response) + [
        "it accepts no answer with a known mistake in the session transcript or the encryption either"
      ])
  }

  /// Looks for the mistake of a server that refuses the first genuine answer: hands in answers that are made with each known
  /// mistake in transcript and encryption. The one that it accepts names its own.
  /// - Returns: Nil if it accepts none of them.
  private func mistake(_ tried: Tried, _ interruption: SuiteInterruption) -> SuiteStop? {
    for fault in FaultCatalogue.all
    where fault.id.hasPrefix("wallet.transcript.") || fault.id.hasPrefix("wallet.hpke.") {
      if interruption.isAsked { return SuiteInterruption.stop }
      let plan = AnswerPlan(faults: [PlannedFault(fault)])
      var session = visit()
      guard (try? session.begin()) != nil,
        let answer = try? answers.answer(to: session.options, plan, number: numbers.next())
      else { continue }
      // Each further call would wait as long.
      guard let response = try? session.submit(answer.credential) else { return nil }
      if case .accepted = ServerReaction(response, target) {
        return SuiteStop(
          .genuineRefused,
          "the server refuses the first genuine answer, and accepts one with this mistake: \(fault.title)",
          details: ["the server makes the mistake \(fault.id)", "its answer to the genuine one: \(tried.words)"])
      }
    }
    return nil
  }

  // MARK: One case

  private func visit() -> TargetSession { TargetSession(target, client()) }

  /// Hands in a genuine answer. Returns nil if it is accepted, and what the server did otherwise.
  private func genuineReaction() -> String? {
    do throws(Undecided) {
      let tried = try handIn(.genuine)
      if case .accepted = tried.reaction { return nil }
      return tried.words
    } catch {
      return error.detail
    }
  }

  /// The reason why a case cannot be decided.
  struct Undecided: Error {
    let detail: String
    /// True if it cannot be tried with the server's request.
    var isNotTested = false
  }

  /// An answer that was handed in.
  struct Tried {
    let session: TargetSession
    let answer: AnswerMaker.Answer
    let reaction: ServerReaction
    let response: HTTPAnswer?

    /// The reaction in words, with the beginning of the server's answer.
    var words: String {
      guard case .refused = reaction, let response else { return reaction.words }
      return "\(reaction.words): \(response.excerpt)"
    }
  }

  private func begun() throws(Undecided) -> TargetSession {
    var session = visit()
    do { try session.begin() } catch { throw Undecided(detail: "no session: \(error.sentence)") }
    return session
  }

  private func answer(
    _ plan: AnswerPlan, to session: TargetSession, after earlier: JSONValue? = nil
  ) throws(Undecided) -> AnswerMaker.Answer {
    do { return try answers.answer(to: session.options, plan, after: earlier, number: numbers.next()) } catch {
      if error.isOfRequest { throw Undecided(detail: error.message, isNotTested: true) }
      throw Undecided(detail: "no answer: \(error.message)")
    }
  }

  private func handIn(_ plan: AnswerPlan) throws(Undecided) -> Tried {
    let session = try begun()
    return handIn(try answer(plan, to: session), session)
  }

  private func handIn(_ answer: AnswerMaker.Answer, _ session: TargetSession) -> Tried {
    lists?.put(answer.statusLists)
    do throws(HTTPFailure) {
      let response = try session.submit(answer.credential)
      return Tried(session: session, answer: answer, reaction: ServerReaction(response, target), response: response)
    } catch {
      return Tried(session: session, answer: answer, reaction: ServerReaction(error), response: nil)
    }
  }

  private func outcome(of suiteCase: VerifierCase) -> CaseOutcome {
    do throws(Undecided) {
      var found: CaseOutcome
      switch suiteCase.play {
      case .answer(let plan): found = try outcome(of: suiteCase, plan)
      case .credential(let form): found = try outcome(of: suiteCase, form)
      case .session(let play): found = try outcome(of: suiteCase, play)
      case .body(let body): found = try outcome(of: suiteCase, body)
      case .request(let rule): found = try outcome(of: suiteCase, rule)
      }
      if found.isWrong, found.exchange == nil, let plan = suiteCase.play.plan, let session = try? begun() {
        found.exchange = oracle.finding(of: suiteCase, plan, options: session.options, number: numbers.next()).exchange
      }
      return found
    } catch {
      return suiteCase.about.outcome(error.isNotTested ? .notTested : .unclear, error.detail)
    }
  }

  /// The number of sessions in which a mistake is tried: a request drawn at random may leave no room for it, such as one
  /// whose base64url is standard base64, too.
  private static let triedSessions = 4

  private func outcome(of suiteCase: VerifierCase, _ plan: AnswerPlan) throws(Undecided) -> CaseOutcome {
    if let id = suiteCase.twin, let twin = SuiteCatalogue.plan(of: id) {
      let reaction = try handIn(twin).reaction
      guard case .accepted = reaction else {
        throw Undecided(detail: CaseOutcome.withoutTwin(id, reaction), isNotTested: true)
      }
    }
    for _ in 1..<Self.triedSessions {
      do throws(Undecided) { return try tried(suiteCase, plan) } catch { if !error.isNotTested { throw error } }
    }
    return try tried(suiteCase, plan)
  }

  private func tried(_ suiteCase: VerifierCase, _ plan: AnswerPlan) throws(Undecided) -> CaseOutcome {
    if plan.status != nil, lists == nil {
      throw Undecided(detail: "the target does not say where the server fetches status lists", isNotTested: true)
    }
    let session = try begun()
    var finding = SuiteOracle.Finding()
    if !suiteCase.findings.isEmpty {
      finding = oracle.finding(of: suiteCase, plan, options: session.options, number: numbers.next())
      if let obstacle = finding.obstacle { throw Undecided(detail: obstacle, isNotTested: !finding.isOwnMistake) }
    }
    let earlier = plan.followsAnother ? try begun().options : nil
    let answer = try answer(plan, to: session, after: earlier)
    try requireProtocol(of: answer.credential, in: session)
    var outcome = judge(suiteCase, handIn(answer, session))
    outcome.exchange = finding.exchange
    return outcome
  }

  /// Requires that the server gets the name of the protocol, if nothing but the name is wrong.
  private func requireProtocol(of credential: JSONValue, in session: TargetSession) throws(Undecided) {
    guard credential.member("protocol")?.text != RequestData.protocolIdentifier else { return }
    let usual = credential.setting("protocol", .string(RequestData.protocolIdentifier))
    guard session.body(credential) == session.body(usual) else { return }
    throw Undecided(detail: "the server does not get the name of the protocol", isNotTested: true)
  }

  /// The server's reason in an answer; nil if the target does not say where it is.
  private func reason(in answer: HTTPAnswer?) -> String? {
    target.reason.flatMap { place in answer?.json.flatMap(place.value) }.flatMap { $0 == .null ? nil : $0 }.map {
      TerminalSafe.line($0.text ?? String(decoding: $0.bytes, as: UTF8.self))
    }
  }

  /// Judges what the server made of an answer.
  private func judge(_ suiteCase: VerifierCase, _ tried: Tried) -> CaseOutcome {
    var outcome = CaseOutcome(suiteCase: suiteCase.about, tried.reaction)
    outcome.time = tried.response?.time ?? .zero
    outcome.reason = reason(in: tried.response)
    switch (outcome.verdict, tried.reaction) {
    case (.wronglyRefused, .refused): return outcome.replacing(.wronglyRefused, tried.words)
    case (.right, .refused): return shownAfterRefusal(tried).map { outcome.replacing(.showsRefused, $0) } ?? outcome
    case (.right, .accepted):
      return shownAfterAcceptance(tried).map { outcome.replacing($0.verdict, $0.detail) } ?? outcome
    default: return outcome
    }
  }

  /// The mistake in the server's view of an answer that it accepted; nil if it looks as it must, or the target does not say
  /// how to ask.
  private func shownAfterAcceptance(_ tried: Tried) -> (verdict: CaseOutcome.Verdict, detail: String)? {
    do throws(HTTPFailure) {
      let shown = try tried.session.shown(isAwaited: true)
      if let shown, !shown.isVerified {
        return (.wronglyRefused, "the server accepted, and does not show it: \(shown.answer.excerpt)")
      }
      guard let answer = shown?.answer ?? tried.response else { return nil }
      return target.otherValue(in: answer, than: tried.answer.values).map { (.showsOther, $0) }
    } catch {
      return (.wronglyRefused, "the server accepted, and does not show it: \(error.sentence)")
    }
  }

  /// The server's view of an answer that it refused; nil if it has nothing of the answer.
  private func shownAfterRefusal(_ tried: Tried) -> String? {
    func found(in answer: HTTPAnswer?) -> String? {
      answer.flatMap { answer in tried.answer.markers.first(where: answer.text.contains) }
    }
    if let value = found(in: tried.response) { return "the refusing answer shows '\(value)'" }
    guard let shown = try? tried.session.shown(isAwaited: false) else { return nil }
    if shown.isVerified { return "the server refused, and shows that it verified: \(shown.answer.excerpt)" }
    return found(in: shown.answer).map { "the server refused, and shows '\($0)'" }
  }

  private func outcome(of suiteCase: VerifierCase, _ form: CredentialForm) throws(Undecided) -> CaseOutcome {
    let session = try begun()
    var answer = try answer(.genuine, to: session)
    guard let credential = form.applied(to: answer.credential) else {
      throw Undecided(detail: "the phone's answer has no response", isNotTested: true)
    }
    if case .under = form { try requireProtocol(of: credential, in: session) }
    answer.credential = credential
    return judge(suiteCase, handIn(answer, session))
  }

  private static let triesAtOnce = 20

  private func outcome(of suiteCase: VerifierCase, _ play: SessionPlay) throws(Undecided) -> CaseOutcome {
    switch play {
    case .again:
      let first = try accepted(try handIn(.genuine))
      return judge(suiteCase, handIn(first.answer, first.session))
    case .atOnce:
      for _ in 0..<Self.triesAtOnce {
        let session = try begun()
        let answer = try answer(.genuine, to: session)
        let reactions = Mutex<[ServerReaction]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
          let tried = handIn(answer, session)
          reactions.withLock { $0.append(tried.reaction) }
        }
        let accepted = reactions.withLock { $0.filter { if case .accepted = $0 { true } else { false } }.count }
        if accepted == 2 { return suiteCase.about.outcome(.wronglyAccepted, "the server accepted both") }
        if accepted == 0 { throw Undecided(detail: "the server accepted neither of two answers at once") }
      }
      return suiteCase.about.outcome(
        .right,
        "one of two was accepted in each of \(Self.triesAtOnce) tries, which does not prove that two never are")
    case .answerOfAnotherSession:
      let first = try begun()
      var second = first
      do { try second.begin() } catch { throw Undecided(detail: "no session: \(error.sentence)") }
      return judge(suiteCase, handIn(try answer(.genuine, to: first), second))
    case .answerOfAnotherPerson:
      let (first, second) = (try begun(), try begun())
      return judge(suiteCase, handIn(try answer(.genuine, to: first), second))
    case .withoutSession:
      let session = try begun()
      let stranger = visit().with(valuesOf: session.withUnknownValues)
      return judge(suiteCase, handIn(try answer(.genuine, to: session), stranger))
    case .afterRefusal:
      guard let fault = FaultCatalogue.fault("network.response-altered") else {
        throw Undecided(detail: "the catalogue has no altered response")
      }
      let session = try begun()
      _ = handIn(try answer(AnswerPlan(faults: [PlannedFault(fault)]), to: session), session)
      return judge(suiteCase, handIn(try answer(.genuine, to: session), session))
    case .answerForAnotherOrigin: return try outcomeOfAnotherOrigin(of: suiteCase, fromBegin: false)
    case .sessionOfAnotherOrigin: return try outcomeOfAnotherOrigin(of: suiteCase, fromBegin: true)
    }
  }

  /// The origin of a website that relays the answers of its visitors.
  private static let otherOrigin = "https://attacker.example"

  /// Lets a person answer the server's request for another website, which hands the answer in under its own origin.
  private func outcomeOfAnotherOrigin(of suiteCase: VerifierCase, fromBegin: Bool) throws(Undecided) -> CaseOutcome {
    var session = visit()
    if fromBegin {
      session = session.claiming(Self.otherOrigin)
      do throws(HTTPFailure) { try session.begin() } catch {
        guard error.hasCode(.unexpected) else { throw Undecided(detail: "no session: \(error.sentence)") }
        return suiteCase.about.outcome(.right, "the server begins no session for another origin")
      }
    } else {
      session = try begun().claiming(Self.otherOrigin)
    }
    var others = answers
    others.origin = Self.otherOrigin
    let answer: AnswerMaker.Answer
    do {
      answer =
        try (try? others.answer(to: session.options, .genuine, number: numbers.next()))
        // A phone refuses a request that is signed for another origin; the website takes the signature out before.
        ?? others.answer(
          to: session.options, AnswerPlan(outside: OutsidePlan(documents: [OutsidePlan.Document()])),
          number: numbers.next())
    } catch let error as AnswerMaker.Failure {
      throw Undecided(detail: "no answer for another origin: \(error.message)", isNotTested: error.isOfRequest)
    } catch {
      throw Undecided(detail: "no answer for another origin: \(error)")
    }
    return judge(suiteCase, handIn(answer, session))
  }

  private func accepted(_ tried: Tried) throws(Undecided) -> Tried {
    guard case .accepted = tried.reaction else {
      throw Undecided(detail: "the genuine answer before it was not accepted: \(tried.words)")
    }
    return tried
  }

  private func outcome(of suiteCase: VerifierCase, _ body: ForeignBody) throws(Undecided) -> CaseOutcome {
    let session = try begun()
    let answer = try answer(.genuine, to: session)
    do throws(HTTPFailure) {
      let response = try session.submit(bytes: body.bytes(in: session, answer.credential))
      let reaction = ServerReaction(response, target)
      return judge(suiteCase, Tried(session: session, answer: answer, reaction: reaction, response: response))
    } catch {
      // A server may close the connection instead of reading a body that is too long (RFC 9110, 15.5.14).
      return CaseOutcome(
        suiteCase: suiteCase.about,
        body == .responseIsLong && error.hasCode(.unreachable) ? .refused : ServerReaction(error))
    }
  }

  private func outcome(of suiteCase: VerifierCase, _ rule: RequestRule) throws(Undecided) -> CaseOutcome {
    let (first, second) = (try begun(), try begun())
    let conclusion: RequestRule.Conclusion
    do {
      conclusion = try rule.conclusion(about: first, and: second, at: DateTime(Date()))
    } catch {
      throw Undecided(detail: "the request cannot be read: \(error)")
    }
    switch conclusion {
    case .kept: return suiteCase.about.outcome(.right, "the request keeps the rule")
    case .broken(let problem): return suiteCase.about.outcome(.wrongRequest, TerminalSafe.line(problem))
    case .untested(let reason): throw Undecided(detail: reason, isNotTested: true)
    }
  }
}

/// The date of an HTTP header (RFC 9110, 5.6.7).
enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// The seconds since 1970 of a date in the preferred format, `Sun, 06 Nov 1994 08:49:37 GMT`; nil for any other text.
  static func seconds(_ text: String) -> Int64? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), (1...31).contains(day),
      let month = months.firstIndex(of: String(words[2])), let year = Int(words[3]), (1970...9999).contains(year)
    else { return nil }
    let two = { (number: Int) in (number < 10 ? "0" : "") + "\(number)" }
    return DateTime.parse("\(year)-\(two(month + 1))-\(two(day))T\(words[4])Z")?.0.secondsSince1970
  }
}
