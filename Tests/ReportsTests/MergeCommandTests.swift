import Foundation
import TestSupport
import Testing

@testable import Reports

/// The command that joins reports.
@Suite("The command merge")
struct MergeCommandTests {
  private static func merge(_ arguments: String..., in folder: Folder) async throws -> Programs.Run {
    try await Programs.run(Programs.presentment, ["merge"] + arguments, in: folder.url)
  }

  /// A folder with the reports of two shards.
  private static func shards() throws -> Folder {
    let folder = try Folder()
    for index in 1...2 {
      var report = Samples.everyVerdict
      let shard = try Shard(index: index, count: 2)
      report.shard = shard
      report.cases = shard.places(of: report.cases.map(\.identity)).map { report.cases[$0] }
      try report.write([ReportOrder(.json, path: folder.path("\(index).json"))])
    }
    return folder
  }

  @Test("prints what did not pass and the totals, writes every report, and exits as the run would")
  func merges() async throws {
    let folder = try Self.shards()
    let run = try await Self.merge(
      "1.json", "2.json", "--report", "json=out/all.json", "--report", "junit=all.xml", in: folder)
    #expect(run.code == 2)
    #expect(run.errors.isEmpty)
    #expect(run.output.hasPrefix("FAILED  a/one.yaml  case 2\na/one.yaml:22:5  message of 2\n"), "\(run)")
    #expect(run.output.contains("\nUNREADABLE  a/bad.yaml\na/bad.yaml:3:7  unknown key"))
    #expect(run.output.hasSuffix("\n1 passed, 1 failed, 1 undecided, 1 unreadable, 1 skipped, 1 failed as expected\n"))
    #expect(try ReportFile.read(folder.path("out/all.json")) == Samples.everyVerdict)
    #expect(try folder.text("all.xml").hasPrefix("<?xml"))
  }

  @Test("reports of several targets become a page with a column for each")
  func matrix() async throws {
    let folder = try Folder()
    let first = Samples.report([Samples.entry(1), Samples.entry(2, .failed)], settings: ["target": "My <shop>"])
    let second = Samples.report([Samples.entry(1), Samples.entry(2, .undecided)], settings: ["target": "Other"])
    try first.write([ReportOrder(.json, path: folder.path("1.json"))])
    try second.write([ReportOrder(.json, path: folder.path("2.json"))])
    let run = try await Self.merge("1.json", "2.json", "--matrix", "page.html", in: folder)
    #expect(run.code == 0 && run.output.isEmpty && run.errors.isEmpty, "\(run)")
    let page = try folder.text("page.html")
    #expect(page.contains("<th scope=\"col\">My &lt;shop&gt;</th><th scope=\"col\">Other</th>"))
    #expect(page.contains("<strong>1 of 2</strong></td><td><strong>1 of 1</strong>"))
    #expect(page.contains("message of 2</span><br><small>device.signature/transcript</small>"))
    let one = try await Self.merge("1.json", "--matrix", "page.html", in: folder)
    #expect(one.code == 2 && one.errors == "Error: a matrix has several reports\n", "\(one)")
    let both = try await Self.merge("1.json", "2.json", "--matrix", "a", "--report", "tap=-", in: folder)
    #expect(both.code != 0 && both.errors.contains("exclude each other"), "\(both)")
  }

  @Test("a report on standard output is alone there")
  func standardOutput() async throws {
    let folder = try Self.shards()
    let run = try await Self.merge("1.json", "2.json", "--report", "tap=-", in: folder)
    #expect(run.output == String(decoding: Samples.everyVerdict.text(.tap, for: "-"), as: UTF8.self))
    #expect(run.errors.contains("1 passed, 1 failed"))
  }

  @Test("a missing shard, a broken report, an unwritable one and wrong usage are errors")
  func errors() async throws {
    let folder = try Self.shards()
    let missing = try await Self.merge("1.json", in: folder)
    #expect(missing.code == 2 && missing.errors == "Error: missing shard: 2/2\n", "\(missing)")
    try folder.write("{", to: "3.json")
    let broken = try await Self.merge("1.json", "3.json", in: folder)
    #expect(broken.code == 2 && broken.errors.hasPrefix("Error: 3.json: not a report of"), "\(broken)")
    let unwritable = try await Self.merge("1.json", "2.json", "--report", "tap=1.json/x", in: folder)
    #expect(unwritable.code == 2 && unwritable.errors == "Error: 1.json/x: not a directory\n", "\(unwritable)")
    for arguments in [["--report", "junit=1.json"], ["--matrix", "2.json"]] {
      let run = try await Programs.run(Programs.presentment, ["merge", "1.json", "2.json"] + arguments, in: folder.url)
      #expect(run.code == 2 && run.errors.contains("would replace it"), "\(run)")
    }
    #expect(try await Self.merge("1.json", "2.json", in: folder).output.contains("1 passed, 1 failed"))
    for arguments in [["--report", "xml=a"], ["--report", "tap=a", "--report", "json=a"]] {
      let run = try await Programs.run(Programs.presentment, ["merge", "1.json"] + arguments, in: folder.url)
      #expect(run.code == 2 && run.errors.contains("report"), "\(run)")
    }
  }
}
