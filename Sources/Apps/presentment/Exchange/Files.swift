import ArgumentParser
import ExchangeFiles
import Foundation
import MobileDocument
import Primitives
import Synchronization

/// Files that a person names.
enum Files {
  /// The name that stands for standard input.
  static let standardInput = "-"

  /// The bytes of a file that the person named, up to one more than are taken at most, so that the reader can say that they
  /// are too many; of standard input for `-`.
  static func read(
    _ path: String, upTo limit: Int = ExchangeLimits.fileBytes
  ) throws(ExchangeFileError) -> [UInt8] {
    if path == standardInput { return try contents(of: .standardInput, path, upTo: limit) }
    return try contents(of: try opened(path, onlyPlain: false), path, upTo: limit)
  }

  /// Reads files that another file names, from the folder that it stands in. Whoever made that one may have named
  /// anything, so it must be a plain file: a pipe or a terminal would be waited for.
  static func reader(beside path: String) -> FileReading {
    let folder = folder(of: path)
    return { name in
      let path = URL(fileURLWithPath: name, relativeTo: folder).path
      return try contents(of: try opened(path, onlyPlain: true), path, upTo: ExchangeLimits.fileBytes)
    }
  }

  /// The folder that a file stands in; the current one for standard input.
  static func folder(of path: String) -> URL { URL(fileURLWithPath: path).deletingLastPathComponent() }

  private static func opened(_ path: String, onlyPlain: Bool) throws(ExchangeFileError) -> FileHandle {
    // Without waiting for whoever may write into a pipe, where none may be read.
    let descriptor = open(path, onlyPlain ? O_RDONLY | O_NONBLOCK : O_RDONLY)
    guard descriptor >= 0 else {
      throw ExchangeFileError(.unreadable, nil, "no such file, or it may not be read", file: path)
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else {
      throw ExchangeFileError(.unreadable, nil, "it cannot be read", file: path)
    }
    let kind = facts.st_mode & S_IFMT
    guard kind != S_IFDIR else { throw ExchangeFileError(.unreadable, nil, "it is a folder", file: path) }
    guard kind == S_IFREG || !onlyPlain else {
      throw ExchangeFileError(.unreadable, nil, "it is no plain file", file: path)
    }
    return handle
  }

  private static func contents(
    of handle: FileHandle, _ path: String, upTo limit: Int
  ) throws(ExchangeFileError) -> [UInt8] {
    do {
      var bytes: [UInt8] = []
      while bytes.count <= limit,
        let chunk = try handle.read(upToCount: min(1 << 16, limit + 1 - bytes.count)), !chunk.isEmpty
      { bytes += chunk }
      return bytes
    } catch {
      throw ExchangeFileError(.unreadable, nil, "it cannot be read", file: path)
    }
  }

  /// A file to be written.
  struct Output {
    let path: String
    let bytes: [UInt8]
    /// Whether only its owner may read it.
    let isSecret: Bool
  }

  /// Writes files, all of them or none unless the disk fails between two of them. Each is whole or not there.
  static func write(_ outputs: [Output]) throws(ExchangeFileError) {
    var drafts: [URL] = []
    defer { for draft in drafts { try? FileManager.default.removeItem(at: draft) } }
    for output in outputs { drafts.append(try draft(of: output)) }
    for (output, draft) in zip(outputs, drafts) {
      // An earlier file keeps its own permissions when it is overwritten in place, so this one takes its place.
      guard rename(draft.path, URL(fileURLWithPath: output.path).path) == 0 else {
        throw ExchangeFileError(.unwritable, nil, "it cannot be written", file: output.path)
      }
    }
  }

  /// The file under another name beside its place.
  private static func draft(of output: Output) throws(ExchangeFileError) -> URL {
    try requireReplaceable(output.path)
    let draft = folder(of: output.path).appendingPathComponent(".\(UUID().uuidString).tmp")
    let mode: mode_t = output.isSecret ? 0o600 : 0o644
    // Made with its permissions, so that nobody can open a secret before they are set.
    let descriptor = open(draft.path, O_WRONLY | O_CREAT | O_EXCL, mode)
    guard descriptor >= 0 else { throw ExchangeFileError(.unwritable, nil, "it cannot be written", file: output.path) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try handle.write(contentsOf: Data(output.bytes))
      try handle.close()
    } catch {
      try? FileManager.default.removeItem(at: draft)
      throw ExchangeFileError(.unwritable, nil, "it cannot be written", file: output.path)
    }
    return draft
  }

  /// What takes the place of a device, a pipe or a link would end it, and not write to it.
  private static func requireReplaceable(_ path: String) throws(ExchangeFileError) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return }
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw ExchangeFileError(.unwritable, nil, "it is there already, and is no plain file", file: path)
    }
  }

  /// Refuses outputs that would overwrite each other, or a file that is needed besides.
  static func requireDistinct(
    _ paths: [String?], from others: [String?] = []
  ) throws(ExchangeFileError) {
    let kept = Set(others.compactMap(\.self).map(place))
    for path in paths.compactMap(\.self) where kept.contains(place(of: path)) {
      throw ExchangeFileError(.unwritable, nil, "it is what is read, and would be overwritten", file: path)
    }
    var seen: Set<String> = []
    for path in paths.compactMap(\.self) {
      guard seen.insert(place(of: path)).inserted else {
        throw ExchangeFileError(.unwritable, nil, "two outputs would be written to it", file: path)
      }
    }
  }

  /// Where a file stands, however it is named: also by a link.
  private static func place(of path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
  }
}

/// What the commands for real files have in common: the time, and where their errors go.
enum ExchangeCommands {
  /// A moment as the person wrote it, or the system's clock.
  static func moment(_ text: String?) throws(ExchangeFileError) -> DateTime {
    guard let text else { return DateTime(Date()) }
    guard let (moment, _) = DateTime.parse(text) else {
      throw ExchangeFileError(.content, "--at", "\(text) is no moment as 2026-06-01T00:00:00Z")
    }
    return moment
  }

  /// Waits for work that needs no thread of its own, on the command's thread.
  static func wait<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Result<Value, any Error>?>(nil)
    Task.detached {
      let outcome: Result<Value, any Error>
      do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
      result.withLock { $0 = outcome }
      done.signal()
    }
    done.wait()
    guard let outcome = result.withLock({ $0 }) else { throw CancellationError() }
    return try outcome.get()
  }

  /// Says on standard error why a file cannot be used, and ends with 2.
  static func fail(_ error: ExchangeFileError) -> ExitCode {
    StandardError.write("\(error)")
    return ExitCode(2)
  }

  /// Does something with a file, which errors are then to name.
  static func using<Value>(_ file: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as ExchangeFileError {
      throw error.inFile(file)
    }
  }

  /// Writes a line to standard output; ends with 2 when it cannot be written, so that nobody takes silence for a verdict.
  static func say(_ text: String) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    } catch {
      StandardError.write("standard output cannot be written")
      throw ExitCode(2)
    }
  }
}
