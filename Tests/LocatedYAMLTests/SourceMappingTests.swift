import Testing

@testable import LocatedYAML

@Suite struct SourceMappingTests: SourceSuite {
  private let consent = ["requester", "asks", "retains"]

  private struct OtherError: Error, CustomStringConvertible {
    let description = "not today\u{1B}"
  }

  @Test func readsKnownKeys() throws {
    let problems = ProblemCollector()
    let node = try tree("asks: [a, b]\nrequester: Rentals\n")
    let entries = try #require(node.entries(known: consent, problems))
    #expect(try entries["requester"]?.value.string() == "Rentals")
    #expect(entries["asks"]?.value.each(problems) { try $0.string() } == ["a", "b"])
    #expect(entries["retains"] == nil)
    #expect(place(entries["asks"]?.value) == "1:7+6")
    #expect(problems.isEmpty)
  }

  @Test func unknownAndMissingKeysAreProblems() throws {
    let problems = ProblemCollector()
    let root = try tree("steps:\n  retain: [given_name]\n  colour: red\n", path: "scenarios/x.yaml")
    let node = try #require(root["steps"])
    #expect(node.entries(known: consent, problems)?.count == 2)
    problems.report(node.missing("requester"))
    #expect(
      problems.rendered() == """
        scenarios/x.yaml:2:3  unknown key 'retain'                                 [source.unknown-key]
            2 |   retain: [given_name]
              |   ^^^^^^ did you mean 'retains'?

        scenarios/x.yaml:2:3  the key 'requester' is missing in this mapping       [source.missing-key]
            2 |   retain: [given_name]
              |   ^^^^^^

        scenarios/x.yaml:3:3  unknown key 'colour'                                 [source.unknown-key]
            3 |   colour: red
              |   ^^^^^^ known here: 'requester', 'asks', 'retains'
        """)
    #expect(
      problems.problems.first?.description
        == "scenarios/x.yaml:2:3: unknown key 'retain'; did you mean 'retains'? [source.unknown-key]")
  }

  @Test func valuesOtherThanMappingsAreRefused() throws {
    let problems = ProblemCollector()
    #expect(try tree("[a]").entries(known: consent, problems) == nil)
    #expect(brief(problems) == ["1:1 source.wrong-type"])
  }

  @Test func errorsOfOtherTypesAreKept() throws {
    let problems = ProblemCollector()
    let node = try #require(try tree("requester: x")["requester"])
    #expect(problems.attempt(node) { _ -> String? in throw OtherError() } == nil)
    #expect(problems.problems.map(\.description) == ["a.yaml:1:12: not today␛ [source.unreadable-value]"])
  }

  @Test func exactlyOneKeyIsRequired() throws {
    let entry = try tree("asks: [a]").onlyEntry(hint: "one of 'asks'")
    #expect(entry.key.value == "asks")
    #expect(place(entry.key.position) == "1:1+4")
    #expect(place(entry.value) == "1:7+3")
  }

  @Test(arguments: [
    ("{}", "1:1 source.not-one-key", "one of 'asks'"),
    ("{asks: 1, retains: 2}", "1:11 source.not-one-key", nil),
    ("[asks]", "1:1 source.wrong-type", nil),
  ])
  func notTheOnlyKey(text: String, expected: String, advice: String?) throws {
    let problems = ProblemCollector()
    #expect(problems.attempt(try tree(text)) { try $0.onlyEntry(hint: "one of 'asks'") } == nil)
    #expect(brief(problems) == [expected])
    #expect(problems.problems.first?.advice == advice)
  }

  @Test func problemsComeInTheOrderOfTheFile() throws {
    let problems = ProblemCollector()
    let first = try SourceFile(path: "a.yaml", text: "x")
    let second = try SourceFile(path: "b.yaml", text: "x")
    func report(_ file: SourceFile, _ line: Int, _ column: Int, _ message: String = "wrong") {
      problems.report(SourceProblem(.tag, message, at: SourcePosition(file: file, line: line, column: column)))
    }
    report(second, 1, 1)
    report(first, 10, 1)
    report(first, 9, 12, "later")
    report(first, 9, 12, "earlier")
    report(first, 9, 2)
    report(first, 9, 2)
    problems.report(SourceProblem(.empty, "empty", path: "a.yaml"))
    #expect(
      problems.problems.map(\.description) == [
        "a.yaml: empty [source.empty]", "a.yaml:9:2: wrong [source.tag]", "a.yaml:9:12: later [source.tag]",
        "a.yaml:9:12: earlier [source.tag]", "a.yaml:10:1: wrong [source.tag]", "b.yaml:1:1: wrong [source.tag]",
      ])
    #expect(problems.omitted == 0)
  }

  @Test func codesAreUniqueAndOfOneFamily() {
    let codes = SourceProblem.Code.source
    #expect(Set(codes).count == codes.count)
    #expect(codes.allSatisfy { $0.family == "source" })
    let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789-.")
    #expect(codes.allSatisfy { $0.rawValue.allSatisfy { letters.contains($0) } })
  }
}
