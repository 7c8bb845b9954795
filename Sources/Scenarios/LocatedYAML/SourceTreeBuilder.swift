extension SourceNode {
  /// Reads the tree of a file.
  ///
  /// Returns nil when the file is not YAML, is empty, or exceeds a limit. Problems that leave the
  /// rest readable, such as a key that comes twice, are reported and what they are about is left out of the tree.
  public static func parse(_ file: SourceFile, _ problems: ProblemCollector) -> SourceNode? {
    problems.attempt { () throws(SourceProblem) in
      try refuseDirectives(file)
      return try build(file, problems)
    }
  }

  /// Reads a file and its tree. Returns nil where `SourceFile.init(readingFrom:)` throws or `parse` returns nil.
  public static func read(_ path: String, _ problems: ProblemCollector) -> SourceNode? {
    problems.attempt { () throws(SourceProblem) in parse(try SourceFile(readingFrom: path), problems) }
  }

  private static func build(_ file: SourceFile, _ problems: ProblemCollector) throws(SourceProblem) -> SourceNode {
    var builder = SourceTreeBuilder(file: file, problems: problems)
    var events = YAMLEvents(file.text)
    var event: YAMLEvent
    repeat {
      event = try events.next { SourceProblem($0, in: file, openBracket: builder.openBracket) }
    } while try builder.take(event)
    return try builder.root()
  }

  /// Directives are refused before parsing: the parser compares each with all before it, so a file of them takes long.
  private static func refuseDirectives(_ file: SourceFile) throws(SourceProblem) {
    guard let line = file.firstLine(beginningWith: UInt8(ascii: "%")) else { return }
    throw SourceProblem(
      .directive, "a line must not begin with '%'", at: SourcePosition(file: file, line: line, column: 1),
      hint: "YAML directives are not read: every file is YAML 1.2")
  }
}

/// Builds a tree from events, without recursion and within the limits.
struct SourceTreeBuilder {
  /// The cost of a walk over a value with every alias expanded.
  struct Cost {
    var nodes = 1
    var bytes = 0
    var height = 0

    mutating func add(_ part: Cost) {
      nodes += part.nodes
      bytes += part.bytes
      height = max(height, part.height + 1)
    }
  }

  /// A finished value.
  struct Built {
    let node: SourceNode
    let cost: Cost
  }

  /// A list or a mapping whose end is not reached.
  struct Open {
    enum Slot {
      case key
      case value(of: Located<String>)
      /// The value of a key that was refused. It is left out.
      case refusedValue
    }

    let first: YAMLEvent
    let isMapping: Bool
    let isFlow: Bool
    var items: [SourceNode] = []
    var entries: [SourceNode.Entry] = []
    var keys: [String: SourcePosition] = [:]
    var slot = Slot.key
    var cost = Cost(height: 1)
  }

  let file: SourceFile
  let problems: ProblemCollector
  private(set) var open: [Open] = []
  private(set) var anchorNames: [String] = []
  private var anchors: [String: Built] = [:]
  private var nodes = 0
  private var aliasedBytes = 0
  private var documents = 0
  private var tree: SourceNode?

  init(file: SourceFile, problems: ProblemCollector) {
    self.file = file
    self.problems = problems
  }

  /// Takes the next event and returns whether there are more. Throws what makes the rest of the file pointless.
  mutating func take(_ event: YAMLEvent) throws(SourceProblem) -> Bool {
    if let tag = event.tag { problems.report(refusal(ofTag: tag, event)) }
    switch event.kind {
    case .streamEnd: return false
    case .documentStart: try beginDocument(event)
    case .scalar(let scalar): try takeScalar(scalar, event)
    case .alias(let name): try takeAlias(name, event)
    case .sequenceStart(let isFlow): try begin(Open(first: event, isMapping: false, isFlow: isFlow))
    case .mappingStart(let isFlow): try begin(Open(first: event, isMapping: true, isFlow: isFlow))
    case .sequenceEnd, .mappingEnd: end(event)
    case .documentEnd, .other: break
    }
    return true
  }

  /// The start of the innermost open collection, if it is one in brackets.
  var openBracket: YAMLMark? { open.last.flatMap { $0.isFlow ? $0.first.start : nil } }

  /// The tree, once there are no more events. Throws `source.empty` if there is nothing in the file.
  func root() throws(SourceProblem) -> SourceNode {
    guard let tree, !tree.isNull || tree.position.length > 0 else {
      throw .empty(path: file.path, "the file holds only blank lines and comments")
    }
    return tree
  }

  private mutating func beginDocument(_ event: YAMLEvent) throws(SourceProblem) {
    documents += 1
    if documents > 1 { throw refusal(ofDocument: event) }
  }

  private mutating func begin(_ collection: Open) throws(SourceProblem) {
    try count(collection.first)
    guard open.count < SourceLimits.depth else { throw .tooDeep(at: start(collection.first)) }
    open.append(collection)
  }

  private mutating func end(_ event: YAMLEvent) {
    guard let last = open.popLast() else { return }
    let content: SourceNode.Content = last.isMapping ? .mapping(last.entries) : .sequence(last.items)
    let node = SourceNode(content, at: position(of: last, end: event.end))
    let built = Built(node: node, cost: last.cost)
    name(built, last.first.anchor)
    place(built, from: last.first)
  }

  private mutating func takeScalar(_ scalar: SourceScalar, _ event: YAMLEvent) throws(SourceProblem) {
    try count(event)
    let node = SourceNode(.scalar(scalar), at: position(of: scalar, event))
    let built = Built(node: node, cost: Cost(bytes: scalar.text.utf8.count))
    name(built, event.anchor)
    place(built, from: event)
  }

  private mutating func takeAlias(_ name: String, _ event: YAMLEvent) throws(SourceProblem) {
    guard let built = anchors[name] else {
      let refusal = refusal(ofAlias: name, event)
      guard !open.isEmpty else { throw refusal }
      problems.report(refusal)
      return place(nil, from: event)
    }
    nodes += built.cost.nodes
    aliasedBytes += built.cost.bytes
    let isWithinLimits =
      nodes <= SourceLimits.nodes && aliasedBytes <= SourceLimits.bytes
      && open.count + built.cost.height <= SourceLimits.depth
    guard isWithinLimits else { throw refusal(ofExpansion: event) }
    place(built, from: event)
  }

  private mutating func count(_ event: YAMLEvent) throws(SourceProblem) {
    nodes += 1
    guard nodes <= SourceLimits.nodes else { throw refusal(ofNode: event) }
  }

  private mutating func name(_ built: Built, _ anchor: String?) {
    guard let anchor else { return }
    if anchors.updateValue(built, forKey: anchor) == nil { anchorNames.append(anchor) }
  }

  /// Puts a value into the list or mapping around it, or at the root; nil leaves it out.
  private mutating func place(_ built: Built?, from event: YAMLEvent) {
    guard !open.isEmpty else {
      tree = built?.node
      return
    }
    let last = open.count - 1
    if let built { open[last].cost.add(built.cost) }
    guard open[last].isMapping else {
      if let built { open[last].items.append(built.node) }
      return
    }
    switch open[last].slot {
    case .key: open[last].slot = takeKey(built?.node, event)
    case .value(let key):
      if let built { open[last].entries.append(SourceNode.Entry(key: key, value: built.node)) }
      open[last].slot = .key
    case .refusedValue: open[last].slot = .key
    }
  }

  private mutating func takeKey(_ node: SourceNode?, _ event: YAMLEvent) -> Open.Slot {
    let last = open.count - 1
    guard let node, let text = keyText(node, event) else { return .refusedValue }
    if let first = open[last].keys[text] {
      problems.report(refusal(ofKey: text, at: node.position, first: first))
      return .refusedValue
    }
    open[last].keys[text] = node.position
    return .value(of: Located(text, at: node.position))
  }
}

extension SourceTreeBuilder {
  /// The place where an event starts. Without a length it takes the event's own where that ends in the same line.
  func start(_ event: YAMLEvent, length: Int? = nil) -> SourcePosition {
    let own = event.end.line == event.start.line ? event.end.column - event.start.column : 1
    return position(event.start, length: length ?? max(1, own))
  }

  func position(of scalar: SourceScalar, _ event: YAMLEvent) -> SourcePosition {
    let own = event.end.column - event.start.column
    return position(
      event.start, length: event.end.line == event.start.line ? own : lengthOfFirstLine(of: scalar, event))
  }

  /// A collection in brackets takes them and what is between, if that is one line; any other takes its first token.
  func position(of collection: Open, end: YAMLMark) -> SourcePosition {
    let start = collection.first.start
    let length =
      if collection.isFlow {
        end.line == start.line ? end.column - start.column : 1
      } else if let anchor = collection.first.anchor {
        anchor.unicodeScalars.count + 1
      } else if let key = collection.entries.first?.key.position, (key.line, key.column) == (start.line, start.column) {
        key.length
      } else {
        1
      }
    return position(start, length: max(1, length))
  }

  /// The parser counts a line more than there is when the last one has no end.
  private func position(_ mark: YAMLMark, length: Int) -> SourcePosition {
    let last = file.lineCount
    guard mark.line > last else {
      return SourcePosition(file: file, line: mark.line, column: mark.column, length: length)
    }
    return SourcePosition(file: file, line: last, column: file.line(last).unicodeScalars.count + 1, length: 0)
  }

  private func lengthOfFirstLine(of scalar: SourceScalar, _ event: YAMLEvent) -> Int {
    let rest = file.line(event.start.line).unicodeScalars.dropFirst(event.start.column - 1)
    func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
    if scalar.style == .block { return rest.prefix { !isBlank($0) }.count }
    return rest.count - rest.reversed().prefix(while: isBlank).count
  }
}

extension SourceTreeBuilder {
  /// The text of a key, or nil and a problem.
  func keyText(_ node: SourceNode, _ event: YAMLEvent) -> String? {
    if case .alias = event.kind {
      problems.report(SourceProblem(.keyNotText, "a key must be written out, not named by an alias", at: start(event)))
      return nil
    }
    guard let scalar = node.scalar, scalar.style != .plain || !scalar.text.isEmpty else {
      problems.report(SourceProblem(.keyNotText, "a key must be text, not \(node.phrase)", at: node.position))
      return nil
    }
    guard scalar != SourceScalar("<<") else {
      problems.report(
        SourceProblem(
          .mergeKey, "the merge key '<<' is not part of YAML 1.2 and is not read", at: node.position,
          hint: "write the keys out, or give the whole value by an alias"))
      return nil
    }
    return scalar.text
  }

  func refusal(ofKey text: String, at position: SourcePosition, first: SourcePosition) -> SourceProblem {
    SourceProblem(
      .duplicateKey, "the key \(SourceText.quote(text)) comes twice in this mapping", at: position,
      hint: "first at \(first.line):\(first.column)")
  }

  func refusal(ofTag tag: String, _ event: YAMLEvent) -> SourceProblem {
    let standard = "tag:yaml.org,2002:"
    let written = tag.hasPrefix(standard) ? "!!" + tag.dropFirst(standard.count) : tag
    return SourceProblem(
      .tag, "the tag \(SourceText.quote(written)) is not read: a value is what it looks like", at: start(event),
      hint: "take it away; put text in quotes")
  }

  func refusal(ofDocument event: YAMLEvent) -> SourceProblem {
    SourceProblem(
      .severalDocuments, "a second document begins here; a file holds one", at: start(event, length: 3),
      hint: "put it into a file of its own")
  }

  func refusal(ofNode event: YAMLEvent) -> SourceProblem {
    SourceProblem(.tooManyNodes, "the file holds more than \(SourceLimits.nodes) values", at: start(event))
  }

  func refusal(ofExpansion event: YAMLEvent) -> SourceProblem {
    let (nodes, bytes, depth) = (SourceLimits.nodes, SourceLimits.bytes, SourceLimits.depth)
    return SourceProblem(
      .aliasExpansion, "written out, the aliases up to here are more than a file may hold", at: start(event),
      hint: "at most \(nodes) values, \(bytes) bytes of text and \(depth) levels")
  }

  func refusal(ofAlias name: String, _ event: YAMLEvent) -> SourceProblem {
    let quoted = SourceText.quote("*" + name)
    if open.contains(where: { $0.first.anchor == name }) {
      return SourceProblem(.unknownAlias, "the alias \(quoted) is inside the value that it names", at: start(event))
    }
    return SourceProblem(
      .unknownAlias, "the alias \(quoted) does not name an earlier anchor", at: start(event),
      suggestion: NearestName.of(name, in: anchorNames).map { "*" + $0 })
  }
}
