import Foundation
import TestSupport
import TestTraits
import Testing

/// The trace page in Chromium. `make test` installs it; PRESENTMENT_WITHOUT_BROWSER=1 skips these tests.
@Suite("Trace pages in Chromium", .enabled(if: RealBrowser.isHere, "requires Chromium"), .serialized)
struct BrowserTests {
  @Test(arguments: ["failure", "links", "search", "address", "seen", "narrow", "keyboard", "screens", "thousands"])
  func shows(_ story: String) async throws { try await tell(story) }

  @Test(.enabled(if: RealBrowser.hasAxe, "requires axe-core")) func axeFindsNoViolation() async throws {
    try await tell("accessible")
  }

  private func tell(_ story: String) async throws {
    let script = Programs.package.appendingPathComponent("Tests/External/Browser/trace.py").path
    let screenshots = Programs.package.appendingPathComponent(".build/screenshots").path
    let run = try await Programs.run(Programs.python, ["-B", script, Programs.presentment, story, screenshots])
    #expect(run.code == 0, "\(run)")
    if story == "thousands" { print(run.output) }
  }
}
