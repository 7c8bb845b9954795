import JSON

/// A pattern of a server's answers: every part that is given must hold.
public struct AnswerPattern: Sendable {
  /// The status.
  public var status: Set<Int>?
  /// A value of the JSON body.
  package var value: (place: JSONPointer, condition: Condition)?
  /// A text in the body.
  public var text: String?

  /// A condition of a value.
  package enum Condition: Sendable {
    case equals(JSONValue)
    case exists
    case missing
  }

  /// An answer with any status of success.
  public static let success = AnswerPattern(status: Set(200...299))

  /// Returns whether an answer looks so.
  func matches(_ answer: HTTPAnswer) -> Bool {
    if let status, !status.contains(answer.status) { return false }
    if let text, !answer.text.contains(text) { return false }
    guard let (place, condition) = value else { return true }
    let found = answer.json.flatMap(place.value)
    switch condition {
    case .equals(let expected): return found == expected
    case .exists: return found != nil && found != .null
    case .missing: return answer.json != nil && (found == nil || found == .null)
    }
  }
}
