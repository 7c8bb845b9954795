import Foundation
import Reports
import ShippedScenarios
import Synchronization
import Testing

@testable import BatchRuns
@testable import ScenarioLanguage
@testable import ScenarioRunner

@Suite("A run of scenario files")
struct BatchRunTests {
  /// A folder for one test.
  final class Folder {
    let path: String

    init() throws {
      path = NSTemporaryDirectory() + "presentment-tests-" + UUID().uuidString
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String) throws { try write(name, Data(text.utf8)) }

    func write(_ name: String, _ data: Data) throws {
      let url = URL(fileURLWithPath: path).appendingPathComponent(name)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: url)
    }
  }

  struct Printed {
    let verdict: RunReport.Verdict
    let output: [String]
    let errors: String
  }

  static func run(_ batch: BatchRun) -> Printed {
    let output = Mutex<[String]>([])
    let errors = Mutex("")
    let verdict = batch.run(
      BatchRun.Output(
        line: { text in output.withLock { $0.append(text) } },
        error: { text in errors.withLock { $0 += text + "\n" } }))
    return Printed(verdict: verdict, output: output.withLock { $0 }, errors: errors.withLock { $0 })
  }

  /// The headline with its world in place, so that the file can be anywhere.
  static func headlineText(changing: (String) -> String = { $0 }) throws -> String {
    let root = ShippedScenarios.folder
    let headline = try String(contentsOfFile: root + "/headline.yaml", encoding: .utf8)
    return changing(headline)
  }

  static func folderWithWorld() throws -> Folder {
    let folder = try Folder()
    let world = try String(contentsOfFile: ShippedScenarios.folder + "/worlds/spaceport.yaml", encoding: .utf8)
    try folder.write("worlds/spaceport.yaml", world)
    return folder
  }

  @Test("a passing run exits with 0 after a line for each case and the counts")
  func passes() throws {
    let folder = try Self.folderWithWorld()
    try folder.write("good.yaml", try Self.headlineText())
    let printed = Self.run(BatchRun(paths: [folder.path]))
    #expect(printed.verdict == .passed)
    #expect(printed.output.count == 2)
    #expect(printed.output.last == "1 passed, 0 failed")
    #expect(printed.errors.isEmpty)
  }

  @Test("a failure of an earlier run whose case is not there any more is an error")
  func earlierFailureIsGone() throws {
    let folder = try Self.folderWithWorld()
    try folder.write("good.yaml", try Self.headlineText())
    try folder.write("other.yaml", try Self.headlineText())
    let all = FilesOfRun(paths: [folder.path], threads: 1).scenarios.map { CaseIdentity($0) }
    let good = try #require(all.first)
    func run(_ cases: [CaseIdentity], _ change: (inout CaseSelection) throws -> Void = { _ in }) throws -> Printed {
      var batch = BatchRun(paths: [good.path])
      batch.selection.only = EarlierFailures(cases: Set(cases))
      try change(&batch.selection)
      return Self.run(batch)
    }
    // The paths of the run leave out the other file, which is there.
    #expect(try run(all).verdict == .passed)
    for gone in [
      CaseIdentity(path: good.path, name: "renamed"), CaseIdentity(path: folder.path + "/gone.yaml", name: "renamed"),
    ] {
      let printed = try run([good, gone])
      #expect(printed.verdict == .undecided && printed.output.last == "1 passed, 0 failed, 1 unreadable")
      #expect(printed.errors.contains("the case 'renamed' of the earlier report is not there any more"), "\(printed)")
      #expect(try run([good, gone]) { $0.filters = [try CaseExpression("not renamed")] }.verdict == .passed)
    }
  }

  @Test("a run that ends before its first case leaves no stream of events without an end")
  func eventsHaveAnEnd() throws {
    let folder = try Self.folderWithWorld()
    try folder.write("good.yaml", try Self.headlineText())
    var batch = BatchRun(paths: [folder.path])
    batch.traceFolder = folder.path + "/good.yaml/traces"
    batch.reports = [try ReportOrder("jsonl=\(folder.path)/events.jsonl")]
    let printed = Self.run(batch)
    #expect(printed.verdict == .undecided && printed.errors.contains("the folder for traces cannot be made"))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/events.jsonl"))
  }

  @Test("a failing run exits with 1 after line, caret, reason and the command to repeat it")
  func fails() throws {
    let folder = try Self.folderWithWorld()
    try folder.write(
      "wrong.yaml",
      try Self.headlineText { $0.replacingOccurrences(of: "given_name: Kelly", with: "given_name: Nelly") })
    let printed = Self.run(BatchRun(paths: [folder.path]))
    #expect(printed.verdict == .failed)
    #expect(printed.output.last == "0 passed, 1 failed")
    let text = printed.output.joined(separator: "\n")
    #expect(text.contains("wrong.yaml:18:40  given_name has another value"))
    #expect(text.contains(" ^^^^^ the site shows Kelly"))
    #expect(text.contains("because: the headline flow of the whole system"))
    #expect(text.contains("again: presentment run \(folder.path)/wrong.yaml --seed 7"))
  }

  static let malformed: [(name: String, data: Data, code: String)] = [
    ("not UTF-8", Data([0x73, 0x3a, 0x20, 0xff, 0xfe]), "source.not-utf8"),
    ("not YAML", Data("scenario: [unclosed".utf8), "source.not-yaml"),
    ("empty", Data(), "source.empty"),
    ("a key twice", Data("scenario: a\nscenario: b\n".utf8), "source.duplicate-key"),
    ("no such world", Data("scenario: a\nworld: spacepart\nsteps: []\n".utf8), "source.unknown-name"),
    ("an unknown key", Data("scenario: a\nworld: spaceport\nstep: []\nsteps: []\n".utf8), "source.unknown-key"),
    ("an alias bomb", Data(bomb.utf8), "source.alias-expansion"),
  ]

  /// Each level holds nine of the level below: a billion when expanded.
  static let bomb: String = {
    var text = "a: &a [x, x, x, x, x, x, x, x, x]\n"
    for (level, previous) in zip("bcdefghi", "abcdefgh") {
      text += "\(level): &\(level) [" + Array(repeating: "*\(previous)", count: 9).joined(separator: ", ") + "]\n"
    }
    return text + "scenario: *i\n"
  }()

  @Test("files that several threads read are reported in the order of their names", arguments: [1, 2, 8])
  func readsOnThreads(jobs: Int) throws {
    let folder = try Self.folderWithWorld()
    let headline = try Self.headlineText()
    for number in 1...6 {
      let text = number.isMultiple(of: 2) ? headline : "scenario: a\nworld: none-\(number)\nsteps: []\n"
      try folder.write("file-\(number).yaml", text)
    }
    var batch = BatchRun(paths: [folder.path])
    batch.settings.jobs = jobs
    let printed = Self.run(batch)
    #expect(printed.verdict == .undecided)
    #expect(printed.output.last == "3 passed, 0 failed, 3 unreadable")
    let lines = printed.output.dropLast().compactMap { line in line.firstMatch(of: /(\w+) .*(file-\d)/)?.output }
    let words = lines.map { "\($0.1) \($0.2)" }
    #expect(
      words == [
        "UNREADABLE file-1", "passed file-2", "UNREADABLE file-3", "passed file-4", "UNREADABLE file-5",
        "passed file-6",
      ])
    let problems = printed.errors.matches(of: /unknown world '(none-\d)'/).map(\.output.1)
    #expect(problems == ["none-1", "none-3", "none-5"])
  }

  @Test("an unusable file gives exit code 2, and the other files run", arguments: malformed.map(\.name))
  func malformedFile(name: String) throws {
    let sample = try #require(Self.malformed.first { $0.name == name })
    let folder = try Self.folderWithWorld()
    try folder.write("bad.yaml", sample.data)
    try folder.write("good.yaml", try Self.headlineText())
    let printed = Self.run(BatchRun(paths: [folder.path]))
    #expect(printed.verdict == .undecided)
    #expect(printed.output.last == "1 passed, 0 failed, 1 unreadable")
    #expect(printed.errors.contains("[\(sample.code)]"), "\(printed.errors)")
    #expect(printed.errors.contains("bad.yaml"))
  }

  @Test(
    "a problem of a world is reported once, with every scenario that names it",
    arguments: [("origin: ", "origins: ", "source.unknown-key"), ("websites:", "websites: [", "source.not-yaml")])
  func malformedWorld(text: String, other: String, code: String) throws {
    let folder = try Self.folderWithWorld()
    let world = try String(contentsOfFile: folder.path + "/worlds/spaceport.yaml", encoding: .utf8)
    try folder.write("worlds/spaceport.yaml", world.replacingOccurrences(of: text, with: other))
    for name in ["a.yaml", "b.yaml"] { try folder.write(name, try Self.headlineText()) }
    let printed = Self.run(BatchRun(paths: [folder.path]))
    #expect(printed.verdict == .undecided)
    #expect(printed.output.last == "0 passed, 0 failed, 2 unreadable")
    #expect(printed.errors.components(separatedBy: "[\(code)]").count == 2, "\(printed.errors)")
    for name in ["a.yaml", "b.yaml"] { #expect(printed.errors.contains("\n   in \(folder.path)/\(name):5:8")) }
  }

  @Test("a file of 100 MB gives exit code 2 without being read")
  func hugeFile() throws {
    let folder = try Folder()
    let path = folder.path + "/huge.yaml"
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let handle = try #require(FileHandle(forWritingAtPath: path))
    // A sparse file of 100 MB.
    try handle.truncate(atOffset: 100 << 20)
    try handle.close()
    let printed = Self.run(BatchRun(paths: [path]))
    #expect(printed.verdict == .undecided)
    #expect(printed.errors.contains("[source.too-large]"))
  }

  @Test("a missing path gives exit code 2 and a suggestion")
  func missingFile() throws {
    let printed = Self.run(BatchRun(paths: [ShippedScenarios.folder + "/headlime.yaml"]))
    #expect(printed.verdict == .undecided)
    #expect(printed.errors.contains("[source.not-found]"))
    #expect(printed.errors.contains("headline"))
  }

  @Test("a case without a world leaves no trace, and removes that of an earlier run")
  func noTrace() throws {
    let folder = try Self.folderWithWorld()
    let text = try Self.headlineText()
    var batch = BatchRun(paths: [folder.path])
    batch.traceFolder = folder.path + "/traces"
    var files: [Int] = []
    for skip in ["", "skip: later\n"] {
      try folder.write("good.yaml", skip + text)
      #expect(Self.run(batch).verdict == .passed)
      files.append(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/traces").count)
    }
    #expect(files == [1, 0])
  }

  @Test("each case writes the same trace each time")
  func traces() throws {
    let folder = try Folder()
    var batch = BatchRun(paths: [ShippedScenarios.folder + "/headline"])
    batch.settings.seed = 7
    var contents: [Data] = []
    for name in ["first", "second"] {
      batch.traceFolder = folder.path + "/" + name
      #expect(Self.run(batch).verdict == .passed)
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/" + name)
      #expect(files.count == 1)
      let file = try #require(files.first)
      #expect(file.hasSuffix("headline.trace.jsonl"))
      contents.append(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/\(name)/\(file)")))
    }
    #expect(contents[0] == contents[1])
    #expect(!contents[0].isEmpty)
  }

  @Test("the story contains the requester, the screens and the conclusions")
  func story() throws {
    var batch = BatchRun(paths: [ShippedScenarios.folder + "/headline"])
    batch.views = [{ StoryReport.text(of: $0) }]
    let text = Self.run(batch).output.joined(separator: "\n")
    for part in [
      "App selector", "Other Wallet: the request is not signed for a reader authority", "selector.reader/untrusted",
      "<spaceship.svg> Spaceship Rentals  (certified)", "will be stored", "device.signature", "Kelly",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }
}
