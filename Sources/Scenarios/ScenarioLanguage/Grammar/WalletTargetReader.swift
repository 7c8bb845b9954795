import LocatedYAML
import OwnWallets
import Primitives

extension WalletTarget {
  /// Reads a target from its file.
  /// - Returns: The target, or nil when a problem was reported.
  public static func read(_ path: String, _ problems: ProblemCollector) -> WalletTarget? {
    SourceNode.read(path, problems).flatMap { read($0, problems) }
  }

  /// Reads a target from text in memory.
  package static func read(_ file: SourceFile, _ problems: ProblemCollector) -> WalletTarget? {
    SourceNode.parse(file, problems).flatMap { read($0, problems) }
  }

  private static let keys = ["target", "program", "limits"]

  private static func read(_ root: SourceNode, _ problems: ProblemCollector) -> WalletTarget? {
    guard let entries = root.entries(known: keys, problems) else { return nil }
    guard let entry = entries["program"] else {
      problems.report(root.missing("program"))
      return nil
    }
    var target = problems.attempt(entry.value) { try program($0) }
    let name = entries["target"].flatMap { problems.attempt($0.value) { try $0.string() } }
    let limits = entries["limits"].flatMap { problems.attempt($0.value) { try Limits.read($0, problems) } }
    if let name { target?.name = name }
    if let limits { target?.limits = limits }
    return problems.isEmpty ? target : nil
  }

  /// Reads the program: a list of words, or one text with spaces between them. It runs in the folder of the file.
  static func program(_ node: SourceNode) throws -> WalletTarget {
    let words: [String] =
      if case .sequence(let items) = node.content {
        try items.map { try $0.string() }
      } else {
        try node.string().split(separator: " ").map(String.init)
      }
    // The program `env`, which looks it up, takes what looks like an option or a variable for its own.
    guard let first = words.first, !first.hasPrefix("-"), !first.contains("="),
      !words.contains(where: { $0.contains("\0") })
    else {
      throw SourceProblem(
        .unreadableValue, "not a program with its arguments", at: node.position,
        hint: "for example: python3 wallet.py")
    }
    return WalletTarget(
      name: words.joined(separator: " "), program: words, folder: SourceFile.path(of: ".", namedAt: node.position))
  }
}

extension WalletTarget.Limits {
  private static let longestWait = Duration.seconds(60)
  private static let longestAnswer = 64 << 20

  /// Reads the bounds of each message.
  static func read(_ node: SourceNode, _ problems: ProblemCollector) throws -> WalletTarget.Limits? {
    guard let entries = node.entries(known: ["timeout", "answer"], problems) else { return nil }
    var limits = WalletTarget.Limits()
    if let entry = entries["timeout"] {
      limits.timeout = try entry.value.duration(in: .milliseconds(100)...longestWait)
    }
    if let entry = entries["answer"] { limits.answer = try entry.value.integer(in: 1...longestAnswer) }
    return limits
  }

  fileprivate var written: YAMLValue {
    .mapping(present: ["timeout": .text("\(Int(timeout / .milliseconds(1))) ms"), "answer": .number(answer)])
  }
}

extension Form where Value == WalletTarget {
  /// The program of a provider app, outside the world.
  static let program = Form(
    type: .either([.text, .list(.text)]), read: { node, _ in try WalletTarget.program(node) },
    write: { .list($0.program.map(YAMLValue.text)) })
}

extension Form where Value == WalletTarget.Limits {
  /// The bounds of each message to such a program.
  static let walletLimits = Form(
    type: .other("mapping"), read: { node, context in try WalletTarget.Limits.read(node, context.problems) },
    write: \.written)
}
