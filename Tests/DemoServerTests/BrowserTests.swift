import Foundation
import TestSupport
import Testing

/// The web demo in a real Chromium. `make test` installs it; where it cannot be had, PRESENTMENT_WITHOUT_BROWSER=1 says so.
@Suite("A real browser", .enabled(if: RealBrowser.isHere), .serialized) struct BrowserTests {
  @Test(arguments: [
    "accept", "decline", "cancel", "nobody", "faults", "alone", "leaving", "scenarios", "keyboard", "narrow",
    "recording",
    "native", "native_decline", "native_wait", "native_failure",
  ])
  func shows(_ story: String) throws { try tell(story) }

  @Test(.enabled(if: RealBrowser.hasPlaywright)) func theSampleForPlaywrightWorks() throws { try tell("playwright") }

  private func tell(_ story: String) throws {
    let script = Programs.package.appendingPathComponent("Tests/Browser/browser.py").path
    let screenshots = Programs.package.appendingPathComponent(".build/screenshots").path
    let run = try Programs.run(Programs.python, ["-B", script, Programs.presentment, story, screenshots])
    #expect(run.code == 0, "\(run)")
  }
}

/// Whether there is a browser to test with.
private enum RealBrowser {
  /// Whether the Python of the tests has Playwright, which the others do not need.
  static let hasPlaywright: Bool = {
    if let run = try? Programs.run(Programs.python, ["-c", "import playwright"]), run.code == 0 { return true }
    let line = "\(Programs.python) has no Playwright: its sample is not tried; make test installs it\n"
    FileHandle.standardError.write(Data(line.utf8))
    return false
  }()

  static let isHere: Bool = {
    let environment = ProcessInfo.processInfo.environment
    if environment["PRESENTMENT_WITHOUT_BROWSER"] == "1" { return false }
    if environment["PRESENTMENT_BROWSER"] == "1" { return true }
    return Programs.hasPython && FileManager.default.isExecutableFile(atPath: "/usr/bin/chromedriver")
  }()
}
