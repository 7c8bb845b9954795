import Testing

@testable import LocatedYAML

/// Shared helpers of the suites that read files.
protocol SourceSuite {}

extension SourceSuite {
  /// The tree of a text that has no problem.
  func tree(_ text: String, path: String = "a.yaml") throws -> SourceNode {
    let problems = ProblemCollector()
    let node = SourceNode.parse(try SourceFile(path: path, text: text), problems)
    #expect(problems.problems == [])
    return try #require(node)
  }

  /// The problems of a text as `line:column code`, or the code alone for a problem without a position.
  func problems(_ text: String) -> [String] {
    brief(collected(text))
  }

  /// The only problem of a text, as it is shown.
  func rendered(_ text: String) throws -> String {
    let problems = collected(text).problems
    #expect(problems.count == 1)
    return try #require(problems.first).rendered()
  }

  func collected(_ text: String) -> ProblemCollector {
    let problems = ProblemCollector()
    do {
      _ = SourceNode.parse(try SourceFile(path: "a.yaml", text: text), problems)
    } catch {
      problems.report(error)
    }
    return problems
  }

  func brief(_ problems: ProblemCollector) -> [String] {
    problems.problems.map { problem in
      (problem.position.map { "\($0.line):\($0.column) " } ?? "") + problem.code.rawValue
    }
  }

  /// `line:column+length`.
  func place(_ node: SourceNode?) -> String? { node.map { place($0.position) } }

  func place(_ position: SourcePosition) -> String { "\(position.line):\(position.column)+\(position.length)" }

  /// The problem that reading one value ends in.
  func problem<Value>(_ text: String, _ read: (SourceNode) throws -> Value) throws -> SourceProblem {
    let node = try #require(try tree("v: " + text)["v"])
    return try #require(throws: SourceProblem.self) { _ = try read(node) }
  }

  /// The outcome of reading one value.
  func value<Value>(_ text: String, _ read: (SourceNode) throws -> Value) throws -> Value {
    try read(try #require(try tree("v: " + text)["v"]))
  }
}
