import CaseSuites
import Foundation
import OwnWallets
import Primitives
import Testing

@testable import WalletSuite

@Suite("A run of the suite of wallets")
struct WalletRunTests {
  private static let moment = DateTime(secondsSince1970: 1_790_000_000)

  private func run(
    _ cases: [WalletCase], _ mistakes: Set<MemoryWallet.Mistake>,
    until interruption: SuiteInterruption = SuiteInterruption(),
    ended: @escaping @Sendable (CaseOutcome) -> Void = { _ in }
  ) async throws -> SuiteResult {
    // A run waits on its thread for its verifier, which needs one of the threads of tests.
    try await withCheckedThrowingContinuation { continuation in
      Thread {
        continuation.resume(
          with: Result {
            try WalletRun(of: cases, named: "Memory", seed: 1, at: Self.moment) { () throws(WalletFailure) in
              MemoryWallet(mistakes, at: Self.moment)
            }.run(until: interruption, ended: ended)
          })
      }.start()
    }
  }

  private func cases(_ patterns: String...) -> [WalletCase] {
    WalletCatalogue.all.filter { found in patterns.contains { CaseName.matches(found.id, $0) } }
  }

  @Test("presentment's own wallet does nothing wrong, and refuses each case by the check that the case names")
  func careful() async throws {
    let result = try await run(WalletCatalogue.all, [])
    for outcome in result.outcomes {
      let found = outcome.suiteCase
      #expect(!outcome.isWrong && outcome.isDecided, "\(found.id): \(outcome.verdict) \(outcome.detail)")
      guard let check = found.check else { continue }
      #expect(outcome.reason == "[\(check)]", "\(found.id)")
    }
    #expect(result.exitCode(isStrict: true) == 0)
    #expect(result.remarks.count == 1 && result.remarks[0].hasPrefix("two websites get the same issuer's signature"))
  }

  @Test("a run that is asked to end reports the cases before, and decides no more")
  func interrupted() async throws {
    let interruption = SuiteInterruption()
    let result = try await run(Array(WalletCatalogue.all.prefix(45)), [], until: interruption) { _ in
      interruption.ask(by: 15)
    }
    #expect(result.outcomes.count == 20 && result.outcomes.allSatisfy { $0.isDecided })
    #expect(result.stop?.code == .interrupted && result.exitCode(isStrict: false) == 2)
  }

  @Test("a wallet that refuses everything decides nothing")
  func refusesAll() async throws {
    let result = try await run(WalletCatalogue.all, [.refusesAll])
    #expect(result.outcomes.isEmpty)
    #expect(result.stop?.code == .genuineRefused)
    #expect(result.exitCode(isStrict: false) == 2)
  }

  @Test(
    "a wallet that does not answer the first genuine request is asked about its roots, unless it took no request",
    arguments: [
      (MemoryWallet.Mistake.refusesAll, "the wallet refused: it refuses everything", true),
      (.answersEmpty, "the wallet answered without a document", true),
      (.ends, "the wallet failed: the wallet ended", true),
      (.doesNotKnow("request"), "the wallet does not know 'request'", false),
      (.showsNothing, "the wallet failed: ", false),
    ])
  func firstRequest(_ mistake: MemoryWallet.Mistake, _ words: String, _ isAsked: Bool) async throws {
    let result = try await run(cases("genuine.names"), [mistake])
    let stop = try #require(result.stop)
    #expect(stop.code == .genuineRefused && result.outcomes.isEmpty)
    #expect(stop.details.first?.hasPrefix(words) == true, "\(stop.details)")
    #expect(stop.details.dropFirst() == (isAsked ? ["does it trust the readerRoots of 'provision'?"] : []))
  }

  @Test("a wallet that answers every reader is wrong in every case about readers and views")
  func answersAll() async throws {
    let result = try await run(
      cases("reader.*", "consent.declined", "consent.again"), [.answersAll])
    for outcome in result.outcomes {
      #expect(outcome.verdict == .wronglyAccepted, "\(outcome.suiteCase.id): \(outcome.detail)")
    }
    #expect(result.exitCode(isStrict: false) == 1)
  }

  @Test("a warning counts as a refusal of a reader, and as a refusal of a genuine request")
  func warnings() async throws {
    let readers = try await run(cases("reader.unsigned"), [.warnsOfReaders])
    #expect(readers.outcomes.map(\.verdict) == [.right])
    let genuine = try await run(cases("genuine.names"), [.warnsAlways])
    #expect(genuine.outcomes.map(\.verdict) == [.wronglyRefused])
  }

  @Test("a wallet that stops answering decides nothing from then on")
  func limited() async throws {
    let result = try await run(cases("transcript.*", "reader-authentication.*"), [.limitsAnswers(25)])
    #expect(result.stop?.code == .lost)
    #expect(result.exitCode(isStrict: false) == 2)
    #expect(result.outcomes.count == 40)
    #expect(result.outcomes[..<20].allSatisfy { $0.verdict == .right })
    #expect(result.outcomes[20...].allSatisfy { $0.verdict == .unclear })
  }

  @Test("a wallet that ends is started again, and has not refused cleanly")
  func ends() async throws {
    let result = try await run(cases("form.empty", "form.number", "genuine.names"), [.endsAtUnreadable])
    #expect(result.outcomes.map(\.verdict) == [.right, .notRefusedCleanly, .notRefusedCleanly])
    #expect(result.outcomes.map(\.weight) == [.must, .should, .should])
  }

  @Test("messages and documents that a wallet does not know are not tested")
  func unsupported() async throws {
    let result = try await run(
      cases("genuine.photo-id", "genuine.two-documents", "consent.declined"),
      [.takesLicensesOnly, .doesNotKnow("decline")])
    #expect(result.outcomes.map(\.verdict) == [.notTested, .notTested, .notTested])
    let none = try await run(cases("genuine.names"), [.doesNotKnow("provision")])
    #expect(none.stop?.code == .program)
  }

  @Test("an answer that is not one of the protocol is a failure of the wallet")
  func malformed() async throws {
    let result = try await run(cases("genuine.names"), [.showsNothing])
    #expect(result.stop?.details.first?.contains("neither 'shows' with 'elements' nor 'refused'") == true)
  }

  @Test("the same seed and moment give the same request")
  func reproducible() throws {
    let one = try WalletAuthorities(seed: 3, moment: Self.moment)
    let two = try WalletAuthorities(seed: 3, moment: Self.moment)
    for plan in WalletCatalogue.all.compactMap(\.plan) {
      let (first, second) = (try plan.made(by: one, label: "a"), try plan.made(by: two, label: "a"))
      #expect(
        first.raw == second.raw && first.partial == second.partial && first.exchange.bytes == second.exchange.bytes)
    }
    let other = try WalletAuthorities(seed: 4, moment: Self.moment)
    #expect(
      try WalletCatalogue.twin.made(by: one, label: "a").raw != WalletCatalogue.twin.made(by: other, label: "a").raw)
  }
}
