import Checks
import LocatedYAML
import Primitives

/// The reason why no expectation of the same kind with the same keys and the same sense holds.
struct Uncorrectable: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }

  /// A correction would turn a result into another kind of result. A check of security could vanish with it.
  static func otherKind(_ found: String) -> Uncorrectable { Uncorrectable("\(found), which is another kind of result") }
}

/// Values of every kind of expectation.
extension Judge {
  /// Another number of events.
  static func corrected(_ expected: Int, to found: Int) throws(Uncorrectable) -> Int {
    guard (found == 0) == (expected == 0) else {
      throw .otherKind(found == 0 ? "it never happened" : "it happened \(times(found))")
    }
    return found
  }

  /// The name of another check, with its reason if the expectation names one.
  static func corrected(_ expected: String, toName found: String) -> String {
    if CheckResult.isName(found, expectedAs: expected) { return expected }
    return expected.contains("/") ? found : String(found.prefix { $0 != "/" })
  }

  /// Another explanation, unless the expected one is among those that were found.
  static func corrected(_ expected: String?, toOneOf found: [String]) throws(Uncorrectable) -> String? {
    guard let expected, !found.contains(expected) else { return expected }
    guard let first = found.first else { throw .otherKind("nothing explains it") }
    return first
  }

  /// Another list, whose order does not count.
  static func corrected(_ expected: [String]?, to found: [String], _ words: String) throws(Uncorrectable) -> [String]? {
    guard let expected else { return nil }
    return try corrected(list: expected, to: found, words)
  }

  static func corrected(
    list expected: [String], to found: [String], _ words: String
  ) throws(Uncorrectable) -> [String] {
    guard found.isEmpty == expected.isEmpty else {
      throw .otherKind("\(words) \(found.isEmpty ? "nothing" : found.joined(separator: ", "))")
    }
    return ListChange(from: expected, to: found).items
  }

  /// Another message, as a whole.
  static func corrected(_ expected: String, to found: String?) throws(Uncorrectable) -> String {
    guard let found, !found.isEmpty else { throw .otherKind("the person reads no message") }
    return found.contains(expected) ? expected : found
  }

  /// The texts, with each that no line contains replaced by the line that has the most words in common with it.
  static func corrected(_ mentions: [String]?, in lines: [String]) throws(Uncorrectable) -> [String]? {
    guard let mentions else { return nil }
    var corrected: [String] = []
    for text in mentions {
      let isThere = lines.contains { $0.contains(text) }
      let text = isThere ? text : try nearest(to: text, of: lines.filter { !$0.isEmpty }.uniqued())
      if isThere || !corrected.contains(text) { corrected.append(text) }
    }
    return ListChange(from: mentions, to: corrected).items
  }

  private static func nearest(to text: String, of lines: [String]) throws(Uncorrectable) -> String {
    if let only = lines.first, lines.count == 1 { return only }
    func words(_ text: String) -> Set<String> {
      Set(text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }
    let wanted = words(text)
    let common = lines.map { words($0).intersection(wanted).count }
    let most = common.max() ?? 0
    let found = zip(lines, common).filter { $0.1 == most }.map(\.0)
    guard let line = found.first, most > 0, found.count == 1 else {
      throw Uncorrectable(lines.isEmpty ? "the screen shows no text" : "several lines could be meant")
    }
    return line
  }
}
