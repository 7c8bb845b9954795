import Testing

@testable import LocatedYAML

@Suite struct SourceReadingTests: SourceSuite {
  private enum Step: String, CaseIterable {
    case person, selector, consent, website
    case faceID = "face-id"
  }

  @Test func readsStrings() throws {
    #expect(try value("Verify Identity") { try $0.string() } == "Verify Identity")
    #expect(try value("off") { try $0.string() } == "off")
    #expect(try value("'42'") { try $0.string() } == "42")
    let number = try problem("42") { try $0.string() }
    #expect(number.code == .wrongType)
    #expect(
      number.rendered() == """
        a.yaml:1:4  expected text, found the number 42                             [source.wrong-type]
            1 | v: 42
              |    ^^ in quotes it is text: "42"
        """)
    #expect(try problem("true") { try $0.string() }.message == "expected text, found true")
    #expect(try problem("[a]") { try $0.string() }.message == "expected text, found a list")
    #expect(
      try problem("") { try $0.string() }.rendered() == """
        a.yaml:1:3  expected text, found nothing                                   [source.wrong-type]
            1 | v:
              |   ^
        """)
  }

  @Test func readsIntegers() throws {
    #expect(try value("7") { try $0.integer(in: 0...7) } == 7)
    #expect(try value("0x10") { try $0.integer(in: 0...16) } == 16)
    let large = try problem("8") { try $0.integer(in: 0...7) }
    #expect(large.code == .outOfRange)
    #expect(
      large.rendered() == """
        a.yaml:1:4  the number 8 is not between 0 and 7                            [source.out-of-range]
            1 | v: 8
              |    ^
        """)
    #expect(try problem("99999999999999999999") { try $0.integer(in: 0...7) }.code == .outOfRange)
    #expect(
      try problem("1.5") { try $0.integer(in: 0...7) }.message == "expected a whole number, found the number 1.5")
    #expect(try problem("1e3") { try $0.integer(in: 0...7) }.code == .wrongType)
    #expect(try problem(".inf") { try $0.integer(in: 0...7) }.code == .wrongType)
    #expect(try problem("'7'") { try $0.integer(in: 0...7) }.hint == "take the quotes away")
    #expect(try problem("seven") { try $0.integer(in: 0...7) }.code == .wrongType)
  }

  @Test func readsBooleans() throws {
    #expect(try value("true") { try $0.boolean() })
    #expect(try value("false") { try $0.boolean() } == false)
    let yes = try problem("yes") { try $0.boolean() }
    #expect(
      yes.rendered() == """
        a.yaml:1:4  expected true or false, found the text 'yes'                   [source.wrong-type]
            1 | v: yes
              |    ^^^ did you mean 'true'?
        """)
    #expect(try problem("OFF") { try $0.boolean() }.suggestion == "false")
    #expect(try problem("'true'") { try $0.boolean() }.suggestion == "true")
    #expect(try problem("1") { try $0.boolean() }.suggestion == nil)
  }

  @Test func readsCollections() throws {
    #expect(try value("[a, b]") { try $0.sequence().map { try $0.string() } } == ["a", "b"])
    #expect(try value("{a: 1, b: 2}") { try $0.mapping().map(\.key.value) } == ["a", "b"])
    #expect(try problem("a") { try $0.sequence() }.message == "expected a list, found the text 'a'")
    #expect(try problem("[]") { try $0.mapping() }.message == "expected a mapping, found a list")
    #expect(try value("7") { try $0.located { try $0.integer(in: 0...9) } }.position.column == 4)
    #expect(try value("7") { try $0.located { try $0.integer(in: 0...9) } }.map { $0 + 1 }.value == 8)
  }

  @Test func listsAreReadToTheEnd() throws {
    let problems = ProblemCollector()
    let root = try tree("v: [1, x, 3, {}]\nw: {a: 1, b: z, c: 3}\n")
    #expect(root["v"]?.each(problems) { try $0.integer(in: 0...9) } == [1, 3])
    let entries = root["w"]?.eachEntry(problems) { key, value in key.value + "\(try value.integer(in: 0...9))" }
    #expect(entries == ["a1", "c3"])
    #expect(root["v"]?.eachEntry(problems) { key, _ in key.value } == nil)
    #expect(
      brief(problems) == [
        "1:4 source.wrong-type", "1:8 source.wrong-type", "1:14 source.wrong-type", "2:14 source.wrong-type",
      ])
  }

  @Test func readsNamesOfAnEnumeration() throws {
    #expect(try value("face-id") { try $0.oneOf(Step.self) } == .faceID)
    let unknown = try problem("selektor") { try $0.oneOf(Step.self, "step") }
    #expect(unknown.code == .unknownName)
    #expect(
      unknown.rendered() == """
        a.yaml:1:4  unknown step 'selektor'                                        [source.unknown-name]
            1 | v: selektor
              |    ^^^^^^^^ did you mean 'selector'?
        """)
    #expect(try problem("Face ID") { try $0.oneOf(Step.self) }.suggestion == "face-id")
    #expect(
      try problem("browser") { try $0.oneOf(Step.self, "step") }.advice
        == "known here: 'person', 'selector', 'consent', 'website', 'face-id'")
    #expect(
      try problem("[]") { try $0.oneOf(Step.self, "step") }.message == "expected the name of a step, found a list")
  }

  @Test func readsNamesDeclaredElsewhere() throws {
    let websites = ["spaceship-rentals", "bank"]
    #expect(try value("bank") { try $0.oneOf(websites, "website") } == "bank")
    #expect(try problem("spaceship-rental") { try $0.oneOf(websites, "website") }.suggestion == "spaceship-rentals")
    #expect(try problem("bank") { try $0.oneOf([], "website") }.advice == "the world has none")
    let many = (1...20).map { "name-\($0)" }
    let advice = try problem("x") { try $0.oneOf(many) }.advice
    #expect(advice?.hasPrefix("known here: 'name-1', ") == true)
    #expect(advice?.hasSuffix(", 'name-12' and 8 more") == true)
  }

  @Test func suggestsTheNearestName() {
    #expect(NearestName.of("retain", in: ["asks", "retains"]) == "retains")
    #expect(NearestName.of("abc", in: ["abd", "abe"]) == "abd")
    #expect(NearestName.of("abc", in: ["abe", "abd"]) == "abe")
    #expect(NearestName.of("tpas", in: ["taps"]) == "taps")
    #expect(NearestName.of("visist", in: ["visits"]) == "visits")
    #expect(NearestName.of("given-name", in: ["given_name"]) == "given_name")
    #expect(NearestName.of("GIVEN_NAME", in: ["given_name"]) == "given_name")
    #expect(NearestName.of("", in: ["a"]) == nil)
    #expect(NearestName.of("b", in: ["a"]) == nil)
    #expect(NearestName.of(String(repeating: "a", count: 1_000_000), in: [String(repeating: "a", count: 64)]) == nil)
    #expect(NearestName.of("abcdefghi", in: [String(repeating: "a", count: 1_000_000)]) == nil)
  }

  @Test func longTextIsCutInMessages() throws {
    let text = String(repeating: "x", count: 100_000)
    let message = try problem(text) { try $0.sequence() }.message
    #expect(message == "expected a list, found the text '" + text.prefix(SourceLimits.quotedCharacters) + "…'")
  }
}
