import Testing

@testable import LocatedYAML

@Suite struct SourceMergingTests: SourceSuite {
  /// A tree as JSON-like text, each scalar with the file and line it came from.
  private func outline(_ node: SourceNode) -> String {
    switch node.content {
    case .scalar(let scalar): "\(scalar.text)@\(node.position.file.path):\(node.position.line)"
    case .sequence(let items): "[" + items.map { outline($0) }.joined(separator: ", ") + "]"
    case .mapping(let entries):
      "{" + entries.map { $0.key.value + ": " + outline($0.value) }.joined(separator: ", ") + "}"
    }
  }

  private func merged(_ base: String, _ changes: String) throws -> String {
    outline(try tree(base, path: "w").merging(try tree(changes, path: "s")))
  }

  @Test(arguments: [
    ("{a: 1, b: 2}", "{b: 3, c: 4}", "{a: 1@w:1, b: 3@s:1, c: 4@s:1}"),
    ("a:\n  b: 1\n  c: 2\n", "{a: {c: 3}}", "{a: {b: 1@w:2, c: 3@s:1}}"),
    ("{a: [1, 2], b: 1}", "{a: [3]}", "{a: [3@s:1], b: 1@w:1}"),
    ("{a: 1, b: {c: 2, d: 3}}", "{a: null, b: {c: ~}}", "{b: {d: 3@w:1}}"),
    ("{a: 1}", "{b: null, c: {d: null, e: {f: ~}}}", "{a: 1@w:1, c: {e: {}}}"),
    ("{a: 1}", "{a: {b: 2, c: null}}", "{a: {b: 2@s:1}}"),
    ("{a: {b: 1}}", "{a: 2}", "{a: 2@s:1}"),
    ("{a: {b: 1}}", "a:\n", "{a: @s:1}"),
    ("{a: 1}", "{a: 'null'}", "{a: null@s:1}"),
    ("[1]", "{a: {b: null, c: 1}}", "{a: {c: 1@s:1}}"),
    ("{a: 1}", "[1]", "[1@s:1]"),
    ("{a: 1}", "{}", "{a: 1@w:1}"),
  ])
  func merging(base: String, changes: String, expected: String) throws {
    #expect(try merged(base, changes) == expected)
  }

  @Test func everyPartKeepsItsPosition() throws {
    let world = try tree("devices:\n  phone:\n    model: old\n    apps: {}\n", path: "world.yaml")
    let scenario = try tree("world:\n  devices: { phone: { model: new, apps: [x] } }\n", path: "scenario.yaml")
    let merged = world.merging(try #require(scenario["world"]))
    #expect(merged.position == world.position)
    #expect(merged["devices"]?.position.description == "world.yaml:2:3")
    #expect(merged["devices"]?["phone"]?.position.description == "world.yaml:3:5")
    #expect(merged["devices"]?["phone"]?["model"]?.position.description == "scenario.yaml:2:30")
    let phone = try #require(try merged["devices"]?["phone"]?.mapping())
    #expect(phone.map(\.key.position.description) == ["scenario.yaml:2:23", "scenario.yaml:2:35"])
    let problem = try #require(throws: SourceProblem.self) { try merged["devices"]?["phone"]?["apps"]?.mapping() }
    #expect(
      problem.rendered() == """
        scenario.yaml:2:41  expected a mapping, found a list                       [source.wrong-type]
            2 |   devices: { phone: { model: new, apps: [x] } }
              |                                         ^^^
        """)
  }

  @Test func mergingTwiceIsMergingOnce() throws {
    let base = try tree("{a: {b: 1, c: [2]}, d: 3}", path: "w")
    let changes = try tree("{a: {b: null, e: {f: 4}}, d: {g: 5}}", path: "s")
    let once = base.merging(changes)
    #expect(once.merging(changes) == once)
  }
}
