import Synchronization

/// Gathers the problems of one reading, so that a person sees all of them and not just the first.
///
/// It keeps the first `SourceLimits.problems` reported and counts the rest. The same problem at the same place, met
/// twice through an alias, is kept once.
public final class ProblemCollector: Sendable {
  private struct Kept {
    var problems: [SourceProblem] = []
    var seen: Set<SourceProblem> = []
    var omitted = 0
  }

  private let kept = Mutex(Kept())

  /// A collector that holds nothing.
  public init() {}

  /// Keeps a problem. Once the collector is full it is only counted, and not even made.
  public func report(_ problem: @autoclosure () -> SourceProblem) {
    guard !isFull else { return kept.withLock { $0.omitted += 1 } }
    let problem = problem()
    kept.withLock { kept in
      guard kept.seen.insert(problem).inserted else { return }
      kept.problems.append(problem)
    }
  }

  /// What `read` makes of a value; nil, and the problem kept, when it throws. Any other error becomes
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

  /// The problems kept, by path, line and column; those of a whole file come before those of its lines.
  public var problems: [SourceProblem] {
    kept.withLock { $0.problems }.enumerated().sorted { Self.precedes($0, $1) }.map(\.element)
  }

  /// Whether nothing was reported.
  public var isEmpty: Bool { kept.withLock { $0.problems.isEmpty } }

  /// How many problems were reported after the collector was full.
  public var omitted: Int { kept.withLock { $0.omitted } }

  /// Every problem as `SourceProblem.rendered()` shows it, with a blank line between two, and how many were left out.
  public func rendered() -> String {
    var parts = problems.map { $0.rendered() }
    if omitted > 0 { parts.append("and \(omitted) more") }
    return parts.joined(separator: "\n\n")
  }

  private var isFull: Bool { kept.withLock { $0.problems.count >= SourceLimits.problems } }

  private typealias Numbered = (offset: Int, element: SourceProblem)

  private static func precedes(_ first: Numbered, _ second: Numbered) -> Bool {
    func place(_ numbered: Numbered) -> (String, Int, Int, Int) {
      let position = numbered.element.position
      return (numbered.element.path, position?.line ?? 0, position?.column ?? 0, numbered.offset)
    }
    return place(first) < place(second)
  }
}
