import Testing

@testable import LocatedYAML

@Suite struct SourceParsingTests: SourceSuite {
  @Test func readsAScenario() throws {
    let root = try tree(SourceSample.design)
    #expect(try root.mapping().map(\.key.value) == ["scenario", "because", "seed", "clock", "world", "steps"])
    #expect(try root["scenario"]?.string() == "Rent a spaceship with an ID in Wallet")
    #expect(try root["seed"]?.integer(in: 0...100) == 7)
    #expect(try root["clock"]?.date(.dateTime).secondsSince1970 == 1_757_955_600)
    #expect(try root["world"]?.string() == "spaceport")
    let steps = try #require(try root["steps"]?.sequence())
    #expect(steps.count == 7)
    #expect(try steps[0]["person"]?.mapping().map(\.key.value) == ["visits", "on"])
    #expect(try steps[0]["person"]?["on"]?.string() == "kellys-iphone")
    #expect(try steps[6]["website"]?["verified"]?["age_over_21"]?.boolean() == true)
  }

  @Test func readsThePositionsOfAScenario() throws {
    let root = try tree(SourceSample.design)
    let steps = try #require(try root["steps"]?.sequence())
    #expect(place(root) == "1:1+8")
    #expect(place(root["scenario"]) == "1:11+37")
    #expect(place(root["clock"]) == "4:8+20")
    #expect(place(root["world"]) == "5:8+9")
    #expect(place(root["steps"]) == "7:3+1")
    #expect(place(steps[0]) == "7:5+6")
    #expect(place(steps[0]["person"]) == "7:13+48")
    #expect(place(steps[0]["person"]?["on"]) == "7:46+13")
    #expect(place(steps[2]["selector"]?["shows"]) == "9:24+33")
    #expect(place(steps[2]["selector"]?["hides"]?["Other Wallet"]) == "9:82+25")
    #expect(place(steps[4]["consent"]) == "12:7+9")
    #expect(place(steps[4]["consent"]?["retains"]) == "14:16+25")
    let verified = try #require(try steps[6]["website"]?.mapping().first)
    #expect(place(verified.key.position) == "16:16+8")
    #expect(verified.key.position.description == "a.yaml:16:16")
  }

  @Test(arguments: [
    ("v: one", "1:4+3"), ("v: one   # note", "1:4+3"), ("v: 'one two'", "1:4+9"), ("v: \"a\\tb\"  ", "1:4+6"),
    ("v:", "1:3+0"), ("v: # nothing", "1:3+0"), ("v: one\n  two", "1:4+3"), ("v: 'one  \n  two'", "1:4+4"),
    ("v: |-  # a block\n  one\n", "1:4+2"), ("v: {}", "1:4+2"), ("v: [\n  a ]", "1:4+1"), ("v: &x one", "1:4+6"),
    ("v: &x\n  k: w", "1:4+2"), ("v:\n  k: w", "2:3+1"), ("v:\n  'k l': w", "2:3+5"), ("v:\n- w", "2:1+1"),
    ("v: é日本🛰e\u{301}", "1:4+6"), ("é日🛰: x\nv: w", "2:4+1"), ("{é日🛰: x, v: w}", "1:13+1"), ("\u{FEFF}v: w", "1:4+1"),
  ])
  func positions(text: String, expected: String) throws {
    #expect(place(try tree(text)["v"]) == expected)
  }

  @Test(arguments: ["a: 1\nv: w", "a: 1\r\nv: w", "a: 1\rv: w", "#\r\nv: w\r\n"])
  func lineEnds(text: String) throws {
    #expect(place(try tree(text)["v"]) == "2:4+1")
    #expect(try SourceFile(path: "a.yaml", text: text).line(2) == "v: w")
  }

  @Test func keysAreTextAsWritten() throws {
    let root = try tree("on: 1\nyes: 2\ntrue: 3\n21: 4\n~: 5\n'<<': 6\n\"a b\": 7\n")
    #expect(try root.mapping().map(\.key.value) == ["on", "yes", "true", "21", "~", "<<", "a b"])
    #expect(place(try #require(try root.mapping().last).key.position) == "7:1+5")
  }

  @Test func escapesAreDecoded() throws {
    #expect(try value(#""a\0b\x1B\u2028\U0001F6F0""#) { try $0.string() } == "a\0b\u{1B}\u{2028}\u{1F6F0}")
    #expect(try value("|\n  one\n  two\n") { try $0.string() } == "one\ntwo\n")
    #expect(try value(">-\n  one\n  two\n") { try $0.string() } == "one two")
    #expect(try value("'it''s'") { try $0.string() } == "it's")
  }

  @Test func aliasesRepeatTheirAnchors() throws {
    let root = try tree("a: &x { k: [1, 2] }\nb: *x\nc: &x 3\nd: *x\n")
    #expect(root["b"] == root["a"])
    #expect(place(root["b"]?["k"]) == "1:12+6")
    #expect(try root["d"]?.integer(in: 0...9) == 3)
  }

  @Test func rootsOfEveryKindAreRead() throws {
    #expect(try tree("plain").string() == "plain")
    #expect(try tree("''").string() == "")
    #expect(try tree("null").isNull)
    #expect(try tree("- a\n- b").sequence().count == 2)
    #expect(try tree("---\na: 1\n...\n")["a"] != nil)
  }
}
