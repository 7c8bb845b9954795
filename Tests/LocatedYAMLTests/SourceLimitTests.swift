import Testing

@testable import LocatedYAML

@Suite struct SourceLimitTests: SourceSuite {
  @Test func theDeepestTreeIsReadAndADeeperOneRefused() throws {
    let depth = SourceLimits.depth
    let flow = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(problems(flow) == [])
    #expect(problems("[" + flow + "]") == ["1:\(depth + 1) source.too-deep"])
    let block = (0..<depth).map { String(repeating: " ", count: $0) + "k:\n" }.joined()
    #expect(problems(block) == [])
    let deeper = block + String(repeating: " ", count: depth) + "k: v\n"
    #expect(problems(deeper) == ["\(depth + 1):\(depth + 1) source.too-deep"])
  }

  @Test(arguments: ["[", "{a: ", "- ", "? ", "[{a: ", "{a: ["])
  func endlessNestingIsRefusedAtTheLimit(opening: String) {
    let text = String(repeating: opening, count: SourceLimits.bytes / opening.utf8.count)
    let found = problems(text)
    #expect(found.count == 1)
    #expect(found.first?.hasSuffix("source.too-deep") == true)
  }

  @Test func deepNestingInLinesIsRefused() {
    let text = (0..<1400).map { String(repeating: " ", count: $0) + "k:\n" }.joined()
    #expect(problems(text) == ["65:65 source.too-deep"])
  }

  @Test func theMaximumNumberOfNodesIsReadAndMoreRefused() {
    let items = String(repeating: "a,", count: SourceLimits.nodes - 1)
    #expect(problems("[" + items + "]") == [])
    #expect(problems("[" + items + "b]") == ["1:\(items.count + 2) source.too-many-nodes"])
    let entries = (0..<SourceLimits.nodes / 2).map { "\($0): x\n" }.joined()
    #expect(problems(entries) == ["\(SourceLimits.nodes / 2):8 source.too-many-nodes"])
  }

  /// Nine lines that expand to a billion values.
  @Test func aliasesThatMultiplyAreRefused() throws {
    let lines = (1...9).map { "a\($0): &a\($0) [" + aliases(to: $0 - 1, count: 10) + "]" }
    let text = "a0: &a0 x\n" + lines.joined(separator: "\n") + "\n"
    let found = collected(text)
    #expect(brief(found) == ["6:25 source.alias-expansion"])
    let kept = try tree("a0: &a0 x\n" + lines.prefix(3).joined(separator: "\n") + "\n")
    #expect(count(kept) == 1 + 4 + 1 + 11 + 111 + 1111)
  }

  @Test func aliasesThatMultiplyInKeysAreRefused() {
    let lines = (1...9).map { "? &a\($0) [" + aliases(to: $0 - 1, count: 3) + "]\n: 1\n" }
    let codes = Set(collected("? &a0 [x]\n: 1\n" + lines.joined()).problems.map(\.code))
    #expect(codes == [.keyNotText, .aliasExpansion])
  }

  @Test func aliasesThatDeepenAreRefused() {
    let lines = (1...SourceLimits.depth).map { "a\($0): &a\($0) [*a\($0 - 1)]\n" }
    #expect(problems("a0: &a0 x\n" + lines.joined()) == ["65:12 source.alias-expansion"])
    #expect(problems("a0: &a0 x\n" + lines.dropLast().joined()) == [])
  }

  @Test func aliasesThatRepeatLongTextAreRefused() {
    let long = "a: &a " + String(repeating: "x", count: 1 << 16) + "\n"
    let most = (0..<SourceLimits.bytes >> 16).map { "b\($0): *a\n" }.joined()
    #expect(problems(long + most) == [])
    #expect(problems(long + most + "c: *a\n") == ["18:4 source.alias-expansion"])
  }

  @Test func problemsAreCappedAndTheRestIsCounted() {
    let text = "k: 0\n" + (1...1000).map { "k: \($0)\n" }.joined()
    let problems = collected(text)
    #expect(problems.problems.count == SourceLimits.problems)
    #expect(problems.omitted == 900)
    #expect(problems.problems.first?.position?.line == 2)
    #expect(problems.rendered().hasSuffix("\n\nand 900 more"))
  }

  @Test(arguments: [
    "%TAG !a! x\n", "&a ", "*a ", "!a ", "a: &a b\n", "\"", "'", "#", ": ", "?\n", "-\n", ",", "\u{FEFF}", "|\n", "\n",
  ])
  func fullOfOneThing(part: String) {
    let problems = collected(String(repeating: part, count: (1 << 18) / part.utf8.count))
    #expect(problems.problems.count <= SourceLimits.problems)
    #expect(problems.rendered().utf8.count < 100_000)
  }

  private func aliases(to number: Int, count: Int) -> String {
    [String](repeating: "*a\(number)", count: count).joined(separator: ", ")
  }

  private func count(_ node: SourceNode) -> Int {
    switch node.content {
    case .scalar: 1
    case .sequence(let items): items.reduce(1) { $0 + count($1) }
    case .mapping(let entries): entries.reduce(1) { $0 + 1 + count($1.value) }
    }
  }
}
