import CommandSupport
import SampleProvider
import Testing

@Suite("Provider apps that a program adds")
struct AddedStylesTests {
  @Test("A program with an app whose name is taken ends with 2 and names the app")
  func taken() async throws {
    let ended = try #require(
      await #expect(processExitsWith: .exitCode(2), observing: [\.standardErrorContent]) {
        AddedStyles.add([SampleStyle()])
      })
    let text = String(decoding: ended.standardErrorContent, as: UTF8.self)
    #expect(text.contains("two provider apps have the style '\(SampleStyle().name)'; give yours another name"))
  }
}
