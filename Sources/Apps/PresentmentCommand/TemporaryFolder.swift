import Foundation
import Synchronization

/// A folder for temporary files that only its owner may read.
enum TemporaryFolder {
  /// Tries to remove the folder: a file may come into it meanwhile, once for each thread that makes calls.
  private static let removals = 8

  /// The turns of those who remove a folder.
  private final class Removal: Sendable { let turn = Mutex(()) }

  /// Runs a body with a folder, and removes the folder afterwards, also when a signal ends the program.
  /// - Parameter interrupt: Called with the number of the first signal; returns true if the body ends in order then.
  static func with(
    interrupt: @escaping @Sendable (Int32) -> Bool = { _ in false }, _ body: (URL) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("presentment-\(UUID().uuidString)")
    // A body that ends while a signal removes the folder waits, so that the program does not end before.
    let removal = Removal()
    let signals = InterruptSignals { number in
      if interrupt(number) { return }
      removal.turn.withLock { _ in
        // Under another name, so that nothing is made in it any more.
        let ended = folder.path + ".ended"
        rename(folder.path, ended)
        for _ in 0..<removals where FileManager.default.fileExists(atPath: ended) {
          try? FileManager.default.removeItem(atPath: ended)
        }
        _exit(128 + number)
      }
    }
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { removal.turn.withLock { _ in try? FileManager.default.removeItem(at: folder) } }
    try withExtendedLifetime(signals) { try body(folder) }
  }
}
