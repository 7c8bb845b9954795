import InteractiveWorlds
import Telling

/// The narration of a state in the words of the stage's bar: the step, its reason, the next step and the verdict.
struct DemoNarration {
  /// The first line: the number of the step and its words.
  var heading: DemoScreen.Line?
  /// The reason, failures and the next step.
  var details: [DemoScreen.Line] = []
  /// The conclusion, and the outcome of the case.
  var verdict: [DemoScreen.Line] = []

  /// Tells a state.
  init(_ state: DemoState) {
    if let story = state.story {
      if let live = story.live { tell(live, of: story) } else { tell(story, broken: state.faults.map(\.label)) }
    }
    if let conclusion = state.conclusion {
      let code = conclusion.code.map { " [\($0)]" } ?? ""
      verdict.append(.init("\(conclusion.title)\(code) \(conclusion.text)", Self.tone(conclusion.tone)))
    }
    if let story = state.story, story.live == nil, story.position == story.steps.count {
      verdict.insert(.init(story.outcome, story.isGood ? .good : .bad), at: 0)
    }
  }

  private static func tone(_ tone: Conclusion.Tone) -> DemoScreen.Line.Tone {
    switch tone {
    case .good: .good
    case .bad: .bad
    case .warning: .warning
    case .calm: .heading
    }
  }

  private mutating func tell(_ story: DemoStory, broken: [String]) {
    let count = "\(story.position)/\(story.steps.count)"
    let next = story.steps.indices.contains(story.position) ? story.steps[story.position].wordsWithinASentence : nil
    guard story.position > 0 else {
      heading = .init("\(count)  " + (next.map { "First: \($0)" } ?? "This case has no steps."), .heading)
      if !broken.isEmpty {
        details.append(.init("Broken: \(broken.joined(separator: "; ")). Watch who notices.", .warning))
      }
      details += [story.because].compactMap(\.self).map { .init(Conclusion.sentence($0)) }
      return
    }
    let step = story.steps[story.position - 1]
    let mark = step.failure != nil ? "✗ " : step.kind == .expectation && step.isReached ? "✓ " : ""
    heading = .init("\(count)  \(mark)\(step.words)", step.failure == nil ? .heading : .bad)
    if let failure = step.failure { details.append(.init(failure, .bad)) }
    if !step.isReached { details.append(.init("Not reached: the run ended before.", .warning)) }
    if let because = step.step.because { details.append(.init(Conclusion.sentence(because))) }
    if let next { details.append(.init("Next: \(next)", .quiet)) }
  }

  private mutating func tell(_ live: DemoStory.Live, of story: DemoStory) {
    let goesOn =
      story.steps.indices.contains(live.next)
      ? "The scenario goes on: \(story.steps[live.next].wordsWithinASentence)" : "The scenario has no more steps."
    heading = .init("\(live.next)/\(story.steps.count)  You play. \(goesOn)", .heading)
    let results = live.results.sorted { $0.key < $1.key }
    for (index, result) in results {
      guard case .judged(let failure?) = result else { continue }
      details.append(.init("✗ \(story.steps[index].words): \(failure)", .bad))
    }
    guard details.isEmpty, let (index, last) = results.last else { return }
    switch last {
    case .instead:
      let words = story.steps[index].wordsWithinASentence
      details.append(.init("The scenario does something else here: \(words).", .warning))
    case .judged: details.append(.init("✓ As the scenario expects."))
    case .done: details.append(.init("✓ As in the scenario."))
    }
  }
}
