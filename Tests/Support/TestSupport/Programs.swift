import Foundation

/// Programs that tests run: the command that was built with them, and Python.
public enum Programs {
  /// The result of a program.
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

  /// The command, built into the same folder as the tests.
  public static let presentment = built("presentment")

  /// The path of a program that was built into the same folder as the tests.
  public static func built(_ name: String) -> String {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent(name).path
  }

  private static let named = ProcessInfo.processInfo.environment["PRESENTMENT_PYTHON"]

  /// The Python that `make test` names, or the one that it makes.
  public static let python = named ?? package.appendingPathComponent(".build/venv/bin/python3").path

  /// True if the Python that tests need exists, or the environment names one.
  public static let hasPython: Bool = {
    if named != nil || FileManager.default.isExecutableFile(atPath: python) { return true }
    let line = "there is no \(python): tests that need Python are skipped; make test installs it\n"
    FileHandle.standardError.write(Data(line.utf8))
    return false
  }()

  /// The schemas of JUnit's XML that `make test` fetches; none if it did not.
  public static let jUnitSchemas: [String] = {
    let folder = package.appendingPathComponent(".build/junit")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".xsd") }.sorted().map { folder.appendingPathComponent($0).path }
  }()

  /// The number of programs at a time: more than the cores only slow each other down.
  private static let places = DispatchSemaphore(value: max(2, ProcessInfo.processInfo.activeProcessorCount))

  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - folder: The working directory.
  ///   - text: The standard input.
  ///   - file: A file to use as standard input instead.
  ///   - device: A device to use as standard output; the output is then not recorded.
  /// - Throws: An error if the program cannot be started.
  public static func run(
    _ program: String, _ arguments: [String], in folder: URL = package, input text: String = "", from file: URL? = nil,
    to device: URL? = nil
  ) async throws -> Run {
    // Waits on a thread of its own: the threads that run tests are as few as the cores and would all block.
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
