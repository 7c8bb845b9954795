import Testing

@testable import LocatedYAML

@Suite("Layout of files")
struct YAMLFormatterTests {
  private static func formatted(_ text: String) throws -> String {
    try YAMLFormatter.formatted(try SourceFile(path: "a.yaml", text: text))
  }

  @Test("a file gets the layout, with its comments, anchors, quotes and blank lines")
  func layout() throws {
    let text = """
      # A file.


      # Its title.
      scenario:   A    # short
      because: >-
          folded text
          of two lines
      tags: [a,b ,  "c d"]
      steps:   # in order
      -   person: &visit {visits: 'shop',on: phone}
      - person: *visit

      # Before the last step.
      -
          website:
              verified: {given_name: Ada,   list: [1, 2]}
              without:
              - x
      empty:
      plain: text over
        two lines
      # The end.
      """
    #expect(
      try Self.formatted(text) == """
        # A file.

        # Its title.
        scenario: A  # short
        because: >-
          folded text
          of two lines
        tags: [a, b, "c d"]
        steps:  # in order
          - person: &visit { visits: 'shop', on: phone }
          - person: *visit

          # Before the last step.
          - website:
              verified: { given_name: Ada, list: [1, 2] }
              without:
                - x
        empty:
        plain: text over two lines
        # The end.

        """)
  }

  @Test("values in brackets are joined into a line that is long enough, and otherwise fill several")
  func brackets() throws {
    #expect(try Self.formatted("a: [x,\n  y]\nb: {}\nc: []\n") == "a: [x, y]\nb: {}\nc: []\n")
    let long = (0..<40).map { "item\($0)" }.joined(separator: ", ")
    let lines = try Self.formatted("a:\n  b: [\(long)]\n").split(separator: "\n")
    #expect(lines.count == 4 && lines.allSatisfy { $0.count <= YAMLFormatter.width }, "\(lines)")
    #expect(lines[1].hasPrefix("  b: [item0, ") && lines[2].hasPrefix("    item"))
  }

  @Test(
    "formatting twice is formatting once, and values stay",
    arguments: [
      "a: 1\n", "- a\n- - b\n  - c\n- d: e\n  f: g\n", "a: |\n   x\n\n   y\nb: 2\n", "text\n", "'quoted'\n", "[a, b]\n",
      "a: &x\n  b: 1\nc: *x\n", "- &x\n  a: 1\n- *x\n", "a: \"x # no comment\"\n", "a: b#c # comment\n",
      "a: 'it''s'\nb: \"\\u0041\\n\"\n", "---\na: 1\n", "a: |+\n  x\nb: y\n", "\"key with space\" : x\n",
    ])
  func stable(text: String) throws {
    let once = try Self.formatted(text)
    #expect(try Self.formatted(once) == once)
    let problems = ProblemCollector()
    let before = try #require(SourceNode.parse(try SourceFile(path: "a", text: text), problems)).value
    let after = try #require(SourceNode.parse(try SourceFile(path: "b", text: once), problems)).value
    #expect(after == before)
  }

  @Test(
    "what the layout cannot keep is refused with its place",
    arguments: [
      ("a: [x, # why\n  y]\n", "a.yaml:1:8: the comment is inside a value in brackets"),
      ("a: \"x\\\n  y\"\n", "a.yaml:1:4: a text in quotes with a backslash at the end of a line is not formatted"),
      ("a: \"x\n\n  y\"\n", "a.yaml:1:4: a text in quotes with blank lines is not formatted"),
      ("a: |2\n    x\n", "a.yaml:1:4: a block with an indentation of its own, or with a comment, is not formatted"),
      ("a: [x\n", "not YAML"), ("a: 1\na: 2\n", "a.yaml:2:1: the key 'a' comes twice in this mapping"),
      ("# nothing\n", "the file holds only blank lines and comments"),
    ])
  func refuses(text: String, message: String) throws {
    let problem = #expect(throws: SourceProblem.self) { _ = try Self.formatted(text) }
    #expect(problem?.description.contains(message) == true, "\(problem?.description ?? "")")
  }

  @Test("A line is read once for all its scalars, and once for its comments")
  func longLine() throws {
    let items = Array(repeating: "\"a # b\"", count: 2_000).joined(separator: ", ")
    let text = "first: [\(items)] # a comment\nsecond: &anchor [\(items)]\n"
    let file = try SourceFile(path: "long.yaml", text: text)
    var reader = LayoutReader(file: file)
    _ = try reader.read()
    #expect(reader.readCount <= 2 * text.unicodeScalars.count)
    #expect(reader.comments.map(\.text) == ["# a comment"])
  }
}
