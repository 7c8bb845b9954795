import Foundation

/// The scenarios that come with the program.
package enum ShippedFiles {
  /// Their places, from the folder of the program: in an archive beside its folder, in a package in `share`.
  private static let folders = ["..", "../../share/presentment"]

  /// Returns the path of a scenario, a world or a folder of them that is used by default.
  /// - Parameter name: The path in a checkout, such as `scenarios/headline.yaml`. If the working folder has it, it is used.
  package static func path(_ name: String) -> String {
    guard !FileManager.default.fileExists(atPath: name) else { return name }
    let places = folders.map { Bundle.main.bundleURL.appendingPathComponent("\($0)/\(name)").standardizedFileURL.path }
    return places.first { FileManager.default.fileExists(atPath: $0) } ?? name
  }
}
