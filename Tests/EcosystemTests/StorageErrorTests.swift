import Foundation
import GRDB
import IdentityDocumentServices
import TestSupport
import Testing

@testable import Storage

@Suite("Files that cannot be opened as a database")
struct StorageErrorTests {
  /// A file of registrations that was closed normally.
  private static func makeDevice(at path: String, registrations: Int = 40) throws {
    let database = try RegistrationDatabase(at: path)
    try database.install("Wallet", entitlement: ["licence"], status: .authorized)
    try database.add(
      (0..<registrations).map {
        registration(issuers: [Data("issuer \($0)".utf8)], authorities: [Data([1, 2])], identifier: "document \($0)")
      }, of: "Wallet")
    try database.close()
  }

  /// Expects a refusal that changes nothing in the folder.
  private static func expectRefusal(
    _ check: StorageCheck, at path: String, in folder: TemporaryFolder,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try folder.contents()
    let error = #expect(throws: StorageError.self, sourceLocation: sourceLocation) {
      _ = try RegistrationDatabase(at: path)
    }
    #expect(error?.code == check, "\(String(describing: error))", sourceLocation: sourceLocation)
    #expect(error?.location == path, sourceLocation: sourceLocation)
    #expect(error.map { "\($0)".hasPrefix(path) } == true, sourceLocation: sourceLocation)
    #expect(try folder.contents() == before, sourceLocation: sourceLocation)
  }

  @Test("random bytes and text are refused")
  func noDatabase() throws {
    var draw = SeededGenerator(seed: 1)
    let header = Array("SQLite format 3\0".utf8)
    for bytes in [draw.bytes(1), draw.bytes(99), draw.bytes(20_000), Array("registrations".utf8), header] {
      let folder = try TemporaryFolder()
      try Data(bytes).write(to: URL(fileURLWithPath: folder.file("device")))
      try Self.expectRefusal(.integrity, at: folder.file("device"), in: folder)
    }
  }

  @Test("a truncated file is refused")
  func truncated() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("device")
    try Self.makeDevice(at: path)
    let whole = try #require(FileManager.default.contents(atPath: path))
    #expect(whole.count > 60_000)
    for length in [1, 100, 1_000, 4_096, 5_000, whole.count / 2, whole.count - 4_096, whole.count - 1] {
      try whole.prefix(length).write(to: URL(fileURLWithPath: path))
      try Self.expectRefusal(.integrity, at: path, in: folder)
    }
    try whole.write(to: URL(fileURLWithPath: path))
    try RegistrationDatabase(at: path).checkIntegrity()
  }

  @Test("a file with a damaged page structure is refused")
  func damagedPage() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("device")
    try Self.makeDevice(at: path)
    let whole = [UInt8](try #require(FileManager.default.contents(atPath: path)))
    let pages = whole.count / 4_096
    for page in 0..<pages {
      var damaged = whole
      // The page's type, free blocks, cells and their offsets. On the first page they follow the file header.
      let start = page * 4_096 + (page == 0 ? 100 : 0)
      for place in start..<start + 12 { damaged[place] ^= 0xff }
      try Data(damaged).write(to: URL(fileURLWithPath: path))
      try Self.expectRefusal(.integrity, at: path, in: folder)
    }
  }

  @Test("a file with flipped bits is refused unchanged, or opens without new data")
  func flippedBits() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("device")
    try Self.makeDevice(at: path)
    let whole = [UInt8](try #require(FileManager.default.contents(atPath: path)))
    var draw = SeededGenerator(seed: 2)
    var refusals = 0
    for _ in 0..<150 {
      var damaged = whole
      for _ in 0..<8 {
        damaged[Int.random(in: 0..<whole.count, using: &draw)] ^= UInt8.random(in: 1...255, using: &draw)
      }
      try Data(damaged).write(to: URL(fileURLWithPath: path))
      do {
        let database = try RegistrationDatabase(at: path)
        _ = try? database.registrations(of: "Wallet")
        _ = try? database.checkIntegrity()
        try database.close()
      } catch let error as StorageError {
        refusals += 1
        #expect([.integrity, .kind, .schema].contains(error.code), "\(error)")
        #expect(try folder.contents() == ["device": Data(damaged)])
      }
      for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
    }
    #expect(refusals > 0)
  }

  @Test("a file of a newer version is refused, closed normally or not", arguments: [false, true])
  func newer(isInLog: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("device")
    try Self.makeDevice(at: path)
    try Self.change(path, isInLog: isInLog) {
      try $0.execute(sql: "CREATE TABLE added (id INTEGER); INSERT INTO grdb_migrations VALUES ('later')")
    }
    try Self.expectRefusal(.schema, at: path, in: folder)
  }

  @Test("a file of another program is refused, closed normally or not", arguments: [false, true])
  func foreign(isInLog: Bool) throws {
    for identifier in [0, 7] {
      let folder = try TemporaryFolder()
      let path = folder.file("device")
      try Self.change(path, isInLog: isInLog) {
        try $0.execute(sql: "CREATE TABLE note (text); PRAGMA application_id = \(identifier)")
      }
      try Self.expectRefusal(.kind, at: path, in: folder)
    }
  }

  @Test("a file with the sessions of a website is refused for registrations")
  func otherKind() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sessions")
    _ = try SessionStore(at: path)
    try Self.expectRefusal(.kind, at: path, in: folder)
  }

  @Test("a file is inspected and used with the last changes in its log")
  func log() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("device")
    try Self.makeDevice(at: path)
    try Self.change(path, isInLog: true) { try $0.execute(sql: "UPDATE app SET name = 'Agency'") }
    #expect(try folder.contents().keys.contains("device-wal"))
    let database = try RegistrationDatabase(at: path)
    #expect(try database.appNames() == ["Agency"])
  }

  @Test("a log without its file is refused")
  func logAlone() throws {
    for isEmptyFileThere in [false, true] {
      let folder = try TemporaryFolder()
      let path = folder.file("device")
      try Self.makeDevice(at: path)
      try Self.change(path, isInLog: true) { try $0.execute(sql: "UPDATE app SET name = 'Agency'") }
      try FileManager.default.removeItem(atPath: path)
      if isEmptyFileThere { try Data().write(to: URL(fileURLWithPath: path)) }
      try Self.expectRefusal(.integrity, at: path, in: folder)
    }
  }

  @Test("a folder, and a place that cannot be written to, are refused")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("device"), withIntermediateDirectories: false)
    try Data("text".utf8).write(to: URL(fileURLWithPath: folder.file("text")))
    for path in ["device", "nowhere/device", "text/device"] {
      try Self.expectRefusal(.access, at: folder.file(path), in: folder)
    }
    try Self.expectRefusal(.access, at: "/proc/device", in: folder)
    // Permissions do not limit the superuser.
    guard geteuid() != 0 else { return }
    try Self.makeDevice(at: folder.file("locked"))
    #expect(chmod(folder.file("locked"), 0o400) == 0)
    try Self.expectRefusal(.access, at: folder.file("locked"), in: folder)
    #expect(chmod(folder.path, 0o500) == 0)
    defer { chmod(folder.path, 0o700) }
    try Self.expectRefusal(.access, at: folder.file("new"), in: folder)
  }

  @Test("a file that another process uses is refused")
  func inUse() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("device")
    let process = try ChurnProcess(path: path, seed: 1, first: 0)
    defer { process.kill(afterLines: 1, andMicroseconds: 0) }
    process.wait(forLines: 1)
    let error = #expect(throws: StorageError.self) { _ = try RegistrationDatabase(at: path) }
    #expect(error?.code == .access && error?.evidence?.contains("using it") == true)
  }

  @Test("an empty database that was about to be created is used")
  func empty() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: URL(fileURLWithPath: folder.file("device")))
    try RegistrationDatabase(at: folder.file("device")).checkIntegrity()
    try Self.change(folder.file("other"), isInLog: false) {
      try $0.execute(sql: "CREATE TABLE passing (id); DROP TABLE passing")
    }
    let database = try RegistrationDatabase(at: folder.file("other"))
    #expect(try database.appNames().isEmpty)
  }

  @Test("a path may contain any characters")
  func path() throws {
    let folder = try TemporaryFolder()
    for name in ["a b", "100%25", "what?mode=memory", "a#b", "phöne", "file:x"] {
      try Self.makeDevice(at: folder.file(name))
      let database = try RegistrationDatabase(at: folder.file(name))
      #expect(try database.registrations(of: "Wallet").count == 40)
      #expect(try folder.contents().keys.contains(name))
    }
  }

  /// Changes a file with SQLite alone. `isInLog` leaves the state after a kill: the former file with the log beside it.
  private static func change(_ path: String, isInLog: Bool, _ change: (Database) throws -> Void) throws {
    let aside = try TemporaryFolder()
    let files = FileManager.default
    if files.fileExists(atPath: path) { try files.copyItem(atPath: path, toPath: aside.file("device")) }
    var configuration = Configuration()
    configuration.journalMode = .wal
    let queue = try DatabaseQueue(path: aside.file("device"), configuration: configuration)
    try queue.write(change)
    if !isInLog { try queue.close() }
    for ending in isInLog ? ["", "-wal", "-shm"] : [""] {
      try? files.removeItem(atPath: path + ending)
      try files.copyItem(atPath: aside.file("device") + ending, toPath: path + ending)
    }
    if isInLog { try queue.close() }
  }
}
