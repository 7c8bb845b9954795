import Foundation
import LocatedYAML
import ScenarioFiles
import Testing

@Suite("Lint")
struct LintTests {
  /// A broken file, and the whole text of its problems.
  struct Broken: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let report: String
    var testDescription: String { name }
  }

  static let broken = [
    Broken(
      name: "a misspelled key of the file",
      text: "scenario: A\nbecuse: b\nworld: spaceport\nsteps: [{ released: never }]\n",
      report: """
        a.yaml:2:1  unknown key 'becuse'                                           [source.unknown-key]
            2 | becuse: b
              | ^^^^^^ did you mean 'because'?
        """),
    Broken(
      name: "a misspelled step", text: "scenario: A\nworld: spaceport\nsteps:\n  - relased: never\n",
      report: """
        a.yaml:4:5  unknown key 'relased'                                          [source.unknown-key]
            4 |   - relased: never
              |     ^^^^^^^ did you mean 'released'?
        """),
    Broken(
      name: "a misspelled action",
      text: "scenario: A\nworld: spaceport\nsteps:\n  - person: { vists: spaceship-rentals, on: kellys-iphone }\n",
      report: """
        a.yaml:4:15  unknown key 'vists'                                           [source.unknown-key]
            4 |   - person: { vists: spaceship-rentals, on: kellys-iphone }
              |               ^^^^^ did you mean 'visits'?
        """),
    Broken(
      name: "a misspelled count", text: "scenario: A\nworld: spaceport\nsteps:\n  - released: nevr\n",
      report: """
        a.yaml:4:15  unknown count 'nevr'                                          [source.unknown-name]
            4 |   - released: nevr
              |               ^^^^ did you mean 'never'?
        """),
    Broken(
      name: "nothing expected",
      text: "scenario: A\nworld: spaceport\nsteps:\n  - person: { visits: spaceship-rentals }\n",
      report: """
        a.yaml:4:3  the case expects nothing, so it could not fail                 [source.missing-key]
            4 |   - person: { visits: spaceship-rentals }
              |   ^ add an expectation, for example 'website'
        """),
    Broken(
      name: "a check without its outcome",
      text: "scenario: A\nworld: spaceport\nsteps:\n  - decision: { by: server, code: device.signature }\n",
      report: """
        a.yaml:4:35  the check device.signature can pass and fail: say the outcome  [source.missing-key]
            4 |   - decision: { by: server, code: device.signature }
              |                                   ^^^^^^^^^^^^^^^^ add 'outcome: failed', 'outcome: deviates' or 'outcome: passed'
        """),
    Broken(
      name: "a misspelled app in the changes of a case",
      text: """
        scenario: A
        world: spaceport
        steps: [{ released: never }]
        matrix:
          - case: fine
          - case: bad
            changes: { devices: { kellys-iphone: { apps: { Walet: { trusts-readers: [] } } } } }

        """,
      report: """
        a.yaml:7:52  the world has no app 'Walet', and a new one needs 'documents'  [source.unknown-name]
            7 |     changes: { devices: { kellys-iphone: { apps: { Walet: { trusts-readers: [] } } } } }
              |                                                    ^^^^^ did you mean 'Wallet'?
           in the case 'bad'
        """),
    Broken(
      name: "a change that breaks the world",
      text: """
        scenario: A
        world: spaceport
        changes: { authorities: { readers: { harbor-authority: ~ } } }
        steps: [{ released: never }]

        """,
      report: """
        worlds/spaceport.yaml:94:26  unknown reader authority 'harbor-authority'   [source.unknown-name]
           94 |         trusts-readers: [harbor-authority]
              |                          ^^^^^^^^^^^^^^^^ known here: 'apple-business-connect', 'local-driving-authority'
           in a.yaml:2:8, changed at a.yaml:3:10
        """),
    Broken(
      name: "a step of a flow",
      text: """
        scenario: A
        world: spaceport
        flows: { short: { steps: { visits: { person: { visits: spaceship-rental } } } } }
        steps: [{ flow: short }, { released: never }]

        """,
      report: """
        a.yaml:3:56  unknown website 'spaceship-rental'                            [source.unknown-name]
            3 | flows: { short: { steps: { visits: { person: { visits: spaceship-rental } } } } }
              |                                                        ^^^^^^^^^^^^^^^^ did you mean 'spaceship-rentals'?
           the flow is used at a.yaml:4:17
        """),
    Broken(
      name: "a misspelled fault",
      text: "scenario: A\nworld: spaceport\nsteps:\n  - fault: issuer.signature-altred\n  - released: never\n",
      report: """
        a.yaml:4:12  unknown fault 'issuer.signature-altred'                       [source.unknown-name]
            4 |   - fault: issuer.signature-altred
              |            ^^^^^^^^^^^^^^^^^^^^^^^ did you mean 'issuer.signature-altered'?
        """),
    Broken(
      name: "an argument that a fault does not have",
      text: """
        scenario: A
        world: spaceport
        steps:
          - fault: { browser.origin-replaced: { orign: "https://x.example" } }
          - released: never

        """,
      report: """
        a.yaml:4:41  unknown key 'orign'                                           [source.unknown-key]
            4 |   - fault: { browser.origin-replaced: { orign: "https://x.example" } }
              |                                         ^^^^^ did you mean 'origin'?
        """),
    Broken(
      name: "a misspelled app in a step",
      text: "scenario: A\nworld: spaceport\nsteps:\n  - person: { picks: Walet }\n  - released: never\n",
      report: """
        a.yaml:4:22  unknown app 'Walet'                                           [source.unknown-name]
            4 |   - person: { picks: Walet }
              |                      ^^^^^ did you mean 'Wallet'?
        """),
    Broken(
      name: "a key that comes twice",
      text: "scenario: A\nworld: spaceport\nseed: 1\nseed: 2\nsteps: [{ released: never }]\n",
      report: """
        a.yaml:4:1  the key 'seed' comes twice in this mapping                     [source.duplicate-key]
            4 | seed: 2
              | ^^^^ first at 3:1
        """),
    Broken(
      name: "a text in place of a number",
      text: "scenario: A\nworld: spaceport\nseed: many\nsteps: [{ released: never }]\n",
      report: """
        a.yaml:3:7  expected a whole number, found the text 'many'                 [source.wrong-type]
            3 | seed: many
              |       ^^^^
        """),
    Broken(
      name: "a mapping in place of a list", text: "scenario: A\nworld: spaceport\nsteps: { released: never }\n",
      report: """
        a.yaml:3:8  expected a list, found a mapping                               [source.wrong-type]
            3 | steps: { released: never }
              |        ^^^^^^^^^^^^^^^^^^^
        """),
    Broken(
      name: "a duration without a unit",
      text: "scenario: A\nworld: spaceport\nsteps:\n  - person: { waits: 3 }\n  - released: never\n",
      report: """
        a.yaml:4:22  the duration 3 has no unit                                    [source.bad-duration]
            4 |   - person: { waits: 3 }
              |                      ^ did you mean '3 s'?
        """),
    Broken(
      name: "an indentation with a tab", text: "scenario: A\nworld: spaceport\nsteps:\n\t- released: never\n",
      report: """
        a.yaml:4:1  not YAML: found character that cannot start any token, while scanning for the next token  [source.not-yaml]
            4 | →- released: never
              | ^ YAML is indented with spaces, not with tabs
        """),
    Broken(
      name: "a list without its end", text: "scenario: A\nworld: spaceport\nsteps: [{ released: never }\n",
      report: """
        a.yaml:3:8  not YAML: did not find expected ',' or ']', while parsing a flow sequence  [source.not-yaml]
            3 | steps: [{ released: never }
              |        ^ this has no end
        """),
    Broken(
      name: "an alias without its anchor", text: "scenario: A\nworld: spaceport\nsteps: [*no]\n",
      report: """
        a.yaml:3:9  the alias '*no' does not name an earlier anchor                [source.unknown-alias]
            3 | steps: [*no]
              |         ^^^
        """),
    Broken(
      name: "an empty file", text: "",
      report: """
        a.yaml  the file is empty                                                  [source.empty]
        """),
    Broken(
      name: "a misspelled world", text: "scenario: A\nworld: spaceprot\nsteps: [{ released: never }]\n",
      report: """
        a.yaml:2:8  unknown world 'spaceprot'                                      [source.unknown-name]
            2 | world: spaceprot
              |        ^^^^^^^^^ did you mean 'spaceport'?
        """),
    Broken(
      name: "no world", text: "scenario: A\nsteps: [{ released: never }]\n",
      report: """
        a.yaml:1:1  the key 'world' is missing in this mapping                     [source.missing-key]
            1 | scenario: A
              | ^^^^^^^^
        """),
    Broken(
      name: "a misspelled key of the changes",
      text: """
        scenario: A
        world: spaceport
        changes: { websites: { spaceship-rentals: { ask: {} } } }
        steps: [{ released: never }]

        """,
      report: """
        a.yaml:3:45  unknown key 'ask'                                             [source.unknown-key]
            3 | changes: { websites: { spaceship-rentals: { ask: {} } } }
              |                                             ^^^ did you mean 'asks'?
        """),
    Broken(
      name: "a case that expects nothing",
      text: """
        scenario: A
        world: spaceport
        matrix:
          - case: fine
            steps: [{ released: never }]
          - case: idle
            steps: [{ person: { visits: spaceship-rentals } }]

        """,
      report: """
        a.yaml:7:12  the case expects nothing, so it could not fail                [source.missing-key]
            7 |     steps: [{ person: { visits: spaceship-rentals } }]
              |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ add an expectation, for example 'website'
           in the case 'idle'
        """),
    Broken(
      name: "a misspelled step of a case",
      text: """
        scenario: A
        world: spaceport
        matrix:
          - case: fine
            steps: [{ released: never }]
          - case: bad
            steps: [{ relased: never }]

        """,
      report: """
        a.yaml:7:15  unknown key 'relased'                                         [source.unknown-key]
            7 |     steps: [{ relased: never }]
              |               ^^^^^^^ did you mean 'released'?
           in the case 'bad'
        """),
    Broken(
      name: "a world in place of a scenario", text: "websites: {}\n",
      report: """
        a.yaml  this is a world, which a scenario names under 'world', and not a scenario  [source.missing-key]
        """),
  ]

  private static func folder(_ text: String) throws -> String {
    let path = NSTemporaryDirectory() + "presentment-lint-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: ShippedSteps.folder + "/worlds", toPath: path + "/worlds")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/a.yaml"))
    return path
  }

  @Test("a broken file has its exact message", arguments: broken)
  func brokenFiles(sample: Broken) throws {
    let path = try Self.folder(sample.text)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let problems = ProblemCollector()
    var worlds = WorldSources()
    #expect(ScenarioReader.read(path + "/a.yaml", worlds: &worlds, problems) == nil)
    // The column of the code depends on the length of the path, which is that of this run.
    func plain(_ text: String) -> String {
      text.replacing(path + "/", with: "").replacing(#/ +\[/#, with: "  [")
    }
    #expect(plain(problems.rendered()) == plain(sample.report))
  }

  @Test("a path without a file, or without a scenario, has its exact message; an extension is not needed")
  func paths() throws {
    let path = try Self.folder("scenario: A\nworld: spaceport\nsteps: [{ released: never }]\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let files = FileManager.default
    try files.moveItem(atPath: path + "/a.yaml", toPath: path + "/headline.yml")
    try files.createDirectory(atPath: path + "/empty", withIntermediateDirectories: true)
    func report(_ name: String) -> String {
      ScenarioLint([path + "/" + name]).problems.rendered().replacing(path + "/", with: "").replacing(
        #/ +\[/#, with: "  [")
    }
    for name in ["headline", "headline.yml"] { #expect(report(name) == "", "\(name)") }
    for name in ["headlin", "headline.yaml"] {
      #expect(report(name) == "\(name)  no such file  [source.not-found]\n   did you mean 'headline'?")
    }
    #expect(report("other") == "other  no such file  [source.not-found]")
    #expect(report("empty") == "empty  the folder contains no scenario  [source.not-found]")
  }

  @Test("a folder is read whole: its scenarios, worlds and flows, each problem once")
  func folders() throws {
    let path = try Self.folder("scenario: A\nworld: spaceport\nsteps: [{ released: never }]\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    func write(_ name: String, _ text: String) throws {
      let url = URL(fileURLWithPath: path + "/" + name)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    #expect(ScenarioLint([path]).problems.isEmpty)
    #expect(ScenarioLint([path]).files == 10, "a scenario and nine worlds")
    try write("worlds/unused.yaml", "website: {}\n")
    try write("flows/unused.yaml", "flow: B\nstep: {}\nsteps: { x: { released: never } }\n")
    let codes = ScenarioLint([path]).problems.problems.map { "\($0.message)" }
    #expect(codes == ["unknown key 'step'", "unknown key 'website'"])
    #expect(ScenarioLint([path]).advice.isEmpty, "what is unused is known only if every file can be read")
  }

  @Test("advice names anchors, flows, faults and files that have no effect")
  func advice() throws {
    let path = try Self.folder(
      """
      scenario: A
      world: spaceport
      flows:
        unused: { steps: { x: { released: never } } }
        used: { steps: { x: { released: never } } }
      matrix:
        - case: anchored
          steps: [{ flow: used }, &anchor { asked: never }, { fault: issuer.not-signed }]
        - case: fine
          steps: [{ fault: issuer.not-signed }, &used { asked: never }, *used]

      """)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data().write(to: URL(fileURLWithPath: path + "/.b.yaml"))
    let lint = ScenarioLint([path])
    #expect(lint.problems.isEmpty, "\(lint.problems.rendered())")
    let own = lint.advice.problems.filter { !$0.path.contains("/worlds/") }
    #expect(
      own.map { "\($0.position.map { "\($0.line):\($0.column) " } ?? "")\($0.message)" } == [
        "the file looks like a scenario, but runs of its folder pass it over", "4:3 no step uses the flow 'unused'",
        "8:29 no alias names the anchor '&anchor'", "8:57 nothing is expected after the fault has begun",
      ])
    #expect(own.last?.uses == ["in the case 'anchored'"])
  }

  @Test("the shipped scenarios have no problem and no advice")
  func shipped() {
    let lint = ScenarioLint([ShippedSteps.folder])
    #expect(lint.problems.isEmpty, "\(lint.problems.rendered())")
    #expect(lint.advice.isEmpty, "\(lint.advice.rendered())")
  }
}
