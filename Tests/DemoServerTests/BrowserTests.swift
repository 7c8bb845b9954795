import Foundation
import TestSupport
import TestTraits
import Testing

/// The web demo in Chromium. `make test` installs it; PRESENTMENT_WITHOUT_BROWSER=1 skips these tests.
@Suite("The demo in Chromium", .enabled(if: RealBrowser.isHere, "requires Chromium"), .serialized) struct BrowserTests {
  @Test(arguments: [
    "accept", "decline", "cancel", "nobody", "faults", "alone", "leaving", "plays", "framed", "playing", "keys",
    "scenarios",
    "keyboard", "sizes", "presenting", "themes", "printing", "explaining", "reading", "gone", "weight", "message",
    "seen", "heads", "beside", "unfolded", "recording", "back", "tabs", "endings", "included", "external_page",
    "native",
    "native_decline", "native_wait", "native_failure", "api", "bidi",
  ])
  func shows(_ story: String) async throws { try await tell(story) }

  @Test(.enabled(if: RealBrowser.hasAxe, "requires axe-core")) func axeFindsNoViolationOnTheStage() async throws {
    try await tell("accessible")
  }

  @Test(.enabled(if: RealBrowser.hasPlaywright, "requires Playwright")) func theSampleForPlaywrightWorks() async throws
  {
    try await tell("playwright")
  }

  @Test("A reader finds the browser's QR code on the screen, and the phone answers", .requiresBarcodeReader)
  func theCodeIsReadFromTheScreen() async throws { try await tell("code") }

  private func tell(_ story: String) async throws {
    let script = Programs.package.appendingPathComponent("Tests/External/Browser/browser.py").path
    let screenshots = Programs.package.appendingPathComponent(".build/screenshots").path
    let run = try await Programs.run(Programs.python, ["-B", script, Programs.presentment, story, screenshots])
    #expect(run.code == 0, "\(run)")
  }
}
