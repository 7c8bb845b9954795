import LocatedYAML
import Telling
import Vocabulary

extension Step {
  /// The step in one sentence, for people who follow a run.
  ///
  /// - Parameters:
  ///   - focus: the page and the device used last before the step; nil if the world does not exist.
  ///   - names: the titles of the world's parts.
  public func words(in focus: Focus?, _ names: WorldNames) -> String {
    let sentence: String
    switch content {
    case .action(.person(.wait(let duration))): sentence = "the person waits \(DurationUnit.text(duration))"
    case .action(let action): sentence = focus.map { action.words(in: $0, names) } ?? text
    case .restartWorld: sentence = "the world is restarted from its storage"
    case .fault(.begins(let planned)): sentence = "a fault begins: \(planned.title)"
    case .fault(.ends(let fault)): sentence = "a fault ends: \(fault.title)"
    case .expectation(let expected): sentence = expected.words(names)
    }
    let failing = fails.map { ", which fails: \($0)" } ?? ""
    return sentence.prefix(1).uppercased() + sentence.dropFirst() + failing
  }
}
