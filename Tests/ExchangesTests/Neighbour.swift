import DigitalCredentials
import Foundation

@testable import Exchanges

/// The Python that runs the independent implementation.
enum Neighbour {
  /// What `make test` names; it must then be there.
  private static let named = ProcessInfo.processInfo.environment["PRESENTMENT_PYTHON"]

  static let python = named ?? Folder.package.appendingPathComponent(".build/venv/bin/python3").path

  /// Whether the tests run. Says so once when they do not.
  static let isHere: Bool = {
    if named != nil || FileManager.default.isExecutableFile(atPath: python) { return true }
    let line = "there is no \(python): tests against an independent implementation are skipped; make test installs it\n"
    FileHandle.standardError.write(Data(line.utf8))
    return false
  }()
}

/// A folder for the files of one test, which goes with it.
final class Folder {
  /// The package's own folder.
  static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// How a command ended.
  struct Run: CustomStringConvertible {
    let code: Int32
    let output: String
    let errors: String

    var description: String { "exit \(code)\n\(output)\n\(errors)" }
  }

  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("presentment-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Runs the command that was built with the tests and stands beside them.
  /// - Parameters:
  ///   - input: a file of the folder to be standard input.
  ///   - output: a device to be standard output.
  func presentment(_ arguments: String..., input: String? = nil, output: String? = nil) throws -> Run {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return try run(
      tests.deletingLastPathComponent().appendingPathComponent("presentment").path, arguments, input: input,
      output: output)
  }

  /// The names in the folder or one below it, sorted; without what running commands left.
  func names(in below: String = ".") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.appendingPathComponent(below).path)
      .filter { ![".output", ".errors"].contains($0) }.sorted()
  }

  func path(of name: String) -> String { url.appendingPathComponent(name).path }

  /// Runs the script.
  func script(_ arguments: String...) throws -> Run {
    let script = Self.package.appendingPathComponent("Tests/Interoperability/exchange.py").path
    return try run(Neighbour.python, ["-B", script] + arguments)
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: url.appendingPathComponent(name))
  }

  func permissions(of name: String) throws -> Int? {
    let path = url.appendingPathComponent(name).path
    return (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
  }

  /// Makes a file trust the roots of another.
  func trust(_ root: String, in name: String) throws {
    let place = url.appendingPathComponent(name)
    var draft = try Draft(try ExchangeFile([UInt8](Data(contentsOf: place))))
    draft.members["trustedIssuers"] = .array([.string(root)])
    try Data(draft.bytes).write(to: place)
  }

  private func run(
    _ program: String, _ arguments: [String], input: String? = nil, output: String? = nil
  ) throws -> Run {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = url
    // Files, because a full pipe would stop the program while the other is read.
    let ends = ["output", "errors"].map { url.appendingPathComponent(".\($0)") }
    for end in ends { try Data().write(to: end) }
    if let input { process.standardInput = try FileHandle(forReadingFrom: url.appendingPathComponent(input)) }
    process.standardOutput = try FileHandle(forWritingTo: output.map { URL(fileURLWithPath: $0) } ?? ends[0])
    process.standardError = try FileHandle(forWritingTo: ends[1])
    try process.run()
    process.waitUntilExit()
    let texts = try ends.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    return Run(code: process.terminationStatus, output: texts[0], errors: texts[1])
  }
}
