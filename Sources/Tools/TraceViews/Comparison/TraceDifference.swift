import Inspection
import JSON
import Messaging

/// The first difference of two traces: its line, its field, its byte, and its cause.
public struct TraceDifference: Sendable {
  /// The causes of differences.
  public enum Cause: String, Sendable, CaseIterable {
    /// Only times differ.
    case time
    /// Keys, nonces, signatures or identifiers differ, which the seed decides.
    case draw
    /// The same events come in another order.
    case order
    /// Something else differs.
    case content
  }

  /// A difference of two lines at the same place.
  public struct Place: Sendable {
    /// The lines, from 1; nil for a trace that has ended.
    public var lines: (left: Int?, right: Int?)
    /// The cause at this place.
    public var cause: Cause
    /// The event in words.
    public var event: String
    /// The field of the line, or of the content of a message.
    public var field: String
    /// The first byte of the message that differs, and the place in the content that it encodes; nil for other fields.
    public var byte: String?
    /// The values.
    public var values: (left: String, right: String)
  }

  /// The cause of the difference as a whole: the gravest of all places.
  public let cause: Cause
  /// The first difference.
  public let first: Place
  /// The first difference with the gravest cause; nil if it is the first.
  public let gravest: Place?

  /// Finds the first difference of two traces; nil for equal ones.
  public init?(_ left: [JournalEntry], _ right: [JournalEntry]) {
    var first: Place?
    var gravest: Place?
    for position in 0..<max(left.count, right.count) {
      let pair = LinePair(
        left: position < left.count ? left[position] : nil, right: position < right.count ? right[position] : nil)
      guard let cause = pair.cause else { continue }
      if gravest.map({ $0.cause < cause }) ?? true {
        let place = pair.place(cause)
        if first == nil { first = place }
        gravest = place
      }
      if cause == .content { break }
    }
    guard var first, var gravest else { return nil }
    if gravest.cause == .content, left.count == right.count, Self.shapes(left) == Self.shapes(right) {
      if first.lines.left == gravest.lines.left { first.cause = .order }
      gravest.cause = .order
    }
    self.first = first
    self.gravest = first.lines.left == gravest.lines.left ? nil : gravest
    cause = gravest.cause
  }

  /// The events without times, draws and numbers, and how often each occurs.
  private static func shapes(_ entries: [JournalEntry]) -> [String: Int] {
    var counts: [String: Int] = [:]
    for entry in entries { counts[LineContent(entry).text(without: [.times, .draws]), default: 0] += 1 }
    return counts
  }

  /// The difference as lines of text.
  /// - Parameter names: The names of the traces.
  public func description(_ names: (left: String, right: String)) -> String {
    var lines = ["\(names.left) and \(names.right) differ: \(cause.words)"]
    lines += first.description
    if let gravest { lines += ["first difference in \(gravest.cause.rawValue):"] + gravest.description }
    return lines.joined(separator: "\n")
  }
}

extension TraceDifference.Cause: Comparable {
  /// The cause in words.
  public var words: String {
    switch self {
    case .time: "time (only times differ)"
    case .draw: "draw (keys, nonces or identifiers differ)"
    case .order: "order (the same events in another order)"
    case .content: "content"
    }
  }

  /// Orders causes by their weight.
  public static func < (left: Self, right: Self) -> Bool {
    allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
  }
}

extension TraceDifference.Place {
  /// The place as lines of text.
  var description: [String] {
    let number =
      lines.left == lines.right
      ? "line \(lines.left ?? 0)"
      : "line \(lines.left.map(String.init) ?? "none") / \(lines.right.map(String.init) ?? "none")"
    return [
      "\(number): \(event)", "  \(field)\(byte.map { ", \($0)" } ?? "")", "    < \(values.left)",
      "    > \(values.right)",
    ]
  }
}
