import Foundation
import Testing

@testable import Reports

@Suite("Files of reports")
struct ReportFileTests {
  @Test("an order is a format and a file")
  func orders() throws {
    #expect(try ReportOrder("junit=a=b.xml") == ReportOrder(.junit, path: "a=b.xml"))
    #expect(try ReportOrder("github") == ReportOrder(.github, path: "-"))
    #expect(try ReportOrder("tap=-").ownsStandardOutput)
    #expect(try !ReportOrder("github").ownsStandardOutput)
    #expect(try !ReportOrder("tap=t").ownsStandardOutput)
  }

  @Test(
    "other orders are refused",
    arguments: [
      ("junit", "the report 'junit' needs a file: junit=FILE, or - for standard output"),
      ("json=", "the report 'json' needs a file: json=FILE, or - for standard output"),
      ("xml=a", "unknown report 'xml=a'; expected junit=FILE, tap=FILE, json=FILE, jsonl=FILE, html=FILE, github"),
      ("", "unknown report ''"), ("=a", "unknown report '=a'"),
    ])
  func refusedOrders(text: String, message: String) {
    let error = #expect(throws: ReportError.self) { try ReportOrder(text) }
    #expect(error?.message.hasPrefix(message) == true, "\(error as Any)")
  }

  @Test("two reports in one file are refused")
  func sameFile() throws {
    let orders = try ["tap=a", "junit=b", "json=a"].map { try ReportOrder($0) }
    let error = #expect(throws: ReportError.self) { try ReportOrder.check(orders) }
    #expect(error?.message == "two reports on a: tap and json")
    try ReportOrder.check(Array(orders.dropLast()))
  }

  @Test("a report is written with its folders and read again, and leaves no other file")
  func written() throws {
    let folder = try Folder()
    let path = folder.path("new/folder/a.json")
    try Samples.everyVerdict.write([ReportOrder(.json, path: path)])
    try Samples.everyVerdict.write([ReportOrder(.json, path: path)])
    #expect(try ReportFile.read(path) == Samples.everyVerdict)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("new/folder")) == ["a.json"])
  }

  @Test("a report that cannot be written does not keep the others from being written")
  func unwritable() throws {
    let folder = try Folder()
    try folder.write("", to: "file")
    let orders = [ReportOrder(.tap, path: folder.path("file/x.tap")), ReportOrder(.junit, path: folder.path("a.xml"))]
    let error = #expect(throws: ReportError.self) { try Samples.everyVerdict.write(orders) }
    #expect(error?.code == .unwritable)
    #expect(error?.message == "\(folder.path("file/x.tap")): not a directory")
    #expect(try folder.text("a.xml").hasPrefix("<?xml"))
  }

  @Test("a link stays a link, and its target is written")
  func link() throws {
    let folder = try Folder()
    for (name, target) in [("a.json", "b/target.json"), ("b/target.json", "../c.json"), ("loop", "loop")] {
      try? FileManager.default.createDirectory(atPath: folder.path("b"), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: target)
    }
    try Samples.everyVerdict.write([ReportOrder(.json, path: folder.path("a.json"))])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("a.json")) == "b/target.json")
    #expect(try ReportFile.read(folder.path("c.json")) == Samples.everyVerdict)
    let order = ReportOrder(.json, path: folder.path("loop"))
    #expect(throws: ReportError.self) { try Samples.everyVerdict.write([order]) }
  }

  @Test("a pipe that no program reads is an error at once")
  func pipeWithoutReader() throws {
    let folder = try Folder()
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    let error = #expect(throws: ReportError.self) {
      try Samples.everyVerdict.write([ReportOrder(.tap, path: folder.path("pipe"))])
    }
    #expect(error?.message == "\(folder.path("pipe")): no program reads it")
  }

  @Test("a hurried report does not wait for a program that reads nothing, and waits for one that reads")
  func pipeThatIsNotRead() throws {
    let folder = try Folder()
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    ReportFile.hurry()
    // More than any pipe takes.
    let error = #expect(throws: ReportError.self) {
      try ReportFile.write([UInt8](repeating: 0x61, count: 4 << 20), to: pipe)
    }
    #expect(error?.message == "\(pipe): the program that reads it takes nothing")
    // What it took is read, and there is space again.
    var rest = [UInt8](repeating: 0, count: 4 << 20)
    while read(reader, &rest, rest.count) > 0 {}
    try ReportFile.write(Array("last".utf8), to: pipe)
    #expect(read(reader, &rest, rest.count) == 4)
  }

  @Test("a report in place of a file that the run reads is refused, by every name of the file")
  func inputs() throws {
    let folder = try Folder()
    try folder.write("x", to: "a.yaml")
    try FileManager.default.linkItem(atPath: folder.path("a.yaml"), toPath: folder.path("hard"))
    try FileManager.default.createSymbolicLink(atPath: folder.path("soft"), withDestinationPath: "a.yaml")
    for name in ["a.yaml", "hard", "soft"] {
      let order = ReportOrder(.json, path: folder.path(name))
      #expect(throws: ReportError.self) { try ReportOrder.check([order], inputs: [folder.path("a.yaml")]) }
    }
    try ReportOrder.check([ReportOrder(.json, path: folder.path("new"))], inputs: [folder.path("a.yaml")])
  }

  @Test("a full device is an error")
  func full() {
    let error = #expect(throws: ReportError.self) {
      try Samples.everyVerdict.write([ReportOrder(.tap, path: "/dev/full")])
    }
    #expect(error?.message == "/dev/full: no space left on device")
  }

  @Test("a file that cannot be read is an error with its name and the reason")
  func unreadable() throws {
    let folder = try Folder()
    for (path, message) in [
      (folder.path("missing.json"), "no such file or directory"), (folder.url.path, "not a file"),
      ("/dev/zero", "not a file"),
    ] {
      let error = #expect(throws: ReportError.self) { try ReportFile.read(path) }
      #expect(error?.code == .unreadable)
      #expect(error?.message == "\(path): \(message)")
    }
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(throws: ReportError.self) { try ReportFile.read(pipe) }
    try folder.write("not JSON", to: "a.json")
    let error = #expect(throws: ReportError.self) { try ReportFile.read(folder.path("a.json")) }
    #expect(error?.code == .malformed)
  }

  @Test("a stream has each event as soon as it happens")
  func stream() throws {
    let folder = try Folder()
    let stream = try EventStream(path: folder.path("new/events.jsonl"))
    func lines() throws -> Int { try folder.text("new/events.jsonl").count { $0 == "\n" } }
    let report = Samples.report([], unreadable: [Samples.unreadable(2)], entries: 2)
    stream.start(report, cases: 1)
    #expect(try lines() == 2)
    stream.start(Samples.entry(1).identity, number: 1)
    #expect(try lines() == 3)
    stream.end(Samples.entry(1))
    #expect(try lines() == 4)
    stream.end(report)
    #expect(stream.problem == nil)
    var whole = report
    whole.cases = [Samples.entry(1)]
    let events = String(decoding: whole.text(.jsonl, for: "-"), as: UTF8.self).split(separator: "\n")
    #expect(try folder.text("new/events.jsonl").split(separator: "\n").prefix(4) == events.prefix(4))
  }

  @Test("a stream keeps its first error")
  func brokenStream() throws {
    let stream = try EventStream(path: "/dev/full")
    stream.end(Samples.entry(1))
    #expect(stream.problem?.message == "/dev/full: no space left on device")
    #expect(throws: ReportError.self) { try EventStream(path: "/dev/full/x") }
  }
}
