import Foundation
import JSON
import Messaging
import Primitives

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
    // One line after the other: a list of all places takes many times the bytes of a file with short lines.
    var rest = bytes[...]
    var position = 0
    while !rest.isEmpty {
      let line = rest.prefix { $0 != 0x0a }
      rest = rest.dropFirst(line.count + 1)
      defer { position += 1 }
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
  public init(at path: String) throws(TraceViewError) { try self.init(Self.contents(of: path), name: path) }

  /// Returns the bytes of a file, at most one more than the limit, so that a file without an end ends.
  /// - Throws: ``TraceViewError`` if the file cannot be read.
  static func contents(of path: String, upTo limit: Int = maximumLength) throws(TraceViewError) -> [UInt8] {
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw TraceViewError(.unreadable, "\(path): the file cannot be read")
    }
    defer { try? file.close() }
    var bytes: [UInt8] = []
    do {
      while bytes.count <= limit,
        let part = try file.read(upToCount: min(1 << 20, limit + 1 - bytes.count)), !part.isEmpty
      { bytes += part }
    } catch {
      throw TraceViewError(.unreadable, "\(path): the file cannot be read")
    }
    return bytes
  }
}

/// The reason why a trace cannot be read or shown.
public typealias TraceViewError = CodedFailure<TraceViewErrorCode>

/// The kinds of errors.
public enum TraceViewErrorCode: String, Sendable, CaseIterable {
  /// The file or folder cannot be read.
  case unreadable = "trace.unreadable"
  /// The file has more than ``TraceFile/maximumLength`` bytes.
  case tooLarge = "trace.too-large"
  /// A line is not a line of a trace.
  case line = "trace.line"
  /// The file has no line.
  case empty = "trace.empty"
  /// The files of the page are missing.
  case files = "trace.files"
}
