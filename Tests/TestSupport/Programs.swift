import Foundation

/// Programs that tests run: the command that was built with them, and Python.
public enum Programs {
  /// How a program ended.
  public struct Run: CustomStringConvertible, Sendable {
    /// Its exit code.
    public let code: Int32
    /// Its standard output.
    public let output: String
    /// Its standard error.
    public let errors: String

    /// All of it.
    public var description: String { "exit \(code)\n\(output)\n\(errors)" }
  }

  /// The package's own folder.
  public static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The command, which stands beside the tests.
  public static let presentment = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("presentment").path

  private static let named = ProcessInfo.processInfo.environment["PRESENTMENT_PYTHON"]

  /// The Python that `make test` names, or the one that it makes.
  public static let python = named ?? package.appendingPathComponent(".build/venv/bin/python3").path

  /// Whether tests that need Python run: always when it is named.
  public static let hasPython: Bool = {
    if named != nil || FileManager.default.isExecutableFile(atPath: python) { return true }
    let line = "there is no \(python): tests that need Python are skipped; make test installs it\n"
    FileHandle.standardError.write(Data(line.utf8))
    return false
  }()

  /// Runs a program to its end, with a text on its standard input.
  /// - Throws: when it cannot be started.
  public static func run(_ program: String, _ arguments: [String], input: String = "") throws -> Run {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("presentment-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = package
    // Files, because a full pipe would stop the program while the other is read.
    let (output, errors, text) = ("output", "errors", "input")
    for name in [output, errors] { try Data().write(to: folder.appendingPathComponent(name)) }
    try Data(input.utf8).write(to: folder.appendingPathComponent(text))
    process.standardInput = try FileHandle(forReadingFrom: folder.appendingPathComponent(text))
    process.standardOutput = try FileHandle(forWritingTo: folder.appendingPathComponent(output))
    process.standardError = try FileHandle(forWritingTo: folder.appendingPathComponent(errors))
    try process.run()
    process.waitUntilExit()
    func read(_ name: String) throws -> String {
      String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
    }
    return Run(code: process.terminationStatus, output: try read(output), errors: try read(errors))
  }
}
