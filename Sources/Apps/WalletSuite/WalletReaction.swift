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
    /// The program ended.
    case ended(String)
    /// The program did not answer in time, or printed something else.
    case broken(String)
    /// The wallet does not know the message.
    case unsupported(String)
    /// There is no answer.
    case missing(String)
  }

  init(_ kind: Kind) { self.kind = kind }

  init(_ failure: WalletFailure) {
    kind =
      switch failure.code {
      case .unsupported: .unsupported(failure.sentence)
      case .ended: .ended(failure.sentence)
      default: .broken(failure.sentence)
      }
  }

  /// The reaction to a raw request.
  /// - Parameter shown: The elements that the view had shown; nil without a view, for those of the answer.
  init(
    _ answer: WalletAnswer.Reply<String>, _ judge: WalletJudge, _ request: MadeRequest,
    shown: Set<DocumentElement>? = []
  ) {
    switch answer {
    case .refused(let reason): self.init(.refused(reason))
    case .given(let text):
      let opened = judge.opened(text, to: request)
      self.init(.answered(opened, shown: shown ?? opened.elements))
    }
  }

  /// The reaction in words.
  var words: String {
    switch kind {
    case .answered(let opened, _):
      opened.isWithoutDocument
        ? "the wallet answered without a document"
        : opened.elements.isEmpty
          ? "the wallet answered" : "the wallet released \(opened.elements.count) elements"
    case .refused(let reason): "the wallet refused" + (reason.isEmpty ? "" : ": \(reason)")
    case .ended(let words), .broken(let words): "the wallet failed: \(words)"
    case .unsupported(let words), .missing(let words): words
    }
  }
}

extension WalletReaction {
  /// The reaction to the first genuine request, and a question about the likely cause: a wallet that does not trust the
  /// reader may refuse, answer without a document, or end. One with another idea of the protocol has looked at no reader.
  var details: [String] {
    switch kind {
    case .refused, .ended, .answered: [words, "does it trust the readerRoots of 'provision'?"]
    case .broken, .unsupported, .missing: [words]
    }
  }
}

extension WalletJudge {
  /// Judges a reaction by what the case expects.
  func outcome(of suiteCase: SuiteCase, _ reaction: WalletReaction, to request: MadeRequest) -> CaseOutcome {
    let (verdict, detail) = verdict(suiteCase.expects, reaction, request)
    var outcome = suiteCase.outcome(verdict, detail)
    outcome.time = reaction.time
    switch reaction.kind {
    case .answered(let opened, _): outcome.exchange = opened.exchange
    case .refused(let reason): outcome.reason = reason.isEmpty ? nil : reason
    case .ended, .broken, .unsupported, .missing: break
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
    case (.accept, .refused), (.accept, .ended), (.accept, .broken): return (.wronglyRefused, words)
    case (.either, .answered(let opened, let shown)):
      let mistake = mistake(in: opened, to: request, shown: shown)
      return mistake.map { (.wrongAnswer, $0) } ?? (.accepts, words)
    case (.either, .refused): return (.refuses, words)
    case (.warn, .answered) where reaction.warning != nil:
      return (.right, "the view warned: \(TerminalSafe.text(reaction.warning ?? ""))")
    case (.refuse, .answered(let opened, _)), (.warn, .answered(let opened, _)):
      if opened.isWithoutDocument { return (.right, words) }
      return (.wronglyAccepted, expects == .warn ? "\(words) without a warning" : words)
    case (.refuse, .refused), (.warn, .refused): return (.right, words)
    case (.refuse, .ended), (.warn, .ended), (.either, .ended), (.refuse, .broken), (.warn, .broken),
      (.either, .broken):
      return (.notRefusedCleanly, words)
    }
  }
}
