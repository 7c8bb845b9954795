import CSignals
import Foundation
import JSON
import ScenarioFiles
import Synchronization

/// Files of reports.
public enum ReportFile {
  /// The limits of a JSON report. 256 MiB are 200,000 cases with a failure of a thousand bytes each; a case has about
  /// forty values with their names.
  static let limits = JSONLimits(bytes: 256 << 20, depth: 16, values: 1 << 24)

  /// The path for standard output.
  static let standardOutput = "-"

  /// Reads a JSON report.
  /// - Throws: ``ReportError`` with the path, if the file cannot be read or is not a report.
  public static func read(_ path: String) throws(ReportError) -> RunReport {
    // Opening a pipe or reading a device may never end.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw ReportError(.unreadable, "\(path): \(reason())") }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw ReportError(.unreadable, "\(path): not a file")
    }
    guard status.st_size <= limits.bytes else {
      throw ReportError(.malformed, "\(path): larger than a report may be, \(limits.bytes) bytes")
    }
    do {
      return try report([UInt8](file.read(upToCount: limits.bytes + 1) ?? Data()), from: path)
    } catch let error as ReportError {
      throw error
    } catch {
      throw ReportError(.unreadable, "\(path): \(reason())")
    }
  }

  /// The report in a text.
  /// - Parameter name: The file, for errors.
  /// - Throws: ``ReportError`` with the name, if the text is not a report.
  static func report(_ bytes: [UInt8], from name: String) throws(ReportError) -> RunReport {
    do {
      return try JSONCoding.decode(RunReport.self, from: bytes, limits: limits)
    } catch {
      throw ReportError(.malformed, "\(name): not a report of 'run --report json=FILE': \(error)")
    }
  }

  /// Writes a file, with its folders. Another program never sees a part of it, and a run that is killed leaves the file as
  /// it was. A link stays a link, and its target is written. A device or a pipe is written to as it is.
  /// - Throws: ``ReportError`` with the path.
  public static func write(_ bytes: [UInt8], to path: String) throws(ReportError) {
    if path == standardOutput { return try append(bytes, to: STDOUT_FILENO, path: "standard output") }
    let file = try target(of: path)
    var status = stat()
    if stat(file, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      let descriptor = try create(file, O_WRONLY, for: path)
      defer { close(descriptor) }
      return try append(bytes, to: descriptor, path: path)
    }
    // In the same folder, so that it can be renamed; with the process's number, so that two runs have two.
    let draft = "\(file).\(getpid()).part"
    // A signal that ends the program waits until no draft is left, whichever thread gets it.
    signals_hold()
    defer { signals_release() }
    let descriptor = try create(draft, O_WRONLY | O_CREAT | O_TRUNC, for: path)
    do {
      defer { close(descriptor) }
      try append(bytes, to: descriptor, path: path)
    } catch {
      unlink(draft)
      throw error
    }
    guard rename(draft, file) == 0 else {
      let reason = reason()
      unlink(draft)
      throw ReportError(.unwritable, "\(path): \(reason)")
    }
  }

  /// Checks that no file would replace one that is read, under any name.
  /// - Throws: ``ReportError``.
  public static func check(_ paths: [String], inputs: some Sequence<String>) throws(ReportError) {
    let outputs = paths.filter { $0 != standardOutput }
      .compactMap { path in FileIdentity(of: path).map { ($0, path) } }
    guard !outputs.isEmpty else { return }
    let kept = Set(inputs.compactMap(FileIdentity.init))
    if let (_, path) = outputs.first(where: { kept.contains($0.0) }) {
      throw ReportError(.unwritable, "\(path): the run reads this file, and the report would replace it")
    }
  }

  /// The most links that lead to a file, as many as Linux follows.
  private static let maximumLinks = 40

  /// The file that a path leads to over links, which need not exist.
  private static func target(of path: String) throws(ReportError) -> String {
    var file = path
    for _ in 0..<maximumLinks {
      var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(file, &bytes, bytes.count)
      guard count >= 0 else { return file }
      guard let destination = String(validating: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
      else { throw ReportError(.unwritable, "\(path): it links to a name that is not UTF-8") }
      let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
      file = destination.hasPrefix("/") ? destination : folder + destination
    }
    throw ReportError(.unwritable, "\(path): its links lead in a circle")
  }

  /// Opens a file for writing, after creating its folders. It does not wait for a program that reads a pipe.
  /// - Parameter path: The file to name in an error.
  /// - Throws: ``ReportError``.
  static func create(_ file: String, _ flags: Int32, for path: String? = nil) throws(ReportError) -> Int32 {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
    // If this fails, opening the file fails too, with the system's reason.
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let descriptor = open(file, flags | O_CLOEXEC | O_NONBLOCK, 0o666)
    guard descriptor >= 0 else {
      throw ReportError(.unwritable, "\(path ?? file): \(errno == ENXIO ? "no program reads it" : reason())")
    }
    // From here on it waits, for a program that reads slowly.
    let status = fcntl(descriptor, F_GETFL)
    if status >= 0 { _ = fcntl(descriptor, F_SETFL, status & ~O_NONBLOCK) }
    return descriptor
  }

  /// Writes all bytes.
  /// - Throws: ``ReportError`` with the path.
  static func append(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(ReportError) {
    var status = stat()
    let isPipe = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    var rest = bytes[...]
    while !rest.isEmpty {
      // A pipe that takes any bytes takes so many without waiting (pipe(7)).
      let part = isPipe ? rest.prefix(Int(PIPE_BUF)) : rest
      if isPipe { try waitForReader(of: descriptor, path: path) }
      let count = part.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw ReportError(.unwritable, "\(path): \(reason())") }
      rest = rest.dropFirst(count)
    }
  }

  private static let isHurried = Atomic(false)

  /// Lets no report wait any more for a program that reads nothing, as after a signal that ends the run.
  public static func hurry() { isHurried.store(true, ordering: .relaxed) }

  /// The time between two looks at ``isHurried``, in milliseconds.
  private static let look: Int32 = 100
  /// The number of looks without a byte taken, after which a hurried report ends.
  private static let patience = 10

  /// Waits until a pipe takes bytes or has no reader.
  /// - Throws: ``ReportError`` if reports are hurried and the reader takes nothing.
  private static func waitForReader(of descriptor: Int32, path: String) throws(ReportError) {
    var looks = 0
    while looks < patience {
      var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let count = poll(&state, 1, look)
      // An error is that of writing.
      if count > 0 || count < 0 && errno != EINTR { return }
      if isHurried.load(ordering: .relaxed) { looks += 1 }
    }
    throw ReportError(.unwritable, "\(path): the program that reads it takes nothing")
  }

  /// The system's reason for its last error, with a small first letter as in other messages.
  private static func reason() -> String {
    let text = String(cString: strerror(errno))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
