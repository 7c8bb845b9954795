import Foundation
import LocatedYAML

/// The world and flow files that were read so far, so that cases that share one read it once.
public struct WorldSources: Sendable {
  private var trees: [String: SourceNode] = [:]
  /// The paths of all files that were asked for, readable or not.
  public private(set) var paths: Set<String> = []
  /// Paths of found files, by what was looked for in which folder.
  private var places: [String: String] = [:]

  /// Paths of the files that were used.
  private(set) var used: Set<String> = []
  /// Flows inside scenario files: those that are declared, by file and name, and those that are used.
  private var ownFlows: [(identity: String, name: Located<String>)] = []
  private var usedOwnFlows: Set<String> = []

  /// The maximum number of cached files: more than any folder of scenarios has.
  private static let maximumFiles = 64
  /// The maximum number of kept paths: of each cached file, from many folders.
  private static let maximumPlaces = 4096

  /// The maximum number of worlds that extend one another: 8. People who look for a setting open each of the files.
  static let maximumExtensions = 8

  /// Contents of files that are not written yet, by the files' paths without links.
  private let unwritten: [String: SourceFile]

  /// Creates an empty store.
  /// - Parameter files: Files whose contents replace what is on the disk.
  public init(replacing files: [SourceFile] = []) {
    unwritten = Dictionary(files.map { (ScenarioFinder.identity(of: $0.path), $0) }) { _, last in last }
  }

  /// The tree of a file. Returns nil after it has reported a problem.
  func tree(of path: String, _ problems: ProblemCollector) -> SourceNode? {
    guard !unwritten.isEmpty, let file = unwritten[ScenarioFinder.identity(of: path)] else {
      return SourceNode.read(path, problems)
    }
    return problems.attempt { () throws(SourceProblem) in
      SourceNode.parse(try SourceFile(path: path, bytes: file.bytes), problems)
    }
  }

  /// The paths of a scenario or a world, and of the worlds and flows that it uses. Problems are left to its reading.
  public static func paths(usedBy path: String) -> [String] {
    var worlds = WorldSources()
    let problems = ProblemCollector()
    if ScenarioReader.read(path, worlds: &worlds, problems) == nil, let root = SourceNode.read(path, problems) {
      _ = try? worlds.extended(root, from: user(of: path), problems)
    }
    return [path] + worlds.paths
  }

  /// Notes the flows that a scenario file declares.
  mutating func declare(_ flows: SourceNode?, in path: String) {
    guard case .mapping(let entries)? = flows?.content else { return }
    for entry in entries where !ownFlows.contains(where: { $0.name.position == entry.key.position }) {
      ownFlows.append((Self.identity(of: entry.key.value, in: path), entry.key))
    }
  }

  /// Notes the use of a flow that a scenario file declares.
  mutating func use(_ flow: String) { usedOwnFlows.insert(flow) }

  /// The name of a flow with its file, which tells flows of one name apart.
  static func identity(of flow: String, in path: String) -> String { "\(path):\(flow)" }

  /// Reports the flows inside scenario files that no step uses.
  func reportUnusedFlows(_ advice: ProblemCollector) {
    for flow in ownFlows where !usedOwnFlows.contains(flow.identity) {
      advice.report(
        SourceProblem(
          .unusedFlow, "no step uses the flow \(SourceText.quote(flow.name.value))", at: flow.name.position))
    }
  }

  /// A path next to the folder `worlds` or `flows` of a file, where the files that use it can be.
  static func user(of path: String) -> String {
    let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
    return (folder.lastIndex(of: "/").map { path[...$0] } ?? "") + "user"
  }

  /// A world with the worlds that it extends: their keys, changed by its own.
  ///
  /// - Parameters:
  ///   - world: The tree of the world.
  ///   - path: Path of the file next to which the extended world is looked for.
  mutating func extended(_ world: SourceNode, from path: String, _ problems: ProblemCollector) throws -> SourceNode? {
    var layers = [world]
    var user = path
    while let node = layers.last?["extends"] {
      guard layers.count <= Self.maximumExtensions else {
        throw SourceProblem(.tooDeep, "worlds extend worlds deeper than \(Self.maximumExtensions)", at: node.position)
      }
      let name = try node.string()
      let found = ProblemCollector()
      // A file may extend the world of its own name in a folder above.
      let own = node.position.file.path
      let base = try named(name, kind: "world", at: node, from: user, notAt: own, found)
      problems.absorb(found) { _ in ["the world is extended at \(node.position)"] }
      guard let base else { return nil }
      if layers.contains(where: { $0.position.file == base.position.file }) {
        throw SourceProblem(.unreadableValue, "the world \(SourceText.quote(name)) extends itself", at: node.position)
      }
      layers.append(base)
      user = Self.user(of: base.position.file.path)
    }
    guard let last = layers.popLast() else { return world }
    var result = last
    for layer in layers.reversed() {
      let changes = layer.without("extends")
      WorldChange.check(changes, to: result, problems)
      result = result.merging(changes)
    }
    return result
  }

  /// The tree of the file `worlds/NAME.yaml` or `flows/NAME.yaml`, next to a scenario or in a folder above it.
  ///
  /// - Parameters:
  ///   - kind: `world` or `flow`, which with an s is also the folder.
  ///   - path: Path of the scenario.
  ///   - others: Names that the scenario itself defines.
  ///   - excluded: Path of a file to pass over.
  mutating func named(
    _ name: String, kind: String, at node: SourceNode, from path: String, besides others: [String] = [],
    notAt excluded: String? = nil, _ problems: ProblemCollector
  ) throws -> SourceNode? {
    guard name.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }), !name.isEmpty else {
      throw SourceProblem(
        .unknownName, "a \(kind)'s name has lower-case letters, digits and hyphens, not \(SourceText.quote(name))",
        at: node.position)
    }
    let place = "\(path.lastIndex(of: "/").map { path[...$0] } ?? "")\(kind)s/\(name)"
    let isOwn = excluded.map { $0 == place + ".yaml" } ?? false
    if !isOwn, let file = places[place] { return read(file, problems) }
    var folder = URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent()
    var known = others
    while true {
      let beside = folder.appendingPathComponent(kind + "s")
      let file = beside.appendingPathComponent(name + ".yaml")
      let found = Self.relative(file.path, like: path)
      if found != excluded, FileManager.default.fileExists(atPath: file.path) {
        if !isOwn, places.count < Self.maximumPlaces { places[place] = found }
        return read(found, problems)
      }
      let names = (try? FileManager.default.contentsOfDirectory(atPath: beside.path)) ?? []
      known += names.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
      if folder.path == "/" { break }
      folder.deleteLastPathComponent()
    }
    throw SourceProblem(
      .unknownName, "unknown \(kind) \(SourceText.quote(name))", at: node.position,
      suggestion: NearestName.of(name, in: known),
      hint: known.isEmpty
        ? "looked for \(kind)s/\(name).yaml next to the file and above" : "known here: " + NearestName.list(known))
  }

  /// The tree of a file; nil after a problem was reported.
  private mutating func read(_ path: String, _ problems: ProblemCollector) -> SourceNode? {
    used.insert(path)
    paths.insert(path)
    if let tree = trees[path] { return tree }
    let tree = tree(of: path, problems)
    // A file with a problem is read again each time, so that the problem is reported for every file that names it.
    if let tree, problems.isEmpty, trees.count < Self.maximumFiles { trees[path] = tree }
    return tree
  }

  /// Returns a path relative to the current folder, in the form of a given path.
  private static func relative(_ path: String, like given: String) -> String {
    let current = FileManager.default.currentDirectoryPath + "/"
    return !given.hasPrefix("/") && path.hasPrefix(current) ? String(path.dropFirst(current.count)) : path
  }
}
