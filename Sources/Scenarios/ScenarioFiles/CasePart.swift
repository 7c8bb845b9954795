import Faults
import LocatedYAML
import ScenarioLanguage

/// A part of a case that can be taken out: a fault, or a change to the world.
public struct CasePart: Sendable {
  /// The kinds of parts.
  public enum Kind: String, Sendable {
    case fault, change
  }

  /// The place of a part in its case.
  fileprivate enum Place {
    /// The index of the step with which the fault begins.
    case step(Int)
    /// The index among the changes of the case, and the keys on the way to the changed one.
    case change(Int, [String])
  }

  /// The kind.
  public let kind: Kind
  /// The id of the fault, or the keys of the change with slashes between them.
  public let name: String
  /// The position of the fault, or of the changed key.
  public let position: SourcePosition
  fileprivate let place: Place
}

/// The cases of a file, each of which can be read without one of its parts.
public struct DividedFile: Sendable {
  /// The path of the file.
  public let path: String
  /// The cases.
  public let cases: [Scenario]
  private let sources: [CaseSource]

  /// Reads a file.
  /// - Returns: Nil when a problem was reported.
  public init?(_ path: String, worlds: inout WorldSources, _ problems: ProblemCollector) {
    guard let cases = ScenarioReader.read(path, worlds: &worlds, problems),
      let root = worlds.tree(of: path, problems)
    else { return nil }
    self.path = path
    self.cases = cases
    sources = CaseMatrix(root["matrix"], problems).combinations.map { CaseSource(of: root, $0) }
  }

  /// The parts of a case, in the order of the file: its faults, and the keys that it changes in its world. Something new
  /// in the world is one part, with everything in it. A fault that never acts is an expectation itself.
  public func parts(ofCase number: Int, worlds: inout WorldSources) -> [CasePart] {
    let faults = cases[number].steps.enumerated().compactMap { index, located -> CasePart? in
      guard case .fault(.begins(let planned)) = located.step.content, located.step.fails == nil,
        !located.step.neverActs
      else { return nil }
      return CasePart(kind: .fault, name: planned.fault.id, position: located.position, place: .step(index))
    }
    return faults + changes(ofCase: number, worlds: &worlds)
  }

  private func changes(ofCase number: Int, worlds: inout WorldSources) -> [CasePart] {
    let source = sources[number]
    let problems = ProblemCollector()
    guard !source.changes.isEmpty, let node = source.root["world"],
      var world = try? ScenarioReader.readWorld(node, path: path, worlds: &worlds, problems)
    else { return [] }
    var parts: [CasePart] = []
    func visit(_ changes: SourceNode, in world: SourceNode, at path: [String], of index: Int) {
      guard case .mapping(let entries) = changes.content else { return }
      for entry in entries {
        let path = path + [entry.key.value]
        if case .mapping = entry.value.content, let inner = world[entry.key.value], case .mapping = inner.content {
          visit(entry.value, in: inner, at: path, of: index)
        } else {
          parts.append(
            CasePart(
              kind: .change, name: path.joined(separator: "/"), position: entry.key.position,
              place: .change(index, path)))
        }
      }
    }
    for (index, changes) in source.changes.enumerated() {
      visit(changes, in: world, at: [], of: index)
      world = world.merging(changes)
    }
    return parts
  }

  /// A case without one of its parts; nil if it cannot be read without it. With a fault go its end, and the decisions
  /// about the fault itself.
  public func rest(ofCase number: Int, without part: CasePart, worlds: inout WorldSources) -> Scenario? {
    switch part.place {
    case .step(let index):
      let later = cases[number].steps.dropFirst(index + 1).firstIndex { located in
        if case .fault(.begins(let planned)) = located.step.content { planned.fault.id == part.name } else { false }
      }
      let range = index..<(later ?? cases[number].steps.endIndex)
      return cases[number].without { place, step in range.contains(place) && step.isAbout(fault: part.name) }
    case .change(let index, let path):
      let source = sources[number].without(path[...], ofChange: index)
      let problems = ProblemCollector()
      let scenario = ScenarioReader.readCase(source, path: self.path, worlds: &worlds, problems)
      return problems.isEmpty ? scenario : nil
    }
  }
}

extension Step {
  /// True for the beginning or the end of a fault, or the expectation of a decision about it.
  fileprivate func isAbout(fault id: String) -> Bool {
    switch content {
    case .fault(let change): change.fault.id == id
    case .expectation(.decision(let expected)): expected.code == id
    case .action, .restartWorld, .expectation: false
    }
  }
}

extension SourceNode {
  /// The mapping without the key at the end of a path.
  fileprivate func without(_ path: ArraySlice<String>) -> SourceNode {
    guard let key = path.first, case .mapping(let entries) = content else { return self }
    let rest = entries.compactMap { entry -> Entry? in
      guard entry.key.value == key else { return entry }
      return path.count == 1 ? nil : Entry(key: entry.key, value: entry.value.without(path.dropFirst()))
    }
    return SourceNode(.mapping(rest), at: position)
  }
}

extension CaseSource {
  /// The case without a key of one of its changes.
  fileprivate func without(_ path: ArraySlice<String>, ofChange index: Int) -> CaseSource {
    var changed = self
    changed.changes[index] = changes[index].without(path)
    return changed
  }
}
