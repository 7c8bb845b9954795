import Foundation
import LocatedYAML
import Primitives
import ScenarioLanguage

/// A wallet under test: the program that speaks for it.
public struct WalletTarget: Sendable {
  /// The name in reports.
  public var name: String
  /// The program and its arguments.
  public var program: [String]
  /// The folder in which it runs: that of the target's file.
  public var folder: String
  /// The bounds of each message.
  public var limits = Limits()

  /// The bounds of each message.
  public struct Limits: Sendable {
    /// The longest time of an answer.
    public var timeout = Duration.seconds(10)
    /// The longest answer, in bytes.
    public var answer = 1 << 20
  }

  /// Reads a target from its file.
  /// - Returns: the target, or nil when a problem was reported.
  public static func read(_ path: String, _ problems: ProblemCollector) -> WalletTarget? {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return SourceNode.read(path, problems).flatMap { read($0, folder: folder, problems) }
  }

  /// Reads a target from text in memory.
  package static func read(_ file: SourceFile, _ problems: ProblemCollector) -> WalletTarget? {
    SourceNode.parse(file, problems).flatMap { read($0, folder: ".", problems) }
  }

  private static let keys = ["target", "program", "limits"]
  private static let longestWait = Duration.seconds(60)
  private static let longestAnswer = 64 << 20

  private static func read(_ root: SourceNode, folder: String, _ problems: ProblemCollector) -> WalletTarget? {
    guard let entries = root.entries(known: keys, problems) else { return nil }
    guard let entry = entries["program"] else {
      problems.report(root.missing("program"))
      return nil
    }
    let program = problems.attempt(entry.value, words)
    let name = entries["target"].flatMap { problems.attempt($0.value) { try $0.string() } }
    let limits = entries["limits"].flatMap { problems.attempt($0.value) { try Self.limits($0, problems) } }
    guard problems.isEmpty, let program else { return nil }
    return WalletTarget(
      name: name ?? program.joined(separator: " "), program: program, folder: folder, limits: limits ?? Limits())
  }

  /// A list of words, or one text with spaces between them.
  private static func words(_ node: SourceNode) throws -> [String]? {
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
    return words
  }

  private static func limits(_ node: SourceNode, _ problems: ProblemCollector) throws -> Limits? {
    guard let entries = node.entries(known: ["timeout", "answer"], problems) else { return nil }
    var limits = Limits()
    if let entry = entries["timeout"] {
      limits.timeout = try entry.value.duration(in: .milliseconds(100)...longestWait)
    }
    if let entry = entries["answer"] { limits.answer = try entry.value.integer(in: 1...longestAnswer) }
    return limits
  }
}
