import Foundation

/// The browser that tests drive.
public enum RealBrowser {
  /// True if the Python of the tests has Playwright. `make test` installs it.
  public static let hasPlaywright = hasPackage("playwright")

  /// True if the Python of the tests has axe-core. `make test` installs it.
  public static let hasAxe = hasPackage("axe_playwright_python")

  /// True if Chromium and its driver are here.
  public static let isHere: Bool = {
    let environment = ProcessInfo.processInfo.environment
    if environment["PRESENTMENT_WITHOUT_BROWSER"] == "1" { return false }
    if environment["PRESENTMENT_BROWSER"] == "1" { return true }
    return Programs.hasPython && FileManager.default.isExecutableFile(atPath: "/usr/bin/chromedriver")
  }()

  private static func hasPackage(_ name: String) -> Bool {
    if ProcessInfo.processInfo.environment["PRESENTMENT_BROWSER"] == "1" { return true }
    let libraries = URL(fileURLWithPath: Programs.python).deletingLastPathComponent().appendingPathComponent("../lib")
      .path
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: libraries)) ?? []
    return folders.contains { FileManager.default.fileExists(atPath: "\(libraries)/\($0)/site-packages/\(name)") }
  }
}
