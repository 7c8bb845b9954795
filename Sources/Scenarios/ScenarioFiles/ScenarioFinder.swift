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
  /// found once, by the first. A link in a folder that leads to no file is found if it has the name of a scenario, so that
  /// its reading reports it.
  ///
  /// - Parameters:
  ///   - problems: Gets a problem for each path without scenarios, and for each name that is not UTF-8, of a scenario or a
  ///     folder.
  ///   - passedOver: Gets the path of each file in a folder that looks like a scenario and is not taken: its name begins
  ///     with a dot, or has another extension after `.yaml`.
  public static func files(
    at paths: [String], _ problems: ProblemCollector, passedOver: (String) -> Void = { _ in }
  ) -> [String] {
    var search = Search(problems: problems)
    for path in paths {
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      if exists && isFolder.boolValue {
        let known = problems.count
        let found = search.taken
        search.look(below: path)
        if search.taken == found, problems.count == known {
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
    let shared = sharedFiles(at: paths, problems)
    return (files(at: paths, problems) + shared.worlds + shared.flows).uniqued()
  }

  /// Finds the world and flow files in folders called `worlds` and `flows` below paths, each in the order of their names.
  static func sharedFiles(at paths: [String], _ problems: ProblemCollector) -> (worlds: [String], flows: [String]) {
    var search = Search(problems: problems)
    search.reportsShared = true
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
    guard let real = realpath(path, nil) else { return URL(fileURLWithPath: path).standardizedFileURL.path }
    defer { free(real) }
    return String(validatingCString: real) ?? path
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
    /// True if names of worlds and flows that are not UTF-8 are problems. A run does not look for them.
    var reportsShared = false
    // As bytes: two names that look the same can be those of two files.
    private var seen: Set<[UInt8]> = []
    private var isFull = false

    init(problems: ProblemCollector) { self.problems = problems }

    /// Takes a file, unless another path has led to it.
    mutating func take(_ file: String) {
      taken += 1
      if seen.insert(Array(ScenarioFinder.identity(of: file).utf8)).inserted { files.append(file) }
    }

    /// Takes the files below a folder, each level in the order of its names. A folder that links to itself or to one
    /// that was searched is not searched again. Hidden folders are passed over.
    mutating func look(below folder: String) {
      guard !isFull else { return }
      guard seen.insert(Array((ScenarioFinder.identity(of: folder) + "/").utf8)).inserted else {
        taken += 1
        return
      }
      guard let listing = FolderListing(of: folder) else {
        problems.report(SourceProblem(.notReadable, "the folder cannot be read", path: folder))
        return
      }
      let prefix = folder.hasSuffix("/") ? folder : folder + "/"
      report(listing.unusable.filter { $0.canBeFolder || isScenario($0.shown) }, in: prefix)
      for name in listing.names {
        let path = prefix + name
        if otherFolders.contains(name) {
          let inside = FolderListing(of: path)
          // Worlds and flows are named without their extension, so they have the usual one.
          shared[name, default: []] += (inside?.names ?? []).filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }
            .map { path + "/" + $0 }
          if reportsShared { report(inside?.unusable.filter { isScenario($0.shown) } ?? [], in: path + "/") }
          continue
        }
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        if !exists, !name.hasPrefix("."), (name as NSString).pathExtension.isEmpty {
          // It can have been a folder of scenarios.
          problems.report(SourceProblem(.notFound, "the link leads to no file and no folder", path: path))
        } else if isFolder.boolValue {
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

    /// Reports names that are not UTF-8, except hidden ones.
    private func report(_ names: [FolderListing.UnusableName], in folder: String) {
      for name in names where !name.shown.hasPrefix(".") {
        problems.report(
          SourceProblem(
            .notReadable, "the name is not UTF-8", path: folder + name.shown, hint: "rename it, so that it can be read")
        )
      }
    }
  }

  private static func nearest(to path: String) -> String? {
    let url = URL(fileURLWithPath: path)
    let names = FolderListing(of: url.deletingLastPathComponent().path)?.names ?? []
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

/// A regular file by its device and inode, which are the same for every path that leads to it.
public struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// Returns nil for a path without a regular file.
  public init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }
}
