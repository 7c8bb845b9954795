import CaseSuites
import MobileDocument
import OwnWallets
import Primitives
import WebPresentment

/// A run of the suite against a wallet.
public struct WalletRun {
  /// The name of the wallet in reports.
  private let name: String
  /// The cases, in their order.
  private let cases: [WalletCase]
  private let authorities: WalletAuthorities
  private let judge: WalletJudge
  private let start: () throws(WalletFailure) -> any WalletCaller

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - seed: The seed of keys and certificates.
  ///   - moment: The time around which certificates and documents are valid.
  /// - Throws: An error if the certificates cannot be made.
  public init(of cases: [WalletCase], against target: WalletTarget, seed: UInt64, at moment: DateTime) throws {
    try self.init(of: cases, named: target.name, seed: seed, at: moment) { () throws(WalletFailure) in
      try WalletProgram(target)
    }
  }

  /// Creates a run with a wallet in this process.
  /// - Parameter start: Starts a wallet without documents.
  init(
    of cases: [WalletCase], named name: String, seed: UInt64, at moment: DateTime,
    starting start: @escaping () throws(WalletFailure) -> any WalletCaller
  ) throws {
    self.name = name
    self.cases = cases
    authorities = try WalletAuthorities(seed: seed, moment: moment)
    judge = WalletJudge(moment: moment)
    self.start = start
  }

  /// A genuine request is made after this many cases: a wallet that refuses everything from some case on would seem to do
  /// right from then on.
  private static let casesBetweenGenuineRequests = 20

  /// Runs the cases, one after the other.
  /// - Parameters:
  ///   - interruption: Asks the run to end between two cases.
  ///   - ended: Called with each outcome, in the order of the cases.
  public func run(
    until interruption: SuiteInterruption = SuiteInterruption(), ended: (CaseOutcome) -> Void = { _ in }
  ) -> SuiteResult {
    var result = SuiteResult(of: WalletCatalogue.suite, target: name, planned: cases.count)
    let session = WalletSession(authorities, starting: start)
    defer { session.end() }
    if let stop = first(session) {
      result.stop = stop
      return result
    }
    var rest = cases[...]
    while !rest.isEmpty, result.stop == nil, !interruption.isAsked {
      let batch = rest.prefix(Self.casesBetweenGenuineRequests)
      rest = rest.dropFirst(batch.count)
      var outcomes: [CaseOutcome] = []
      for found in batch where !interruption.isAsked { outcomes.append(outcome(of: found, session)) }
      if let reaction = genuineReaction(session, "after-\(result.outcomes.count + batch.count)") {
        outcomes = outcomes.map {
          $0.undecided("the wallet does not answer a genuine request after it: \(reaction.words)")
        }
        result.stop = SuiteStop(.lost, "the wallet no longer answers a genuine request", details: [reaction.words])
      }
      result.outcomes += outcomes
      outcomes.forEach(ended)
    }
    if interruption.isAsked, result.stop == nil, result.outcomes.count < cases.count {
      result.stop = SuiteInterruption.stop
    }
    if session.sharesSignature {
      result.remarks.append(
        "two websites get the same issuer's signature, by which they can tell that it is the same person. The suite gives "
          + "the wallet one document of each type; does it get several from its issuer, and use each once?")
    }
    return result
  }

  // MARK: Genuine requests between the cases

  /// Starts the wallet and makes a genuine request, without which no case means anything.
  private func first(_ session: WalletSession) -> SuiteStop? {
    do throws(WalletFailure) { try session.prepare() } catch {
      return SuiteStop(.program, error.message, details: [error.evidence].compactMap(\.self))
    }
    guard let reaction = genuineReaction(session, "first") else { return nil }
    return SuiteStop(.genuineRefused, "the wallet does not answer the first genuine request", details: reaction.details)
  }

  /// Shows the wallet a genuine request. Returns nil if the wallet answers it, and what it did otherwise.
  private func genuineReaction(_ session: WalletSession, _ label: String) -> WalletReaction? {
    do {
      let request = try WalletCatalogue.twin.made(by: authorities, label: label)
      let reaction = tried(request, session)
      if case .answered(let opened, _) = reaction.kind, !opened.isWithoutDocument { return nil }
      return reaction
    } catch {
      return WalletReaction(.missing("the request cannot be made: \(error)"))
    }
  }

  // MARK: One case

  /// A request that was tried.
  private func tried(_ request: MadeRequest, _ session: WalletSession) -> WalletReaction {
    let start = ContinuousClock.now
    var reaction: WalletReaction
    do throws(WalletFailure) {
      let (reply, number) = try session.show(request)
      switch reply {
      case .refused(let reason): reaction = WalletReaction(.refused(reason))
      case .given(let view):
        reaction = WalletReaction(try session.agree(to: number, raw: request.raw), judge, request, shown: view.elements)
        reaction.warning = view.warning
      }
    } catch {
      reaction = WalletReaction(error)
    }
    reaction.time = ContinuousClock.now - start
    return reaction
  }

  private func outcome(of suiteCase: WalletCase, _ session: WalletSession) -> CaseOutcome {
    do {
      switch suiteCase.play {
      case .request(let plan):
        let request = try plan.made(by: authorities, label: suiteCase.id)
        let missing = SuiteDocument.allCases.first { document in
          request.expected.contains { $0.documentType == document.type } && !session.documents.contains(document)
        }
        if let missing, suiteCase.expects == .accept {
          return suiteCase.about.outcome(.notTested, "the wallet takes no \(missing.type)")
        }
        return judge.outcome(of: suiteCase.about, tried(request, session), to: request)
      case .twoAnswers: return try twoAnswers(suiteCase, session)
      case .consent(let play): return try outcome(of: suiteCase, play, session)
      }
    } catch {
      return suiteCase.about.outcome(.unclear, "the request cannot be made: \(error)")
    }
  }

  private func twoAnswers(_ suiteCase: WalletCase, _ session: WalletSession) throws -> CaseOutcome {
    var keys: [[UInt8]] = []
    var signatures: [Set<[UInt8]>] = []
    for label in ["first", "second"] {
      let request = try WalletCatalogue.twin.made(by: authorities, label: "\(suiteCase.id)/\(label)")
      let reaction = tried(request, session)
      guard case .answered(let opened, _) = reaction.kind else {
        return judge.outcome(of: suiteCase.about, reaction, to: request)
      }
      guard let key = Self.encapsulatedKey(opened.answer) else {
        return suiteCase.about.outcome(.wrongAnswer, "the answer has no encapsulated key")
      }
      keys.append(key)
      signatures.append(Self.issuerSignatures(in: opened.answer, to: request))
    }
    session.sharesSignature = !signatures[0].isDisjoint(with: signatures[1])
    let isFresh = keys[0] != keys[1]
    return suiteCase.about.outcome(
      isFresh ? .right : .wrongAnswer,
      isFresh ? "each answer has a key of its own" : "two answers have the same encapsulated key")
  }

  /// The issuers' signatures in an answer; none in one that does not open.
  private static func issuerSignatures(in answer: [UInt8], to request: MadeRequest) -> Set<[UInt8]> {
    guard
      let opened = try? EncryptedResponse(encoded: answer).open(
        with: request.recipientKey, transcript: request.transcript),
      let response = try? UnverifiedDeviceResponse(opened)
    else { return [] }
    return Set(response.documents.map(\.issuerSigned.issuerAuthBytes))
  }

  private static func encapsulatedKey(_ answer: [UInt8]) -> [UInt8]? {
    try? EncryptedResponse(encoded: answer).encapsulatedKey
  }

  private func outcome(of suiteCase: WalletCase, _ play: ConsentPlay, _ session: WalletSession) throws -> CaseOutcome {
    func request(_ plan: RequestPlan, _ label: String) throws -> MadeRequest {
      try plan.made(by: authorities, label: "\(suiteCase.id)/\(label)")
    }
    let genuine = try request(WalletCatalogue.twin, "first")
    var more = WalletCatalogue.twin
    more.documents = [SuiteDocument.license.askingAll]
    let other = try request(more, "second")
    let refused = suiteCase.about.outcome(.unclear, "the wallet refuses the genuine request before it")
    let reaction: WalletReaction
    var judged = genuine
    do throws(WalletFailure) {
      let number: Int
      if case .neverAsked = play {
        try session.prepare()
        number = session.unknownRequest
      } else {
        let (reply, shown) = try session.show(genuine)
        guard case .given = reply else { return refused }
        number = shown
      }
      switch play {
      case .neverAsked: break
      case .declined: try session.decline(number)
      case .again: guard case .given = try session.agree(to: number, raw: genuine.raw) else { return refused }
      case .ofAnotherView:
        guard case .given = try session.show(other).reply else { return refused }
        judged = other
      }
      reaction = WalletReaction(try session.agree(to: number, raw: judged.raw), judge, judged)
    } catch {
      reaction = WalletReaction(error)
    }
    return judge.outcome(of: suiteCase.about, reaction, to: judged)
  }
}
