import Testing

@testable import LocatedYAML

@Suite struct SourceRefusalTests: SourceSuite {
  @Test(arguments: [
    ("a: 1\n\tb: 2\n", "2:1"), ("a: [1, 2\nb: 3\n", "2:2"), ("a: {x: 1\n\n", "1:4"), ("a: \"abc\nb: c\n", "1:4"),
    ("a: 'abc", "1:4"), ("a: b: c\n", "1:5"), ("a:\n  - b\n c: d\n", "3:2"), ("a: @x\n", "1:4"), ("- a\nb: c\n", "2:1"),
    ("a: 'x' y\n", "1:8"), ("a: [\n\n", "1:4"), ("a: [[1], {b: [", "1:14"), ("b: *", "1:4"), ("a: \"\\q\"", "1:5"),
    ("a: 1\n...\nb: 2", "3:1"), ("a: !h!x 3", "1:4"), ("a: }\n", "1:4"), ("a: 1\nabcdefg\nb: 2\n", "2:1"),
    ("k: - a", "1:4"), ("a: \"\\ud800\"", "1:7"), ("a: |x\n", "1:5"),
  ])
  func notYAML(text: String, place: String) {
    #expect(problems(text) == [place + " source.not-yaml"])
  }

  @Test(arguments: [
    ("a: &x 1\nb: !!binary aGk=", ["2:4 source.tag"]), ("!!map {a: 1}", ["1:1 source.tag"]),
    ("a: ! 1\nb: !<tag:x> 1\nc: !mine [1]", ["1:4 source.tag", "2:4 source.tag", "3:4 source.tag"]),
    ("a: 1\nb: 2\na: 3\na: 4\n", ["3:1 source.duplicate-key", "4:1 source.duplicate-key"]),
    ("{x: {a: 1, 'a': 2}, y: 1, \"y\": 2}", ["1:12 source.duplicate-key", "1:27 source.duplicate-key"]),
    ("a: &x {k: 1}\nb:\n  <<: *x\n  l: 2\n", ["3:3 source.merge-key"]),
    ("[a]: 1\n{b: c}: 2\n", ["1:1 source.key-not-text", "2:1 source.key-not-text"]),
    ("a: &x k\n*x : 1\n", ["2:1 source.key-not-text"]), ("?\n: 1\n", ["1:2 source.key-not-text"]),
    ("a: *x\nb: &x 1\n", ["1:4 source.unknown-alias"]), ("*x", ["1:1 source.unknown-alias"]),
    ("a: &x [1, *x]\n", ["1:11 source.unknown-alias"]),
    ("a: 1\n---\nb: 2\n", ["2:1 source.several-documents"]), ("---\n---\n", ["2:1 source.several-documents"]),
    ("%YAML 1.2\n---\na: 1\n", ["1:1 source.directive"]), ("a: 1\n...\n%TAG ! x\n", ["3:1 source.directive"]),
    ("", ["source.empty"]), ("\u{FEFF}", ["source.empty"]), ("# only\n\n  # comments", ["source.empty"]),
    ("---\n...\n", ["source.empty"]), ("a: \u{1B}[31m", ["1:4 source.control-character"]),
    ("é: \u{7F}", ["1:4 source.control-character"]), ("a:\n 日: \u{85}", ["2:5 source.control-character"]),
    ("a: 'x\u{2028}'", ["1:6 source.control-character"]), ("a: \u{FFFF}", ["1:4 source.control-character"]),
    ("a: \0", ["1:4 source.control-character"]),
  ])
  func refused(text: String, expected: [String]) {
    #expect(problems(text) == expected)
  }

  @Test(
    arguments: [
      ([0xFF, 0xFE, 0x61, 0x00], "1:1"), ([0x61, 0x0A, 0x62, 0xC3, 0x28], "2:2"), ([0x61, 0xE2, 0x82], "1:2"),
      ([0xEF, 0xBB, 0xBF, 0x61, 0x80], "1:2"), ([0x61, 0xED, 0xA0, 0x80], "1:2"), ([0xC3, 0xA9, 0xC0, 0x80], "1:2"),
    ] as [([UInt8], String)])
  func notUTF8(bytes: [UInt8], place: String) throws {
    let problem = try #require(throws: SourceProblem.self) { try SourceFile(path: "b.yaml", bytes: bytes) }
    #expect(problem.code == .notUTF8)
    #expect(problem.position?.description == "b.yaml:" + place)
  }

  @Test func recoverableProblemsLeaveTheRestRead() throws {
    let problems = ProblemCollector()
    let text = "a: 1\na: 2\nb: !t 3\n[c]: {d: [*x, 4]}\ne: [*x, 5]\n"
    let root = try #require(SourceNode.parse(try SourceFile(path: "a.yaml", text: text), problems))
    #expect(try root.mapping().map(\.key.value) == ["a", "b", "e"])
    #expect(try root["a"]?.integer(in: 0...9) == 1)
    #expect(try root["e"]?.sequence().count == 1)
    #expect(problems.problems.count == 5)
  }

  @Test func theParserReasonIsShownAtThePlaceToFix() throws {
    #expect(
      try rendered("steps:\n  - because: he said: no\n") == """
        a.yaml:2:21  not YAML: mapping values are not allowed in this context      [source.not-yaml]
            2 |   - because: he said: no
              |                     ^ text with ': ' in it needs quotes
        """)
    #expect(
      try rendered("a: \"never closed\nb: 1\n") == """
        a.yaml:1:4  not YAML: found unexpected end of stream, while scanning a quoted scalar  [source.not-yaml]
            1 | a: "never closed
              |    ^ this has no end
        """)
    #expect(
      try rendered("a:\n\tb: 1\n") == """
        a.yaml:2:1  not YAML: found character that cannot start any token, while scanning for the next token  \
        [source.not-yaml]
            2 | →b: 1
              | ^ YAML is indented with spaces, not with tabs
        """)
    #expect(
      try rendered("a: 1\nsteps\nb: 2\n") == """
        a.yaml:2:1  not YAML: could not find expected ':', while scanning a simple key  [source.not-yaml]
            2 | steps
              | ^ a key has ': ' after it
        """)
  }

  @Test func refusalsOfNamesSayWhatToDo() throws {
    #expect(
      try rendered("retains: []\nretains: [a]\n") == """
        a.yaml:2:1  the key 'retains' comes twice in this mapping                  [source.duplicate-key]
            2 | retains: [a]
              | ^^^^^^^ first at 1:1
        """)
    #expect(
      try rendered("a: &world {}\nb: *wrold\n") == """
        a.yaml:2:4  the alias '*wrold' does not name an earlier anchor             [source.unknown-alias]
            2 | b: *wrold
              |    ^^^^^^ did you mean '*world'?
        """)
    #expect(
      try rendered("a: !!binary aGk=\n") == """
        a.yaml:1:4  the tag '!!binary' is not read: a value is what it looks like  [source.tag]
            1 | a: !!binary aGk=
              |    ^^^^^^^^^^^^^ take it away; put text in quotes
        """)
    #expect(
      try rendered("a: \u{1B}]0;x\u{7}\n") == """
        a.yaml:1:4  the character U+001B must be written as an escape              [source.control-character]
            1 | a: ␛]0;x␇
              |    ^ inside double quotes, write it as \\x1B
        """)
    #expect(
      try rendered("# nothing") == """
        a.yaml  the file holds only blank lines and comments                       [source.empty]
        """)
  }

  @Test func refusalsOfStructureSayWhatToDo() throws {
    #expect(
      try rendered("a: 1\n---\nb: 2\n") == """
        a.yaml:2:1  a second document begins here; a file holds one                [source.several-documents]
            2 | ---
              | ^^^ put it into a file of its own
        """)
    #expect(
      try rendered("a: &x {}\nb:\n  <<: *x\n") == """
        a.yaml:3:3  the merge key '<<' is not part of YAML 1.2 and is not read     [source.merge-key]
            3 |   <<: *x
              |   ^^ write the keys out, or give the whole value by an alias
        """)
    #expect(
      try rendered("[a, b]: c\n") == """
        a.yaml:1:1  a key must be text, not a list                                 [source.key-not-text]
            1 | [a, b]: c
              | ^^^^^^
        """)
    #expect(
      try rendered("%YAML 1.1\n---\na: 1\n") == """
        a.yaml:1:1  a line must not begin with '%'                                 [source.directive]
            1 | %YAML 1.1
              | ^ YAML directives are not read: every file is YAML 1.2
        """)
  }

  @Test func refusalsOfLimitsSayTheLimit() throws {
    let deep = (0...SourceLimits.depth).map { String(repeating: " ", count: $0) + "k:\n" }.joined() + "x"
    #expect(problems(deep).first == "65:65 source.too-deep")
    #expect(
      try rendered(String(repeating: "- ", count: 65)) == """
        a.yaml:1:129  lists and mappings nest deeper than 64                       [source.too-deep]
            1 | …- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -
              |                                                                                                  ^
        """)
    let repeated =
      "a: &a [" + String(repeating: "x,", count: 300) + "]\nb: [*a, " + String(repeating: "*a,", count: 200)
    #expect(
      try rendered(repeated + "]\n").hasSuffix("^^ at most 50000 values, 1048576 bytes of text and 64 levels"))
    #expect(
      try rendered(repeated + "]\n").contains("written out, the aliases up to here are more than a file may hold"))
  }

  @Test func invalidUTF8IsReportedWithItsByte() throws {
    let problem = try #require(throws: SourceProblem.self) {
      try SourceFile(path: "b.yaml", bytes: [0xEF, 0xBB, 0xBF] + Array("a: 1\nb: ".utf8) + [0xC3, 0x28, 0x0A])
    }
    #expect(
      problem.rendered() == """
        b.yaml:2:4  not UTF-8 text: byte 0xC3 at offset 11 of the file             [source.not-utf8]
            2 | b: \u{FFFD}(
              |    ^
        """)
  }
}
