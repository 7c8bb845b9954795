import BrowserChecklist
import DigitalCredentials
import Testing

@Suite("Browser checklist")
struct BrowserChecklistTests {
  @Test("Every row gives what it expects", arguments: BrowserProfile.all)
  func results(profile: BrowserProfile) {
    for result in BrowserChecklist.run(in: profile) {
      #expect(result.got == result.expected, "\(result.row.id) in \(profile.name): \(result.row.given)")
    }
  }

  @Test("Identifiers are unique, and each group has all its rows")
  func groups() {
    let ids = BrowserChecklist.rows.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(ids.count >= 110)
    let counts: [(group: String, rows: Int)] = [
      ("GET", 19), ("CON", 1), ("ACT", 7), ("DOC", 6), ("PRO", 8), ("UAP", 2), ("HIS", 1), ("POL", 15), ("OPQ", 15),
      ("SEC", 1), ("MDV", 33), ("MAL", 11), ("ENC", 3), ("MIX", 7), ("ORI", 4), ("RTP", 4), ("WDR", 5), ("CRE", 4),
      ("ISS", 12), ("PRO-OID", 3), ("UAP-OID", 3), ("RTP-OID", 2),
    ]
    for (group, rows) in counts {
      for number in 1...rows {
        #expect(ids.contains("\(group)-\(number < 10 ? "0" : "")\(number)"), "\(group) \(number)")
      }
    }
  }

  @Test("A difference names another result, a known browser and its source", arguments: BrowserChecklist.rows.map(\.id))
  func differences(id: String) throws {
    let row = try #require(BrowserChecklist.rows.first { $0.id == id })
    #expect(!row.source.isEmpty && !row.given.isEmpty && !row.expected.isEmpty)
    #expect(Set(row.differences.map(\.profile)).count == row.differences.count)
    for difference in row.differences {
      #expect(difference.expected != row.expected)
      #expect(!difference.source.isEmpty)
      #expect(BrowserProfile.named(difference.profile) != nil && difference.profile != BrowserProfile.spec2026.name)
    }
  }

  /// web-platform-tests abort at once, and want TypeError for what only the sandbox refuses here.
  @Test("A row tells what a page gets that does not let the sandbox finish")
  func abortsAtOnce() throws {
    let results = BrowserChecklist.run(in: .spec2026)
    let refused = try #require(results.first { $0.row.id == "MDV-02" })
    #expect(refused.got == "TypeError" && refused.abortedAtOnce == "AbortError")
    let accepted = try #require(results.first { $0.row.id == "MDV-01" })
    #expect(accepted.got == "AbortError" && accepted.abortedAtOnce == nil)
    // The browser refuses a malformed call before it looks for an abort.
    let missing = try #require(results.first { $0.row.id == "MDV-13" })
    #expect(missing.got == "TypeError" && missing.abortedAtOnce == nil)
    #expect(results.allSatisfy { $0.abortedAtOnce?.contains("AbortError") != false })
  }

  @Test("Rows are chosen by identifier and by group")
  func choice() {
    #expect(BrowserChecklist.run(in: .spec2026, only: ["GET-01"]).map(\.row.id) == ["GET-01"])
    let groups = BrowserChecklist.run(in: .spec2026, only: ["MDV", "CON"]).map(\.row.id)
    #expect(groups.count == 34 && groups.first == "CON-01")
    #expect(BrowserChecklist.run(in: .spec2026, only: ["XYZ"]).isEmpty)
  }
}
