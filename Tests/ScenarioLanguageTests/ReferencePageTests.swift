import TestSupport
import Testing

@testable import ScenarioLanguage

/// The generated parts of the documentation.
@Suite("Reference pages")
struct ReferencePageTests {
  @Test("a page has what the declarations say; make reference writes it", arguments: ReferencePages.names)
  func page(name: String) throws {
    try GeneratedPage("docs/\(name)").check { ReferencePages.updated($0, named: name) }
  }

  @Test("every generated part is in exactly one place, and every place has a part")
  func parts() throws {
    let marker = /^<!-- ((?:keys|checks|parties|profiles): .+) -->$/.anchorsMatchLineEndings()
    let places = try ReferencePages.names.flatMap { name in
      try GeneratedPage("docs/\(name)").text().matches(of: marker).map { String($0.output.1) }
    }
    #expect(places.sorted() == ReferencePages.parts.map(\.marker).sorted())
  }
}
