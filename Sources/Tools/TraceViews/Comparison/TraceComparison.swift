import Foundation
import Messaging
import ScenarioLanguage
import ScenarioRunner
import Synchronization

/// Comparisons of files, of folders, and of runs with kept traces.
public enum TraceComparison {
  /// The extension of a trace's name.
  public static let ending = ".trace.jsonl"

  /// The difference of two files or folders.
  public struct Report: Sendable {
    /// The text.
    public let text: String
    /// True without a difference.
    public let isSame: Bool
  }

  /// Compares two traces, or the traces of two folders by their names.
  /// - Throws: ``TraceViewError`` if a file cannot be read, or if one path is a file and the other a folder.
  public static func compare(_ left: String, _ right: String) throws(TraceViewError) -> Report {
    switch (try isFolder(left), try isFolder(right)) {
    case (false, false): return try compareFiles(left, right)
    case (true, true): return try compareFolders(left, right)
    case (true, false): throw TraceViewError(.unreadable, "\(left) is a folder and \(right) a file")
    case (false, true): throw TraceViewError(.unreadable, "\(left) is a file and \(right) a folder")
    }
  }

  private static func isFolder(_ path: String) throws(TraceViewError) -> Bool {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw TraceViewError(.unreadable, "\(path): no such file or folder")
    }
    return isFolder.boolValue
  }

  private static func compareFiles(_ left: String, _ right: String) throws(TraceViewError) -> Report {
    let (one, other) = (try TraceFile.contents(of: left), try TraceFile.contents(of: right))
    let entries = try TraceFile(one, name: left).entries
    // Most kept traces are equal byte for byte: the lines of one are read, and nothing is compared.
    if one == other { return Report(text: "", isSame: true) }
    let difference = TraceDifference(entries, try TraceFile(other, name: right).entries)
    return Report(text: difference?.description((left, right)) ?? "", isSame: difference == nil)
  }

  private static func compareFolders(_ left: String, _ right: String) throws(TraceViewError) -> Report {
    let (one, other) = (try names(in: left), try names(in: right))
    var texts: [String] = []
    var (same, different) = (0, 0)
    for name in Set(one).union(other).sorted() {
      guard one.contains(name), other.contains(name) else {
        texts.append("only in \(one.contains(name) ? left : right): \(name)")
        continue
      }
      let report = try compareFiles("\(left)/\(name)", "\(right)/\(name)")
      if report.isSame {
        same += 1
      } else {
        different += 1
        texts.append(report.text)
      }
    }
    let alone = texts.count - different
    texts.append("\(same) same, \(different) different, \(alone) in one folder only")
    return Report(text: texts.joined(separator: "\n"), isSame: texts.count == 1)
  }

  private static func names(in folder: String) throws(TraceViewError) -> [String] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw TraceViewError(.unreadable, "\(folder): the folder cannot be read")
    }
    let traces = names.filter { $0.hasSuffix(ending) }
    guard !traces.isEmpty else { throw TraceViewError(.empty, "\(folder): the folder has no file NAME\(ending)") }
    return traces
  }
}

/// Kept traces, with which the cases of a run are compared.
public final class GoldenTraces: Sendable {
  /// A difference as the failure of a case.
  public struct Finding: Sendable {
    /// The failure in one message.
    public let headline: String
    /// The code of the failure.
    public let code: String
    /// The place and the values, as lines.
    public let evidence: [String]
  }

  private let folder: String
  private let names = Mutex(CaseFileNames())

  /// Kept traces in a folder, with the names of `run --trace`.
  public init(_ folder: String) { self.folder = folder }

  /// Returns the result of a case with a difference from its kept trace as its failure. Cases that did not pass stay as they
  /// are.
  public func judged(_ result: CaseResult) -> CaseResult {
    guard let finding = finding(on: result) else { return result }
    return result.failing(finding.headline, code: finding.code, evidence: finding.evidence)
  }

  /// Compares the journal of a case with its kept trace. Cases come in the order of the run.
  /// - Returns: The difference; nil for equal traces.
  public func finding(on result: CaseResult) -> Finding? {
    let name = names.withLock { $0.next(for: result.scenario) }
    let path = "\(folder)/\(name)\(TraceComparison.ending)"
    guard let kept = try? TraceFile.contents(of: path) else {
      return Finding(
        headline: "the case has no kept trace", code: "golden.missing", evidence: ["expected the file \(path)"])
    }
    if kept == result.journal.trace() { return nil }
    do throws(TraceViewError) {
      guard let difference = TraceDifference(try TraceFile(kept, name: path).entries, result.journal.entries) else {
        return Finding(headline: "the kept trace is written in another form", code: "golden.form", evidence: [path])
      }
      let text = difference.description((path, "the run"))
      return Finding(
        headline: "the run differs from its kept trace: \(difference.cause.words)",
        code: "golden.\(difference.cause.rawValue)",
        evidence: text.split(separator: "\n").dropFirst().map(String.init) + ["kept: \(path)"])
    } catch {
      return Finding(
        headline: "the kept trace cannot be read", code: "golden.unreadable", evidence: [error.description])
    }
  }
}
