import Foundation
import LocatedYAML
import Primitives

/// Finds scenario files.
public enum ScenarioFinder {
  /// The maximum number of files in one run, so that a wrong folder does not keep it busy forever.
  public static let maximumFiles = 20_000

  /// The extensions of scenario files, in any letter case.
  private static let extensions = ["yaml", "yml"]
  /// Folders with files of other kinds.
  private static let otherFolders = ["worlds", "flows"]

  /// Finds the scenario files of paths, in the given order; those of a folder in the order of their names. The
  /// extension `.yaml` is optional. Folders called `worlds` and `flows` are skipped. A file that several paths lead to is
  /// found once, by the first.
  ///
  /// - Parameters:
  ///   - problems: gets a problem for each path without scenarios.
  ///   - passedOver: gets the path of each file in a folder that looks like a scenario and is not taken: its name begins
  ///     with a dot, or has another extension after `.yaml`.
  public static func files(
    at paths: [String], _ problems: ProblemCollector, passedOver: (String) -> Void = { _ in }
  ) -> [String] {
    var search = Search(problems: problems)
    for path in paths {
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      if exists && isFolder.boolValue {
        let known = problems.problems.count
        let found = search.taken
        search.look(below: path)
        if search.taken == found, problems.problems.count == known {
          problems.report(SourceProblem(.notFound, "the folder contains no scenario", path: path))
        }
      } else if exists {
        search.take(path)
      } else if let file = extensions.map({ path + "." + $0 }).first(where: FileManager.default.fileExists(atPath:)) {
        search.take(file)
      } else {
        problems.report(SourceProblem(.notFound, "no such file", path: path, hint: nearest(to: path)))
      }
    }
    for path in search.passedOver { passedOver(path) }
    return search.files
  }

  /// Finds the scenarios of paths, and in folders also the worlds and flows.
  public static func allFiles(at paths: [String], _ problems: ProblemCollector) -> [String] {
    let shared = sharedFiles(at: paths)
    return (files(at: paths, problems) + shared.worlds + shared.flows).uniqued()
  }

  /// Finds the world and flow files in folders called `worlds` and `flows` below paths, each in the order of their names.
  static func sharedFiles(at paths: [String]) -> (worlds: [String], flows: [String]) {
    var search = Search(problems: ProblemCollector())
    for path in paths {
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
        search.look(below: path)
      }
    }
    return (search.shared["worlds", default: []].sorted(), search.shared["flows", default: []].sorted())
  }

  /// The path of a file without symbolic links, which is the same for every spelling.
  public static func identity(of path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
  }

  /// True for a name with the extension of a scenario file.
  private static func isScenario(_ name: String) -> Bool {
    extensions.contains((name as NSString).pathExtension.lowercased())
  }

  /// A search through folders.
  private struct Search {
    let problems: ProblemCollector
    var files: [String] = []
    var passedOver: [String] = []
    /// Files of other folders, by the folders' names.
    var shared: [String: [String]] = [:]
    /// The number of files that were met, those that were known included.
    var taken = 0
    private var seen: Set<String> = []
    private var isFull = false

    init(problems: ProblemCollector) { self.problems = problems }

    /// Takes a file, unless another path has led to it.
    mutating func take(_ file: String) {
      taken += 1
      if seen.insert(ScenarioFinder.identity(of: file)).inserted { files.append(file) }
    }

    /// Takes the files below a folder, each level in the order of its names. A folder that links to itself or to one
    /// that was searched is not searched again. Hidden folders are passed over.
    mutating func look(below folder: String) {
      guard !isFull else { return }
      guard seen.insert(ScenarioFinder.identity(of: folder) + "/").inserted else {
        taken += 1
        return
      }
      let names: [String]
      do {
        names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      } catch {
        problems.report(SourceProblem(.notReadable, "the folder cannot be read", path: folder))
        return
      }
      for name in names {
        let path = (folder.hasSuffix("/") ? folder : folder + "/") + name
        if otherFolders.contains(name) {
          let inside = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
          // Worlds and flows are named without their extension, so they have the usual one.
          shared[name, default: []] += inside.filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }.map {
            path + "/" + $0
          }
          continue
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { continue }
        if isFolder.boolValue {
          if !name.hasPrefix(".") { look(below: path) }
        } else if isScenario(name), !name.hasPrefix(".") {
          take(path)
        } else if extensions.contains(where: { name.lowercased().contains("." + $0) }) {
          passedOver.append(path)
        }
        guard files.count <= maximumFiles else {
          problems.report(SourceProblem(.tooLarge, "more than \(maximumFiles) scenario files", path: folder))
          files = []
          isFull = true
          return
        }
      }
    }
  }

  private static func nearest(to path: String) -> String? {
    let url = URL(fileURLWithPath: path)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)) ?? []
    let stem = url.deletingPathExtension().lastPathComponent
    let stems = names.filter(isScenario).map { ($0 as NSString).deletingPathExtension }.sorted()
    return NearestName.of(stem, in: stems).map { "did you mean '\($0)'?" }
  }
}

/// The title, reasons and cases of a scenario file. Its world and steps are not read, which is fast for lists of many
/// files, but does not show that a case can be run.
public struct ScenarioOutline: Sendable, Equatable {
  /// An entry of a file's matrix.
  public struct Case: Sendable, Equatable {
    /// The name.
    public let name: String
    /// The reason of the case itself, if it has one.
    public let because: String?
  }

  /// The title.
  public let title: String
  /// The reason of the scenario, if it has one.
  public let because: String?
  /// Name of the file with its world, or nil if the world is written in place.
  public let world: String?
  /// The entries of the matrix; empty without a matrix.
  public let cases: [Case]

  /// Reads the outline of a file, or returns nil if it is not a scenario.
  public init?(readingFrom path: String) {
    guard let root = SourceNode.read(path, ProblemCollector()), let title = try? root["scenario"]?.string() else {
      return nil
    }
    self.title = title
    because = try? root["because"]?.string()
    world = try? root["world"]?.string()
    cases = CaseMatrix(root["matrix"], ProblemCollector()).combinations.compactMap { combination in
      combination.name.map { name in
        Case(name: name, because: combination.entries.reversed().lazy.compactMap { try? $0["because"]?.string() }.first)
      }
    }
  }
}
