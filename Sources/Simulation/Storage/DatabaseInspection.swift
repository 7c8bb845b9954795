import Foundation
import GRDB

/// Inspects a database file before it is opened for writing, without changing the file or others next to it. Opening a
/// file with SQLite writes: it plays back a log and creates an index of it.
struct DatabaseInspection {
  let kind: DatabaseKind
  /// The absolute path.
  let path: String

  /// The length of the shortest database in bytes: one page of the minimum size. SQLite treats a shorter file as an
  /// empty one.
  private static let shortestLength = 512

  private var log: String { path + "-wal" }
  private var journal: String { path + "-journal" }

  /// Accepts a sound database of the kind, of this version or an older one; no file; and a database without contents,
  /// whose creation was interrupted.
  /// - Throws: ``StorageError`` for any other file.
  func inspect() throws {
    guard let length = try lengthOfFile() else {
      guard size(of: log) == 0 else {
        throw StorageError(.integrity, at: path, "its log is there, and the file is not")
      }
      return
    }
    guard access(path, R_OK | W_OK) == 0 else { throw refusal("permission denied") }
    try refuseWhenInUse()
    guard length > 0 else {
      guard size(of: log) == 0 else {
        throw StorageError(.integrity, at: path, "its log is there, and the file is empty")
      }
      return
    }
    guard length >= Self.shortestLength else { throw StorageError(.integrity, at: path, "it has only \(length) bytes") }
    // The last commits may be in the log only. SQLite reads the log from a copy, so that the original stays unchanged.
    if size(of: log) > 0 || size(of: journal) > 0 {
      try inspectCopy()
    } else {
      try inspect(readOnlyLocation, length: length)
    }
  }

  /// The file's length in bytes, or nil if it does not exist.
  private func lengthOfFile() throws -> Int64? {
    var information = stat()
    guard stat(path, &information) == 0 else {
      guard errno == ENOENT else { throw refusal(String(cString: strerror(errno))) }
      return nil
    }
    guard information.st_mode & S_IFMT == S_IFREG else {
      throw refusal(information.st_mode & S_IFMT == S_IFDIR ? "it is a folder" : "it is not a regular file")
    }
    return Int64(information.st_size)
  }

  private func size(of path: String) -> Int64 {
    var information = stat()
    return stat(path, &information) == 0 ? Int64(information.st_size) : 0
  }

  private func refusal(_ detail: String) -> StorageError { StorageError(.access, at: path, detail) }

  /// First byte and number of those that SQLite locks in a file.
  private static let lockedBytes: (first: off_t, count: off_t) = (0x4000_0000, 512)

  /// The bytes of a file that another process writes are inconsistent.
  private func refuseWhenInUse() throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw refusal(String(cString: strerror(errno))) }
    defer { _ = Glibc.close(descriptor) }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = Self.lockedBytes.first
    lock.l_len = Self.lockedBytes.count
    guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return }
    throw refusal("process \(lock.l_pid) is using it")
  }

  /// A location that makes SQLite treat the file as immutable: no lock, no log, no other files.
  private var readOnlyLocation: String {
    let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%"))
    return "file:\(path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path)?immutable=1"
  }

  private func inspectCopy() throws {
    let files = FileManager.default
    var template = Array(files.temporaryDirectory.appendingPathComponent("presentment-XXXXXX").path.utf8CString)
    guard let folder = mkdtemp(&template).map({ String(cString: $0) }) else {
      throw refusal("it cannot be copied to be looked at: \(String(cString: strerror(errno)))")
    }
    defer { try? files.removeItem(atPath: folder) }
    let copy = folder + "/database"
    do {
      try files.copyItem(atPath: path, toPath: copy)
      for ending in ["-wal", "-journal"] where files.fileExists(atPath: path + ending) {
        try files.copyItem(atPath: path + ending, toPath: copy + ending)
      }
    } catch {
      throw refusal("it cannot be copied to be looked at: \(error.localizedDescription)")
    }
    try inspect(copy, length: nil)
  }

  /// - Parameter length: Length of a file without a log, or nil for a copy that SQLite may complete.
  private func inspect(_ location: String, length: Int64?) throws {
    var configuration = Configuration()
    configuration.readonly = length != nil
    let queue = try DatabaseQueue(path: location, configuration: configuration)
    try queue.inDatabase { database in
      let identifier = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
      let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
      guard identifier == kind.applicationIdentifier || (identifier == 0 && isEmpty) else {
        throw StorageError(.kind, at: path, "it does not hold \(kind.name)")
      }
      if isEmpty { return }
      let unknown = try kind.completedSteps(in: database).subtracting(kind.migrations.map(\.identifier)).sorted()
      guard unknown.isEmpty else {
        throw StorageError(.schema, at: path, "this version does not know \(unknown.joined(separator: ", "))")
      }
      if let length, let pageSize = try Int64.fetchOne(database, sql: "PRAGMA page_size"), length % pageSize != 0 {
        throw StorageError(.integrity, at: path, "its last page is cut off")
      }
      let finding = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? "no answer"
      guard finding == "ok" else { throw StorageError(.integrity, at: path, finding) }
    }
  }
}
