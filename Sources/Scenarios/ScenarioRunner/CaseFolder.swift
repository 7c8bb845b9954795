import Ecosystem
import Foundation
import LocatedYAML
import ScenarioLanguage

/// The folder in which the world of a case keeps what lasts, when the scenario gives it one.
struct CaseFolder {
  /// The path of the folder.
  let path: String
  private let isTemporary: Bool

  /// The folder for a case: made for this run, or one below the folder that the scenario names. Each case has its own,
  /// so that cases do not meet. Nil when the world keeps everything in memory.
  /// - Throws: when the folder cannot be made.
  init?(for scenario: Scenario) throws {
    switch scenario.world.storage {
    case .memory: return nil
    case .temporary:
      // The name of a folder that only this run uses does not come into the world.
      path = FileManager.default.temporaryDirectory.appendingPathComponent("presentment-\(UUID().uuidString)").path
      isTemporary = true
    case .folder(let folder):
      path = folder + "/" + Self.name(of: scenario, besides: folder)
      isTemporary = false
    }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// A name that no other case has, however the path of its file was written: the file's path from the folder's
  /// neighbourhood on, and the name of the case.
  private static func name(of scenario: Scenario, besides folder: String) -> String {
    var file = URL(fileURLWithPath: scenario.path).standardizedFileURL.path
    let neighbourhood = URL(fileURLWithPath: folder).deletingLastPathComponent().path + "/"
    if file.hasPrefix(neighbourhood) { file = String(file.dropFirst(neighbourhood.count)) }
    let parts = [file.hasSuffix(".yaml") ? String(file.dropLast(5)) : file] + (scenario.caseName.map { [$0] } ?? [])
    return parts.map { FileName.escaped($0, with: "_", plain: ".-") }.joined(separator: "@")
  }

  /// Removes a folder that was made for this run.
  func removeIfTemporary() {
    // What cannot be removed stays with the system's other temporary files.
    if isTemporary { try? FileManager.default.removeItem(atPath: path) }
  }
}
