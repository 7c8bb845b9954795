import Foundation
import ShippedScenarios
import Synchronization
import Testing

@testable import BatchRuns
@testable import ScenarioRunner

@Suite("Watching the files of a run")
struct WatchRunTests {
  /// The lines of a step of the watch.
  private static func step(_ watch: inout WatchRun) -> [String] {
    let lines = Mutex<[String]>([])
    watch.step(
      BatchRun.Output(
        line: { line in lines.withLock { $0 += line.split(separator: "\n").map(String.init) } }, error: { _ in }))
    return lines.withLock { $0 }
  }

  private static func wrong(_ text: String) -> String {
    text.replacingOccurrences(of: "given_name: Kelly", with: "given_name: Nelly Bly")
  }

  @Test("a saved file runs again, and its failure goes as soon as it passes") func followsScenarios() throws {
    let folder = try BatchRunTests.folderWithWorld()
    for name in ["a", "b"] { try folder.write(name + ".yaml", try BatchRunTests.headlineText()) }
    var watch = WatchRun(BatchRun(paths: [folder.path]))
    #expect(Self.step(&watch).last == "watching 2 files: no failure is known")
    #expect(Self.step(&watch).isEmpty)

    try folder.write("b.yaml", try BatchRunTests.headlineText(changing: Self.wrong))
    let failed = Self.step(&watch)
    #expect(failed.first == "saved  \(folder.path)/b.yaml")
    #expect(failed.contains("0 passed, 1 failed"))
    #expect(failed.last?.hasPrefix("FAILED  \(folder.path)/b.yaml") == true)

    try folder.write("a.yaml", "scenario: [")
    #expect(Self.step(&watch).suffix(2).map { String($0.prefix(6)) } == ["UNREAD", "FAILED"])

    try folder.write("b.yaml", try BatchRunTests.headlineText())
    #expect(Self.step(&watch).suffix(1) == ["UNREADABLE  \(folder.path)/a.yaml"])
    try FileManager.default.removeItem(atPath: folder.path + "/a.yaml")
    try folder.write("c.yaml", try BatchRunTests.headlineText())
    let last = Self.step(&watch)
    #expect(last.prefix(2) == ["deleted  \(folder.path)/a.yaml", "saved  \(folder.path)/c.yaml"])
    #expect(last.last == "watching 2 files: no failure is known")
  }

  @Test("a file that a world names is watched, also while it is unreadable") func followsNamedFiles() throws {
    let folder = try BatchRunTests.folderWithWorld()
    let own = ShippedScenarios.folder + "/own-server"
    let name = "a-signing-server-outside.yaml"
    try FileManager.default.copyItem(atPath: own + "/files", toPath: folder.path + "/files")
    try FileManager.default.copyItem(atPath: "\(own)/\(name)", toPath: "\(folder.path)/\(name)")
    let root = try String(contentsOfFile: own + "/files/reader-root.pem", encoding: .utf8)
    var watch = WatchRun(BatchRun(paths: [folder.path]))
    #expect(Self.step(&watch).last == "watching 1 file: no failure is known")
    #expect(Self.step(&watch).isEmpty)
    try folder.write("files/reader-root.pem", "no certificate")
    #expect(Self.step(&watch).last == "UNREADABLE  \(folder.path)/\(name)")
    try folder.write("files/reader-root.pem", root)
    #expect(Self.step(&watch).last == "watching 1 file: no failure is known")
  }

  @Test("a deleted file is named with what still fails, and a missing folder once") func followsDeletions() throws {
    let folder = try BatchRunTests.folderWithWorld()
    try folder.write("a.yaml", try BatchRunTests.headlineText(changing: Self.wrong))
    var watch = WatchRun(BatchRun(paths: [folder.path]))
    #expect(Self.step(&watch).last?.hasPrefix("FAILED") == true)
    try FileManager.default.removeItem(atPath: folder.path)
    let errors = Mutex(0)
    for _ in 0..<3 {
      watch.step(BatchRun.Output(line: { _ in }, error: { _ in errors.withLock { $0 += 1 } }))
    }
    #expect(errors.withLock { $0 } == 1)
  }

  @Test("a difference from the kept trace is a failure that is known") func knowsDifferences() throws {
    let folder = try BatchRunTests.folderWithWorld()
    try folder.write("a.yaml", try BatchRunTests.headlineText())
    var batch = BatchRun(paths: [folder.path])
    batch.golden = { { $0.failing("the trace differs", code: "golden.differs", evidence: []) } }
    var watch = WatchRun(batch)
    #expect(Self.step(&watch).last?.hasPrefix("FAILED  \(folder.path)/a.yaml") == true)
  }

  @Test("a saved world runs every scenario that uses it") func followsWorlds() throws {
    let folder = try BatchRunTests.folderWithWorld()
    for name in ["a", "b"] { try folder.write(name + ".yaml", try BatchRunTests.headlineText()) }
    var watch = WatchRun(BatchRun(paths: [folder.path]))
    #expect(Self.step(&watch).contains("2 passed, 0 failed"))
    let world = folder.path + "/worlds/spaceport.yaml"
    let text = try String(contentsOfFile: world, encoding: .utf8)
    try folder.write("worlds/spaceport.yaml", text + "# one line more\n")
    #expect(Self.step(&watch).contains("2 passed, 0 failed"))
    #expect(Self.step(&watch).isEmpty)
  }
}
