import DigitalCredentials
import JSON
import LocatedYAML
import OwnServers
import Primitives

extension VerifierTarget {
  /// Reads a target from its file.
  ///
  /// - Parameter environment: The variables that a text names with `$` and capital letters.
  /// - Returns: The target, or nil when a problem was reported.
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
struct TargetReader {
  /// The variables that a text names with `$` and capital letters; nil to leave the names in the text.
  let environment: [String: String]?
  let problems: ProblemCollector

  private static let serverKeys = [
    "begin", "options", "submit", "accepted", "refused", "reason", "shown", "elements", "limits",
  ]
  private static let callKeys = ["call", "headers", "body"]

  /// Reads a target from its file.
  func target(_ root: SourceNode) -> VerifierTarget? {
    guard let entries = root.entries(known: ["target", "origin", "status-lists"] + Self.serverKeys, problems) else {
      return nil
    }
    var target = server(entries, of: root)
    if entries["origin"] == nil { problems.report(root.missing("origin")) }
    let origin = entries["origin"].flatMap { problems.attempt($0.value, self.origin) } ?? Origin.opaque()
    let name = entries["target"].flatMap { entry in problems.attempt(entry.value) { try $0.string() } }
    target?.origin = origin
    target?.statusLists = entries["status-lists"].flatMap { problems.attempt($0.value, statusLists) }
    target?.name = name ?? origin.serialized
    return problems.isEmpty ? target : nil
  }

  /// Reads the server of a website.
  func server(_ root: SourceNode) -> VerifierTarget? {
    guard let entries = root.entries(known: Self.serverKeys, problems) else { return nil }
    var target = server(entries, of: root)
    // A world is the same wherever it is written.
    target?.pointers = [:]
    return target
  }

  private func server(_ entries: SourceNode.Entries, of root: SourceNode) -> VerifierTarget? {
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
    guard let begin, let submit else { return nil }
    var target = VerifierTarget(name: "", origin: .opaque(), begin: begin.call, submit: submit.call)
    target.captures = begin.captures
    target.options = optional("options", pointer)
    if let accepted = optional("accepted", pattern) { target.accepted = accepted }
    target.refused = optional("refused", pattern)
    target.reason = optional("reason", pointer)
    target.shown = optional("shown", shown)
    target.elements = optional("elements", pointer)
    let shownPattern = entries["shown"]?.value["verified"]
    for (use, node) in [
      (PointerUse.accepted, entries["accepted"]?.value["json"]), (.shown, shownPattern?["json"] ?? shownPattern),
      (.reason, entries["reason"]?.value), (.elements, entries["elements"]?.value),
    ] {
      target.pointers[use] = node?.position.description
    }
    if let limits = optional("limits", limits) { target.limits = limits }
    target.names = names(in: entries, captured: begin.captures?.map(\.name))
    return target
  }

  /// The names in texts whose values only the server's answer has; the others are checked here.
  private func names(in entries: SourceNode.Entries, captured: [String]?) -> [NameInText] {
    let calls: [(node: SourceNode?, use: NameInText.Use)] = [
      (entries["begin"]?.value, .begin), (entries["submit"]?.value, .submit),
      (entries["shown"]?.value["call"], .shown),
    ]
    return calls.flatMap { call -> [NameInText] in
      guard let node = call.node else { return [] }
      var texts = [node]
      if case .mapping = node.content { texts = Self.callKeys.compactMap { node[$0] } }
      let found = texts.flatMap(names)
      guard let captured = call.use == .begin ? [] : captured else {
        return found.map { NameInText($0.name, at: $0.position.description, in: call.use) }
      }
      let known = call.use.known(besides: captured)
      for (name, position) in found where !known.contains(name) {
        let list = known.isEmpty ? "nothing" : known.map { "$\($0)" }.joined(separator: ", ")
        problems.report(
          SourceProblem(
            .unknownName, "nothing captures \(SourceText.quote("$\(name)")); known here: \(list)", at: position))
      }
      return []
    }
  }

  /// The names in the texts of a node, except those of variables of the environment.
  private func names(in node: SourceNode) -> [(name: String, position: SourcePosition)] {
    switch node.content {
    case .sequence(let items): return items.flatMap(names)
    case .mapping(let entries): return entries.flatMap { names(in: $0.value) }
    case .scalar(let scalar):
      guard case .text(let text) = scalar.value else { return [] }
      var found: [(String, SourcePosition)] = []
      _ = TemplateText.replacing(text) { name in
        if !VerifierTarget.isVariable(name) { found.append((name, node.position)) }
        return nil
      }
      return found
    }
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
    guard words.count == 2, words[0].allSatisfy({ $0.isASCII && $0.isUppercase }), WebAddress(words[1]) != nil else {
      throw SourceProblem(
        .unreadableValue, "expected a method and an address, found \(SourceText.quote(text))", at: node.position,
        hint: "for example: POST http://localhost:9000/request")
    }
    return VerifierTarget.Call(method: words[0], address: words[1])
  }

  /// A text in which names in capital letters are replaced by variables of the environment.
  private func text(_ node: SourceNode) throws -> String {
    var missing: String?
    let text = TemplateText.replacing(try node.string()) { name in
      guard let environment, VerifierTarget.isVariable(name) else { return nil }
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
  private func statuses(_ node: SourceNode) throws -> [Int] {
    guard case .sequence(let items) = node.content else { return [try node.integer(in: 100...599)] }
    return Set(try items.map { try $0.integer(in: 100...599) }).sorted()
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

  private func statusLists(_ node: SourceNode) throws -> StatusListPlace? {
    guard let entries = node.entries(known: ["address", "unreachable", "stale"], problems) else { return nil }
    guard let entry = entries["address"] else { throw node.missing("address") }
    let text = try text(entry.value)
    guard let address = WebAddress(text), address.scheme == "http", ["localhost", "127.0.0.1"].contains(address.host),
      address.path == "/"
    else {
      throw SourceProblem(
        .unreadableValue, "not an address of this machine: \(SourceText.quote(text))", at: entry.value.position,
        hint: "for example: http://127.0.0.1:9100")
    }
    func decision(_ key: String) -> StatusListPlace.Decision? {
      entries[key].flatMap { entry in
        problems.attempt(entry.value) { node in
          guard let decision = StatusListPlace.Decision(rawValue: try node.string()) else {
            throw node.wrongType("accept or refuse")
          }
          return decision
        }
      }
    }
    var place = StatusListPlace(port: address.port)
    (place.unreachable, place.stale) = (decision("unreachable"), decision("stale"))
    return place
  }

  private static let longestAnswer = 64 << 20

  private func limits(_ node: SourceNode) throws -> VerifierTarget.Limits? {
    guard let entries = node.entries(known: ["parallel", "timeout", "answer"], problems) else { return nil }
    var limits = VerifierTarget.Limits()
    if let entry = entries["parallel"] {
      limits.parallel = try entry.value.integer(in: VerifierTarget.Limits.parallelCalls)
    }
    if let entry = entries["timeout"] {
      limits.timeout = try entry.value.duration(in: .milliseconds(100)...Self.longestWait)
    }
    if let entry = entries["answer"] { limits.answer = try entry.value.integer(in: 1...Self.longestAnswer) }
    return limits
  }
}

/// Writing, with the names of variables as they were read.
extension TargetReader {
  static func written(_ target: VerifierTarget) -> YAMLValue {
    let captures = target.captures.map { captures in
      YAMLValue.mapping(captures.map { YAMLValue.Entry($0.name, written($0.value)) })
    }
    return .mapping(present: [
      "begin": written(target.begin, capture: captures),
      "options": target.options.map(written),
      "submit": written(target.submit),
      "accepted": written(target.accepted),
      "refused": target.refused.map(written),
      "reason": target.reason.map(written),
      "shown": target.shown.map { shown in
        .mapping(present: [
          "call": written(shown.call), "verified": written(shown.verified), "within": written(shown.within),
        ])
      },
      "elements": target.elements.map(written),
      "limits": .mapping(present: [
        "parallel": .number(target.limits.parallel), "timeout": written(target.limits.timeout),
        "answer": .number(target.limits.answer),
      ]),
    ])
  }

  private static func written(_ pointer: JSONPointer) -> YAMLValue { .text(pointer.description) }

  private static func written(_ duration: Duration) -> YAMLValue { .text("\(Int(duration / .milliseconds(1))) ms") }

  private static func written(_ call: VerifierTarget.Call, capture: YAMLValue? = nil) -> YAMLValue {
    let line = YAMLValue.text("\(call.method) \(call.address)")
    if call.headers.isEmpty, call.body == nil, capture == nil { return line }
    let headers = call.headers.map { YAMLValue.Entry($0.name, .text($0.value)) }
    return .mapping(present: [
      "call": line, "headers": headers.isEmpty ? nil : .mapping(headers), "body": call.body.map(written),
      "capture": capture,
    ])
  }

  private static func written(_ template: JSONTemplate) -> YAMLValue {
    switch template {
    case .text(let text): .text(text)
    case .plain(let spelling): .plain(spelling)
    case .array(let items): .list(items.map(written))
    case .object(let members): .mapping(members.map { YAMLValue.Entry($0.name, written($0.value)) })
    }
  }

  private static func written(_ pattern: AnswerPattern) -> YAMLValue {
    var entries: [YAMLValue.Entry] = []
    if let status = pattern.status { entries.append(YAMLValue.Entry("status", .list(status.map { .number($0) }))) }
    if let (place, condition) = pattern.value {
      entries.append(YAMLValue.Entry("json", .text(place.description)))
      switch condition {
      case .equals(let value):
        entries.append(
          YAMLValue.Entry(
            "is", value.text.map(YAMLValue.text) ?? .plain(String(decoding: value.bytes, as: UTF8.self))))
      case .exists: entries.append(YAMLValue.Entry("exists", .plain("true")))
      case .missing: entries.append(YAMLValue.Entry("exists", .plain("false")))
      }
    }
    if let text = pattern.text { entries.append(YAMLValue.Entry("text", .text(text))) }
    return .mapping(entries)
  }
}
