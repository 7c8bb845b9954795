import Ecosystem
import Foundation
import MobileDocument
import Primitives

/// Reads scenario files into cases.
public enum ScenarioReader {
  private enum FileKey: String, CaseIterable {
    case scenario, because, seed, clock
    case personHesitates = "person-hesitates"
    case world, changes, matrix, steps
  }

  /// Reads a file and every case in it.
  ///
  /// - Returns: the cases, or nil when a problem was reported.
  public static func read(_ path: String, _ problems: ProblemCollector) -> [Scenario]? {
    var worlds = WorldSources()
    return read(path, worlds: &worlds, problems)
  }

  /// Reads a file and every case in it, one of many that have worlds in common.
  ///
  /// - Parameter worlds: the world files that were read before, and then those of this file too.
  /// - Returns: the cases, or nil when a problem was reported.
  public static func read(
    _ path: String, worlds: inout WorldSources, _ problems: ProblemCollector
  ) -> [Scenario]? {
    guard let root = SourceNode.read(path, problems) else { return nil }
    return read(root, path: path, worlds: &worlds, problems)
  }

  /// Reads the cases of a tree.
  /// - Parameter live: how it is read to be driven from outside; nil to be run.
  static func read(
    _ root: SourceNode, path: String, worlds: inout WorldSources, _ problems: ProblemCollector,
    live: LiveReading? = nil
  ) -> [Scenario]? {
    guard let fields = MappingReader<FileKey>(root, problems) else { return nil }
    guard let matrix = fields[.matrix] else {
      let scenario = readCase(
        root, changes: [root["changes"]], caseName: nil, path: path, worlds: &worlds, problems, live: live)
      return problems.isEmpty ? scenario.map { [$0] } : nil
    }
    if case .sequence(let entries) = matrix.content, entries.isEmpty {
      problems.report(SourceProblem(.missingKey, "the matrix has no entry", at: matrix.position))
    }
    var scenarios: [Scenario] = []
    var names: Set<String> = []
    let entries = problems.attempt(matrix, { try $0.sequence() }) ?? []
    for entry in live?.chosen(of: entries) ?? entries {
      guard let name = readCaseName(entry, problems) else { continue }
      if !names.insert(name).inserted {
        problems.report(
          SourceProblem(.duplicateKey, "two cases are called \(SourceText.quote(name))", at: entry.position))
      }
      // Changes are applied to the world one after the other, so that an entry can take away what the world has.
      let merged = root.without("matrix").merging(entry.without("case").without("changes"))
      let changes = [root["changes"], entry["changes"]]
      if let scenario = readCase(
        merged, changes: changes, caseName: name, path: path, worlds: &worlds, problems, live: live)
      {
        scenarios.append(scenario)
      }
    }
    return problems.isEmpty ? scenarios : nil
  }

  private static func readCaseName(_ entry: SourceNode, _ problems: ProblemCollector) -> String? {
    guard let node = entry["case"] else {
      problems.report(
        SourceProblem(.missingKey, "the key 'case' is missing in this entry of the matrix", at: entry.position))
      return nil
    }
    return problems.attempt(node) { try $0.string() }
  }

  private static func readCase(
    _ root: SourceNode, changes: [SourceNode?], caseName: String?, path: String, worlds: inout WorldSources,
    _ problems: ProblemCollector, live: LiveReading?
  ) -> Scenario? {
    guard let fields = MappingReader<FileKey>(root, problems) else { return nil }
    let title = fields.required(.scenario) { Located(try $0.string(), at: $0.position) }
    let because = fields.optional(.because) { try $0.string() }
    let seed = fields.optional(.seed, default: 1) { try $0.integer(in: 0...Int.max) }
    let clock = fields.optional(.clock, default: Scenario.defaultClock) { node in
      let moment = DateTime(secondsSince1970: try node.date().secondsSince1970)
      guard Scenario.clockRange.contains(moment) else {
        throw SourceProblem(
          .outOfRange, "a world starts between \(Scenario.clockRange.lowerBound) and \(Scenario.clockRange.upperBound)",
          at: node.position)
      }
      return moment
    }
    var worldNode = fields.required(.world) { try readWorld($0, path: path, worlds: &worlds, problems) }
    for change in changes.compactMap(\.self) + (live?.additions ?? []) { worldNode = worldNode?.merging(change) }
    var world = worldNode.flatMap { WorldReader(problems: problems).read($0) }
    world?.personHesitates = fields.optional(.personHesitates, default: true) { try $0.boolean() }
    guard let stepsNode = fields.required(.steps, { $0 }) else { return nil }
    guard let world, let worldSource = worldNode else { return nil }
    let reader = StepReader(world: world, because: because, problems: problems)
    let steps = live.map { $0.faults(of: stepsNode).flatMap(reader.read) ?? [] } ?? reader.read(stepsNode)
    guard let title, let steps else { return nil }
    return Scenario(
      name: caseName.map { "\(title.value): \($0)" } ?? title.value, path: path, caseName: caseName,
      position: title.position, because: because, seed: UInt64(seed), clock: clock, world: world,
      worldSource: worldSource, steps: steps)
  }

  /// A world written in place, or the file `worlds/NAME.yaml` beside the scenario or in a folder above it.
  private static func readWorld(
    _ node: SourceNode, path: String, worlds: inout WorldSources, _ problems: ProblemCollector
  ) throws -> SourceNode? {
    guard node.scalar != nil else { return node }
    let name = try node.string()
    guard name.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }), !name.isEmpty else {
      throw SourceProblem(
        .unknownName, "a world's name has lower-case letters, digits and hyphens, not \(SourceText.quote(name))",
        at: node.position)
    }
    var folder = URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent()
    var known: [String] = []
    while true {
      let beside = folder.appendingPathComponent("worlds")
      let file = beside.appendingPathComponent(name + ".yaml")
      if FileManager.default.fileExists(atPath: file.path) {
        return worlds.read(relative(file.path, like: path), problems)
      }
      let names = (try? FileManager.default.contentsOfDirectory(atPath: beside.path)) ?? []
      known += names.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
      if folder.path == "/" { break }
      folder.deleteLastPathComponent()
    }
    throw SourceProblem(
      .unknownName, "there is no world \(SourceText.quote(name))", at: node.position,
      suggestion: NearestName.of(name, in: known),
      hint: known.isEmpty
        ? "looked for worlds/\(name).yaml beside the file and above" : "known here: " + NearestName.list(known))
  }

  /// A path below the current folder as people write it.
  private static func relative(_ path: String, like given: String) -> String {
    let current = FileManager.default.currentDirectoryPath + "/"
    return !given.hasPrefix("/") && path.hasPrefix(current) ? String(path.dropFirst(current.count)) : path
  }
}

extension SourceNode {
  /// The mapping without one of its keys.
  func without(_ key: String) -> SourceNode {
    guard case .mapping(let entries) = content else { return self }
    return SourceNode(.mapping(entries.filter { $0.key.value != key }), at: position)
  }
}
