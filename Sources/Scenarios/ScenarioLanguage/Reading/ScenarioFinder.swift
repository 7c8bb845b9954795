import Foundation
import LocatedYAML

/// Finds scenario files.
public enum ScenarioFinder {
  /// The maximum number of files in one run, so that a wrong folder does not keep it busy forever.
  public static let maximumFiles = 20_000

  /// Finds the scenario files of paths, in the given order; those of a folder in the order of their names. The
  /// extension `.yaml` is optional. Folders called `worlds` and `flows` are skipped.
  ///
  /// - Parameter problems: gets a problem for each path without scenarios.
  public static func files(at paths: [String], _ problems: ProblemCollector) -> [String] {
    var found: [String] = []
    for path in paths {
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      if exists && isFolder.boolValue {
        let known = problems.problems.count
        let inside = yamlFiles(below: path, problems)
        if inside.isEmpty, problems.problems.count == known {
          problems.report(SourceProblem(.notFound, "the folder contains no scenario", path: path))
        }
        found += inside
      } else if exists {
        found.append(path)
      } else if FileManager.default.fileExists(atPath: path + ".yaml") {
        found.append(path + ".yaml")
      } else {
        problems.report(SourceProblem(.notFound, "no such file", path: path, hint: nearest(to: path)))
      }
    }
    var seen: Set<String> = []
    return found.filter { seen.insert($0).inserted }
  }

  /// The files below a folder, each level in the order of its names. Hidden folders are passed over.
  private static func yamlFiles(below folder: String, _ problems: ProblemCollector) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      problems.report(SourceProblem(.notReadable, "the folder cannot be read", path: folder))
      return []
    }
    var files: [String] = []
    for name in names where !name.hasPrefix(".") && !["worlds", "flows"].contains(name) {
      let path = (folder.hasSuffix("/") ? folder : folder + "/") + name
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { continue }
      if isFolder.boolValue {
        files += yamlFiles(below: path, problems)
      } else if name.hasSuffix(".yaml") {
        files.append(path)
      }
      guard files.count <= maximumFiles else {
        problems.report(SourceProblem(.tooLarge, "more than \(maximumFiles) scenario files", path: folder))
        return []
      }
    }
    return files
  }

  private static func nearest(to path: String) -> String? {
    let url = URL(fileURLWithPath: path)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)) ?? []
    let stem = url.deletingPathExtension().lastPathComponent
    let stems = names.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
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
    cases = ((try? root["matrix"]?.sequence()) ?? []).compactMap { entry in
      (try? entry["case"]?.string()).map { Case(name: $0, because: try? entry["because"]?.string()) }
    }
  }
}
