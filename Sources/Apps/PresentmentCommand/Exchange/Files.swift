import ArgumentParser
import CSignals
import Certificates
import CommandSupport
import ExchangeFiles
import Foundation
import LocatedYAML
import MobileDocument
import Primitives
import ScenarioFiles

/// Files named on the command line.
enum Files {
  /// The name of standard input.
  static let standardInput = "-"

  /// Reads a named file, or standard input for `-`, up to one byte more than the limit, so that the reader can report
  /// the excess.
  static func read(_ path: String, upTo limit: Int = ExchangeLimits.fileBytes) throws(ExchangeFileError) -> [UInt8] {
    if path == standardInput { return try contents(of: .standardInput, path, upTo: limit) }
    return try contents(of: try opened(path, onlyPlain: false), path, upTo: limit)
  }

  /// Returns true for a folder.
  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// Returns a file, or the files of a folder in the order of their names, to be read one after the other: those whose names
  /// have one of some endings, if there are any. Hidden files, links and folders inside are skipped.
  static func expanded(_ path: String, endings: [String] = []) throws(ExchangeFileError) -> [String] {
    guard isFolder(path) else { return [path] }
    guard let listing = FolderListing(of: path) else {
      throw ExchangeFileError(.unreadable, nil, "the folder cannot be read", file: path)
    }
    if let name = listing.unusable.first(where: { !$0.shown.hasPrefix(".") })?.shown {
      throw ExchangeFileError(.unreadable, nil, "the name is not UTF-8", file: "\(path)/\(name)")
    }
    let folder = URL(fileURLWithPath: path)
    let named = listing.names.filter { name in
      !name.hasPrefix(".") && (endings.isEmpty || endings.contains(where: name.hasSuffix))
    }
    let files = named.filter { name in
      let kind = try? FileManager.default.attributesOfItem(atPath: folder.appendingPathComponent(name).path)[.type]
      return kind as? FileAttributeType == .typeRegular
    }
    guard !files.isEmpty else {
      let kind = endings.isEmpty ? "" : " NAME" + endings.joined(separator: " or NAME")
      throw ExchangeFileError(.content, nil, "the folder has no file\(kind)", file: path)
    }
    return files.map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
  }

  /// Reads files that another file names, relative to its folder. The names are untrusted, so only regular files are
  /// accepted: reading a pipe or a terminal would block.
  static func reader(beside path: String) -> FileReading {
    let folder = folder(of: path)
    return { name in
      let path = URL(fileURLWithPath: name, relativeTo: folder).path
      return try contents(of: try opened(path, onlyPlain: true), path, upTo: ExchangeLimits.fileBytes)
    }
  }

  /// Reads certificates that are trusted for a profile.
  static func trusted(
    _ paths: [String], for profile: CertificateProfile
  ) throws(ExchangeFileError) -> TrustedCertificates {
    var trusted = TrustedCertificates([], for: profile)
    for path in paths {
      do {
        trusted = trusted.adding(try CertificateFile.trusted(try read(path), for: profile, name: path))
      } catch {
        throw error.inFile(path)
      }
    }
    return trusted
  }

  /// The folder of a file; the current folder for standard input.
  static func folder(of path: String) -> URL { URL(fileURLWithPath: path).deletingLastPathComponent() }

  private static func opened(_ path: String, onlyPlain: Bool) throws(ExchangeFileError) -> FileHandle {
    // Does not wait for the writer of a pipe.
    let descriptor = open(path, onlyPlain ? O_RDONLY | O_NONBLOCK : O_RDONLY)
    guard descriptor >= 0 else {
      throw ExchangeFileError(.unreadable, nil, "the file does not exist, or it is not readable", file: path)
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else {
      throw ExchangeFileError(.unreadable, nil, "it cannot be read", file: path)
    }
    let kind = facts.st_mode & S_IFMT
    guard kind != S_IFDIR else { throw ExchangeFileError(.unreadable, nil, "it is a folder", file: path) }
    guard kind == S_IFREG || !onlyPlain else {
      throw ExchangeFileError(.unreadable, nil, "it is not a regular file", file: path)
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

  /// An output file.
  struct Output {
    let path: String
    let bytes: [UInt8]
    /// True if only its owner may read the file.
    let isSecret: Bool
    /// True if the file keeps the permissions of the one that it replaces.
    var keepsMode = false
  }

  /// Writes a scenario file, a world or a flow. A link stays a link, and an existing file keeps its permissions.
  /// - Throws: `SourceProblem` with the code `source.not-writable`.
  static func writeSource(_ bytes: [UInt8], to path: String) throws(SourceProblem) {
    let target = FileManager.default.fileExists(atPath: path) ? ScenarioFinder.identity(of: path) : path
    do {
      try write([Output(path: target, bytes: bytes, isSecret: false, keepsMode: true)])
    } catch {
      throw SourceProblem(.notWritable, error.message, path: path)
    }
  }

  /// Writes files: all or none, unless the disk fails in between. Each file is complete or missing.
  /// - Parameter folders: Folders to make first, if they are missing.
  static func write(_ outputs: [Output], making folders: [String?] = []) throws(ExchangeFileError) {
    var (made, isWritten) = ([String](), false)
    defer { if !isWritten { for folder in made.reversed() { rmdir(folder) } } }
    for folder in folders.compactMap(\.self) {
      if !isFolder(folder) { made.append(folder) }
      do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
        throw ExchangeFileError(.unwritable, nil, "the folder cannot be made", file: folder)
      }
    }
    // A signal that ends the program waits until no draft is left, whichever thread gets it.
    signals_hold()
    defer { signals_release() }
    var drafts: [URL] = []
    defer { for draft in drafts { try? FileManager.default.removeItem(at: draft) } }
    for output in outputs { drafts.append(try draft(of: output)) }
    for (output, draft) in zip(outputs, drafts) {
      // The new file replaces an earlier one, which would keep its permissions if it was overwritten in place.
      guard rename(draft.path, URL(fileURLWithPath: output.path).path) == 0 else {
        throw ExchangeFileError(.unwritable, nil, "it cannot be written", file: output.path)
      }
    }
    isWritten = true
  }

  /// Writes the file under a temporary name in its folder.
  private static func draft(of output: Output) throws(ExchangeFileError) -> URL {
    try requireReplaceable(output.path)
    let draft = folder(of: output.path).appendingPathComponent(".\(UUID().uuidString).tmp")
    let mode: mode_t = output.isSecret ? 0o600 : 0o644
    // Created with its permissions, so that no other user can open a secret before they are set.
    let descriptor = open(draft.path, O_WRONLY | O_CREAT | O_EXCL, mode)
    guard descriptor >= 0 else {
      let message = errno == ENOENT ? "its folder does not exist" : "it cannot be written"
      throw ExchangeFileError(.unwritable, nil, message, file: output.path)
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    if output.keepsMode, stat(output.path, &status) == 0 { fchmod(descriptor, status.st_mode & 0o7777) }
    do {
      try handle.write(contentsOf: Data(output.bytes))
      try handle.close()
    } catch {
      try? FileManager.default.removeItem(at: draft)
      throw ExchangeFileError(.unwritable, nil, "it cannot be written", file: output.path)
    }
    return draft
  }

  /// Only regular files are replaced: a rename would remove a device, pipe or link instead of writing to it.
  private static func requireReplaceable(_ path: String) throws(ExchangeFileError) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return }
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw ExchangeFileError(.unwritable, nil, "it exists and is not a regular file", file: path)
    }
  }

  /// Refuses outputs that would overwrite each other or an input, under any name of it.
  static func requireDistinct(_ paths: [String?], from others: [String?] = []) throws(ExchangeFileError) {
    let paths = paths.compactMap(\.self)
    guard !paths.isEmpty else { return }
    let kept = Set(others.compactMap(\.self).map(place))
    let keptFiles = Set(others.compactMap(\.self).compactMap(FileIdentity.init))
    for path in paths {
      let isInput = kept.contains(place(of: path)) || FileIdentity(of: path).map(keptFiles.contains) == true
      guard isInput else { continue }
      throw ExchangeFileError(.unwritable, nil, "it is an input, and would be overwritten", file: path)
    }
    var seen: Set<[UInt8]> = []
    for path in paths {
      guard seen.insert(place(of: path)).inserted else {
        throw ExchangeFileError(.unwritable, nil, "two outputs have this path", file: path)
      }
    }
  }

  /// The bytes of the path of a file after resolving links: as texts, two names that look the same are equal.
  private static func place(of path: String) -> [UInt8] {
    Array(URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path.utf8)
  }
}

/// Shared parts of the commands for real files: the time, and errors.
enum ExchangeCommands {
  /// Parses a time, or returns the system's clock.
  static func moment(_ text: String?) throws(ExchangeFileError) -> DateTime {
    guard let text else { return DateTime(Date()) }
    guard let (moment, _) = DateTime.parse(text) else {
      throw ExchangeFileError(
        .content, "--at", "invalid time '\(text)'; expected RFC 3339 in UTC, for example 2026-06-01T00:00:00Z")
    }
    return moment
  }

  /// Runs a body, and adds the file's name to its errors.
  static func using<Value>(_ file: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as ExchangeFileError {
      throw error.inFile(file)
    }
  }

  /// Writes a line to standard output. Exits with 2 if it cannot be written: silence is not a verdict.
  static func say(_ text: String) throws {
    StandardOutput.print(text)
    try StandardOutput.requireWritten()
  }
}
