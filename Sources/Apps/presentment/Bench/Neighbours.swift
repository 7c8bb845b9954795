import Foundation

/// Other implementations of mobile documents, in Python, that `make bench` installs: measured as a child process on the
/// same bytes, to be put beside the measures of this one.
struct Neighbours {
  private let python: String
  private let script: String

  /// Where they are looked for, from the package's folder.
  static let environment = ".build/venv-bench/bin/python3"
  private static let scriptPath = "Sources/Apps/presentment/Bench/neighbours.py"

  /// The neighbours of the package that this program was built in; nil when they are not installed. Only the folder with the
  /// program's own `.build` is looked in: whatever stands in another one above it is somebody else's.
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

  /// None of them could be measured.
  struct Failure: Error, CustomStringConvertible {
    let status: Int32

    var description: String {
      "no neighbour could be measured (Python ended with \(status)): its own words stand above"
    }
  }

  /// Measures them on a document.
  /// - Parameter milliseconds: for how long each measure runs.
  /// - Throws: ``Failure``, and when files cannot be written or Python does not start.
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
    let found = lines.split(separator: "\n").compactMap { line -> (name: String, microseconds: Double)? in
      let parts = line.split(separator: "\t")
      guard parts.count == 2, let microseconds = Double(parts[1]) else { return nil }
      return (String(parts[0]), microseconds)
    }
    guard process.terminationStatus == 0, !found.isEmpty else { throw Failure(status: process.terminationStatus) }
    return found
  }
}
