import ArgumentParser
import Exchanges
import Foundation
import MobileDocument
import Synchronization

/// Files that a person names.
enum Files {
  /// A file's bytes, up to one more than is ever read, so that the reader can say that they are too many.
  static func read(_ path: String) throws(ExchangeFileError) -> [UInt8] {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw ExchangeFileError(.unreadable, path, "it is a folder")
    }
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      var bytes: [UInt8] = []
      while bytes.count <= ExchangeLimits.fileBytes,
        let chunk = try handle.read(upToCount: min(1 << 16, ExchangeLimits.fileBytes + 1 - bytes.count)),
        !chunk.isEmpty
      { bytes += chunk }
      return bytes
    } catch {
      throw ExchangeFileError(.unreadable, path, "no such file, or it may not be read")
    }
  }

  /// Reads files that another file names, from the folder that it stands in.
  static func reader(beside path: String) -> FileReading {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    return { name in try read(URL(fileURLWithPath: name, relativeTo: folder).path) }
  }

  /// Writes a file that only its owner may read when it is a secret. It is whole or not there.
  static func write(_ bytes: [UInt8], to path: String, isSecret: Bool) throws(ExchangeFileError) {
    let place = URL(fileURLWithPath: path)
    try requireReplaceable(path)
    let draft = place.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString).tmp")
    let mode: mode_t = isSecret ? 0o600 : 0o644
    // Made with its permissions, so that nobody can open a secret before they are set.
    let descriptor = open(draft.path, O_WRONLY | O_CREAT | O_EXCL, mode)
    guard descriptor >= 0 else { throw ExchangeFileError(.unwritable, path, "it cannot be written") }
    defer { try? FileManager.default.removeItem(at: draft) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try handle.write(contentsOf: Data(bytes))
      try handle.close()
    } catch {
      throw ExchangeFileError(.unwritable, path, "it cannot be written")
    }
    // An earlier file keeps its own permissions when it is overwritten in place, so this one takes its place.
    guard rename(draft.path, place.path) == 0 else {
      throw ExchangeFileError(.unwritable, path, "it cannot be written")
    }
  }

  /// What takes the place of a device, a pipe or a link would end it, and not write to it.
  private static func requireReplaceable(_ path: String) throws(ExchangeFileError) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return }
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw ExchangeFileError(.unwritable, path, "it is there already, and is no plain file")
    }
  }

  /// Refuses outputs that would overwrite each other.
  static func requireDistinct(_ paths: [String?]) throws(ExchangeFileError) {
    var seen: Set<String> = []
    for path in paths.compactMap(\.self) {
      guard seen.insert(URL(fileURLWithPath: path).standardizedFileURL.path).inserted else {
        throw ExchangeFileError(.unwritable, path, "two outputs would be written to it")
      }
    }
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
  static func fail(_ error: any Error, file: String? = nil) -> ExitCode {
    // An error about a whole file names it already.
    let isNamed = (error as? ExchangeFileError)?.member == file
    StandardError.write((isNamed ? "" : file.map { "\($0): " } ?? "") + "\(error)")
    return ExitCode(2)
  }
}
