#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension SourceFile {
  /// Reads a regular file. Its size is looked at before anything is read, and no more than the limit is ever held.
  ///
  /// Throws `source.not-found`, `source.not-a-file`, `source.not-readable`, `source.too-large`, or what
  /// `init(path:bytes:)` throws.
  public convenience init(readingFrom path: String) throws(SourceProblem) {
    // A path with NUL would be cut there and name another file.
    guard !path.utf8.contains(0), !path.isEmpty else { throw SourceProblem(.notFound, "no such file", path: path) }
    var status = stat()
    // Opening a device can already have effects, so its kind is asked by name first, and again once it is open.
    guard unsafe stat(path, &status) == 0 else { throw Self.failure(errno, path: path) }
    try Self.check(status, path: path)
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(errno, path: path) }
    defer { close(descriptor) }
    guard unsafe fstat(descriptor, &status) == 0 else { throw Self.failure(errno, path: path) }
    try Self.check(status, path: path)
    try self.init(path: path, bytes: try Self.contents(of: descriptor, path: path))
  }

  private static func check(_ status: stat, path: String) throws(SourceProblem) {
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      guard status.st_size <= SourceLimits.bytes else { throw .tooLarge(path: path) }
    case S_IFDIR:
      throw SourceProblem(.notAFile, "this is a folder, not a file", path: path)
    default:
      throw SourceProblem(.notAFile, "this is a device, a pipe or a socket, not a file", path: path)
    }
  }

  /// Up to one byte more than the limit: a file can grow while it is read, and some say they are empty and are not.
  private static func contents(of descriptor: Int32, path: String) throws(SourceProblem) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= SourceLimits.bytes {
      let count = unsafe read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(errno, path: path) }
      guard count > 0 else { break }
      bytes.append(contentsOf: chunk.prefix(count))
    }
    return bytes
  }

  private static func failure(_ number: Int32, path: String) -> SourceProblem {
    switch number {
    case ENOENT, ENOTDIR: SourceProblem(.notFound, "no such file", path: path)
    case EACCES, EPERM: SourceProblem(.notReadable, "this user may not read the file", path: path)
    case ELOOP: SourceProblem(.notReadable, "its symbolic links lead in a circle", path: path)
    case ENAMETOOLONG: SourceProblem(.notReadable, "the path is too long for this system", path: path)
    default: SourceProblem(.notReadable, "the system does not read it (error \(number))", path: path)
    }
  }
}
