import LocatedYAML
import Testing

@testable import Reports

@Suite("The unified difference of two texts") struct UnifiedDifferenceTests {
  private func text(_ old: String, _ new: String, isColored: Bool = false) throws -> String {
    TextReport(isColored: isColored).text(
      of: UnifiedDifference(
        of: try SourceFile(path: "a.yaml", text: old), to: try SourceFile(path: "a.yaml", text: new)))
  }

  private static let lines = (1...20).map { "line \($0)\n" }

  @Test("near changes share a part, and far ones have their own") func parts() throws {
    var new = Self.lines
    new[1] = "second\n"
    new[4] = "fifth\n"
    new.remove(at: 17)
    new.insert("more\n", at: 17)
    new.append("end\n")
    #expect(
      try text(Self.lines.joined(), new.joined()) == """
        --- a.yaml
        +++ a.yaml
        @@ -1,8 +1,8 @@
         line 1
        -line 2
        +second
         line 3
         line 4
        -line 5
        +fifth
         line 6
         line 7
         line 8
        @@ -15,6 +15,7 @@
         line 15
         line 16
         line 17
        -line 18
        +more
         line 19
         line 20
        +end
        """)
  }

  @Test("a single line has no count, and a terminal shows colors") func colors() throws {
    #expect(
      try text("a\n", "b\n", isColored: true) == """
        \u{1B}[1m--- a.yaml\u{1B}[0m
        \u{1B}[1m+++ a.yaml\u{1B}[0m
        \u{1B}[36m@@ -1 +1 @@\u{1B}[0m
        \u{1B}[31;1m-a\u{1B}[0m
        \u{1B}[32m+b\u{1B}[0m
        """)
  }

  @Test("a character that steers a terminal is shown as a sign") func isSafe() throws {
    #expect(!(try text("a: \u{202E}b\n", "a: c\n").contains("\u{202E}")))
  }
}
