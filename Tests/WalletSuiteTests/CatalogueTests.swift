import CaseSuites
import TestSupport
import Testing

@testable import WalletSuite

@Suite("The catalogue of the suite of wallets")
struct WalletCatalogueTests {
  @Test("ids are unique, lower-case words, and every case has a title, a clause and a known group")
  func ids() {
    let ids = WalletCatalogue.all.map(\.id)
    #expect(Set(ids).count == ids.count)
    for found in WalletCatalogue.all {
      #expect(found.id.wholeMatch(of: /[a-z][a-z0-9-]*(\.[a-z0-9-]+)+/) != nil, "\(found.id)")
      #expect(!found.title.isEmpty && !found.clause.isEmpty, "\(found.id)")
      #expect(WalletCatalogue.suite.groups.contains(found.group), "\(found.id)")
    }
  }
}

/// The generated part of the page.
@Suite("The page of the suite of wallets")
struct WalletSuiteReferencePageTests {
  @Test("the page has the cases of the catalogue; make reference writes it")
  func page() throws {
    let page = GeneratedPage("docs/\(WalletCatalogue.suite.page)")
    try page.check(WalletCatalogue.suite.updated)
    #expect(try page.text().contains("| `raw-request.more-elements` | refuse | must |"))
  }
}
