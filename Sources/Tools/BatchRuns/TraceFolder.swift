import Foundation
import Reports
import ScenarioLanguage
import ScenarioRunner

/// Writes the journals of cases into a folder, a file for each case.
struct TraceFolder {
  private let path: String
  private let folder: URL
  private let page: (@Sendable (CaseResult) throws -> String)?
  private var names = CaseFileNames()
  /// The first error of writing a file, or nil.
  private(set) var problem: String?

  /// The files of a case, with their paths below the folder as it was named.
  struct Files {
    /// The journal; nil for a case without a world, whose journal has no line, and for one that could not be written.
    let trace: String?
    /// The page; nil for a case without one.
    let page: String?
  }

  /// Creates the folder if it is missing.
  /// - Parameter page: Makes a page of a case that failed or is undecided; nil for no pages.
  /// - Throws: An error if it cannot be made.
  init(_ path: String, page: (@Sendable (CaseResult) throws -> String)? = nil) throws {
    self.path = path
    self.page = page
    folder = URL(fileURLWithPath: path, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// The names of all files that cases may have.
  static func names(of scenarios: some Sequence<Scenario>) -> Set<String> {
    var names = CaseFileNames()
    return Set(
      scenarios.flatMap { scenario in
        let name = names.next(for: scenario)
        return [name + traceEnding, name + pageEnding]
      })
  }

  private static let traceEnding = ".trace.jsonl"
  private static let pageEnding = ".html"

  /// Writes the journal of a case, and a page of it if the case failed or is undecided.
  mutating func write(_ result: CaseResult) -> Files {
    let name = names.next(for: result.scenario)
    let trace = writeTrace(of: result, name + Self.traceEnding)
    guard let page, result.isBad else { return Files(trace: trace, page: nil) }
    return Files(trace: trace, page: write(name + Self.pageEnding) { Array(try page(result).utf8) })
  }

  /// Writes a journal. A file without a line would not be a trace, so a case without a world leaves none; one of an earlier
  /// run would be taken for the journal of this one.
  private mutating func writeTrace(of result: CaseResult, _ name: String) -> String? {
    guard result.journal.entries.isEmpty else { return write(name) { result.journal.trace() } }
    unlink(folder.appendingPathComponent(name).path)
    return nil
  }

  /// Writes a file, and returns its path below the folder as it was named; nil if it could not be written.
  private mutating func write(_ name: String, _ content: () throws -> [UInt8]) -> String? {
    do {
      try ReportFile.write(content(), to: folder.appendingPathComponent(name).path)
    } catch {
      problem = problem ?? "the trace cannot be written: \(error)"
      return nil
    }
    return (path as NSString).appendingPathComponent(name)
  }
}
