import Foundation
import LocatedYAML

/// The world and flow files that were read so far, so that cases that share one read it once.
public struct WorldSources: Sendable {
  private var trees: [String: SourceNode] = [:]
  /// The paths of all files that were asked for, readable or not.
  public private(set) var paths: Set<String> = []
  /// Paths of found files, by what was looked for in which folder.
  private var places: [String: String] = [:]

  /// The maximum number of cached files: more than any folder of scenarios has.
  private static let maximumFiles = 64
  /// The maximum number of kept paths: of each cached file, from many folders.
  private static let maximumPlaces = 4096

  /// Creates an empty store.
  public init() {}

  /// The tree of the file `worlds/NAME.yaml` or `flows/NAME.yaml`, next to a scenario or in a folder above it.
  ///
  /// - Parameters:
  ///   - kind: `world` or `flow`, which with an s is also the folder.
  ///   - path: path of the scenario.
  ///   - others: names that the scenario itself defines.
  mutating func named(
    _ name: String, kind: String, at node: SourceNode, from path: String, besides others: [String] = [],
    _ problems: ProblemCollector
  ) throws -> SourceNode? {
    guard name.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }), !name.isEmpty else {
      throw SourceProblem(
        .unknownName, "a \(kind)'s name has lower-case letters, digits and hyphens, not \(SourceText.quote(name))",
        at: node.position)
    }
    let place = "\(path.lastIndex(of: "/").map { path[...$0] } ?? "")\(kind)s/\(name)"
    if let file = places[place] { return read(file, problems) }
    var folder = URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent()
    var known = others
    while true {
      let beside = folder.appendingPathComponent(kind + "s")
      let file = beside.appendingPathComponent(name + ".yaml")
      if FileManager.default.fileExists(atPath: file.path) {
        let found = Self.relative(file.path, like: path)
        if places.count < Self.maximumPlaces { places[place] = found }
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
    paths.insert(path)
    if let tree = trees[path] { return tree }
    let tree = SourceNode.read(path, problems)
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
