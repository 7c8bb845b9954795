import Foundation
import TestSupport
import Testing

/// The web demo in a real Chromium. `make test` installs it; where it cannot be had, PRESENTMENT_WITHOUT_BROWSER=1 says so.
@Suite("A real browser", .enabled(if: RealBrowser.isHere), .serialized) struct BrowserTests {
  @Test(arguments: [
    "accept", "decline", "cancel", "nobody", "faults", "alone", "keyboard", "narrow", "recording", "native",
  ])
  func shows(_ story: String) async throws {
    let script = Programs.package.appendingPathComponent("Tests/Browser/browser.py").path
    let screenshots = Programs.package.appendingPathComponent(".build/screenshots").path
    let run = try await Programs.run(Programs.python, ["-B", script, Programs.presentment, story, screenshots])
    #expect(run.code == 0, "\(run)")
  }
}

/// Whether there is a browser to test with.
private enum RealBrowser {
  static let isHere: Bool = {
    let environment = ProcessInfo.processInfo.environment
    if environment["PRESENTMENT_WITHOUT_BROWSER"] == "1" { return false }
    if environment["PRESENTMENT_BROWSER"] == "1" { return true }
    return Programs.hasPython && FileManager.default.isExecutableFile(atPath: "/usr/bin/chromedriver")
  }()
}
