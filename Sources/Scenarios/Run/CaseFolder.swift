import Ecosystem
import Foundation

/// The folder in which the world of a case keeps what lasts, when the scenario gives it one.
struct CaseFolder {
  /// Where it is.
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
      path = URL(fileURLWithPath: folder).appendingPathComponent(scenario.fileStem).path
      isTemporary = false
    }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// Removes a folder that was made for this run.
  func removeIfTemporary() {
    // What cannot be removed stays with the system's other temporary files.
    if isTemporary { try? FileManager.default.removeItem(atPath: path) }
  }
}
