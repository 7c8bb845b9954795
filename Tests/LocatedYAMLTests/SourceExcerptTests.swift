import Testing

@testable import LocatedYAML

@Suite struct SourceExcerptTests: SourceSuite {
  private func shown(_ line: String, column: Int, length: Int = 1, note: String? = nil) -> [String] {
    let file = SourceFile(path: "a.yaml", uncheckedText: line)
    let position = SourcePosition(file: file, line: 1, column: column, length: length)
    let lines = SourceExcerpt.render(position: position, headline: "h", caretNote: note).split(separator: "\n")
    return lines.dropFirst().map(String.init)
  }

  @Test func theFailureOfTheDesign() throws {
    let lines = (1...13).map { "# \($0)\n" }.joined() + "  - website: { verified: { given_name: Kelly } }\n"
    let file = try SourceFile(path: "scenarios/two-apps.yaml", text: lines)
    let text = SourceExcerpt.render(
      position: SourcePosition(file: file, line: 14, column: 16, length: 8),
      headline: "device signature does not verify",
      code: "device.signature/invalid", caretNote: "refused by the verifier server",
      because: "the site trusts this issuer and this device",
      notes: [
        "the signature is good for another transcript:",
        "   expected origin  https://spaceship-rentals.example",
        "   signed   origin  https://spaceship-rentals.example/       one \"/\" too many",
        "message 9 of 11  Wallet -> OS  EncryptedResponse, 1702 bytes",
        "again: presentment run scenarios/two-apps.yaml --seed 7      trace: out/two-apps.trace.html#9",
      ])
    #expect(
      text == """
        scenarios/two-apps.yaml:14:16  device signature does not verify            [device.signature/invalid]
           14 |   - website: { verified: { given_name: Kelly } }
              |                ^^^^^^^^ refused by the verifier server
              | because: the site trusts this issuer and this device
           the signature is good for another transcript:
              expected origin  https://spaceship-rentals.example
              signed   origin  https://spaceship-rentals.example/       one "/" too many
           message 9 of 11  Wallet -> OS  EncryptedResponse, 1702 bytes
           again: presentment run scenarios/two-apps.yaml --seed 7      trace: out/two-apps.trace.html#9
        """)
  }

  @Test func codeNoteAndLengthAreOptional() {
    let file = SourceFile(path: "a.yaml", uncheckedText: "v:\n")
    let position = SourcePosition(file: file, line: 1, column: 3, length: 0)
    #expect(
      SourceExcerpt.render(position: position, headline: "nothing") == "a.yaml:1:3  nothing\n    1 | v:\n      |   ^")
  }

  @Test func positionsOutsideTheFileAreShown() {
    #expect(shown("v: w", column: 99) == ["    1 | v: w", "      |     ^"])
    let file = SourceFile(path: "a.yaml", uncheckedText: "v")
    let position = SourcePosition(file: file, line: 7, column: 3)
    #expect(SourceExcerpt.render(position: position, headline: "h") == "a.yaml:7:3  h\n    7 |\n      | ^")
  }

  @Test func highLineNumbersWidenTheMargin() {
    let file = SourceFile(path: "a.yaml", uncheckedText: String(repeating: "\n", count: 99_999) + "v")
    let position = SourcePosition(file: file, line: 100_000, column: 1)
    #expect(
      SourceExcerpt.render(position: position, headline: "h", because: "b")
        == "a.yaml:100000:1  h\n  100000 | v\n         | ^\n         | because: b")
  }

  @Test func controlCharactersAreReplaced() {
    #expect(shown("\ta\u{1B}[2J\u{7}b", column: 8) == ["    1 | →a␛[2J␇b", "      |        ^"])
    #expect(shown("a\u{9B}\u{202E}\u{7F}\u{200B}b", column: 6) == ["    1 | a��␡�b", "      |      ^"])
    let file = SourceFile(path: "a\u{1B}\n.yaml", uncheckedText: "v")
    let text = SourceExcerpt.render(
      position: SourcePosition(file: file, line: 1, column: 1), headline: "h\u{1B}", code: "c\r", caretNote: "n\u{8}",
      because: "one\ntwo\u{7}\n", notes: ["x\ny\u{0}"])
    let code = String(repeating: " ", count: 75 - 16) + "[c␍]"
    #expect(text == "a␛␊.yaml:1:1  h␛\(code)\n    1 | v\n      | ^ n␈\n      | because: one two␇\n   x\n   y␀")
  }

  @Test func wideTextKeepsTheCaretBelowItsToken() {
    #expect(shown("日本: x", column: 5) == ["    1 | 日本: x", "      |       ^"])
    #expect(shown("日本: x", column: 1, length: 2) == ["    1 | 日本: x", "      | ^^^^"])
    #expect(shown("e\u{301}e\u{301}: x", column: 7) == ["    1 | e\u{301}e\u{301}: x", "      |     ^"])
    #expect(shown("🛰👩‍🚀🇩🇪: x", column: 9) == ["    1 | 🛰👩‍🚀🇩🇪: x", "      |        ^"])
    #expect(shown("ab日x", column: 3, length: 2) == ["    1 | ab日x", "      |   ^^^"])
  }

  @Test func longLinesAreCutAroundTheToken() {
    let line = String((0..<1000).map { Character(String($0 % 10)) })
    let start = shown(line, column: 1, length: 5)
    #expect(start == ["    1 | " + line.prefix(98) + "…", "      | ^^^^^"])
    let middle = shown(line, column: 501, length: 3, note: "n")
    #expect(middle[0].count == 8 + 100)
    #expect(middle[0].hasPrefix("    1 | …") && middle[0].hasSuffix("…"))
    let caret = middle[1].prefix { $0 != "^" }.count
    #expect(middle[1].hasSuffix("^^^ n"))
    #expect(String(middle[0].dropFirst(caret).prefix(3)) == "012")
    let end = shown(line, column: 1000)
    #expect(end[0] == "    1 | …" + line.suffix(98))
    #expect(end[1].count == end[0].count)
    let all = shown(line, column: 1, length: 1000)
    #expect(all[1] == "      | " + String(repeating: "^", count: 98))
    let fitting = String(line.prefix(100))
    #expect(
      shown(fitting, column: 100) == ["    1 | " + fitting, "      | " + String(repeating: " ", count: 99) + "^"])
  }

  @Test func aLineAndACharacterOfAMegabyteAreCut() {
    let long = String(repeating: "日", count: 300_000)
    #expect(shown(long, column: 150_000).allSatisfy { SourceText.width($0) <= 8 + 100 })
    let tall = "a" + String(repeating: "\u{301}", count: 300_000)
    #expect(shown(tall, column: 150_000).allSatisfy { $0.unicodeScalars.count < 1000 })
    #expect(SourceText.visible(tall).unicodeScalars.count == SourceLimits.scalarsOfCharacter)
  }

  @Test func quotedTextIsEscaped() {
    #expect(SourceText.quote("a\tb") == "'a→b'")
    let limit = SourceLimits.quotedCharacters
    #expect(SourceText.quote(String(repeating: "é", count: limit)) == "'" + String(repeating: "é", count: limit) + "'")
    #expect(
      SourceText.quote(String(repeating: "é", count: limit + 1)) == "'" + String(repeating: "é", count: limit) + "…'")
  }
}
