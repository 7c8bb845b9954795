import BatchRuns
import JSON
import LocatedYAML
import Messaging
import Primitives
import ScenarioFiles
import ScenarioRunner
import TraceViews
import Vocabulary

@testable import Reports
@testable import ScenarioLanguage

extension UntrustedParser {
  /// Scenario files with every case in them. Problems are printed, too.
  static let scenario = UntrustedParser(
    "scenario", growth: 64, seeds: { [ScenarioSeeds.scenario, ScenarioSeeds.cases] }
  ) { bytes in
    let problems = ProblemCollector()
    let scenarios = ScenarioReader.read(try file(bytes), problems)
    try BrokenPromise.unless(problems.isEmpty || scenarios == nil, "a file with problems has cases")
    try check(problems, isRead: scenarios != nil)
    return scenarios?.count ?? 0
  }

  /// World files.
  static let world = UntrustedParser("world", growth: 64, seeds: { [ScenarioSeeds.world] }) { bytes in
    let problems = ProblemCollector()
    guard let root = SourceNode.parse(try file(bytes), problems) else {
      try check(problems, isRead: false)
      throw NoValue()
    }
    let world = Form<WorldDescription>.read(root, problems)
    if let problem = problems.problems.first { throw problem }
    return world?.websites.count ?? 0
  }

  /// Flow files.
  static let flow = UntrustedParser("flow", growth: 64, seeds: { [ScenarioSeeds.flow] }) { bytes in
    let problems = ProblemCollector()
    guard let root = SourceNode.parse(try file(bytes), problems) else {
      try check(problems, isRead: false)
      throw NoValue()
    }
    let context = ReadingContext(world: WorldDescription(), problems: problems)
    _ = problems.attempt(root) { try Form<Flow>.flow.read($0, context) }
    if let problem = problems.problems.first { throw problem }
    return bytes.count
  }

  /// YAML with positions, its layout and its anchors: a value is another one neither in another layout nor written anew.
  static let yaml = UntrustedParser(
    "yaml", growth: 16, seeds: { [ScenarioSeeds.yaml, ScenarioSeeds.cases, ScenarioSeeds.flow] }
  ) { bytes in
    let file = try file(bytes)
    let problems = ProblemCollector()
    let root = SourceNode.parse(file, problems)
    try check(problems, isRead: root != nil)
    _ = file.unusedAnchors()
    let text = try YAMLFormatter.formatted(file)
    let again = try SourceFile(path: file.path, text: text)
    try BrokenPromise.unless(
      SourceNode.parse(again, problems)?.value == root?.value, "another layout has another value")
    return text.utf8.count
  }

  /// A step as a client of the server writes it. What is recorded can be read back.
  static let step = UntrustedParser(
    "step", growth: 16,
    seeds: {
      [
        "person: { taps: Verify Identity }", #"{"person":{"visits":"shop","on":"phone"}}"#, "wait: 5 s",
        "selector: { shows: [Wallet] }", "website: { verified: { given_name: Ada, age_over_21: true } }",
      ].map { Array($0.utf8) }
    }
  ) { bytes in
    guard let scenario = ScenarioSeeds.read else { throw BrokenPromise(description: "the scenario is not read") }
    let step = try Step(try text(bytes), called: "the step", for: scenario)
    try BrokenPromise.unless(
      (try? Step(step.text, called: "the step", for: scenario))?.text == step.text,
      "written and read again it is another: \(step.text)")
    return step.text.utf8.count
  }

  /// Texts of options that choose cases, seeds and shards.
  static let runOption = UntrustedParser(
    "run-option", growth: 8,
    seeds: {
      [#"a and not (b or "c d") e"#, "1..1000", "2/5", "json=out/r.json"].map { Array($0.utf8) }
    }
  ) { bytes in
    let text = try text(bytes)
    if let seeds = SeedRange(text) {
      try BrokenPromise.unless(SeedRange(seeds.description) == seeds, "written and read again it is another")
      return seeds.description.utf8.count
    }
    if let shard = try? Shard(text) {
      try BrokenPromise.unless((try? Shard(shard.description)) == shard, "written and read again it is another")
      return shard.description.utf8.count
    }
    _ = try? ReportOrder(text)
    let expression = try CaseExpression(text)
    _ = expression.holds { $0.isEmpty }
    return expression.description.utf8.count
  }

  /// Traces: a trace is not different from itself.
  static let trace = UntrustedParser("trace", growth: 16, seeds: { [ScenarioSeeds.trace] }) { bytes in
    let trace = try TraceFile(bytes, name: "trace")
    try BrokenPromise.unless(TraceDifference(trace.entries, trace.entries) == nil, "a trace is different from itself")
    let lines = trace.entries.map { JSONCoding.encode($0) }
    let again = try TraceFile(Array(lines.joined(separator: [0x0a])), name: "trace")
    try BrokenPromise.unless(
      TraceDifference(trace.entries, again.entries) == nil, "written and read again it is another")
    return lines.reduce(0) { $0 + $1.count }
  }

  /// The page of a trace.
  static let tracePage = UntrustedParser("trace-page", seeds: { [ScenarioSeeds.trace] }) { bytes in
    let trace = try TraceFile(bytes, name: "trace")
    let page = try TracePage.html(of: trace.entries, result: TracePage.Result(title: "trace"))
    try BrokenPromise.unless(page.hasSuffix("</html>\n"), "the page has no end")
    return trace.entries.count
  }

  /// Reports of runs, in every format. What is written is read back.
  static let report = UntrustedParser("report", growth: 64, seeds: { [ScenarioSeeds.report] }) { bytes in
    let report = try ReportFile.report(bytes, from: "report.json")
    let texts = ReportFormat.allCases.map { report.text($0, for: "-") }
    let again = try ReportFile.report(report.text(.json, for: "-"), from: "report.json")
    try BrokenPromise.unless(again == report, "written and read again it is another")
    _ = try RunReport(merging: [NamedReport(name: "a", report: report)])
    return texts.reduce(0) { $0 + $1.count } / 16
  }

  /// A file that lies nowhere, so that the files that it names are missing.
  private static func file(_ bytes: [UInt8]) throws -> SourceFile {
    try SourceFile(path: "/nowhere/file.yaml", bytes: bytes)
  }

  /// Throws the first problem. A file that is not read has one.
  private static func check(_ problems: ProblemCollector, isRead: Bool) throws {
    try BrokenPromise.unless(isRead || !problems.isEmpty, "a file is refused without a problem")
    for problem in problems.problems {
      try BrokenPromise.unless(
        problem.description.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x0a }, "a control character is printed"
      )
    }
    if let problem = problems.problems.first { throw problem }
  }
}

/// Files of every kind, small because each byte of them is damaged.
private enum ScenarioSeeds {
  static let scenario = Array(ScenarioTemplate.text(title: "T").utf8)

  /// The cases of the template; nil if it cannot be read.
  static let read: Scenario? = (try? SourceFile(path: "/nowhere/file.yaml", bytes: scenario))
    .flatMap { ScenarioReader.read($0, ProblemCollector())?.first }

  static let cases = Array(
    """
    scenario: Two
    because: a reason
    tags: [a]
    matrix: { who: [Ada, Bea] }
    world:
      websites: { shop: { origin: "https://shop.example", brand: { name: Shop } } }
      devices: { phone: { apps: {} } }
    steps:
      - person: { visits: shop, on: phone }
    """.utf8)

  static let world = Array(
    """
    authorities:
      issuers: { dmv: { name: DMV, country: US, state: US-CA } }
      readers: { registry: { name: Registry } }
    websites:
      shop:
        origin: https://shop.example
        brand: { name: Shop }
        signs-for: [registry]
        asks: { org.iso.18013.5.1.mDL: { org.iso.18013.5.1: { given_name: retain } } }
    devices: { phone: { apps: { Wallet: { trusts-readers: [registry] } } } }
    """.utf8)

  static let flow = Array(
    """
    flow: Verify
    because: a reason
    steps:
      - person: { taps: Verify Identity }
    """.utf8)

  static let yaml = Array(
    """
    # a comment
    a: &x [1, 2.5, 'it''s', "\\u00e9\\n"] # beside
    b: { c: *x, d: null }
    e: |
      text
       more

    f: >-
      folded
      lines
    """.utf8)

  static let trace = Array(
    """
    {"by":"app:phone/Wallet","line":1,"message":{"bytes":"W10=","kind":"root certificate","number":1,\
    "to":"reader-authority:registry","type":"application/json"},"time":1757955600000000000}
    {"by":"reader-authority:registry","check":{"check":"reader-authority.account","evidence":[],\
    "message":"the requester has an account","status":"passed"},"line":2,"time":1757955600028677000}

    """.utf8)

  static let report = Array(
    """
    {"cases":[{"command":"presentment run t.yaml --seed 1","name":"T","number":1,
    "place":{"column":11,"line":2,"path":"t.yaml"},"seconds":0.06,"seed":1,"verdict":"passed","worldSeconds":5.3}],
    "format":1,"run":{"digest":"00ff","entries":1,"seconds":0.07,"settings":{"version":"0.1.0"}},
    "totals":{"failed":0,"failed-as-expected":0,"passed":1,"skipped":0,"undecided":0},"unreadable":[],"verdict":"passed"}
    """.utf8)
}
