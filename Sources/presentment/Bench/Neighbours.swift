import Foundation

/// Other implementations of mobile documents, in Python, that `make bench` installs: measured as a child process on the
/// same bytes, to be put beside the measures of this one.
struct Neighbours {
  private let python: String
  private let script: String

  /// Where they are looked for, from the package's folder.
  static let environment = ".build/venv-bench/bin/python3"
  private static let scriptPath = "Sources/presentment/Bench/neighbours.py"

  /// The neighbours of the package that this program was built in; nil when they are not installed.
  init?() {
    var folder = Bundle.main.executableURL?.resolvingSymlinksInPath()
    while let place = folder, place.path != "/" {
      let python = place.appendingPathComponent(Self.environment).path
      let script = place.appendingPathComponent(Self.scriptPath).path
      if FileManager.default.isExecutableFile(atPath: python), FileManager.default.fileExists(atPath: script) {
        self.python = python
        self.script = script
        return
      }
      folder = place.deletingLastPathComponent()
    }
    return nil
  }

  /// Measures them on a document.
  /// - Parameter milliseconds: for how long each measure runs.
  /// - Throws: when files cannot be written or Python does not start.
  func measure(_ document: FormatMeasures, milliseconds: Int) throws -> [(name: String, microseconds: Double)] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("presentment-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, bytes) in try document.files() { try Data(bytes).write(to: folder.appendingPathComponent(name)) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = ["-B", script, folder.path, String(milliseconds)]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let lines = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return lines.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\t")
      guard parts.count == 2, let microseconds = Double(parts[1]) else { return nil }
      return (String(parts[0]), microseconds)
    }
  }
}
