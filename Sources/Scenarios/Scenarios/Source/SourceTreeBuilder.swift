/// Builds a tree from events, without recursion and within the limits.
struct SourceTreeBuilder {
  /// What it costs to walk a value written out in full.
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

  /// Where the innermost collection begins that is open, if it is one in brackets.
  var openBracket: YAMLMark? { open.last.flatMap { $0.isFlow ? $0.first.start : nil } }

  /// The tree, once there are no more events. Throws `source.empty` if there is nothing in the file.
  func root() throws(SourceProblem) -> SourceNode {
    guard let tree, !tree.isNull || tree.position.length > 0 else {
      throw .empty(path: file.path, "the file says nothing: it holds only blank lines and comments")
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
    case .key:
      open[last].slot = takeKey(built?.node, event)
    case .value(let key):
      if let built { open[last].entries.append(SourceNode.Entry(key: key, value: built.node)) }
      open[last].slot = .key
    case .refusedValue:
      open[last].slot = .key
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
