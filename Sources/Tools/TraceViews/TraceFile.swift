import Foundation
import JSON
import Messaging

/// A trace read from `trace.jsonl`.
public struct TraceFile: Sendable {
  /// The longest file in bytes: a run with 10,000 messages takes a tenth.
  public static let maximumLength = 512 << 20

  /// The lines, with their numbers in the file.
  public let entries: [JournalEntry]

  /// Reads the lines of a trace.
  /// - Parameters:
  ///   - bytes: The content of the file.
  ///   - name: The name of the file for messages.
  /// - Throws: ``TraceViewError`` with the first line that is not a line of a trace.
  public init(_ bytes: [UInt8], name: String) throws(TraceViewError) {
    guard bytes.count <= Self.maximumLength else {
      throw TraceViewError(.tooLarge, "\(name): \(bytes.count) bytes exceed the limit of \(Self.maximumLength)")
    }
    var entries: [JournalEntry] = []
    for (position, line) in bytes.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated() {
      // After the line feed of the last line.
      if line.isEmpty { continue }
      do throws(JSONError) {
        entries.append(try JSONCoding.decode(JournalEntry.self, from: Array(line), limits: .traceLine))
      } catch {
        throw TraceViewError(
          .line, "\(name), line \(position + 1): not a line of a trace: \(error.message), at byte \(error.offset)")
      }
    }
    guard !entries.isEmpty else { throw TraceViewError(.empty, "\(name): the file has no lines") }
    self.entries = entries
  }

  /// Reads a file.
  /// - Throws: ``TraceViewError``.
  public init(at path: String) throws(TraceViewError) {
    guard let content = FileManager.default.contents(atPath: path) else {
      throw TraceViewError(.unreadable, "\(path): the file cannot be read")
    }
    try self.init([UInt8](content), name: path)
  }
}
