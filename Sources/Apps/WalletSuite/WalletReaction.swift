import CaseSuites
import OwnWallets
import Primitives

/// The reaction of a wallet to a request.
struct WalletReaction: Sendable {
  /// The kind of reaction.
  let kind: Kind
  /// The warning that the person saw; nil for none.
  var warning: String?
  /// The time of the wallet.
  var time = Duration.zero

  /// The kinds of reactions.
  enum Kind: Sendable {
    /// An answer, and the elements that the view had shown.
    case answered(WalletJudge.Opened, shown: Set<DocumentElement>)
    case refused(String)
    /// The program ended, did not answer in time, or printed something else.
    case broken(String)
    /// The wallet does not know the message.
    case unsupported(String)
    /// There is no answer.
    case missing(String)
  }

  init(_ kind: Kind) { self.kind = kind }

  init(_ failure: WalletFailure) {
    kind = failure.hasCode(.unsupported) ? .unsupported(failure.sentence) : .broken(failure.sentence)
  }

  /// The reaction to a raw request.
  init(_ answer: WalletAnswer.Reply<String>, _ judge: WalletJudge, _ request: MadeRequest) {
    switch answer {
    case .refused(let reason): self.init(.refused(reason))
    case .given(let text): self.init(.answered(judge.opened(text, to: request), shown: []))
    }
  }

  /// The reaction in words.
  var words: String {
    switch kind {
    case .answered(let opened, _):
      opened.elements.isEmpty
        ? "the wallet answered" : "the wallet released \(opened.elements.count) elements"
    case .refused(let reason): "the wallet refused" + (reason.isEmpty ? "" : ": \(reason)")
    case .broken(let words): "the wallet failed: \(words)"
    case .unsupported(let words), .missing(let words): words
    }
  }
}

extension WalletJudge {
  /// Judges a reaction by what the case expects.
  func outcome(of suiteCase: SuiteCase, _ reaction: WalletReaction, to request: MadeRequest) -> CaseOutcome {
    let (verdict, detail) = verdict(suiteCase.expects, reaction, request)
    var outcome = CaseOutcome(suiteCase: suiteCase, verdict: verdict, detail: detail)
    outcome.time = reaction.time
    switch reaction.kind {
    case .answered(let opened, _): outcome.exchange = opened.exchange
    case .refused(let reason): outcome.reason = reason.isEmpty ? nil : reason
    case .broken, .unsupported, .missing: break
    }
    return outcome
  }

  private func verdict(
    _ expects: SuiteCase.Expectation, _ reaction: WalletReaction, _ request: MadeRequest
  ) -> (CaseOutcome.Verdict, String) {
    let words = reaction.words
    switch (expects, reaction.kind) {
    case (_, .unsupported): return (.notTested, words)
    case (_, .missing): return (.unclear, words)
    case (.accept, .answered(let opened, let shown)):
      if let mistake = mistake(in: opened, to: request, shown: shown) { return (.wrongAnswer, mistake) }
      // A wallet that warns of everything would seem to notice everything.
      if let warning = reaction.warning { return (.wronglyRefused, "the view warns: \(TerminalSafe.text(warning))") }
      return (.right, words)
    case (.accept, .refused), (.accept, .broken): return (.wronglyRefused, words)
    case (.either, .answered(let opened, let shown)):
      let mistake = mistake(in: opened, to: request, shown: shown)
      return mistake.map { (.wrongAnswer, $0) } ?? (.accepts, words)
    case (.either, .refused): return (.refuses, words)
    case (.warn, .answered) where reaction.warning != nil:
      return (.right, "the view warned: \(TerminalSafe.text(reaction.warning ?? ""))")
    case (.refuse, .answered(let opened, _)), (.warn, .answered(let opened, _)):
      if opened.isOpened, opened.failure?.contains("[response.documents") == true {
        return (.right, "the wallet answered without a document")
      }
      return (.wronglyAccepted, expects == .warn ? "\(words) without a warning" : words)
    case (.refuse, .refused), (.warn, .refused): return (.right, words)
    case (.refuse, .broken), (.warn, .broken), (.either, .broken): return (.notRefusedCleanly, words)
    }
  }
}
