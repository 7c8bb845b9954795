import Primitives

/// A YAML value without positions, for programs that write YAML or change a tree.
public enum YAMLValue: Sendable, Hashable {
  /// Text, whatever it looks like.
  case text(String)
  /// A number, `true`, `false` or `null`, written as it is.
  case plain(String)
  /// A list.
  case list([YAMLValue])
  /// A mapping, in the order in which it is written.
  case mapping([Entry])

  /// A key and its value.
  public struct Entry: Sendable, Hashable {
    /// The key.
    public var key: String
    /// The value.
    public var value: YAMLValue

    /// Creates an entry.
    public init(_ key: String, _ value: YAMLValue) {
      self.key = key
      self.value = value
    }
  }

  /// Creates a number.
  public static func number(_ value: Int) -> YAMLValue { .plain(String(value)) }

  /// Creates a truth value.
  public static func boolean(_ value: Bool) -> YAMLValue { .plain(value ? "true" : "false") }

  /// The null of YAML.
  public static let null = YAMLValue.plain("null")

  /// A mapping of the keys that have a value.
  package static func mapping(present entries: KeyValuePairs<String, YAMLValue?>) -> YAMLValue {
    .mapping(entries.compactMap { key, value in value.map { Entry(key, $0) } })
  }

  /// A mapping of one key.
  public static func one(_ key: String, _ value: YAMLValue) -> YAMLValue { .mapping([Entry(key, value)]) }
}

extension YAMLValue {
  /// The value as YAML in lines of their own, each with `indentation` spaces before it, which reads as the same value.
  public func block(indentation: Int = 0) -> String {
    let margin = String(repeating: " ", count: indentation)
    switch self {
    case .text, .plain, .list([]), .mapping([]): return margin + flow + "\n"
    case .list(let items):
      return items.map { item in
        let text = item.block(indentation: indentation + 2)
        return margin + "- " + text.dropFirst(indentation + 2)
      }.joined()
    case .mapping(let entries):
      return entries.map { entry in
        let key = margin + Self.written(entry.key) + ":"
        return entry.value.isNested
          ? key + "\n" + entry.value.block(indentation: indentation + 2) : key + " " + entry.value.flow + "\n"
      }.joined()
    }
  }

  /// The value as YAML in one line, which reads as the same value.
  public var flow: String {
    switch self {
    case .text(let text): Self.written(text)
    case .plain(let text): text
    case .list(let items): "[" + items.map(\.flow).joined(separator: ", ") + "]"
    case .mapping([]): "{}"
    case .mapping(let entries):
      "{ " + entries.map { "\(Self.written($0.key)): \($0.value.flow)" }.joined(separator: ", ") + " }"
    }
  }

  private var isNested: Bool {
    switch self {
    case .text, .plain: false
    case .list(let items): !items.isEmpty
    case .mapping(let entries): !entries.isEmpty
    }
  }

  /// Text as YAML in one line: bare where it is unambiguous, in double quotes otherwise.
  private static func written(_ text: String) -> String {
    let isWord = text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_-./".utf8.contains($0) }
    let startsAsWord = text.utf8.first.map { $0 >= UInt8(ascii: "A") && $0 != UInt8(ascii: "_") } ?? false
    if isWord, startsAsWord, case .text = CoreSchema.value(of: text) { return text }
    return quoted(text)
  }

  /// Text as YAML in double quotes, in one line.
  static func quoted(_ text: String) -> String { "\"" + text.unicodeScalars.map(escaped).joined() + "\"" }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "\n": return "\\n"
    case "\t": return "\\t"
    case "\r": return "\\r"
    default:
      // Line ends and invisible characters are written as escapes.
      let isPlain = scalar.value >= 0x20 && !(0x7f...0xa0).contains(scalar.value) && scalar.value < 0x2028
      guard !isPlain else { return String(scalar) }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
    }
  }
}

extension SourceNode {
  /// The value without its positions.
  public var value: YAMLValue {
    switch content {
    case .scalar(let scalar):
      if case .text(let text) = scalar.value { .text(text) } else { .plain(scalar.text.isEmpty ? "null" : scalar.text) }
    case .sequence(let items): .list(items.map(\.value))
    case .mapping(let entries): .mapping(entries.map { YAMLValue.Entry($0.key.value, $0.value.value) })
    }
  }

  /// Creates a tree of a value, every part of it at one position.
  public init(writing value: YAMLValue, at position: SourcePosition) {
    let content: Content =
      switch value {
      case .text(let text): .scalar(SourceScalar(text, style: .quoted))
      case .plain(let text): .scalar(SourceScalar(text))
      case .list(let items): .sequence(items.map { SourceNode(writing: $0, at: position) })
      case .mapping(let entries):
        .mapping(
          entries.map { Entry(key: Located($0.key, at: position), value: SourceNode(writing: $0.value, at: position)) })
      }
    self.init(content, at: position)
  }
}

extension YAMLValue {
  /// Reads a value from YAML or JSON.
  /// - Throws: ``SourceProblem``, the first problem.
  public init(parsing text: String) throws(SourceProblem) {
    let problems = ProblemCollector()
    let node = SourceNode.parse(try SourceFile(path: "value", text: text), problems)
    if let problem = problems.problems.first { throw problem }
    guard let node else { throw .empty(path: "value", "the text has no value") }
    self = node.value
  }
}
