import CommandSupport
import Testing

@Suite("Lines of help and errors")
struct HelpTextTests {
  @Test("a usage is wrapped between options, and each stays together with its value")
  func usage() {
    let text = "USAGE: presentment run [<options>] [--seed <seed>] <paths> ... --out <out>\n\nARGUMENTS:"
    #expect(
      HelpText.wrapped(text, toColumns: 40) == """
        USAGE: presentment run [<options>]
               [--seed <seed>] <paths> ...
               --out <out>

        ARGUMENTS:
        """)
    #expect(HelpText.wrapped(text, toColumns: 80) == text)
  }

  @Test("an error is wrapped between words, whatever brackets it quotes")
  func error() {
    for quoted in ["[x", "x]", "]][["] {
      let text = "Error: unknown fault '\(quoted)' and more words that take the line beyond the width of the terminal"
      let lines = HelpText.wrapped(text, toColumns: 30).split(separator: "\n")
      #expect(lines.count > 2 && lines.allSatisfy { $0.count <= 30 }, "\(lines)")
      #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("       ") })
    }
  }

  @Test("other lines stay as they are, and a word that is longer than the width stays whole")
  func others() {
    let line = String(repeating: "word ", count: 40)
    #expect(HelpText.wrapped(line, toColumns: 20) == line)
    let long = String(repeating: "x", count: 50)
    #expect(HelpText.wrapped("Error: \(long)", toColumns: 20).contains(long))
  }
}
