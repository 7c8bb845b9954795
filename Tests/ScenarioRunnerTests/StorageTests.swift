import BatchRuns
import CrossCheckTrait
import Foundation
import ShippedScenarios
import Testing

@testable import Reports
@testable import ScenarioLanguage
@testable import ScenarioRunner

@Suite("Worlds that are kept in a folder", .crossChecked)
struct StorageTests {
  private static func write(_ steps: String, seed: Int = 7, into folder: BatchRunTests.Folder) throws {
    try folder.write(
      "kept.yaml",
      """
      scenario: A world that is kept
      because: what is in files is there the next time
      seed: \(seed)
      clock: 2025-09-15T17:00:00Z
      world: spaceport
      changes: { storage: kept }
      steps:
      \(steps)
      """)
  }

  private static let delete = """
      - person: { deletes: mDL, in: Wallet }
      - person: { switches-off: Local Driving Authority }
      - released: never
    """
  private static let look = """
      - person: { visits: spaceship-rentals, on: kellys-iphone }
      - person: { taps: Verify Identity }
      - selector:
          shows: []
          hides:
            Wallet: selector.registration
            Local Driving Authority: selector.app-authorization
            Other Wallet: selector.reader/untrusted
      - person: { switches-on: Local Driving Authority }
      - person: { taps: Verify Identity }
      - selector: { shows: [Local Driving Authority] }
      - person: { picks: Local Driving Authority }
      - person: { taps: Accept }
      - website: { verified: { given_name: Kelly } }
    """

  /// The database files of the only case, by name.
  private static func files(of folder: BatchRunTests.Folder) throws -> [String] {
    let kept = folder.path + "/kept"
    return try FileManager.default.subpathsOfDirectory(atPath: kept).filter { $0.hasSuffix(".sqlite") }
      .map { "\(kept)/\($0)" }.sorted()
  }

  /// Every file of the only case, with its bytes.
  private static func everything(in folder: BatchRunTests.Folder) throws -> [String: Data] {
    let kept = folder.path + "/kept"
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: kept) {
      if let data = FileManager.default.contents(atPath: "\(kept)/\(name)") { files[name] = data }
    }
    return files
  }

  @Test("a temporary folder is made where one may be, and is gone afterwards; a missing place for it is not made")
  func temporaryFolder() throws {
    let scenario = try #require(
      ShippedScenarios.cases().first { if case .temporary = $0.world.storage { true } else { false } })
    let folder = try BatchRunTests.Folder()
    let present = URL(fileURLWithPath: folder.path, isDirectory: true)
    let made = try #require(try CaseFolder(for: scenario, temporaryFolder: present))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    made.removeIfTemporary()
    #expect(throws: CocoaError.self) {
      try CaseFolder(for: scenario, temporaryFolder: present.appendingPathComponent("absent"))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test("a temporary folder that cannot be removed is removed with the next one")
  func removedLater() throws {
    let scenario = try #require(
      ShippedScenarios.cases().first { if case .temporary = $0.world.storage { true } else { false } })
    let folder = try BatchRunTests.Folder()
    let place = URL(fileURLWithPath: folder.path, isDirectory: true)
    let made = try (1...2).map { _ in try #require(try CaseFolder(for: scenario, temporaryFolder: place)) }
    made[0].removeIfTemporary(by: { _ in throw CocoaError(.fileWriteUnknown) })
    made[1].removeIfTemporary()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test("a second run continues from the files of the first")
  func goesOn() throws {
    let folder = try BatchRunTests.folderWithWorld()
    try Self.write(Self.delete, into: folder)
    let first = BatchRunTests.run(BatchRun(paths: [folder.path + "/kept.yaml"]))
    #expect(first.verdict == .passed, "\(first.output) \(first.errors)")
    #expect(try Self.files(of: folder).count == 5, "a device, three apps and a server")
    try Self.write(Self.look, into: folder)
    let second = BatchRunTests.run(BatchRun(paths: [folder.path + "/kept.yaml"]))
    #expect(second.verdict == .passed, "\(second.output) \(second.errors)")
  }

  @Test("files of another seed are refused and left unchanged")
  func otherSeed() throws {
    let folder = try BatchRunTests.folderWithWorld()
    try Self.write(Self.delete, into: folder)
    #expect(BatchRunTests.run(BatchRun(paths: [folder.path + "/kept.yaml"])).verdict == .passed)
    let before = try Self.files(of: folder).map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    try Self.write(Self.look, seed: 8, into: folder)
    let second = BatchRunTests.run(BatchRun(paths: [folder.path + "/kept.yaml"]))
    #expect(second.verdict == .undecided)
    #expect(second.output.joined().contains("a world of seed 7"), "\(second.output)")
    #expect(try Self.files(of: folder).map { try Data(contentsOf: URL(fileURLWithPath: $0)) } == before)
  }

  @Test("a damaged file is refused with its name and left unchanged", arguments: ["devices", "apps", "servers"])
  func damaged(kind: String) throws {
    let folder = try BatchRunTests.folderWithWorld()
    try Self.write(Self.delete, into: folder)
    #expect(BatchRunTests.run(BatchRun(paths: [folder.path + "/kept.yaml"])).verdict == .passed)
    let file = try #require(try Self.files(of: folder).first { $0.contains("/\(kind)/") })
    let garbage = Data(repeating: 0x5a, count: 9_000)
    try garbage.write(to: URL(fileURLWithPath: file))
    let before = try Self.everything(in: folder)
    try Self.write(Self.look, into: folder)
    let second = BatchRunTests.run(BatchRun(paths: [folder.path + "/kept.yaml"]))
    #expect(second.verdict == .undecided)
    #expect(second.output.joined().contains("\(file): the file is not a database, or is damaged"), "\(second.output)")
    let after = try Self.everything(in: folder)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == garbage)
    #expect(after.keys.sorted() == before.keys.sorted(), "a file was added or removed")
    let record = try #require(before.keys.first { $0.hasSuffix("world.json") })
    #expect(after[record] == before[record], "the failed start was counted")
  }

  @Test("a refused first start does not affect the second")
  func refusedFirstStart() throws {
    let folder = try BatchRunTests.folderWithWorld()
    let garbage = "kept/kept/apps/kellys-iphone%2fWallet.sqlite"
    try folder.write(garbage, Data(repeating: 0x5a, count: 3_000))
    try Self.write(
      "  - person: { visits: spaceship-rentals, on: kellys-iphone }\n  - released: never", into: folder)
    #expect(BatchRunTests.run(BatchRun(paths: [folder.path + "/kept.yaml"])).verdict == .undecided)
    try FileManager.default.removeItem(atPath: folder.path + "/" + garbage)
    try Self.write(
      """
        - person: { visits: spaceship-rentals, on: kellys-iphone }
        - person: { taps: Verify Identity }
        - selector: { shows: [Wallet, Local Driving Authority] }
      """, into: folder)
    let second = BatchRunTests.run(BatchRun(paths: [folder.path + "/kept.yaml"]))
    #expect(second.verdict == .passed, "\(second.output)")
  }

  @Test(
    "an impossible record of a world is refused",
    arguments: [
      #"{"format":1,"founded":1757955600,"seed":"7","starts":9223372036854775807}"#,
      #"{"format":1,"founded":9223372036854775000,"seed":"7","starts":1}"#,
      #"{"format":1,"founded":1757955600,"seed":"7","starts":0}"#, #"{"format":2,"founded":0,"seed":"7","starts":1}"#,
      "{", "[]", "",
    ])
  func impossibleRecord(text: String) throws {
    let folder = try BatchRunTests.folderWithWorld()
    try folder.write("kept/kept/world.json", text)
    try Self.write(Self.delete, into: folder)
    let printed = BatchRunTests.run(BatchRun(paths: [folder.path + "/kept.yaml"]))
    #expect(printed.verdict == .undecided)
    #expect(printed.output.joined().contains("world.json: "), "\(printed.output)")
  }

  @Test("each case has its own folder, for any spelling of its name and path")
  func foldersOfCases() throws {
    let folder = try BatchRunTests.folderWithWorld()
    let cases = ["x y", "x.y", "x_y", "x-y", "x/y"]
    let entries = cases.map {
      "  - { case: \"\($0)\", steps: [{ person: { deletes: mDL, in: Wallet } }, { released: never }] }"
    }
    try folder.write(
      "many.yaml",
      "scenario: Many\nbecause: each is kept apart\nworld: spaceport\nchanges: { storage: kept }\nmatrix:\n"
        + entries.joined(separator: "\n"))
    var batch = BatchRun(paths: [folder.path + "/many.yaml"])
    batch.settings.jobs = 3
    let first = BatchRunTests.run(batch)
    #expect(first.verdict == .passed, "\(first.output) \(first.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/kept").count == cases.count)
    let again = BatchRunTests.run(BatchRun(paths: [folder.path + "/worlds/../many.yaml"]))
    #expect(again.verdict == .failed, "the deleted document is gone with another spelling of the path")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/kept").count == cases.count)
  }

  @Test("a world in memory cannot be restarted")
  func nothingKept() throws {
    let folder = try BatchRunTests.folderWithWorld()
    try folder.write(
      "memory.yaml",
      """
      scenario: Nothing is kept
      world: spaceport
      steps:
        - world: restarts
      """)
    let printed = BatchRunTests.run(BatchRun(paths: [folder.path + "/memory.yaml"]))
    #expect(printed.verdict == .undecided)
    #expect(printed.errors.contains("a world in memory cannot be restarted"), "\(printed.errors)")
  }
}
