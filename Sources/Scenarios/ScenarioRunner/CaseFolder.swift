import Foundation
import LocatedYAML
import ScenarioLanguage
import Storage
import Synchronization

/// The folder for the persistent state of a case's world, if the scenario declares one.
struct CaseFolder {
  /// The path of the folder.
  let path: String
  private let isTemporary: Bool

  /// Creates the folder of a case: a temporary one, or one below the folder that the scenario names. Each case has its
  /// own, so that cases do not share state. Nil if the world keeps its state in memory.
  /// - Parameter temporaryFolder: The folder for temporary ones.
  /// - Throws: An error if the folder cannot be made.
  init?(for scenario: Scenario, temporaryFolder: URL = Self.temporaryFolder) throws {
    switch scenario.world.storage {
    case .memory: return nil
    case .temporary:
      // A temporary folder's name has no effect on the world.
      path = temporaryFolder.appendingPathComponent("presentment-\(UUID().uuidString)").path
      isTemporary = true
    case .folder(let folder):
      path = folder + "/" + Self.name(of: scenario, besides: folder)
      isTemporary = false
    }
    // A folder for temporary files that does not exist is not made: nothing would remove it.
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: !isTemporary)
  }

  /// Linux's file system in memory if the process may write there, or else the usual folder. A world synchronizes each
  /// write, and on a disk it would spend most of the run waiting, for files that the run removes.
  private static let temporaryFolder: URL = {
    let memory = "/dev/shm"
    return FileManager.default.isWritableFile(atPath: memory)
      ? URL(fileURLWithPath: memory, isDirectory: true) : FileManager.default.temporaryDirectory
  }()

  /// A name that is unique to the case for every spelling of its file's path: the file's path relative to the folder's
  /// parent, and the name of the case.
  private static func name(of scenario: Scenario, besides folder: String) -> String {
    var file = URL(fileURLWithPath: scenario.path).standardizedFileURL.path
    let neighbourhood = URL(fileURLWithPath: folder).deletingLastPathComponent().path + "/"
    if file.hasPrefix(neighbourhood) { file = String(file.dropFirst(neighbourhood.count)) }
    let parts = [file.hasSuffix(".yaml") ? String(file.dropLast(5)) : file] + (scenario.caseName.map { [$0] } ?? [])
    return parts.map { FileName.escaped($0, with: "_", plain: ".-") }.joined(separator: "@")
  }

  /// Temporary folders that are not removed yet: removing one takes a descriptor, and another case may have the last one.
  private static let left = Mutex<[String]>([])

  /// Removes a folder that was made for this run, and those that earlier cases could not remove. What the last case cannot
  /// remove stays among the system's temporary files.
  func removeIfTemporary(by remove: (String) throws -> Void = { try FileManager.default.removeItem(atPath: $0) }) {
    guard isTemporary else { return }
    Self.left.withLock { left in
      left.append(path)
      left.removeAll { path in
        try? remove(path)
        return access(path, F_OK) != 0
      }
    }
  }
}
