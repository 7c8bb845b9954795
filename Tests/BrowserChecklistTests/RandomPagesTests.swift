import DigitalCredentials
import Foundation
import RandomPages
import Testing

/// Random sequences of events in a browser. `PRESENTMENT_PAGE_SEQUENCES` sets how many; `make test-pages` runs a million.
@Suite("Random pages")
struct RandomPagesTests {
  private static let sequences =
    ProcessInfo.processInfo.environment["PRESENTMENT_PAGE_SEQUENCES"].flatMap(Int.init) ?? 20_000

  @Test("No promise is settled twice, and no coordinator stays busy", arguments: BrowserProfile.all)
  func properties(profile: BrowserProfile) {
    let part = Self.sequences / BrowserProfile.all.count
    #expect(RandomPages.violation(sequences: 0..<part, in: profile) == nil)
  }

  @Test("Long sequences hold too")
  func long() {
    #expect(RandomPages.violation(sequences: 0..<200, events: 400, in: .safari26) == nil)
  }
}
