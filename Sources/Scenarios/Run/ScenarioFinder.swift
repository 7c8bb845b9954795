import Foundation

/// Finds scenario files.
public enum ScenarioFinder {
  /// Most files that one run reads: a folder given by mistake must not keep it busy for ever.
  public static let maximumFiles = 20_000

  /// The scenario files of paths, in the order given, those of a folder in the order of their names. A path without
  /// its `.yaml` is understood. Folders called `worlds` hold worlds and are passed over.
  ///
  /// - Parameter problems: gets a problem for each path where nothing is found.
  public static func files(at paths: [String], _ problems: ProblemCollector) -> [String] {
    var found: [String] = []
    for path in paths {
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      if exists && isFolder.boolValue {
        let inside = yamlFiles(below: path)
        if inside.isEmpty {
          problems.report(SourceProblem(.notFound, "there is no scenario in this folder", path: path))
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

  private static func yamlFiles(below folder: String) -> [String] {
    guard let walker = FileManager.default.enumerator(atPath: folder) else { return [] }
    var files: [String] = []
    while let item = walker.nextObject() as? String, files.count < maximumFiles {
      let parts = item.split(separator: "/")
      if parts.last == "worlds" {
        walker.skipDescendants()
      } else if item.hasSuffix(".yaml"), !parts.dropLast().contains("worlds") {
        files.append((folder.hasSuffix("/") ? folder : folder + "/") + item)
      }
    }
    return files.sorted()
  }

  private static func nearest(to path: String) -> String? {
    let url = URL(fileURLWithPath: path)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)) ?? []
    let stem = url.deletingPathExtension().lastPathComponent
    let stems = names.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    return NearestName.of(stem, in: stems).map { "did you mean '\($0)'?" }
  }
}
