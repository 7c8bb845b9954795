import Foundation
import LocatedYAML
import Testing

@testable import ScenarioLanguage

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
    #expect(ScenarioLint([path]).files == 5, "a scenario and four worlds")
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
