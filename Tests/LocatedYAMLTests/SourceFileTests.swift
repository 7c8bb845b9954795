import Foundation
import Testing

@testable import LocatedYAML

@Suite struct SourceFileTests: SourceSuite {
  /// A folder for one test, removed at its end.
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("source-" + UUID().uuidString)

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
      try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
      return path(name)
    }
  }

  private func code(_ path: String) -> SourceProblem.Code? {
    let problems = ProblemCollector()
    _ = SourceNode.read(path, problems)
    return problems.problems.first?.code
  }

  @Test func readsAFile() throws {
    let folder = try Folder()
    let problems = ProblemCollector()
    let path = try folder.write("a.yaml", Array(SourceSample.design.utf8))
    let root = try #require(SourceNode.read(path, problems))
    #expect(problems.isEmpty)
    #expect(root.position.file.path == path)
    #expect(root.position.file.text == SourceSample.design)
    #expect(root.position.file.lineCount == 17)
    #expect(root.position.file.line(3) == "seed: 7")
    #expect(root.position.file.line(0) == "")
    #expect(root.position.file.line(17) == "")
    #expect(root.position.file.line(18) == "")
  }

  @Test func foldersAndDevicesAreRefused() throws {
    let folder = try Folder()
    #expect(code(folder.path("none.yaml")) == .notFound)
    #expect(code("") == .notFound)
    #expect(code("a.yaml\0b") == .notFound)
    #expect(code(try folder.write("a.yaml", Array("a: 1".utf8)) + "/b.yaml") == .notFound)
    #expect(code(folder.url.path) == .notAFile)
    #expect(code("/dev/zero") == .notAFile)
    #expect(code("/dev/null") == .notAFile)
    #expect(code(try folder.write("empty.yaml", [])) == .empty)
  }

  @Test func aPipeWithoutAWriterDoesNotBlock() throws {
    let folder = try Folder()
    let path = folder.path("pipe")
    let made = unsafe mkfifo(path, 0o600)
    #expect(made == 0)
    #expect(code(path) == .notAFile)
  }

  @Test func errorsOfTheSystemAreReported() throws {
    let folder = try Folder()
    let path = folder.path("circle.yaml")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
    #expect(code(path) == .notReadable)
    #expect(code(String(repeating: "a", count: 5000)) == .notReadable)
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser reads every file"))
  func aFileWithoutPermission() throws {
    let folder = try Folder()
    let path = try folder.write("secret.yaml", Array("a: 1".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    #expect(code(path) == .notReadable)
  }

  @Test func aFileOfTheMaximumSizeIsReadAndALargerOneRefused() throws {
    let folder = try Folder()
    var bytes = Array("a: 1 #".utf8)
    bytes += [UInt8](repeating: UInt8(ascii: "x"), count: SourceLimits.bytes - bytes.count)
    #expect(code(try folder.write("largest.yaml", bytes)) == nil)
    bytes.append(UInt8(ascii: "x"))
    #expect(code(try folder.write("larger.yaml", bytes)) == .tooLarge)
    #expect(throws: SourceProblem.self) { try SourceFile(path: "a.yaml", bytes: bytes) }
  }

  /// A sparse file: the refusal cannot come from reading it to the end.
  @Test func aHugeFileIsRefusedByItsSize() throws {
    let folder = try Folder()
    let path = try folder.write("huge.yaml", [])
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.truncate(atOffset: 1 << 40)
    try handle.close()
    #expect(code(path) == .tooLarge)
  }

  @Test func problemsOfAWholeFileAreShownWithoutALine() throws {
    let problem = try #require(throws: SourceProblem.self) { try SourceFile(readingFrom: "/dev/zero") }
    #expect(
      problem.rendered() == """
        /dev/zero  this is a device, a pipe or a socket, not a file                [source.not-a-file]
        """)
    #expect(problem.description == "/dev/zero: this is a device, a pipe or a socket, not a file [source.not-a-file]")
  }
}
