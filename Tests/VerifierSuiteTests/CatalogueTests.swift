import CaseSuites
import Faults
import TestSupport
import Testing

@testable import VerifierSuite

@Suite("The catalogue of the suite")
struct CatalogueTests {
  @Test("ids are unique, lower-case words")
  func ids() {
    let ids = SuiteCatalogue.all.map(\.id)
    #expect(Set(ids).count == ids.count)
    for id in ids { #expect(id.wholeMatch(of: /[a-z][a-z0-9-]*(\.[a-z0-9-]+)+/) != nil, "\(id)") }
    for found in SuiteCatalogue.all {
      #expect(!found.title.isEmpty && !found.clause.isEmpty, "\(found.id)")
      #expect(found.title.prefixMatch(of: /[a-z][A-Z]/) == nil, "\(found.title)")
    }
  }

  @Test("the names in issuers' certificates have at most 64 characters")
  func names() {
    let publishers = SuiteCatalogue.all.compactMap { found in
      if case .answer(let plan) = found.play { plan.status?.publisher } else { nil }
    }
    #expect(publishers.count > 20)
    for publisher in publishers { #expect("\(publisher.name) Document Signer".count <= 64, "\(publisher.identifier)") }
  }

  @Test("every fault that a server notices in a website's answer is a case")
  func faults() {
    let ids = Set(SuiteCatalogue.all.map(\.id))
    for fault in FaultCatalogue.all where fault.findings.party == "server" {
      #expect(ids.contains(fault.id) != SuiteCatalogue.leftOut.contains(where: fault.id.hasPrefix), "\(fault.id)")
    }
  }

  @Test("the cases that weigh most are cases that must be refused")
  func weights() {
    let heavy = Set(
      SuiteCatalogue.all.filter { $0.weight == .must && $0.expects == .refuse && FaultCatalogue.fault($0.id) != nil }
        .map(\.id))
    #expect(heavy == SuiteCatalogue.weighsMost)
  }
}

/// The generated part of the page.
@Suite("The page of the suite")
struct SuiteReferencePageTests {
  @Test("the page has the cases of the catalogue; make reference writes it")
  func page() throws {
    let page = GeneratedPage("docs/\(SuiteCatalogue.suite.page)")
    try page.check(SuiteCatalogue.suite.updated)
    #expect(try page.text().contains("| `issuer.expired` | refuse | must |"))
  }
}
