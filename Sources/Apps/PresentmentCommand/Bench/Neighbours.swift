import CommandSupport
import Foundation
import InteractiveWorlds
import MeasuredWork

/// Other implementations of mobile documents and of SD-JWT credentials, in Python, which `make bench` installs. A child process measures them on
/// the same bytes, for comparison.
struct Neighbours {
  private let python: String
  private let script: String

  /// The path of their Python, relative to the package's folder.
  static let environment = ".build/venv-bench/bin/python3"
  private static let scriptPath = "Sources/Apps/PresentmentCommand/Bench/neighbours.py"

  /// The implementations installed in the package that this program was built in, or nil. Only the folder of the
  /// program's own `.build` is searched: one above it may belong to another project.
  init?() {
    guard let program = Bundle.main.executableURL?.resolvingSymlinksInPath(),
      let build = program.pathComponents.lastIndex(of: ".build")
    else { return nil }
    let package = program.pathComponents[1..<build].reduce(URL(fileURLWithPath: "/")) { $0.appendingPathComponent($1) }
    python = package.appendingPathComponent(Self.environment).path
    script = package.appendingPathComponent(Self.scriptPath).path
    guard FileManager.default.isExecutableFile(atPath: python), FileManager.default.fileExists(atPath: script) else {
      return nil
    }
  }

  /// Measures them on a document.
  /// - Parameter milliseconds: The time for each measurement.
  /// - Throws: ``ProgramError``, or an error if files cannot be written or Python does not start.
  func measure(_ document: MeasuredDocument, milliseconds: Int) throws -> [(name: String, microseconds: Double)] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("presentment-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    let exchange = try MeasuredExchange(.openID4VPWithSDJWT, on: document)
    for (name, bytes) in try document.files() + exchange.files() {
      try Data(bytes).write(to: folder.appendingPathComponent(name))
    }
    let run = try ChildProcess.run(URL(fileURLWithPath: python), ["-B", script, folder.path, String(milliseconds)])
    let found = run.lines.compactMap { line -> (name: String, microseconds: Double)? in
      let parts = line.split(separator: "\t")
      guard parts.count == 2, let microseconds = Double(parts[1]) else { return nil }
      return (String(parts[0]), microseconds)
    }
    guard run.status == 0, !found.isEmpty else {
      throw ProgramError(
        .measurement,
        "no other implementation could be measured (Python exited with \(run.status)); see its output above")
    }
    return found
  }
}
