import JSON
import OwnServers
import Primitives

/// The target's pointers in the answers of its server.
extension VerifierTarget {
  private func pointer(of use: PointerUse) -> JSONPointer? {
    func place(in pattern: AnswerPattern?) -> JSONPointer? {
      // A pattern of something missing holds where nothing is.
      guard let (place, condition) = pattern?.value else { return nil }
      if case .missing = condition { return nil }
      return place
    }
    return switch use {
    case .accepted: place(in: accepted)
    case .shown: place(in: shown?.verified)
    case .reason: reason
    case .elements: elements
    }
  }

  /// A pointer with its place in the target's file, as the beginning of a message.
  private func located(_ use: PointerUse, _ words: (String) -> String) -> String? {
    pointer(of: use).map { pointer in (pointers[use].map { "\($0): " } ?? "") + words("'\(pointer)'") }
  }

  /// The sentence about a pointer that finds nothing in an answer; nil if it finds something, or the target has none.
  /// - Parameter words: The answer, as the subject of the sentence.
  func nothingFound(by use: PointerUse, in answer: HTTPAnswer, _ words: String) -> String? {
    guard let pointer = pointer(of: use), answer.json.flatMap(pointer.value) == nil else { return nil }
    return located(use) { "\(words) has nothing at \($0), where '\(use.rawValue)' looks" }
  }

  /// The remark about a server whose refusals have no reason where the target looks for it.
  var withoutReason: String? { located(.reason) { "no refusing answer has anything at \($0), where 'reason' looks" } }

  /// A text, a number or a truth value as text; nil for other values.
  private static func plain(_ json: JSONValue) -> String? {
    switch json {
    case .string(let text): text
    case .number, .boolean: String(decoding: json.bytes, as: UTF8.self)
    default: nil
    }
  }

  /// The sentence about elements in an answer that are not as they were sent; nil if each one that is there is, or the target
  /// does not say where they are.
  /// - Parameter sent: The values by the identifiers of their elements.
  func otherValue(in answer: HTTPAnswer, than sent: [String: String]) -> String? {
    guard let elements else { return nil }
    let found = answer.json.flatMap(elements.value)?.namedValues(Self.plain) ?? [:]
    let shown = sent.keys.sorted().filter { found[$0] != nil }
    guard !shown.isEmpty else {
      return located(.elements) { "the server shows no element that was sent at \($0), where 'elements' looks" }
    }
    for name in shown where found[name] != sent[name] {
      return "the server shows \(name) as '\(TerminalSafe.line(found[name] ?? ""))'; '\(sent[name] ?? "")' was sent"
    }
    return nil
  }

  /// Questions to the people of a server that does not accept a genuine answer, which follow from its answer.
  func questions(about answer: HTTPAnswer?) -> [String] {
    let trust = [
      "does it trust the roots that --roots writes, for this seed?",
      "does it verify for the origin \(origin.serialized)?",
    ]
    switch answer?.status {
    case nil: return ["is the address of submit right?", "does the server answer there within the timeout?"]
    case 404?, 405?: return ["is the address of submit right?"]
    case 400?, 415?, 422?: return ["is the body of submit as the server reads it?"] + trust
    case let status? where status >= 500: return ["does the server's log say why?"]
    default: return trust
    }
  }
}
