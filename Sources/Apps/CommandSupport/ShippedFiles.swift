import Foundation

/// The scenarios that come with the program.
package enum ShippedFiles {
  /// The folder of scenarios, as in a checkout.
  private static let folder = "scenarios"

  /// Their places, from the folder of the program: in an archive beside its folder, in a package in `share`.
  private static let folders = ["..", "../../share/presentment"]

  /// Returns the path of a scenario, a world or a folder of them. A path is looked for in the working folder first.
  /// - Parameter name: The path. A shipped file has the one that it has in a checkout, such as `scenarios/headline.yaml`; no
  ///   other path is looked for beside the program.
  package static func path(_ name: String) -> String {
    guard name == folder || name.hasPrefix(folder + "/"), !FileManager.default.fileExists(atPath: name) else {
      return name
    }
    let places = folders.map { Bundle.main.bundleURL.appendingPathComponent("\($0)/\(name)").standardizedFileURL.path }
    return places.first { FileManager.default.fileExists(atPath: $0) } ?? name
  }

  /// Returns the path of a scenario or a folder of them, whose extension may be left out. Where the working folder has scenarios
  /// of its own, a missing one is missing: the program's would be run in its place without a word.
  /// - Parameter name: The path, as for ``path(_:)``.
  package static func scenario(_ name: String) -> String {
    guard !FileManager.default.fileExists(atPath: folder) else { return name }
    return [name, name + ".yaml"].map(path).first(where: FileManager.default.fileExists(atPath:)) ?? name
  }
}
