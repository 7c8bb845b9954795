import DigitalCredentials
import JSON
import LocatedYAML
import Primitives
import ScenarioLanguage

/// A verifier under test: the addresses that a page calls, and what its answers look like.
public struct VerifierTarget: Sendable {
  /// The name in reports.
  public var name: String
  /// The origin of the page, as its browser states it.
  public var origin: Origin
  /// The call that begins a session. Its answer has the options of `navigator.credentials.get`.
  public var begin: Call
  /// The place of the options in the answer; nil to look for them.
  public var options: JSONPointer?
  /// The values of the answer that later calls can name; nil for every text and number of its top level.
  public var captures: [Named<JSONPointer>]?
  /// The call that hands in the credential.
  public var submit: Call
  /// The pattern of an accepting answer.
  public var accepted: AnswerPattern
  /// The pattern of a refusing answer; nil for every other one with a status from 200 to 499.
  public var refused: AnswerPattern?
  /// The place of the server's reason in a refusing answer. It is printed, and decides nothing.
  public var reason: JSONPointer?
  /// The person's view in the end; nil if only the answer to the credential counts.
  public var shown: Shown?
  /// The bounds of each call.
  public var limits: Limits
  /// A call of the server.
  public struct Call: Sendable {
    /// The method, for example `POST`.
    public var method: String
    /// The address, with names of values such as `$session`.
    public var address: String
    /// Headers of the call.
    public var headers: [Named<String>] = []
    /// The body; nil for none, and for the credential with every captured value in ``submit``.
    public var body: JSONTemplate?
  }

  /// The person's view in the end.
  public struct Shown: Sendable {
    /// The call that asks for it.
    public var call: Call
    /// The pattern of its answer after acceptance.
    public var verified: AnswerPattern
    /// The longest time until it looks so.
    public var within: Duration
  }

  /// The bounds of each call.
  public struct Limits: Sendable {
    /// Calls at the same time.
    public var parallel = 4
    /// The longest time of a call.
    public var timeout = Duration.seconds(10)
    /// The longest answer, in bytes.
    public var answer = 1 << 20
  }
}

extension VerifierTarget {
  /// Reads a target from its file.
  ///
  /// - Parameter environment: the variables that a text names with `$` and capital letters.
  /// - Returns: the target, or nil when a problem was reported.
  public static func read(
    _ path: String, environment: [String: String], _ problems: ProblemCollector
  ) -> VerifierTarget? {
    guard let root = SourceNode.read(path, problems) else { return nil }
    return TargetReader(environment: environment, problems: problems).target(root)
  }

  /// Reads a target from text in memory.
  public static func read(
    _ file: SourceFile, environment: [String: String] = [:], _ problems: ProblemCollector
  ) -> VerifierTarget? {
    guard let root = SourceNode.parse(file, problems) else { return nil }
    return TargetReader(environment: environment, problems: problems).target(root)
  }
}

/// Reads target files.
private struct TargetReader {
  let environment: [String: String]
  let problems: ProblemCollector

  private static let keys = [
    "target", "origin", "begin", "options", "submit", "accepted", "refused", "reason", "shown", "limits",
  ]
  private static let callKeys = ["call", "headers", "body"]

  func target(_ root: SourceNode) -> VerifierTarget? {
    guard let entries = root.entries(known: Self.keys, problems) else { return nil }
    func required<Value>(_ key: String, _ read: (SourceNode) throws -> Value?) -> Value? {
      guard let entry = entries[key] else {
        problems.report(root.missing(key))
        return nil
      }
      return problems.attempt(entry.value, read)
    }
    func optional<Value>(_ key: String, _ read: (SourceNode) throws -> Value?) -> Value? {
      entries[key].flatMap { problems.attempt($0.value, read) }
    }
    let begin = required("begin") { try call($0, capturing: true) }
    let submit = required("submit") { try call($0, capturing: false) }
    let origin = required("origin", self.origin)
    let target = VerifierTarget(
      name: optional("target") { try $0.string() } ?? origin?.serialized ?? "", origin: origin ?? .opaque(),
      begin: begin?.call ?? VerifierTarget.Call(method: "", address: ""), options: optional("options", pointer),
      captures: begin?.captures, submit: submit?.call ?? VerifierTarget.Call(method: "", address: ""),
      accepted: optional("accepted", pattern) ?? .success, refused: optional("refused", pattern),
      reason: optional("reason", pointer), shown: optional("shown", shown),
      limits: optional("limits", limits) ?? VerifierTarget.Limits())
    return problems.isEmpty ? target : nil
  }

  private func origin(_ node: SourceNode) throws -> Origin? {
    do {
      return try Origin(serialized: try node.string())
    } catch let error as OriginError {
      throw SourceProblem(.unreadableValue, error.message, at: node.position)
    }
  }

  private func pointer(_ node: SourceNode) throws -> JSONPointer? {
    let text = try node.string()
    guard let pointer = JSONPointer(text) else {
      throw SourceProblem(
        .unreadableValue, "not a JSON pointer (RFC 6901): \(SourceText.quote(text))", at: node.position,
        hint: "it begins with a slash, as in /session/id")
    }
    return pointer
  }

  /// A method and an address in one text, or a mapping.
  private func call(
    _ node: SourceNode, capturing: Bool
  ) throws -> (call: VerifierTarget.Call, captures: [Named<JSONPointer>]?)? {
    guard case .mapping = node.content else { return (try line(node), nil) }
    let keys = Self.callKeys + (capturing ? ["capture"] : [])
    guard let entries = node.entries(known: keys, problems) else { return nil }
    guard let entry = entries["call"] else { throw node.missing("call") }
    guard var call = problems.attempt(entry.value, line) else { return nil }
    call.headers =
      entries["headers"].flatMap { entry in
        entry.value.eachEntry(problems) { name, value in
          guard name.value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }) else {
            throw SourceProblem(.unreadableValue, "not the name of a header", at: name.position)
          }
          return Named(name.value, try text(value))
        }
      } ?? []
    call.body = try entries["body"].map { try template($0.value) }
    let captures = entries["capture"].flatMap { entry in
      entry.value.eachEntry(problems) { name, value in try pointer(value).map { Named(name.value, $0) } }
    }
    return (call, captures)
  }

  private func line(_ node: SourceNode) throws -> VerifierTarget.Call {
    let text = try text(node)
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2, words[0].allSatisfy({ $0.isASCII && $0.isUppercase }), isAddress(words[1]) else {
      throw SourceProblem(
        .unreadableValue, "expected a method and an address, found \(SourceText.quote(text))", at: node.position,
        hint: "for example: POST http://localhost:9000/request")
    }
    return VerifierTarget.Call(method: words[0], address: words[1])
  }

  private func isAddress(_ text: String) -> Bool {
    WebAddress(text) != nil && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }

  /// A text in which names in capital letters are replaced by variables of the environment.
  private func text(_ node: SourceNode) throws -> String {
    var missing: String?
    let text = TemplateText.replacing(try node.string()) { name in
      guard name.allSatisfy({ $0.isUppercase || $0.isNumber || $0 == "_" }) else { return nil }
      if environment[name] == nil { missing = missing ?? name }
      return environment[name]
    }
    if let missing {
      throw SourceProblem(
        .unreadableValue, "the environment has no variable \(SourceText.quote(missing))", at: node.position)
    }
    return text
  }

  private func template(_ node: SourceNode) throws -> JSONTemplate {
    switch node.content {
    case .sequence(let items): return .array(try items.map(template))
    case .mapping(let entries): return .object(try entries.map { Named($0.key.value, try template($0.value)) })
    case .scalar(let scalar):
      switch scalar.value {
      case .null: return .plain("null")
      case .boolean(let value): return .plain(value ? "true" : "false")
      case .integer, .number:
        guard (try? JSONReader.read(Array(scalar.text.utf8))) != nil else { return .text(scalar.text) }
        return .plain(scalar.text)
      case .text: return .text(try text(node))
      }
    }
  }

  private static let patternKeys = ["status", "json", "is", "exists", "text"]

  private func pattern(_ node: SourceNode) throws -> AnswerPattern? {
    guard let entries = node.entries(known: Self.patternKeys, problems) else { return nil }
    var pattern = AnswerPattern()
    if let entry = entries["status"] { pattern.status = try statuses(entry.value) }
    if let entry = entries["json"] {
      guard let pointer = try pointer(entry.value) else { return nil }
      if let value = entries["is"] {
        pattern.value = (pointer, .equals(try scalar(value.value)))
      } else {
        let exists = try entries["exists"]?.value.boolean() ?? true
        pattern.value = (pointer, exists ? .exists : .missing)
      }
    } else if let other = entries["is"] ?? entries["exists"] {
      throw SourceProblem(
        .missingKey, "the key \(SourceText.quote(other.key.value)) is about a value that 'json' names",
        at: other.key.position)
    }
    if let entry = entries["text"] { pattern.text = try entry.value.string() }
    guard pattern.status != nil || pattern.value != nil || pattern.text != nil else {
      throw SourceProblem(
        .missingKey, "the pattern says nothing, so every answer has it", at: node.position,
        hint: "one of " + NearestName.list(["status", "json", "text"]))
    }
    return pattern
  }

  private func scalar(_ node: SourceNode) throws -> JSONValue {
    switch node.scalar?.value {
    case .null: return .null
    case .boolean(let value): return .boolean(value)
    case .text(let text): return .string(text)
    case .integer, .number:
      guard let text = node.scalar?.text, let number = try? JSONReader.read(Array(text.utf8)) else { break }
      return number
    case nil: break
    }
    throw node.wrongType("a text, a number, true, false or null")
  }

  /// A status, or a list of them.
  private func statuses(_ node: SourceNode) throws -> Set<Int> {
    guard case .sequence(let items) = node.content else { return [try node.integer(in: 100...599)] }
    return Set(try items.map { try $0.integer(in: 100...599) })
  }

  private static let longestWait = Duration.seconds(60)

  private func shown(_ node: SourceNode) throws -> VerifierTarget.Shown? {
    guard let entries = node.entries(known: ["call", "verified", "within"], problems) else { return nil }
    guard let callEntry = entries["call"] else { throw node.missing("call") }
    guard let verified = entries["verified"] else { throw node.missing("verified") }
    guard let call = try call(callEntry.value, capturing: false)?.call, let pattern = try pattern(verified.value) else {
      return nil
    }
    let within = try entries["within"]?.value.duration(in: .zero...Self.longestWait) ?? .zero
    return VerifierTarget.Shown(call: call, verified: pattern, within: within)
  }

  private static let longestAnswer = 64 << 20

  private func limits(_ node: SourceNode) throws -> VerifierTarget.Limits? {
    guard let entries = node.entries(known: ["parallel", "timeout", "answer"], problems) else { return nil }
    var limits = VerifierTarget.Limits()
    if let entry = entries["parallel"] { limits.parallel = try entry.value.integer(in: 1...64) }
    if let entry = entries["timeout"] {
      limits.timeout = try entry.value.duration(in: .milliseconds(100)...Self.longestWait)
    }
    if let entry = entries["answer"] { limits.answer = try entry.value.integer(in: 1...Self.longestAnswer) }
    return limits
  }
}
