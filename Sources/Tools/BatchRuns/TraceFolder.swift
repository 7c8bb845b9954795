import Foundation
import ScenarioLanguage
import ScenarioRunner
import Synchronization

/// Writes the journals of cases into a folder, a file for each case.
public final class TraceFolder: Sendable {
  private let path: String
  private let folder: URL
  private let page: (@Sendable (CaseResult) throws -> String)?
  private let firstProblem = Mutex<String?>(nil)
  private let written = Mutex<[String: Int]>([:])

  /// Creates the folder if it is missing.
  /// - Parameter page: makes a page of a case that failed or is undecided; nil for no pages.
  /// - Throws: an error if it cannot be made.
  public init(_ path: String, page: (@Sendable (CaseResult) throws -> String)? = nil) throws {
    self.path = path
    self.page = page
    folder = URL(fileURLWithPath: path, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// The first error of writing a file, or nil.
  public var problem: String? { firstProblem.withLock { $0 } }

  /// Writes the journal of a case, and a page of it if the case failed or is undecided.
  /// - Returns: the path of the journal's file, below the folder as it was named.
  public func write(_ result: CaseResult) -> String {
    let stem = result.scenario.fileStem
    // Different cases with the same file name get different numbers; cases come in the order of the run.
    let number = written.withLock { written in
      written[stem, default: 0] += 1
      return written[stem, default: 1]
    }
    let name = number == 1 ? stem : "\(stem)~\(number)"
    let trace = name + ".trace.jsonl"
    var file = folder.appendingPathComponent(trace)
    do {
      try Data(result.journal.trace()).write(to: file)
      if let page, result.isFailed || result.isUndecided {
        file = folder.appendingPathComponent(name + ".html")
        try Data(try page(result).utf8).write(to: file)
      }
    } catch {
      firstProblem.withLock { $0 = $0 ?? "the trace \(file.path) cannot be written: \(error.localizedDescription)" }
    }
    return (path as NSString).appendingPathComponent(trace)
  }
}
