import Testing

@testable import LocatedYAML

@Suite("Changing values of a file") struct SourceEditorTests: SourceSuite {
  /// The text after a change of the value at some keys.
  private func changed(
    _ text: String, _ keys: [String], to content: SourceChange.Content
  ) throws -> String {
    var node = try tree(text)
    var containers: [SourcePosition] = []
    for key in keys {
      containers.append(node.position)
      node = try #require(node[key])
    }
    let editor = try SourceEditor(node.position.file)
    let changed = try editor.applying([SourceChange(at: node.position, in: containers, content)])
    return changed.text
  }

  private func list(_ old: [String], _ new: [String]) -> SourceChange.Content { .list(ListChange(from: old, to: new)) }

  @Test(
    "a text keeps the quotes of the one that it replaces",
    arguments: [
      ("a: Kelly  # name\nb: 1\n", "a: Robin Rover  # name\nb: 1\n", "Robin Rover"),
      ("a: \"Kelly\"\n", "a: \"Robin\"\n", "Robin"),
      ("a: 'Kelly'   \n", "a: 'It''s'   \n", "It's"),
      ("a: Kelly\n", "a: \"a: b\"\n", "a: b"),
      ("a: Kelly\n", "a: \"x, y] }\"\n", "x, y] }"),
      ("a: Kelly\n", "a: \"true\"\n", "true"),
      ("a: false\n", "a: true\n", "true"),
      ("a: 21\n", "a: \"\"\n", ""),
      ("a: Kelly\n", "a: \"x #y\"\n", "x #y"),
      ("a: 'Kelly'\n", "a: \"two\\nlines\"\n", "two\nlines"),
      ("a: two\n  lines # of text\n", "a: one # of text\n", "one"),
      ("ä: \"é\" # ß\r\nb: x\r\n", "ä: \"ü\" # ß\r\nb: x\r\n", "ü"),
    ])
  func texts(before: String, after: String, value: String) throws {
    let key = before.hasPrefix("ä") ? "ä" : "a"
    #expect(try changed(before, [key], to: .scalar(.text(value))) == after)
    #expect(try tree(after)[key]?.scalar?.text == value)
  }

  @Test("a number and a word are written without quotes") func plain() throws {
    #expect(try changed("a: { n: once }  # x\n", ["a", "n"], to: .scalar(.number(3))) == "a: { n: 3 }  # x\n")
    #expect(try changed("a: { n: 3 }\n", ["a", "n"], to: .scalar(.text("never"))) == "a: { n: never }\n")
  }

  @Test(
    "items of a list in brackets keep their places",
    arguments: [
      (["b", "c", "a"], "l: [ a,  b, c ]  # x\n"),
      (["a", "x", "c"], "l: [ a,  x, c ]  # x\n"),
      (["a", "c"], "l: [ a,  c ]  # x\n"),
      (["a"], "l: [ a ]  # x\n"),
      (["c"], "l: [ c ]  # x\n"),
      (["x", "y", "z", "d e"], "l: [ x,  y, z, d e ]  # x\n"),
    ])
  func brackets(items: [String], after: String) throws {
    let before = "l: [ a,  b, c ]  # x\n"
    #expect(try changed(before, ["l"], to: list(["a", "b", "c"], items)) == after)
  }

  @Test(
    "items of a list with a line for each keep their places and comments",
    arguments: [
      (["a", "x", "c"], "l:\n  -   a  # first\n  # next\n  -   x\n\n  -   c # last\nm: 1\n"),
      (["a", "c"], "l:\n  -   a  # first\n  # next\n\n  -   c # last\nm: 1\n"),
      (
        ["a", "b", "c", "d"],
        "l:\n  -   a  # first\n  # next\n  -   b\n\n  -   c # last\n  -   d\nm: 1\n"
      ),
    ])
  func lines(items: [String], after: String) throws {
    let before = "l:\n  -   a  # first\n  # next\n  -   b\n\n  -   c # last\nm: 1\n"
    #expect(try changed(before, ["l"], to: list(["a", "b", "c"], items)) == after)
    let windows = before.replacing("\n", with: "\r\n")
    #expect(
      try changed(windows, ["l"], to: list(["a", "b", "c"], items)) == after.replacing("\n", with: "\r\n"))
  }

  @Test("an item follows the last line of a file without a line end") func lastLine() throws {
    #expect(try changed("l:\n- a", ["l"], to: list(["a"], ["a", "b"])) == "l:\n- a\n- b")
  }

  @Test("a byte order mark stays") func byteOrderMark() throws {
    let file = try SourceFile(path: "a.yaml", bytes: [0xEF, 0xBB, 0xBF] + Array("a: b\n".utf8))
    let node = try #require(SourceNode.parse(file, ProblemCollector())?["a"])
    let changed = try SourceEditor(file).applying([
      SourceChange(at: node.position, in: [], .scalar(.text("c")))
    ])
    #expect(changed.bytes == [0xEF, 0xBB, 0xBF] + Array("a: c\n".utf8))
  }

  @Test(
    "a value that cannot be changed by itself is refused",
    arguments: [
      ("a: &x { b: c }\nd: *x\n", "anchor"), ("a: { b: &x c }\nd: *x\n", "anchor"), ("a:\n  b: |\n    c\n", "block"),
    ])
  func refusals(text: String, reason: String) throws {
    let problem = try #require(throws: SourceProblem.self) {
      _ = try changed(text, ["a", "b"], to: .scalar(.text("x")))
    }
    #expect(problem.message.contains(reason), "\(problem)")
  }

  @Test(
    "an item is not removed with a comment, nor is the last one",
    arguments: [
      ("l:\n  - a\n  - b # why\n", ["a"], "comment"), ("l: [a,  # why\n  b]\n", ["b"], "comment"),
      ("l: [a, b]\n", [], "every item"), ("l: [&x a, b]\nm: *x\n", ["b"], "anchor"),
    ])
  func refusedRemovals(text: String, items: [String], reason: String) throws {
    let problem = try #require(throws: SourceProblem.self) {
      _ = try changed(text, ["l"], to: list(["a", "b"], items))
    }
    #expect(problem.message.contains(reason), "\(problem)")
  }
}
