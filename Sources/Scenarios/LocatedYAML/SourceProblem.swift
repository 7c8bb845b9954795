import Primitives
import Synchronization

/// A problem in a file, with its position. Its texts are safe to print as `rendered()` or `description`.
public struct SourceProblem: CodedError, Hashable {
  /// The kind of problem.
  public let code: Code
  /// The problem as a message without its full stop.
  public let message: String
  /// The file, as it was named.
  public let path: String
  /// The token it is about; nil when it is about the file as a whole.
  public let position: SourcePosition?
  /// The likely intended text, to be written in place of the token.
  public let suggestion: String?
  /// Advice printed under the token when the problem has no suggestion.
  public let hint: String?
  /// The uses of the file, or of the part of a file, with the problem, if others share it.
  public private(set) var uses: [String] = []

  /// A problem with a token.
  public init(
    _ code: Code, _ message: String, at position: SourcePosition, suggestion: String? = nil, hint: String? = nil
  ) {
    self.code = code
    self.message = message
    self.path = position.file.path
    self.position = position
    self.suggestion = suggestion
    self.hint = hint
  }

  /// A problem with a whole file.
  public init(_ code: Code, _ message: String, path: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.path = path
    self.position = nil
    self.suggestion = nil
    self.hint = hint
  }

  /// The problem without its uses, by which the same problem is recognized in another reading.
  var withoutUses: SourceProblem {
    var problem = self
    problem.uses = []
    return problem
  }

  /// The problem with further uses.
  public func used(_ uses: [String]) -> SourceProblem {
    var problem = self
    for use in uses where !problem.uses.contains(use) { problem.uses.append(use) }
    return problem
  }

  /// The lines below the token: each use, or the first ones and the number of the others.
  private var notes: [String] {
    let rest = uses.count - SourceLimits.listedUses
    return uses.prefix(SourceLimits.listedUses) + (rest > 0 ? ["and \(rest) more"] : [])
  }

  /// The suggestion as a question, or the hint.
  public var advice: String? {
    guard let suggestion else { return hint }
    return "did you mean \(SourceText.quote(suggestion))?"
  }

  /// The problem with the line it is about and a caret under the token, without a line end after the last line.
  public func rendered() -> String {
    guard let position else {
      let heading = SourceExcerpt.heading(place: path, headline: message, code: code.rawValue)
      return ([heading] + ((hint.map { [$0] } ?? []) + notes).map { "   " + SourceText.visible($0) })
        .joined(separator: "\n")
    }
    return SourceExcerpt.render(
      position: position, headline: message, code: code.rawValue, caretNote: advice, notes: notes)
  }
}

extension SourceProblem {
  /// The position in the file, or the file.
  public var location: String? { position?.description ?? path }

  /// `path:line:column: message; advice [code]`, on one line.
  public var description: String {
    SourceText.visible("\(location ?? ""): \(message)\(advice.map { "; " + $0 } ?? "") [\(code)]")
  }
}

extension SourceProblem {
  static func tooLarge(path: String) -> SourceProblem {
    SourceProblem(.tooLarge, "larger than a scenario file may be, \(SourceLimits.bytes) bytes", path: path)
  }

  static func tooDeep(at position: SourcePosition) -> SourceProblem {
    SourceProblem(.tooDeep, "lists and mappings nest deeper than \(SourceLimits.depth)", at: position)
  }

  /// The problem of a file without content.
  public static func empty(path: String, _ message: String) -> SourceProblem {
    SourceProblem(.empty, message, path: path)
  }
}

extension SourceProblem {
  /// A stable name of a kind of problem: a family, a dot, and the kind, as in `source.not-found`.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let rawValue: String

    /// Creates a code. Layers above the reading of files add their own, in families of their own.
    public init(rawValue: String) { self.rawValue = rawValue }

    init(_ rawValue: String) { self.rawValue = rawValue }

    /// The part before the first dot.
    public var family: String { String(rawValue.prefix { $0 != "." }) }

    /// The name.
    public var description: String { rawValue }
  }
}

extension SourceProblem.Code {
  /// No file has this path.
  public static let notFound = Self("source.not-found")
  /// The path names a folder, a device, a pipe or a socket.
  public static let notAFile = Self("source.not-a-file")
  /// The system does not allow reading the file.
  public static let notReadable = Self("source.not-readable")
  /// The file cannot be written.
  public static let notWritable = Self("source.not-writable")
  /// The file is larger than `SourceLimits.bytes`.
  public static let tooLarge = Self("source.too-large")
  /// The file holds nothing, or nothing but blank lines and comments.
  public static let empty = Self("source.empty")
  /// The bytes are not UTF-8.
  public static let notUTF8 = Self("source.not-utf8")
  /// The file has a character that YAML allows only as an escape.
  public static let controlCharacter = Self("source.control-character")
  /// The text is not YAML.
  public static let notYAML = Self("source.not-yaml")
  /// A line begins with `%`.
  public static let directive = Self("source.directive")
  /// The file holds a second document.
  public static let severalDocuments = Self("source.several-documents")
  /// Lists and mappings nest deeper than `SourceLimits.depth`.
  public static let tooDeep = Self("source.too-deep")
  /// The file has more than `SourceLimits.nodes` nodes.
  public static let tooManyNodes = Self("source.too-many-nodes")
  /// Written out, aliases go past `SourceLimits.nodes`, `SourceLimits.bytes` or `SourceLimits.depth`.
  public static let aliasExpansion = Self("source.alias-expansion")
  /// An alias names no anchor written before it.
  public static let unknownAlias = Self("source.unknown-alias")
  /// A value carries a tag.
  public static let tag = Self("source.tag")
  /// A mapping has the same key twice.
  public static let duplicateKey = Self("source.duplicate-key")
  /// A mapping has the merge key `<<`.
  public static let mergeKey = Self("source.merge-key")
  /// A key is a list, a mapping, an alias, or nothing.
  public static let keyNotText = Self("source.key-not-text")
  /// A value is of another kind than the one that belongs there.
  public static let wrongType = Self("source.wrong-type")
  /// A number or a duration is outside its range.
  public static let outOfRange = Self("source.out-of-range")
  /// A date is not written as RFC 3339 in UTC, or is not in the calendar.
  public static let badDate = Self("source.bad-date")
  /// A duration is not a whole number and a unit.
  public static let badDuration = Self("source.bad-duration")
  /// A value is not one of the names that belong there.
  public static let unknownName = Self("source.unknown-name")
  /// A mapping has a key that does not belong there.
  public static let unknownKey = Self("source.unknown-key")
  /// A mapping lacks a key that it must have.
  public static let missingKey = Self("source.missing-key")
  /// A mapping that must have exactly one key has none or several.
  public static let notOneKey = Self("source.not-one-key")

  /// A value was refused for a reason of its reader's own.
  public static let unreadableValue = Self("source.unreadable-value")

  /// Every code of the family `source`, in the order in which reading a file can meet them.
  public static let source: [Self] = [
    notFound, notAFile, notReadable, notWritable, tooLarge, empty, notUTF8, controlCharacter, notYAML, directive,
    severalDocuments,
    tooDeep, tooManyNodes, aliasExpansion, unknownAlias, tag, duplicateKey, mergeKey, keyNotText, wrongType, outOfRange,
    badDate, badDuration, unknownName, unknownKey, missingKey, notOneKey,
    unreadableValue,
  ]
}

/// Gathers the problems of one reading, so that a person sees all of them and not just the first.
///
/// It keeps the first problems up to its limit, and counts the rest. The same problem at the same place, met
/// twice through an alias, is kept once.
public final class ProblemCollector: Sendable {
  private struct Kept {
    var problems: [SourceProblem] = []
    /// The places of problems in the list.
    var places: [SourceProblem: Int] = [:]
    var omitted = 0
  }

  private let kept = Mutex(Kept())
  private let limit: Int

  /// A collector that holds nothing.
  ///
  /// - Parameter limit: The most problems that it keeps.
  public init(limit: Int = SourceLimits.problems) { self.limit = limit }

  /// Takes the problems of another reading. A problem that is known gets its further uses.
  ///
  /// - Parameter uses: Where the other reading was about.
  public func absorb(_ other: ProblemCollector, used uses: (SourceProblem) -> [String] = { _ in [] }) {
    for problem in other.problems { report(problem.used(uses(problem))) }
    kept.withLock { $0.omitted += other.omitted }
  }

  /// Leaves each problem of several readings with the first of them that has it, with the uses of all.
  public static func merged(_ readings: [ProblemCollector]) -> [ProblemCollector] {
    let all = ProblemCollector(limit: SourceLimits.problemsOfRun)
    for reading in readings { all.absorb(reading) }
    let whole = Dictionary(all.problems.map { ($0.withoutUses, $0) }) { first, _ in first }
    var reported: Set<SourceProblem> = []
    return readings.map { reading in
      let rest = ProblemCollector()
      for problem in reading.problems where reported.insert(problem.withoutUses).inserted {
        rest.report(whole[problem.withoutUses] ?? problem)
      }
      rest.kept.withLock { $0.omitted = reading.omitted }
      return rest
    }
  }

  /// Keeps a problem. Once the collector is full it is only counted, and not even made.
  public func report(_ problem: @autoclosure () -> SourceProblem) {
    guard !isFull else { return kept.withLock { $0.omitted += 1 } }
    let problem = problem()
    kept.withLock { kept in
      if let place = kept.places[problem.withoutUses] {
        kept.problems[place] = kept.problems[place].used(problem.uses)
      } else {
        kept.places[problem.withoutUses] = kept.problems.count
        kept.problems.append(problem)
      }
    }
  }

  /// The value that `read` returns; nil, with the problem kept, when it throws. Any other error becomes
  /// `source.unreadable-value` at the value's place.
  ///
  /// `read` returns nil when it has reported why itself.
  public func attempt<Value>(_ node: SourceNode, _ read: (SourceNode) throws -> Value?) -> Value? {
    do {
      return try read(node)
    } catch let problem as SourceProblem {
      report(problem)
    } catch {
      report(SourceProblem(.unreadableValue, SourceText.visible("\(error)"), at: node.position))
    }
    return nil
  }

  /// The value that `read` returns; nil, with the problem kept, when it throws.
  package func attempt<Value>(_ read: () throws(SourceProblem) -> Value?) -> Value? {
    do {
      return try read()
    } catch {
      report(error)
      return nil
    }
  }

  /// The problems kept, by path, line and column; those of a whole file come before those of its lines.
  public var problems: [SourceProblem] {
    kept.withLock { $0.problems }.enumerated().sorted { Self.precedes($0, $1) }.map(\.element)
  }

  /// True if the collector has no problem.
  public var isEmpty: Bool { kept.withLock { $0.problems.isEmpty } }

  /// True if an alias names nothing: the value that it was meant to be seems missing.
  public var hasUnknownAlias: Bool { kept.withLock { $0.problems.contains { $0.code == .unknownAlias } } }

  /// The number of problems, with those that were not kept.
  public var count: Int { kept.withLock { $0.problems.count + $0.omitted } }

  /// The number of problems that were reported after the collector was full.
  public var omitted: Int { kept.withLock { $0.omitted } }

  /// Every problem as `SourceProblem.rendered()` shows it, with a blank line between two, and how many were left out.
  public func rendered() -> String {
    var parts = problems.map { $0.rendered() }
    if omitted > 0 { parts.append("and \(omitted) more") }
    return parts.joined(separator: "\n\n")
  }

  private var isFull: Bool { kept.withLock { $0.problems.count >= limit } }

  private typealias Numbered = (offset: Int, element: SourceProblem)

  private static func precedes(_ first: Numbered, _ second: Numbered) -> Bool {
    func place(_ numbered: Numbered) -> (String, Int, Int, Int) {
      let position = numbered.element.position
      return (numbered.element.path, position?.line ?? 0, position?.column ?? 0, numbered.offset)
    }
    return place(first) < place(second)
  }
}
