import Foundation
import ScenarioLanguage
import ScenarioRunner

/// Writes the journals of cases into a folder, a file for each case.
struct TraceFolder {
  private let path: String
  private let folder: URL
  private let page: (@Sendable (CaseResult) throws -> String)?
  private var written: [String: Int] = [:]
  /// The first error of writing a file, or nil.
  private(set) var problem: String?

  /// The files of a case, with their paths below the folder as it was named.
  struct Files {
    /// The journal.
    let trace: String
    /// The page; nil for a case without one.
    let page: String?
  }

  /// Creates the folder if it is missing.
  /// - Parameter page: makes a page of a case that failed or is undecided; nil for no pages.
  /// - Throws: an error if it cannot be made.
  init(_ path: String, page: (@Sendable (CaseResult) throws -> String)? = nil) throws {
    self.path = path
    self.page = page
    folder = URL(fileURLWithPath: path, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Writes the journal of a case, and a page of it if the case failed or is undecided.
  mutating func write(_ result: CaseResult) -> Files {
    let stem = result.scenario.fileStem
    // Different cases with the same file name get different numbers; cases come in the order of the run.
    let number = written[stem, default: 0] + 1
    written[stem] = number
    let name = number == 1 ? stem : "\(stem)~\(number)"
    let trace = write(name + ".trace.jsonl") { Data(result.journal.trace()) }
    guard let page, result.isBad else { return Files(trace: trace, page: nil) }
    return Files(trace: trace, page: write(name + ".html") { Data(try page(result).utf8) })
  }

  /// Writes a file, and returns its path below the folder as it was named.
  private mutating func write(_ name: String, _ content: () throws -> Data) -> String {
    do {
      try content().write(to: folder.appendingPathComponent(name))
    } catch {
      let file = folder.appendingPathComponent(name).path
      problem = problem ?? "the trace \(file) cannot be written: \(error.localizedDescription)"
    }
    return (path as NSString).appendingPathComponent(name)
  }
}
