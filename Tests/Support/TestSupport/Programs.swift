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
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

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

  /// How many programs run at a time: with more than the cores there are each would only be slower.
  private static let places = DispatchSemaphore(value: max(2, ProcessInfo.processInfo.activeProcessorCount))

  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - folder: where it runs.
  ///   - text: its standard input.
  ///   - file: a file to be its standard input instead.
  ///   - device: a device to be its standard output, of which nothing is then known.
  /// - Throws: when it cannot be started.
  public static func run(
    _ program: String, _ arguments: [String], in folder: URL = package, input text: String = "", from file: URL? = nil,
    to device: URL? = nil
  ) async throws -> Run {
    // It is waited for on a thread of its own: those that run tests are as few as the cores, and would all stand still.
    try await withCheckedThrowingContinuation { continuation in
      let thread = Thread {
        places.wait()
        let result = Result {
          try runAndWait(program, arguments, in: folder, input: text, from: file, to: device)
        }
        places.signal()
        continuation.resume(with: result)
      }
      thread.start()
    }
  }

  private static func runAndWait(
    _ program: String, _ arguments: [String], in folder: URL, input text: String, from file: URL?, to device: URL?
  ) throws -> Run {
    let ends = FileManager.default.temporaryDirectory.appendingPathComponent("presentment-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: ends, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: ends) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    // Files, because a full pipe would stop the program while the other is read.
    let (input, output, errors) = (
      ends.appendingPathComponent("input"), ends.appendingPathComponent("output"), ends.appendingPathComponent("errors")
    )
    try Data(text.utf8).write(to: input)
    for end in [output, errors] { try Data().write(to: end) }
    process.standardInput = try FileHandle(forReadingFrom: file ?? input)
    process.standardOutput = try FileHandle(forWritingTo: device ?? output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    let texts = try [output, errors].map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    return Run(code: process.terminationStatus, output: texts[0], errors: texts[1])
  }
}
