import Inspection
import Testing

@Suite("Previews of bytes") struct ShownTests {
  @Test("a known artifact is identified, other bytes are shown as text")
  func forms() throws {
    #expect(Inspector.shown([0x83, 1, 2, 3]).contains("3"))
    #expect(Inspector.shown(Array("Good morning, and welcome".utf8)) == "Good morning, and welcome")
    #expect(Inspector.shown([]).isEmpty)
  }

  @Test("a preview ends at the limit after a whole character, with a note", arguments: 0..<4)
  func limit(_ before: Int) throws {
    let text = String(repeating: "?", count: before) + String(repeating: "€", count: Inspector.shownBytes / 2)
    let shown = Inspector.shown(Array(text.utf8))
    let said = try #require(shown.firstMatch(of: /\n… and (\d+) more bytes$/))
    let beginning = shown[..<said.range.lowerBound]
    #expect(text.hasPrefix(beginning) && beginning.utf8.count > Inspector.shownBytes - 3)
    #expect(beginning.utf8.count <= Inspector.shownBytes)
    #expect(Int(said.output.1) == text.utf8.count - beginning.utf8.count)
  }

  @Test("a preview is limited even if few bytes give much text")
  func annotations() throws {
    let bytes = [0x99, 0x75, 0x30] + [UInt8](repeating: 0x80, count: 30_000)
    guard case .success(let whole) = Inspector.inspect(bytes) else { throw Unread() }
    #expect(whole.utf8.count > Inspector.shownBytes)
    #expect(Inspector.shown(bytes).utf8.count < Inspector.shownBytes + 64)
  }

  private struct Unread: Error {}
}
