import Foundation
import LocatedYAML
import ScenarioFiles
import Testing

@testable import ScenarioLanguage

/// Files in a folder of their own, next to the shipped worlds and flows.
private final class Files {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "presentment-language-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for folder in ["worlds", "flows"] {
      try FileManager.default.copyItem(atPath: ShippedSteps.folder + "/" + folder, toPath: path + "/" + folder)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ text: String) throws {
    let url = URL(fileURLWithPath: path).appendingPathComponent(name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  /// The cases of a file, and its problems without the path of the folder.
  func read(_ name: String = "a.yaml") -> (cases: [Scenario]?, problems: [String]) {
    let problems = ProblemCollector()
    let cases = ScenarioReader.read(path + "/" + name, problems)
    let texts = problems.problems.map { problem in
      ([problem.description] + problem.uses).joined(separator: "\n").replacingOccurrences(of: path + "/", with: "")
    }
    return (cases, texts)
  }

  /// The same for a scenario of the spaceport with some keys and steps.
  func read(keys: String = "", steps: String = "[{ released: never }]") throws -> (
    cases: [Scenario]?, problems: [String]
  ) {
    try write("a.yaml", "scenario: A\nworld: spaceport\n\(keys)steps: \(steps)\n")
    return read()
  }
}

@Suite("Reading of cases")
struct CaseReadingTests {
  @Test("a case has its tags, reasons, limit and seed")
  func keys() throws {
    let files = try Files()
    let keys = """
      tags: [slow, v1.2_x]
      skip: not today
      fails-because: it is not done
      limit: 90 s
      seed: { fixed: 18446744073709551615 }

      """
    let read = try files.read(keys: keys)
    let scenario = try #require(read.cases?.first, "\(read.problems)")
    #expect(scenario.tags == ["slow", "v1.2_x"])
    #expect(scenario.skip == "not today" && scenario.expectedFailure == "it is not done")
    #expect(scenario.limit == .seconds(90))
    #expect(scenario.seed == .max && scenario.seed(inRunWith: 7) == .max)
    let plain = try #require(try files.read(keys: "seed: 18446744073709551614\n").cases?.first)
    #expect(plain.seed == .max - 1 && plain.seed(inRunWith: 7) == 7 && plain.seed(inRunWith: nil) == .max - 1)
  }

  @Test(
    "a malformed key of a case is a problem",
    arguments: [
      ("tags: slow\n", "3:7: expected a list, found the text 'slow'"),
      ("tags: [a b]\n", "3:8: a tag has letters, digits, '-', '_' and '.', not 'a b'"),
      ("skip: ''\n", "3:7: the reason is empty"), ("skip: true\n", "3:7: expected text, found true"),
      ("fails-because: ''\n", "3:16: the reason is empty"), ("limit: 3\n", "3:8: the duration 3 has no unit"),
      ("seed: 18446744073709551616\n", "is not between 0 and 18446744073709551615"),
      ("seed: -1\n", "is not between 0 and 18446744073709551615"),
      ("seed: 1e3\n", "3:7: expected a whole number, found the number 1e3"),
      ("seed: '7'\n", "3:7: expected a number, found the text '7'"),
      ("seed: { fixt: 7 }\n", "3:9: unknown key 'fixt'; known here: 'fixed'"),
      ("faults: issuer.not-signed\n", "3:9: expected a list"),
      ("faults: [issuer.not-sined]\n", "3:10: unknown fault 'issuer.not-sined'; did you mean 'issuer.not-signed'?"),
      ("faults: [{ ends: issuer.not-signed }]\n", "3:10: no fault acts before the first step"),
    ])
  func malformedKeys(keys: String, message: String) throws {
    let read = try Files().read(keys: keys)
    #expect(read.cases == nil && read.problems.count == (keys.contains("fixt") ? 2 : 1), "\(read.problems)")
    #expect(read.problems.contains { $0.contains(message) }, "\(read.problems)")
  }

  @Test("the faults of a case are its first steps")
  func faults() throws {
    let read = try Files().read(keys: "faults: [issuer.not-signed, network.response-altered]\n")
    let steps = try #require(read.cases?.first, "\(read.problems)").steps
    #expect(
      steps.map(\.step.text).prefix(2) == ["{ fault: issuer.not-signed }", "{ fault: network.response-altered }"])
    #expect(steps.map(\.position).map { "\($0.line):\($0.column)" }.prefix(2) == ["3:10", "3:29"])
  }

  @Test("every combination of the axes is a case, in their order")
  func axes() throws {
    let files = try Files()
    let keys = """
      matrix:
        site:
          - { case: a, because: from a, changes: { websites: { spaceship-rentals: { policy: strict } } } }
          - { case: b }
        seed:
          - { case: "1", seed: 1 }
          - { case: "2", seed: 2, because: from 2 }

      """
    let cases = try #require(try files.read(keys: keys).cases)
    #expect(cases.map(\.caseName) == ["a, 1", "a, 2", "b, 1", "b, 2"])
    #expect(cases.map(\.seed) == [1, 2, 1, 2])
    #expect(cases.map(\.because) == ["from a", "from 2", nil, "from 2"])
    #expect(
      cases.map { $0.world.websites[0].policy == cases[0].world.websites[0].policy } == [true, true, false, false])
    let outline = try #require(ScenarioOutline(readingFrom: files.path + "/a.yaml"))
    #expect(outline.cases.map(\.name) == ["a, 1", "a, 2", "b, 1", "b, 2"])
    #expect(outline.cases.map(\.because) == ["from a", "from 2", nil, "from 2"])
  }

  @Test("a matrix has a bound and unique names")
  func axisProblems() throws {
    let files = try Files()
    func axis(_ name: String, _ count: Int) -> String {
      "  \(name): [" + (1...count).map { "{ case: c\($0) }" }.joined(separator: ", ") + "]\n"
    }
    #expect(try files.read(keys: "matrix:\n" + axis("a", 10) + axis("b", 100)).cases?.count == 1_000)
    let many = try files.read(keys: "matrix:\n" + axis("a", 10) + axis("b", 101))
    #expect(many.cases == nil)
    #expect(many.problems == ["a.yaml:5:3: the axes have more than 1000 combinations [source.too-large]"])
    let rows = [
      ("matrix: {}\n", "the matrix has no axis"), ("matrix: { a: [] }\n", "the axis has no entry"),
      ("matrix: []\n", "the matrix has no entry"), ("matrix: { a: [{ seed: 1 }] }\n", "the key 'case' is missing"),
      ("matrix: { a: [{ case: x }, { case: x }] }\n", "two cases are called 'x'"),
      ("matrix: { a: { case: x } }\n", "expected a list, found a mapping"),
    ]
    for (keys, message) in rows {
      let read = try files.read(keys: keys)
      #expect(read.cases == nil && read.problems.first?.contains(message) == true, "\(read.problems)")
    }
  }

  @Test("a case expects something")
  func expectsNothing() throws {
    let files = try Files()
    let silent = "[{ person: { visits: spaceship-rentals } }]"
    #expect(
      try files.read(steps: silent).problems == [
        "a.yaml:3:8: the case expects nothing, so it could not fail; add an expectation, for example 'website' "
          + "[source.missing-key]"
      ])
    #expect(try files.read(keys: "faults: [issuer.not-signed]\n", steps: silent).cases == nil)
    let keys = "matrix: [{ case: loud, steps: [{ released: never }] }, { case: silent }]\n"
    #expect(try files.read(keys: keys, steps: silent).problems.first?.hasSuffix("\nin the case 'silent'") == true)
    #expect(try files.read(steps: "[{ person: { taps: A }, fails: no button }]").cases?.count == 1)
    #expect(try files.read(steps: "[{ fault: issuer.not-signed, acts: never }]").cases?.count == 1)
  }

  @Test("an outcome is needed where a check can pass")
  func decisionsOfChecks() throws {
    let files = try Files()
    func read(_ rest: String) throws -> [String] {
      try files.read(steps: "[{ decision: { by: server, \(rest) } }]").problems
    }
    #expect(
      try read("code: device.signature").first?.hasPrefix(
        "a.yaml:3:41: the check device.signature can pass and fail: say the outcome") == true)
    #expect(try read("code: device.signature, count: never").count == 1)
    #expect(try read("code: device.signature, outcome: failed").isEmpty)
    #expect(try read("code: device.signature/transcript").isEmpty)
    #expect(try read("code: device.signature, explained: transcript.tagged").isEmpty)
    #expect(try read("code: verified").isEmpty)
  }

  @Test("the problem of a code of another kind says where it belongs")
  func codesOfOtherKinds() throws {
    let read = try Files().read(steps: "[{ website: { refused: selector.reader/untrusted } }]")
    #expect(
      read.problems == [
        "a.yaml:3:31: 'selector.reader/untrusted' is not a code that belongs here; it is a reason of the selector, for "
          + "'hides' [source.unknown-name]"
      ])
  }

  @Test(
    "every action of the person takes a device, except those that name their own",
    arguments: [
      ("taps: Verify Identity", true), ("picks: Wallet", true), ("cancels: selector", true), ("uploads: scan", true),
      ("authorizes-with: face-id", true), ("visits: spaceship-rentals", true), ("allows: Wallet", true),
      ("deletes: mDL, in: Wallet", true), ("waits: 1 s", false), ("restarts: kellys-iphone", false),
      ("scans-text: x", false), ("carries: kellys-iphone, to: here", false),
    ])
  func onEveryAction(action: String, takes: Bool) throws {
    let read = try Files().read(steps: "[{ person: { \(action), on: kellys-iphone } }, { released: never }]")
    #expect((read.cases != nil) == takes, "\(read.problems)")
    guard let scenario = read.cases?.first else { return }
    let text = try #require(scenario.steps.first).step.text
    #expect(text.contains("on: kellys-iphone"))
    #expect(try Step(text, called: "written", for: scenario) == scenario.steps.first?.step)
  }

  @Test("a misspelled action is one problem")
  func misspelledAction() throws {
    let read = try Files().read(steps: "[{ person: { vists: spaceship-rentals, on: kellys-iphone } }]")
    #expect(read.problems.map { $0.prefix { $0 != ";" } } == ["a.yaml:3:21: unknown key 'vists'"])
    let alias = try Files().read(steps: "[{ selector: { shows: *apps } }]")
    #expect(alias.problems.count == 1 && alias.problems[0].contains("the alias '*apps'"), "\(alias.problems)")
  }
}

@Suite("Worlds and flows that use others")
struct SharedFileTests {
  @Test("a world has the keys of the world that it extends, changed by its own")
  func extends() throws {
    let files = try Files()
    try files.write("worlds/b.yaml", "extends: a\nwebsites: { spaceship-rentals: { policy: lenient } }\n")
    try files.write("worlds/a.yaml", "extends: spaceport\nwebsites: { spaceship-rentals: { policy: strict } }\n")
    try files.write("inner/worlds/spaceport.yaml", "extends: spaceport\ndevices: { kellys-iphone: { kind: ipad } }\n")
    for (name, world) in [("a.yaml", "world: b"), ("b.yaml", "world: { extends: b }")] {
      try files.write(name, "scenario: A\n\(world)\nsteps: [{ released: never }]\n")
      let read = files.read(name)
      #expect(read.cases?.first?.world.websites.map(\.policy) == [.lenient], "\(read.problems)")
    }
    try files.write("inner/c.yaml", "scenario: A\nworld: spaceport\nsteps: [{ released: never }]\n")
    let inner = files.read("inner/c.yaml")
    #expect(inner.cases?.first?.world.devices.map(\.kind) == [.iPad], "\(inner.problems)")
  }

  @Test("worlds do not extend themselves, nor deeper than the limit")
  func extendsCircle() throws {
    let files = try Files()
    try files.write("worlds/a.yaml", "extends: b\n")
    try files.write("worlds/b.yaml", "extends: a\n")
    try files.write("a.yaml", "scenario: A\nworld: a\nsteps: [{ released: never }]\n")
    #expect(
      files.read().problems == [
        "worlds/b.yaml:1:10: the world 'a' extends itself [source.unreadable-value]\nin a.yaml:2:8"
      ])
    for level in 1...9 {
      try files.write("worlds/l\(level).yaml", level == 9 ? "extends: spaceport\n" : "extends: l\(level + 1)\n")
    }
    try files.write("a.yaml", "scenario: A\nworld: l3\nsteps: [{ released: never }]\n")
    #expect(files.read().cases?.count == 1, "\(files.read().problems)")
    try files.write("a.yaml", "scenario: A\nworld: l1\nsteps: [{ released: never }]\n")
    #expect(files.read().problems.first?.contains("worlds extend worlds deeper than 8") == true)
    try files.write("worlds/a.yaml", "extends: spaceprt\n")
    try files.write("a.yaml", "scenario: A\nworld: a\nsteps: [{ released: never }]\n")
    let unknown = files.read().problems
    #expect(unknown.first?.contains("worlds/a.yaml:1:10: unknown world 'spaceprt'; did you mean 'spaceport'?") == true)
  }

  @Test("a problem of a world names the scenario, its case and its changes")
  func worldProblems() throws {
    let files = try Files()
    try files.write(
      "a.yaml",
      """
      scenario: A
      world: spaceport
      steps: [{ released: never }]
      matrix:
        - case: fine
        - case: bad
          changes: { authorities: { readers: { local-driving-authority: ~ } } }
      """)
    let problems = files.read().problems
    #expect(problems.count == 2, "\(problems)")
    for problem in problems {
      #expect(problem.hasPrefix("worlds/spaceport.yaml:"))
      #expect(problem.hasSuffix("\nin a.yaml:2:8, the case 'bad', changed at a.yaml:7:14"), "\(problem)")
    }
  }

  @Test(
    "a change that would make or remove a thing by mistake is a problem",
    arguments: [
      (
        "devices: { kellys-iphone: { apps: { Walet: { trusts-readers: [] } } } }",
        "the world has no app 'Walet', and a new one needs 'documents'; did you mean 'Wallet'?"
      ),
      ("devices: { kelys-iphone: { unlocked: false } }", "the world has no device 'kelys-iphone', and a new one needs"),
      ("websites: { spaceship-rental: { policy: strict } }", "did you mean 'spaceship-rentals'?"),
      (
        "authorities: { issuers: { spaceport-dvm: { country: US } } }",
        "the world has no issuing authority 'spaceport-dvm', and a new one needs 'name'"
      ),
      ("devices: { kellys-iphone: { apps: { Othr Wallet: ~ } } }", "the world has no app 'Othr Wallet' to remove here"),
      (
        "websites: { spaceship-rentals: { asks: { org.iso.18013.5.1.mDL: { org.iso.18013.5.1: { portrat: ~ } } } } }",
        "the world has no key 'portrat' to remove here; did you mean 'portrait'?"
      ),
    ])
  func mistakenChanges(changes: String, message: String) throws {
    let read = try Files().read(keys: "changes: { \(changes) }\n")
    #expect(read.cases == nil && read.problems.first?.contains(message) == true, "\(read.problems)")
  }

  @Test("a complete new app is added, and a key can be removed twice")
  func intendedChanges() throws {
    let new = "changes: { devices: { kellys-iphone: { apps: { Walet: { documents: [] } } } } }\n"
    #expect(try Files().read(keys: new).cases?.first?.world.devices.first?.apps.count == 4)
    let removal = "changes: { devices: { kellys-iphone: { apps: { Wallet: ~ } } } }"
    let twice = try Files().read(keys: removal + "\nmatrix: [{ case: a, \(removal) }]\n")
    #expect(twice.cases?.first?.world.devices.first?.apps.count == 2, "\(twice.problems)")
  }

  @Test("a flow uses a flow, and a failure knows both places")
  func nestedFlows() throws {
    let files = try Files()
    try files.write("flows/outer.yaml", "steps:\n  in: { flow: request-identity }\n  none: { released: never }\n")
    let read = try files.read(steps: "[{ flow: outer, changes: { in: { changes: { taps: ~ } } } }]")
    let steps = try #require(read.cases?.first, "\(read.problems)").steps
    #expect(steps.count == 3)
    let uses = steps.map { step in step.uses.map { "\($0)".replacingOccurrences(of: files.path + "/", with: "") } }
    #expect(
      uses == [["flows/outer.yaml:2:15", "a.yaml:3:17"], ["flows/outer.yaml:2:15", "a.yaml:3:17"], ["a.yaml:3:17"]])
  }

  @Test("flows do not use themselves, nor deeper than the limit, and a problem in one names its uses")
  func flowProblems() throws {
    let files = try Files()
    try files.write("flows/a.yaml", "steps: { x: { flow: b } }\n")
    try files.write("flows/b.yaml", "steps: { x: { flow: a } }\n")
    let circle = try files.read(steps: "[{ flow: a }]").problems
    #expect(
      circle == [
        "flows/b.yaml:1:21: the flow 'a' uses itself; by way of the flows between [source.unreadable-value]\n"
          + "the flow is used at flows/a.yaml:1:21\nthe flow is used at a.yaml:3:17"
      ])
    for level in 1...9 {
      let step = level == 9 ? "released: never" : "flow: l\(level + 1)"
      try files.write("flows/l\(level).yaml", "steps: { x: { \(step) } }\n")
    }
    #expect(try files.read(steps: "[{ flow: l2 }]").cases?.count == 1)
    #expect(try files.read(steps: "[{ flow: l1 }]").problems.first?.contains("deeper than 8") == true)
    try files.write("flows/c.yaml", "steps: { x: { person: { visits: spaceship-rental } } }\n")
    let inside = try files.read(steps: "[{ flow: c }, { released: never }]").problems
    #expect(inside.count == 1 && inside[0].hasPrefix("flows/c.yaml:1:33: unknown website"), "\(inside)")
    #expect(inside[0].hasSuffix("\nthe flow is used at a.yaml:3:17"))
  }

  @Test("a world or a flow is recognized among scenarios")
  func otherKinds() throws {
    let files = try Files()
    #expect(
      files.read("worlds/spaceport.yaml").problems == [
        "worlds/spaceport.yaml: this is a world, which a scenario names under 'world', and not a scenario "
          + "[source.missing-key]"
      ])
    #expect(files.read("flows/request-identity.yaml").problems.first?.contains("this is a flow") == true)
  }
}

@Suite("Search for scenario files")
struct ScenarioFinderTests {
  @Test("both extensions are found in any letter case, and files that look like scenarios are named")
  func extensions() throws {
    let files = try Files()
    for name in ["a.yaml", "b.yml", "sub/C.YAML", ".hidden.yaml", "d.yaml.bak", "notes.txt", ".git/e.yaml"] {
      try files.write(name, "x")
    }
    var passedOver: [String] = []
    let problems = ProblemCollector()
    let found = ScenarioFinder.files(at: [files.path], problems) { passedOver.append($0) }
    func names(_ paths: [String]) -> [String] { paths.map { String($0.dropFirst(files.path.count + 1)) } }
    #expect(names(found) == ["a.yaml", "b.yml", "sub/C.YAML"] && problems.isEmpty)
    #expect(names(passedOver) == [".hidden.yaml", "d.yaml.bak"])
    #expect(ScenarioFinder.files(at: [files.path + "/b"], problems) == [files.path + "/b.yml"])
  }

  @Test("names that are not UTF-8 and links that lead nowhere are problems or files, and never left out")
  func unusableNames() throws {
    let files = try Files()
    for name in [[0x63, 0xe9], [0x2e, 0xe9]] as [[UInt8]] {
      let path = (Array((files.path + "/").utf8) + name + Array(".yaml".utf8) + [0]).map(CChar.init(bitPattern:))
      let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
      #expect(descriptor >= 0 && close(descriptor) == 0)
    }
    for (name, target) in [("dangling.yaml", "missing"), ("looping.yaml", "looping.yaml"), ("folder", "missing")] {
      try FileManager.default.createSymbolicLink(atPath: files.path + "/" + name, withDestinationPath: target)
    }
    let problems = ProblemCollector()
    let found = ScenarioFinder.files(at: [files.path], problems)
    #expect(found == ["dangling.yaml", "looping.yaml"].map { files.path + "/" + $0 })
    #expect(problems.problems.map(\.path) == ["c\\xE9.yaml", "folder"].map { files.path + "/" + $0 })
  }

  @Test("a file is found once, by any spelling and through any link")
  func links() throws {
    let files = try Files()
    try files.write("a.yaml", "x")
    try files.write("sub/b.yaml", "x")
    let manager = FileManager.default
    for name in ["self", "sub/again"] {
      try manager.createSymbolicLink(atPath: files.path + "/" + name, withDestinationPath: files.path)
    }
    try manager.createSymbolicLink(atPath: files.path + "/z.yaml", withDestinationPath: files.path + "/a.yaml")
    let problems = ProblemCollector()
    let paths = [files.path, files.path + "/sub/../a.yaml", files.path + "/self", files.path + "/z.yaml"]
    #expect(
      ScenarioFinder.files(at: paths, problems) == [files.path + "/a.yaml", files.path + "/sub/b.yaml"])
    #expect(problems.isEmpty)
  }
}
