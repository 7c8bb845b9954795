import Primitives
import Testing
import TrustLists

@testable import Storage

@Suite("The last list of issuing authorities of a server")
struct IssuerListStoreTests {
  @Test("survives a restart, and is replaced by the next one of the same operator")
  func keeps() throws {
    let folder = try TemporaryFolder()
    let date = DateTime(secondsSince1970: 1_757_955_600)
    let first = try SessionStore(at: folder.file("server"))
    #expect(try first.issuerList(of: "astro-trust") == nil)
    try first.keep(
      SessionStore.KeptIssuerList(issue: VICAL.Issue(number: 3, date: date), content: [1]), of: "astro-trust")
    try first.keep(
      SessionStore.KeptIssuerList(issue: VICAL.Issue(number: nil, date: date), content: [2]), of: "moon-trust")
    try first.keep(
      SessionStore.KeptIssuerList(issue: VICAL.Issue(number: .max, date: date), content: [3]), of: "astro-trust")
    first.close()
    let second = try SessionStore(at: folder.file("server"))
    let kept = try #require(try second.issuerList(of: "astro-trust"))
    #expect(kept.issue == VICAL.Issue(number: .max, date: date) && kept.content == [3])
    let other = try #require(try second.issuerList(of: "moon-trust"))
    #expect(other.issue == VICAL.Issue(number: nil, date: date) && other.content == [2])
    second.close()
  }
}
