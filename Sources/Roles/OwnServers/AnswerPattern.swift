import JSON

/// A pattern of a server's answers: every part that is given must hold.
public struct AnswerPattern: Sendable {
  /// The status, one of these in ascending order.
  public var status: [Int]?
  /// A value of the JSON body.
  package var value: (place: JSONPointer, condition: Condition)?
  /// A text in the body.
  public var text: String?

  /// Creates a pattern that says nothing.
  public init() {}

  /// A condition of a value.
  package enum Condition: Sendable {
    case equals(JSONValue)
    case exists
    case missing
  }

  /// An answer with any status of success.
  public static let success = {
    var pattern = AnswerPattern()
    pattern.status = Array(200...299)
    return pattern
  }()

  /// Returns whether an answer looks so.
  package func matches(_ answer: HTTPAnswer) -> Bool {
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
