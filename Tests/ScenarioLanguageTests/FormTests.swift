import Certificates
import LocatedYAML
import Synchronization
import TestSupport
import Testing
import Vocabulary

@testable import ScenarioFiles
@testable import ScenarioLanguage

/// Forms of mappings and of worlds.
@Suite("Forms")
struct FormTests {
  private struct Consent: Sendable, Equatable {
    var requester = ""
    var asks: [String]?
    var retains = ["nothing"]
  }

  private static let form = Form.mapping(
    "consent", { Consent() },
    [
      Key("requester", required: \.requester, .text, "the name"), Key("asks", \.asks, .list(.text), "requested"),
      Key("retains", \.retains, .list(.text), "kept"),
    ])

  private static func read<Value>(_ form: Form<Value>, _ text: String, _ problems: ProblemCollector) throws -> Value? {
    let file = try SourceFile(path: "a.yaml", text: text)
    let context = ReadingContext(world: WorldDescription(), problems: problems)
    return SourceNode.parse(file, problems).flatMap { node in
      problems.attempt(node) { try form.read($0, context) }
    }
  }

  private static func brief(_ problems: ProblemCollector) -> [String] {
    problems.problems.map { "\($0.position?.line ?? 0):\($0.position?.column ?? 0) \($0.message)" }
  }

  @Test("a mapping has its keys' values, and defaults for the rest")
  func reading() throws {
    let problems = ProblemCollector()
    let value = try Self.read(Self.form, "asks: [a, b]\nrequester: Rentals\n", problems)
    #expect(value == Consent(requester: "Rentals", asks: ["a", "b"], retains: ["nothing"]))
    #expect(problems.isEmpty)
    #expect(value.map { Self.form.write($0).flow } == "{ requester: Rentals, asks: [a, b] }")
  }

  @Test("every problem of a mapping is found in one go")
  func problems() throws {
    let problems = ProblemCollector()
    #expect(try Self.read(Self.form, "retain: [a]\nasks: yes\ncolour: red\n", problems) == nil)
    #expect(
      Self.brief(problems) == [
        "1:1 unknown key 'retain'", "1:1 the key 'requester' is missing in this mapping",
        "2:7 expected a list, found the text 'yes'", "3:1 unknown key 'colour'",
      ])
  }

  @Test("an empty value is not a missing key")
  func emptyValues() throws {
    let problems = ProblemCollector()
    #expect(try Self.read(Self.form, "requester:\nasks: ~\n", problems) == nil)
    #expect(
      Self.brief(problems) == ["1:11 expected text, found nothing", "2:7 expected a list, found nothing"])
  }

  @Test(
    "a device's keys fit its kind",
    arguments: [
      ("laptop: { kind: desktop, account: kelly }", "1:35 a desktop has no account"),
      ("mac: { kind: mac, account: kelly }", nil), ("phone: { account: kelly, unlocked: false }", nil),
      ("phone: { tunnel-service: 7 }", "1:26 the tunnel service 7 is not assigned"),
    ])
  func devices(text: String, problem: String?) throws {
    let problems = ProblemCollector()
    _ = try Self.read(Form<[WorldDescription.Device]>.devices, text + "\n", problems)
    #expect(Self.brief(problems) == [problem].compactMap(\.self))
  }

  @Test("the default in the reference is that of the value")
  func defaults() throws {
    guard case .mapping(let type) = Self.form.type else { throw SourceProblem(.empty, "no mapping", path: "a.yaml") }
    #expect(type.keys.map(\.usual) == [nil, nil, "`[nothing]`"])
  }

  @Test("a misspelled key of a file is one problem", arguments: ["", "matrix: [{ case: A }, { case: B }]\n"])
  func misspelledKeyOfAFile(matrix: String) throws {
    let problems = ProblemCollector()
    let text = "scenario: A\nbecuse: B\nworld: {}\nsteps: [{ person: { waits: 1 s } }]\n" + matrix
    let root = try #require(SourceNode.parse(try SourceFile(path: "a.yaml", text: text), problems))
    var worlds = WorldSources()
    #expect(ScenarioReader.read(root, path: "a.yaml", worlds: &worlds, problems) == nil)
    #expect(Self.brief(problems) == ["2:1 unknown key 'becuse'"])
  }

  /// The worlds that were compared. Many files have the same one, and a comparison takes long.
  @Test("a brand has the picture of its icon's file, or an error at the file's name")
  func pictures() throws {
    func read(_ icon: String) throws -> (brand: BrandIdentity?, problems: [String]) {
      let folder = Programs.package.appendingPathComponent("scenarios/reader").path
      let text = """
        my-shop:
          origin: https://shop.example
          brand: { name: My Shop, icon: "\(folder)/\(icon)", logotype: true }
          asks: { a.b: { c.d: { e: show } } }

        """
      let problems = ProblemCollector()
      let read = try Self.read(Form<[WorldDescription.Website]>.websites, text, problems)
      return (read?.first?.brand, Self.brief(problems))
    }
    #expect(try read("files/rentals.png").brand?.logotype?.format == .png)
    for (icon, words) in [("brand-picture.yaml", "not well-formed"), ("files/absent.svg", "no such file")] {
      let problems = try read(icon).problems
      #expect(problems.count == 1 && problems[0].hasPrefix("3:33 ") && problems[0].hasSuffix(words), "\(problems)")
    }
  }

  @Test("a server of one's own survives a round trip with every key")
  func ownServers() throws {
    let text = """
      my-shop:
        origin: https://shop.localhost:9443
        brand: { name: My Shop, icon: shop.svg }
        server:
          begin:
            call: POST https://shop.localhost:9443/begin
            headers: { X-Api-Key: $SHOP_KEY }
            body: { flow: [license, 7, true, null], "nested": { a: "1" } }
            capture: { session: /session/id }
          options: /session/options
          submit: { call: "POST https://shop.localhost:9443/$session", body: { credential: $credential } }
          accepted: { status: [200, 201], json: /state, is: verified }
          refused: { json: /state, exists: false, text: "no" }
          reason: /reason
          shown:
            call: GET https://shop.localhost:9443/$session
            verified: { json: /verified, is: true }
            within: 2 s
          elements: /documents
          limits: { parallel: 2, timeout: 3 s, answer: 4096 }

      """
    let problems = ProblemCollector()
    let form = Form<[WorldDescription.Website]>.websites
    let read = try #require(try Self.read(form, text, problems), "\(problems.rendered())")
    let written = form.write(read).block()
    let again = try #require(try Self.read(form, written, problems), "\(problems.rendered())")
    #expect(problems.isEmpty, "\(problems.rendered())")
    #expect("\(again)" == "\(read)" && written.contains("$SHOP_KEY"))
  }

  @Test(
    "a website asks for mobile documents only what they can answer",
    arguments: [
      ("org-iso-mdoc", "", false), ("openid4vp-v1-signed", "", true), ("openid4vp-v1-signed, org-iso-mdoc", "", false),
      ("org-iso-mdoc", "use-cases: [{ sets: [[dc+sd-jwt urn:pid], [license]] }]", true),
      ("org-iso-mdoc", "use-cases: [{ sets: [[dc+sd-jwt urn:pid]] }, { sets: [[license]] }]", false),
    ])
  func mobileDocuments(asksIn: String, useCases: String, isPossible: Bool) throws {
    let text = """
      shop:
        origin: https://shop.localhost
        brand: { name: My Shop, icon: shop.svg }
        asks-in: [\(asksIn)]
        asks: { license: { elements: { name: show } }, dc+sd-jwt urn:pid: { claims: { name: show } } }
        \(useCases)

      """
    let problems = ProblemCollector()
    _ = try Self.read(.websites, text, problems)
    let expected = "5:9 a request for mobile documents cannot ask for what 'asks' says"
    #expect(Self.brief(problems) == (isPossible ? [] : [expected]))
  }

  @Test("a program of one's own survives a round trip with every key")
  func ownWallets() throws {
    let text = """
      phone:
        apps:
          My Wallet:
            program: [python3, "my wallet.py", -B]
            limits: { timeout: 3 s, answer: 4096 }
            style: question
            documents: []

      """
    let problems = ProblemCollector()
    let form = Form<[WorldDescription.Device]>.devices
    let read = try #require(try Self.read(form, text, problems), "\(problems.rendered())")
    let written = form.write(read).block()
    let again = try #require(try Self.read(form, written, problems), "\(problems.rendered())")
    #expect(problems.isEmpty, "\(problems.rendered())")
    let program = try #require(again.first?.apps.first?.program)
    #expect(program.program == ["python3", "my wallet.py", "-B"] && program.limits.answer == 4096)
    #expect("\(again)" == "\(read)")
  }

  private static let compared = Mutex<Set<String>>([])

  @Test("the world of every shipped case survives a round trip", arguments: ShippedSteps.files)
  func worlds(file: String) throws {
    for scenario in try ShippedSteps.cases(of: file) {
      let text = Form<WorldDescription>.world.write(scenario.world).block()
      guard Self.compared.withLock({ $0.insert(text).inserted }) else { continue }
      let problems = ProblemCollector()
      let node = try #require(SourceNode.parse(try SourceFile(path: file, text: text), problems))
      var again = try #require(Form<WorldDescription>.read(node, problems), "\(problems.rendered())")
      again.takesTimeToThink = scenario.world.takesTimeToThink
      #expect(problems.isEmpty, "\(problems.rendered())")
      #expect(Self.described(again) == Self.described(scenario.world))
    }
  }

  /// A world as text, with the sets of its policies in order.
  private static func described(_ world: WorldDescription) -> String {
    var world = world
    let policies = world.websites.map { website in
      "\(website.revocation.checksStatus) \(website.revocation.refuses.map(\.rawValue).sorted())"
    }
    for index in world.websites.indices { world.websites[index].revocation = .none }
    return "\(world) \(policies)"
  }
}
