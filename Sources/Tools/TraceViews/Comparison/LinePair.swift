import Inspection
import JSON
import Messaging
import Primitives

/// Two lines at the same place of two traces.
struct LinePair {
  let left: JournalEntry?
  let right: JournalEntry?

  /// The cause of the difference of the lines; nil for equal lines.
  var cause: TraceDifference.Cause? {
    guard let left, let right else { return .content }
    if left == right { return nil }
    if left.party == right.party, left.event == right.event { return .time }
    guard left.party == right.party, left.event.kind == right.event.kind else { return .content }
    // The numbers and the recipient of a message are neither times nor draws.
    guard left.event.message?.header == right.event.message?.header else { return .content }
    let (one, other) = (LineContent(left), LineContent(right))
    if one.isSame(as: other, without: .times) { return .time }
    return one.isSame(as: other, without: [.times, .draws]) ? .draw : .content
  }

  /// The place of the difference.
  func place(_ cause: TraceDifference.Cause) -> TraceDifference.Place {
    let event = [left, right].compactMap { $0.map(Self.words) }
    var place = TraceDifference.Place(
      lines: (left?.number, right?.number), cause: cause,
      event: event.count == 2 && event[0] != event[1] ? "\(event[0]) / \(event[1])" : event.first ?? "", field: "line",
      byte: nil,
      values: (left == nil ? "the trace has ended" : event[0], right == nil ? "the trace has ended" : event.last ?? ""))
    guard let left, let right else { return place }
    if let found = Self.difference(of: left, and: right) {
      place.field = found.path
      place.values = (found.left, found.right)
    }
    if place.field == "message.bytes", let one = left.event.message, let other = right.event.message {
      place.describe(ByteDifference(one, other))
    }
    return place
  }

  private static func words(_ entry: JournalEntry) -> String {
    if let message = entry.event.message {
      return "message \(message.number), \(TerminalSafe.text(message.sender.description)) to "
        + "\(TerminalSafe.text(message.recipient.description)), \"\(message.kind.rawValue)\""
    }
    let parts = [entry.event.kind.rawValue, entry.event.code, entry.event.outcome].compactMap(\.self)
    return TerminalSafe.text("\(entry.party): \(parts.joined(separator: " "))")
  }

  /// The first member of the lines that differs, in their order of meaning: the event before the time.
  private static func difference(
    of left: JournalEntry, and right: JournalEntry
  ) -> (path: String, left: String, right: String)? {
    let texts = [left, right].map { try? JSONReader.read(JSONCoding.encode($0), maximumDepth: JSONReader.maximumDepth) }
    guard case .object(let one)? = texts[0], case .object(let other)? = texts[1] else { return nil }
    let last = ["time", "line"]
    func arranged(_ members: [JSONValue.Member]) -> JSONValue {
      .object(members.filter { !last.contains($0.name) } + members.filter { $0.name == "time" })
    }
    return difference(arranged(one), arranged(other), "")
  }

  private static func difference(
    _ left: JSONValue?, _ right: JSONValue?, _ path: String
  ) -> (path: String, left: String, right: String)? {
    switch (left, right) {
    case (.object(let one)?, .object(let other)?):
      let names = one.map(\.name) + other.map(\.name).filter { name in !one.contains { $0.name == name } }
      for name in names {
        let inner = path.isEmpty ? name : "\(path).\(name)"
        if let found = difference(left?.member(name), right?.member(name), inner) { return found }
      }
      return nil
    case (.array(let one)?, .array(let other)?):
      for position in 0..<max(one.count, other.count) {
        let values = [one, other].map { position < $0.count ? $0[position] : nil }
        if let found = difference(values[0], values[1], "\(path)[\(position)]") { return found }
      }
      return nil
    default: return left == right ? nil : (path, shown(left), shown(right))
    }
  }

  /// The most characters of a value: some lines of a terminal.
  private static let shownCount = 300

  private static func shown(_ value: JSONValue?) -> String {
    guard let value else { return "nothing" }
    let text = value.text ?? String(decoding: value.bytes, as: UTF8.self)
    let safe = TerminalSafe.text(text)
    return safe.count <= shownCount ? safe : safe.prefix(shownCount) + "…"
  }
}

/// The content of a line without its number and time, and without the numbers of messages.
struct LineContent {
  private let head: String
  private let lines: [(level: Int, text: String)]

  init(_ entry: JournalEntry) {
    let event = entry.event
    if let message = event.message {
      head = "\(entry.party) \(message.recipient) \(message.kind.rawValue) \(message.mediaType)"
      lines = Inspector.explanation(of: message).lines.map { ($0.level, $0.text) }
    } else {
      head = "\(entry.party)"
      let parts =
        [event.kind.rawValue, event.code, event.outcome, event.phrase].compactMap(\.self)
        + event.evidence.flatMap(\.named).map { "\($0.name) \($0.value)" }
      lines = [(0, parts.joined(separator: " | "))]
    }
  }

  /// Returns whether two contents are the same without some values.
  func isSame(as other: LineContent, without values: MaskedText.Values) -> Bool {
    head == other.head && lines.count == other.lines.count
      && zip(lines, other.lines).allSatisfy { one, other in
        one.level == other.level
          && (one.text == other.text
            || MaskedText(one.text, without: values) == MaskedText(other.text, without: values))
      }
  }

  /// The content in one text, without some values.
  func text(without values: MaskedText.Values) -> String {
    let masked = lines.map { "\($0.level) \(MaskedText($0.text, without: values).text)" }
    return "\(head)\n\(masked.joined(separator: "\n"))"
  }
}

extension Message {
  /// The recipient, the kind, the type and the numbers.
  fileprivate var header: [String] {
    [recipient.description, kind.rawValue, mediaType, String(number), answers.map(String.init) ?? ""]
  }
}

extension TraceDifference.Place {
  fileprivate mutating func describe(_ difference: ByteDifference) {
    byte = difference.place
    if let field = difference.field { self.field = "message.bytes, \(field)" }
    values = difference.values
  }
}

/// The first differing byte of two messages, in the innermost content that has it.
struct ByteDifference {
  /// The byte in the message, and in the content that it encodes.
  let place: String
  /// The field, as the annotated content names it.
  let field: String?
  /// The annotated lines, or the bytes.
  let values: (left: String, right: String)

  init(_ left: Message, _ right: Message) {
    let one = Inspector.explanation(of: left)
    let other = Inspector.explanation(of: right)
    var source = 0
    var places = [
      "byte \(Self.firstDifference(left.bytes, right.bytes)) of \(left.bytes.count) and \(right.bytes.count)"
    ]
    // Into the content that the differing bytes encode, as long as both messages have it.
    while let inner = one.sources.indices.first(where: { index in
      index > source && one.sources[index].origin?.source == source && other.sources.indices.contains(index)
        && other.sources[index].origin?.source == source && one.sources[index].bytes != other.sources[index].bytes
        && one.sources[index].origin?.range.lowerBound ?? .max
          <= Self.firstDifference(one.sources[source].bytes, other.sources[source].bytes)
    }) {
      source = inner
      let bytes = (one.sources[inner].bytes, other.sources[inner].bytes)
      let encoding = one.sources[inner].origin?.encoding.rawValue ?? ""
      places.append("byte \(Self.firstDifference(bytes.0, bytes.1)) of \(bytes.0.count) in \(encoding)")
    }
    place = places.joined(separator: ", ")
    let bytes = (
      one.sources.indices.contains(source) ? one.sources[source].bytes : left.bytes,
      other.sources.indices.contains(source) ? other.sources[source].bytes : right.bytes
    )
    let byte = Self.firstDifference(bytes.0, bytes.1)
    let lines = (one.line(at: byte, in: source), other.line(at: byte, in: source))
    field = lines.0.map { one.path(to: $0) } ?? lines.1.map { other.path(to: $0) }
    let texts = (lines.0.map { one.lines[$0].text }, lines.1.map { other.lines[$0].text })
    values = (Self.value(texts.0, bytes.0, at: byte), Self.value(texts.1, bytes.1, at: byte))
  }

  private static func firstDifference(_ left: [UInt8], _ right: [UInt8]) -> Int {
    zip(left, right).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(left.count, right.count)
  }

  /// The number of bytes that are shown from the first that differs.
  private static let shownCount = 8

  private static func value(_ text: String?, _ bytes: [UInt8], at byte: Int) -> String {
    let found = bytes.dropFirst(byte).prefix(shownCount)
    let digits = found.isEmpty ? "ended" : hexadecimal(found) + (byte + shownCount < bytes.count ? "…" : "")
    return "\(digits)  \(text ?? "")"
  }
}

extension Explanation {
  /// The index of the innermost line about a byte of a source; nil without one.
  fileprivate func line(at byte: Int, in source: Int) -> Int? {
    lines.indices.filter { lines[$0].source == source && lines[$0].range?.contains(byte) == true }
      .min { lines[$0].range?.count ?? 0 < lines[$1].range?.count ?? 0 }
  }

  /// The names of the lines that contain a line, and its own: what is before their colons.
  fileprivate func path(to index: Int) -> String {
    var names: [Substring] = []
    var level = Int.max
    for line in lines[...index].reversed() where line.level < level {
      level = line.level
      names.append(line.text.prefix { $0 != ":" }.prefix(Self.nameCount))
    }
    return names.reversed().joined(separator: " > ")
  }

  /// The most characters of a name in a path.
  private static let nameCount = 40
}
